"""Every kind of problem that a check can report: stable code, severity, title and remedy. docs/problems.md explains each."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem.

    Attributes:
        one: Title when it occurs once, a sentence without its full stop.
        many: Title when it occurs ``{n}`` times.
        remedy: What to do about all of them.
        severity: An error refuses the file.
    """

    one: str
    many: str
    remedy: str
    severity: Severity = "error"

    def title(self, count: int) -> str:
        """The title for so many problems of this kind."""
        return self.one if count == 1 else self.many.format(n=f"{count:,}")


def _file(title: str, remedy: str, severity: Severity = "error") -> Kind:
    return Kind(title, title, remedy, severity)


KINDS: dict[str, Kind] = {
    # The bytes
    "file-empty": _file("The file is empty", "Write the run again, and look at its size before you send it."),
    "file-too-large": _file(
        "The file is too large", "Send fewer bytes: compress with gzip or zstd, and leave out scores."
    ),
    "file-expands-too-much": _file(
        "The file expands to more than is allowed",
        "Send the run alone, without padding; a run of the required lists is far below the limit.",
    ),
    "file-too-demanding": _file(
        "The check of this file was stopped",
        "A run of the expected size is checked in seconds. Write the file again with only the required lists.",
    ),
    "compression-unsupported": _file(
        "The file is packed in a way that is not read",
        "Send it plain, or packed with gzip, zstd, or zip with one file.",
    ),
    "archive-damaged": _file(
        "The archive is damaged", "Pack the file again and compare sizes; it may have been cut short."
    ),
    "archive-not-one-file": _file(
        "The zip does not hold the files of one run",
        "Put the run's files and nothing else into the zip, or send them unpacked.",
    ),
    "archive-encrypted": _file("The zip is encrypted", "Pack it again without a password."),
    "archive-nested": _file("An archive lies within the archive", "Pack the result file once."),
    # The text
    "encoding-not-utf8": _file("The file is not UTF-8 text", "Write it as UTF-8: open(path, 'w', encoding='utf-8')."),
    "encoding-bom": _file(
        "The file starts with a byte order mark",
        "It was skipped. Other evaluators refuse it: write with encoding 'utf-8', not 'utf-8-sig'.",
        "warning",
    ),
    "encoding-surrogate": Kind(
        "1 text is not valid Unicode",
        "{n} texts are not valid Unicode",
        "Half of a surrogate pair stands alone. Write ids as they are in the benchmark's files.",
    ),
    "json-invalid": _file("The file is not valid JSON", "Write it with a JSON library, such as json.dump, in one go."),
    "json-too-deep": _file("The JSON is nested too deeply", "A result file needs two or three levels."),
    "json-key-repeated": Kind(
        "1 key occurs more than once",
        "{n} keys occur more than once",
        "Most readers keep only the last value and drop the others silently. Write each query once.",
    ),
    # The shape
    "format-wrong": _file("The file has another shape", "Write the shape that the benchmark asks for."),
    "benchmark-wrong": _file("The file belongs to another benchmark", "Choose that benchmark, or another file."),
    "split-wrong": _file("The file belongs to another split", "Choose that split, or write the run for this one."),
    "version-wrong": _file("The version is missing or wrong", 'Write "version": "rc2" into the file.'),
    "metric-wrong": _file(
        "The metric is missing or wrong", 'Write "metric": "recall" or "metric": "recall_subset" into the file.'
    ),
    "part-repeated": _file("A part of the run is given twice", "Give each part of the run once."),
    "lists-wrong-number": _file(
        "The file has another number of lists than the benchmark has queries",
        "Give one list for each query, in the benchmark's order: the position says which query a list answers.",
    ),
    "entry-mismatch": Kind(
        "1 entry belongs to another query",
        "{n} entries belong to other queries",
        'Take all entries of the benchmark\'s caption file in their order, and add "ranking" to each.',
    ),
    "ranking-missing": Kind(
        "1 entry has no ranking", "{n} entries have no ranking", 'Add "ranking": [...] to each entry, best first.'
    ),
    "order-wrong": Kind(
        "1 list is no order of its gallery",
        "{n} lists are no orders of their galleries",
        "Write each position in the query's gallery exactly once, best first.",
    ),
    "list-unwrapped": Kind(
        "1 query has a bare list",
        "{n} queries have bare lists",
        'Wrap each list: {"retrieved_items": [...]}.',
    ),
    "list-wrapped": Kind(
        "1 query has its list inside an object",
        "{n} queries have their lists inside objects",
        "Give the list itself, without an object around it.",
    ),
    "list-key-missing": Kind(
        "1 query has no retrieved_items",
        "{n} queries have no retrieved_items",
        "The official evaluator would count an empty list. Write the list under the key retrieved_items.",
    ),
    "list-key-unknown": Kind(
        "1 key beside the lists is ignored",
        "{n} keys beside the lists are ignored",
        "Only the lists are read; scores and notes have no effect.",
        "warning",
    ),
    "list-null": Kind("1 list is null", "{n} lists are null", "Give every query a list, if only a guess."),
    "list-wrong-type": Kind(
        "1 list is not a list", "{n} lists are not lists", "Give image ids in square brackets, best first."
    ),
    "files-too-many": _file("These are not the files of one run", "Give the files of one run, or one zip of them."),
    # Tables, lines and arrays
    "table-damaged": _file("The Parquet file is damaged", "Write it again with pyarrow or pandas, and send it whole."),
    "column-type": Kind(
        "1 column has another type",
        "{n} columns have other types",
        "Write query_id and image_id as text, rank as a whole number; docs/submit.md shows the layouts.",
    ),
    "column-null": Kind("1 row holds a null", "{n} rows hold nulls", "Give every row its query, rank and image."),
    "npz-damaged": _file("The NumPy archive is damaged", "Write it again with numpy.savez, and send it whole."),
    "npz-dtype": _file("An array has another type", "Write positions as int32 and query ids as text, without objects."),
    "npz-shape": _file("The arrays do not fit together", "Give one row, or one pair of offsets, for each query."),
    "position-outside": Kind(
        "1 position is not in its query's gallery",
        "{n} positions are not in their queries' galleries",
        "Positions count from 0 in the query's own gallery; -1 may only fill the end of a list.",
    ),
    "json-line-wrong": Kind(
        "1 line is not a query with its ranking",
        "{n} lines are not queries with their rankings",
        'Write {"query_id": "...", "ranking": [...]} on each line.',
    ),
    "trec-columns": Kind(
        "1 line has not six columns",
        "{n} lines have not six columns",
        "Write query, Q0, image, rank, score and tag, and percent-encode white space within ids.",
    ),
    "trec-rank": Kind(
        "1 rank is not a whole number", "{n} ranks are not whole numbers", "Count ranks from 0 or 1 in each query."
    ),
    "trec-score": Kind(
        "1 score is not a finite number",
        "{n} scores are not finite numbers",
        "Write scores as decimal numbers, higher is better; without scores, write falling ones.",
    ),
    "rank-repeated": Kind(
        "1 rank occurs more than once in its list",
        "{n} ranks occur more than once in their lists",
        "Give each image of a query a rank of its own.",
    ),
    "rank-gap": Kind(
        "1 rank does not follow the one before",
        "{n} ranks do not follow the ones before",
        "Count ranks from 0 or 1 in each query, without gaps.",
    ),
    "trec-rank-score": Kind(
        "1 score contradicts its rank",
        "{n} scores contradict their ranks",
        "Sort each list by score, highest first, and number it then.",
    ),
    "trec-tie": _file(
        "Some entries have equal scores",
        "Their order is taken from the rank column. Other evaluators may break the ties in another way.",
        "warning",
    ),
    # Queries
    "part-missing": Kind(
        "1 part of the run is missing",
        "{n} parts of the run are missing",
        "That is allowed; the metrics of that part are left out.",
        "warning",
    ),
    "group-missing": Kind(
        "1 group of queries has no lists",
        "{n} groups of queries have no lists",
        "The result is an average over these groups: give the lists of all of them.",
    ),
    "query-missing": Kind(
        "1 query has no list",
        "{n} queries have no list",
        "Every query needs a list, if only a guess: a missing query would lift the mean.",
    ),
    "query-unknown": Kind(
        "1 query is not in the benchmark",
        "{n} queries are not in the benchmark",
        "Take query ids from the benchmark's own file, and leave out anything else.",
    ),
    "query-id-form": Kind(
        "1 query id is written in another form",
        "{n} query ids are written in another form",
        "Write query ids exactly as the benchmark does.",
    ),
    "query-repeated": Kind(
        "1 query occurs twice, written differently",
        "{n} queries occur twice, written differently",
        "Keep one list for each query.",
    ),
    # Lists
    "list-too-short": Kind(
        "1 list is too short",
        "{n} lists are too short",
        "Fill every list to the required length; a shorter one would not be comparable.",
    ),
    "list-too-long": Kind("1 list is too long", "{n} lists are too long", "Cut every list to the allowed length."),
    "list-short": _file(
        "Some lists are shorter than the largest cutoff",
        "That is allowed. Metrics that look deeper than the shortest list are left out, and the row is not ranked on them.",
        "warning",
    ),
    # Entries
    "image-unknown": Kind(
        "1 image is not in the gallery",
        "{n} images are not in the gallery",
        "Return images of the gallery only. If many are unknown, the file may belong to another version.",
    ),
    "image-outside-gallery": Kind(
        "1 image is in another query's gallery",
        "{n} images are in other queries' galleries",
        "Each query is ranked over its own gallery.",
    ),
    "image-ill-formed": Kind(
        "1 image id cannot be one",
        "{n} image ids cannot be ones",
        "Write image ids exactly as the benchmark does.",
    ),
    "image-id-form": Kind(
        "1 image id is written in another form",
        "{n} image ids are written in another form",
        "Write image ids exactly as the benchmark does.",
    ),
    "image-repeated": Kind(
        "1 image is repeated within a list",
        "{n} images are repeated within a list",
        "Each image counts once; keep its best rank and move the rest up.",
    ),
    "image-excluded": Kind(
        "1 image may not be returned for its query",
        "{n} images may not be returned for their queries",
        "Remove the images that the benchmark excludes for a query.",
    ),
    "reference-in-list": Kind(
        "The reference image itself is in 1 list",
        "The reference image itself is {n} times in a list",
        "It is allowed, and takes a rank; most methods remove it.",
        "warning",
    ),
    "value-null": Kind("1 entry is null", "{n} entries are null", "Give an image id, or drop the entry."),
    "value-bool": Kind("1 entry is true or false", "{n} entries are true or false", "Give an image id."),
    "value-not-finite": Kind(
        "1 entry is NaN or infinite",
        "{n} entries are NaN or infinite",
        "Give an image id; a similarity may have slipped in.",
    ),
    "value-fraction": Kind(
        "1 entry is a number with a decimal point",
        "{n} entries are numbers with a decimal point",
        "Write ids as integers; a table with missing values may have turned them into floats.",
    ),
    "value-number": Kind(
        "1 entry is a number where ids are text",
        "{n} entries are numbers where ids are text",
        "Write ids in double quotes.",
    ),
    "value-nested": Kind(
        "1 entry is a list or an object",
        "{n} entries are lists or objects",
        "Write bare image ids, without scores beside them.",
    ),
}
