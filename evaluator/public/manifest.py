"""The manifest of a bundle, `public/benchmark.toml`: what the benchmark is and by which rules it is scored."""

import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import tomli_w

from evaluator.public.digests import digest_mapping
from evaluator.public.id_patterns import IdPatternError, check_id_pattern
from evaluator.public.typed import ShapeError, build

BUNDLE_FORMAT = 1
PART_AXIS = "part"
LONGEST_LIST = 100_000
MOST_DECIMALS = 15
REMEDY = "make the bundle again with `cirboard import`"
GalleryPolicy = Literal["closed", "open"]
TruthHolder = Literal["public", "held_out", "external"]
TruthRule = Literal["as_listed", "clean", "graded"]


class ManifestError(ValueError):
    """A benchmark.toml that cannot be used: the message names the key and the remedy."""


@dataclass(frozen=True, slots=True)
class LanguageRule:
    """Which wordings of a need are compared: the axis that groups the queries and the metric whose spread is taken."""

    axis: str
    metric: str


@dataclass(frozen=True, slots=True)
class Part:
    """Queries of one kind, where a benchmark asks for several kinds of lists, such as CIRR's whole and subset lists.

    Attributes:
        name: The value of these queries on the public axis `PART_AXIS`.
        title: For people.
        list_length: Fewest and most images that a list of this part may hold.
        metrics: Those metrics of the protocol that are taken over this part's queries.
    """

    name: str
    title: str
    list_length: tuple[int, int]
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Protocol:
    """One named way of scoring a benchmark. Rows of different protocols never share a rank.

    Attributes:
        list_length: Fewest and most images that a list may hold.
        metrics: Names such as ``mAP@10``, in the order they are shown.
        primary: The metric that ranks.
        truth: ``as_listed`` counts judged images as the organiser listed them; ``clean`` counts each once, makes
            images that are both positive and negative unjudged, and drops queries that this leaves without a positive;
            ``graded`` lets recall@K count the best grade among the first K.
        delete_references: Whether a query's own reference images are deleted from a list before it is cut at K.
        short_lists: Whether lists shorter than the largest cutoff are accepted, with the metrics they cannot give null.
        language: How the paraphrase metrics group the queries; None where the benchmark has no paraphrases.
        full_gallery: Whether a list must rank its query's whole gallery; ``list_length`` is then only a bound.
        parts: The kinds of lists; every query belongs to one and every metric to one. A run may leave out whole parts.
            Empty where all lists are of one kind.
        average_over: Axis whose values weigh equally in a mean over all queries; None where queries weigh equally.
        macro: Axis whose values are the observations of the macro and min metrics.
        extra_queries: Queries that the organiser's server counts although no file answers them; each scores 0.
        attainable_precision: Whether precision@K divides by the smaller of K and the query's positives instead of K.
        ranks_uploads: False where an uploaded list proves nothing, as where the right answer stands in the files.
    """

    name: str
    title: str
    description: str
    list_length: tuple[int, int]
    metrics: tuple[str, ...]
    primary: str
    truth: TruthRule = "as_listed"
    delete_references: bool = False
    short_lists: bool = False
    language: LanguageRule | None = None
    full_gallery: bool = False
    parts: tuple[Part, ...] = ()
    average_over: str | None = None
    macro: str | None = None
    extra_queries: int = 0
    attainable_precision: bool = False
    ranks_uploads: bool = True


@dataclass(frozen=True, slots=True)
class SliceAxis:
    """A way of dividing the queries. Sealed axes live beside the ground truth and are known only when scored."""

    name: str
    title: str
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class ResamplingUnit:
    """What the bootstrap draws: ``axis`` is "query" or an axis with exactly one value per query.

    Attributes:
        derived: Whether the benchmark's files do not name this unit and CIRBoard derived it.
        strata: Axis within whose values units are drawn apart, so that every replicate holds as many units of each;
            every unit lies in one. None to draw from all units together.
    """

    axis: str
    title: str
    derived: bool = False
    strata: str | None = None


@dataclass(frozen=True, slots=True)
class FairnessRule:
    """Groups whose scores are compared.

    Attributes:
        axis: The axis of the groups.
        unknown: Values of the axis that say that the group is not known: rows of their own, in no gap.
        standardise_by: Axes whose mix differs between groups; the standardised gap compares like with like.
        fewest_units: Groups with fewer resampling units are shown as too small, and in no gap.
    """

    axis: str
    unknown: tuple[str, ...] = ()
    standardise_by: tuple[str, ...] = ()
    fewest_units: int = 20


@dataclass(frozen=True, slots=True)
class Display:
    """How numbers are shown. Stored values are always fractions at full precision."""

    percent: bool
    decimals: int


