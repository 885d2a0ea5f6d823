"""A small, complete benchmark for organisers to start from."""

from pathlib import Path

from evaluator.importers.bundle_writer import ImportSourceError

SETTINGS = """# A benchmark. `cirboard benchmark check DIR` says everything that is wrong with it.
# Keys after a single "# " are optional: remove the mark to set them.

name = "{name}"  # small letters, digits, hyphens; part of its address
version = "1"  # raise it whenever queries, gallery, ground truth or rules change
split = "test"  # such as "val" or "test"
title = "{name}"  # for people
summary = "Six queries over twelve images, to start from."  # one or two sentences
homepage = ""  # https://... or empty
citation = ""  # BibTeX or a reference
licence = ""  # of queries and ground truth, such as "CC BY 4.0"
terms = ""  # what users have to agree to
ground_truth = "held_out"  # "public": everybody has it; "held_out": only this server; "external": only another server
gallery_policy = "closed"  # "closed": gallery.csv lists it; "open": any id that matches image_id_pattern
image_id_pattern = "img-[0-9]+"  # regular expression that every image id matches as a whole
# run_format = "lists"  # "lists": a JSON object, query id -> image ids; or a known benchmark's format, such as "pinpoint"

[resampling]
axis = "need"  # what the bootstrap draws: "query", or an axis with one value per query that were sampled together
title = "need (the wordings of one request)"  # for people
# strata = "topic"  # axis within whose values units are drawn apart; every unit lies in one

[display]
percent = true  # false shows fractions
decimals = 1  # 0 to 15

# Every further column of queries.csv, declared so that none becomes public by accident.
[[axes]]
name = "need"  # the column; small letters, digits and _
title = "Need"  # for people
sealed = false  # true keeps its values beside the ground truth, away from methods
slices = false  # false shows no results per value: right for axes with many values

[[axes]]
name = "topic"
title = "Topic"
sealed = false
slices = true

[[axes]]
name = "source"
title = "Source"
sealed = true
slices = true

# One way of scoring; the first is the one by which files are checked. Several [[protocols]] are allowed.
[[protocols]]
name = "official"  # rows of different protocols never share a rank
title = "Official"  # for people
description = "AP@5 divides by the smaller of 5 and the number of positives."  # what a reader must know
metrics = ["mAP@5", "hit_rate@1", "recall@5", "negative_recall@5", "linguistic_range"]  # in the order they are shown
primary = "mAP@5"  # the metric that ranks
list_length = [5, 10]  # fewest and most images of a list
full_gallery = false  # true: a list ranks its query's whole gallery
short_lists = false  # true: shorter lists are accepted, metrics they cannot give are left empty
truth = "as_listed"  # "clean": positives that are hard negatives too are unjudged; "graded": recall@K counts grades
delete_references = false  # true: reference images are deleted from lists before the cut at K
language = {{ axis = "need", metric = "mAP@5" }}  # whose wordings linguistic_* metrics compare, and on which metric
# macro = "need"  # axis whose values macro_* and min_* metrics average over
# average_over = "topic"  # axis whose values weigh equally in every mean
# parts = [{{ name = "a", title = "A", list_length = [5, 5], metrics = ["mAP@5"] }}]  # kinds of lists, by the axis "part"

# [fairness]
# axis = "group"  # the axis whose groups are compared
# unknown = ["unknown"]  # values that name no group
# standardise_by = ["topic"]  # axes whose mix differs between groups
# fewest_units = 20  # groups with fewer units are shown as too small
"""

QUERIES = """\
query_id,reference_images,modification,need,topic,source
q1,img-1,the same chair in red,n1,furniture,studio-a
q2,img-1,"a chair like this, but red",n1,furniture,studio-a
q3,img-2,with a wooden table instead,n2,furniture,studio-b
q4,img-3,at night,n3,street,studio-a
q5,img-3|img-4,this street with that car,n4,street,studio-b
q6,img-5,without people,n5,street,studio-b
"""

GROUND_TRUTH = """\
query_id,image_id,label
q1,img-6,positive
q1,img-7,positive
q1,img-1,hard_negative
q2,img-6,positive
q2,img-7,positive
q2,img-1,hard_negative
q3,img-8,positive
q3,img-2,hard_negative
q4,img-9,positive
q4,img-3,hard_negative
q5,img-10,positive
q5,img-4,hard_negative
q6,img-11,positive
q6,img-12,positive
q6,img-5,hard_negative
"""

GALLERY = "image_id\n" + "".join(f"img-{number}\n" for number in range(1, 13))

FILES = ("benchmark.toml", "queries.csv", "ground_truth.csv", "gallery.csv")


def write_example(folder: Path, name: str) -> None:
    """Write the example.

    Args:
        folder: A new or empty directory.
        name: The benchmark's name, a slug.

    Raises:
        ImportSourceError: If the folder holds something already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ImportSourceError(f"{folder} exists and is not empty; name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    contents = (SETTINGS.format(name=name), QUERIES, GROUND_TRUTH, GALLERY)
    for file_name, content in zip(FILES, contents, strict=True):
        (folder / file_name).write_text(content, encoding="utf-8")