@dataclass(frozen=True, slots=True)
class Digests:
    """SHA-256 digests of a bundle's parts, 64 hexadecimal digits each."""

    queries: str
    gallery: str
    ground_truth: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything in benchmark.toml. The first protocol is the one by which files are checked.

    Attributes:
        name: Slug, such as "circo".
        version: Version of the benchmark's content, such as "1".
        split: Such as "val".
        run_format: Official format of its result files, a name known to `evaluator.formats`.
        image_id_pattern: Regular expression, in RE2's syntax, that every image id matches as a whole.
        resampling: What the bootstrap draws.
        fairness: Groups whose scores are compared; None where there are none.
        digests: None until the bundle is written.
    """

    name: str
    version: str
    split: str
    title: str
    summary: str
    homepage: str
    citation: str
    licence: str
    terms: str
    ground_truth: TruthHolder
    run_format: str
    gallery_policy: GalleryPolicy
    image_id_pattern: str
    resampling: ResamplingUnit
    display: Display
    protocols: tuple[Protocol, ...]
    slice_axes: tuple[SliceAxis, ...]
    fairness: FairnessRule | None = None
    digests: Digests | None = None

    def protocol(self, name: str | None = None) -> Protocol:
        """The protocol of that name, or the first.

        Raises:
            ManifestError: If there is none of that name.
        """
        if name is None:
            return self.protocols[0]
        for protocol in self.protocols:
            if protocol.name == name:
                return protocol
        known = ", ".join(protocol.name for protocol in self.protocols)
        raise ManifestError(f"{self.title} has no protocol {name!r}; it has: {known}")

    @property
    def digest(self) -> str:
        """SHA-256 over everything in the manifest, the digests of the other parts included."""
        return digest_mapping(_plain(self))

    def with_digests(self, digests: Digests) -> "Manifest":
        """The same manifest with the digests of the bundle's parts."""
        return replace(self, digests=digests)


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write benchmark.toml."""
    path.write_bytes(tomli_w.dumps(_plain(manifest)).encode())


def read_manifest(path: Path) -> Manifest:
    """Read benchmark.toml.

    Raises:
        ManifestError: If it is missing, not TOML, of another bundle format, or a key is missing, unknown, or
            has a value of another type or out of range.
    """
    content = _load(path)
    bundle_format = content.pop("bundle_format", None)
    if bundle_format != BUNDLE_FORMAT:
        raise ManifestError(f"{path} has bundle_format {bundle_format!r}; this version reads {BUNDLE_FORMAT}")
    return _checked(content)


def manifest_of_json(content: dict[str, Any]) -> Manifest:
    """A manifest that was stored as JSON, as `dataclasses.asdict` gives it.

    Raises:
        ManifestError: As `read_manifest`.
    """
    return _checked(_without_none(content))


def _checked(content: Any) -> Manifest:
    try:
        manifest: Manifest = build(Manifest, content, "benchmark.toml")
    except ShapeError as error:
        raise ManifestError(f"{error}; {REMEDY}") from None
    if fault := next(_faults(manifest), None):
        raise ManifestError(f"benchmark.toml: {fault}; {REMEDY}")
    return manifest


def _plain(manifest: Manifest) -> dict[str, Any]:
    return {"bundle_format": BUNDLE_FORMAT, **_without_none(asdict(manifest))}


def _without_none(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _without_none(value) for key, value in content.items() if value is not None}
    if isinstance(content, list | tuple):
        return [_without_none(value) for value in content]
    return content


def _load(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ManifestError(f"{path} does not exist; name a bundle made by `cirboard import`") from None
    except OSError as error:
        raise ManifestError(f"{path} cannot be read: {error.strerror}; {REMEDY}") from None
    except RecursionError:
        raise ManifestError(f"{path} is nested too deep; {REMEDY}") from None
    except ValueError as error:
        raise ManifestError(f"{path} is not TOML: {error}; {REMEDY}") from None


def _faults(manifest: Manifest) -> Iterator[str]:
    """What types cannot say."""
    if not manifest.protocols:
        yield "it needs at least one [[protocols]]"
    for names in (manifest.protocols, manifest.slice_axes):
        if len({part.name for part in names}) != len(names):
            yield "two protocols or two slice axes have the same name"
    if not 0 <= manifest.display.decimals <= MOST_DECIMALS:
        yield f"display: decimals must be 0 to {MOST_DECIMALS}"
    for protocol in manifest.protocols:
        yield from (f"protocol {protocol.name!r}: {fault}" for fault in _faults_of(protocol))
    try:
        check_id_pattern(manifest.image_id_pattern)
    except IdPatternError as error:
        yield f"image_id_pattern is no regular expression: {error}"


def _faults_of(protocol: Protocol) -> Iterator[str]:
    for fewest, most in (protocol.list_length, *(part.list_length for part in protocol.parts)):
        if not 1 <= fewest <= most <= LONGEST_LIST:
            yield f"list_length must be two rising numbers from 1 to {LONGEST_LIST:,}"
    if len(set(protocol.metrics)) != len(protocol.metrics):
        yield "a metric is named twice"
    if protocol.primary not in protocol.metrics:
        yield f"primary {protocol.primary!r} is not among its metrics"
    if protocol.extra_queries < 0:
        yield "extra_queries must not be negative"
    if protocol.parts and sorted(name for part in protocol.parts for name in part.metrics) != sorted(protocol.metrics):
        yield "every metric must belong to exactly one of its parts"
