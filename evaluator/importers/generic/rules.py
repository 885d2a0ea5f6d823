"""What an organiser's settings must say beyond their types, and the manifest that they make."""

import re
from collections.abc import Iterable, Iterator

from evaluator.formats.nearest import NearestIds
from evaluator.formats.read import FORMATS
from evaluator.importers.generic.settings import AxisSettings, ProtocolSettings, Settings, TomlFile
from evaluator.public.id_patterns import IdPatternError, check_id_pattern
from evaluator.public.manifest import (
    LONGEST_LIST,
    MOST_DECIMALS,
    PART_AXIS,
    Manifest,
    ManifestError,
    Protocol,
    ResamplingUnit,
    SliceAxis,
)
from evaluator.public.metric_names import QUERY_FAMILIES, MetricNameError, check_metrics, family_of, parse_metric
from evaluator.sealed.slices import QUERY_AXIS

PARAPHRASE_AXIS = "paraphrase_group"
BASE_COLUMNS = ("query_id", "reference_images", "modification", "gallery_id", PARAPHRASE_AXIS, "exclude")
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,49}")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,49}")
_AXIS = re.compile(r"[a-z][a-z0-9_]{0,49}")


def check_rules(settings: Settings, file: TomlFile) -> None:
    """Report everything that the settings alone show to be wrong."""
    for key, pattern, words in (
        ("name", _SLUG, "small letters, digits and hyphens, at most 50"),
        ("version", _VERSION, "letters, digits, dots and hyphens, at most 50"),
        ("split", _SLUG, "small letters, digits and hyphens, at most 50"),
    ):
        if not pattern.fullmatch(getattr(settings, key)):
            file.report("value-odd", key, "does not fit", f"expected are {words}", value=getattr(settings, key))
    if not settings.title.strip():
        file.report("value-odd", "title", "is empty", "write the benchmark's name for people", value=settings.title)
    if settings.homepage and not re.match(r"https?://", settings.homepage):
        file.report("value-odd", "homepage", "is no web address", "write https://...", value=settings.homepage)
    if settings.run_format not in FORMATS:
        known = f"known are {', '.join(FORMATS)}"
        file.report("format-unknown", "run_format", "is no result format", known, value=settings.run_format)
    if not 0 <= settings.display.decimals <= MOST_DECIMALS:
        file.report("value-odd", "display.decimals", "is out of range", f"write 0 to {MOST_DECIMALS}")
    try:
        check_id_pattern(settings.image_id_pattern)
    except IdPatternError as error:
        words = f"is no regular expression of RE2: {error}"
        file.report("pattern-broken", "image_id_pattern", words, "correct it", value=settings.image_id_pattern)
    _check_axes(settings, file)
    if not settings.protocols:
        file.report("key-absent", "protocols", "there is no protocol", "write [[protocols]] with metrics")
    _check_unique("protocols", [protocol.name for protocol in settings.protocols], file)
    for place, protocol in enumerate(settings.protocols):
        _check_protocol(protocol, f"protocols[{place}]", file)


def is_pattern(text: str) -> bool:
    """Whether a text is a regular expression that ids can be matched against."""
    try:
        check_id_pattern(text)
    except IdPatternError:
        return False
    return True


def _check_axes(settings: Settings, file: TomlFile) -> None:
    _check_unique("axes", [axis.name for axis in settings.axes], file)
    axes = {axis.name: axis for axis in settings.axes}
    for place, axis in enumerate(settings.axes):
        if axis.name in BASE_COLUMNS or axis.name == QUERY_AXIS or not _AXIS.fullmatch(axis.name):
            words = "small letters, digits and _, and no column that has a meaning of its own"
            file.report(
                "axis-name", f"axes[{place}].name", "cannot be an axis", f"expected are {words}", value=axis.name
            )
    for where, name in axes_in_use(settings):
        if name not in axes and name not in {QUERY_AXIS, PARAPHRASE_AXIS}:
            remedy = NearestIds(axes).hint(name) or f'write [[axes]] with name = "{name}"'
            file.report("axis-unknown", where, "is not among the axes", remedy, value=name)
    if axes.get(PART_AXIS, AxisSettings("")).sealed:
        words = "is sealed, but who writes a file must know its parts"
        file.report("axis-sealed", "axes", words, "make it public", value=PART_AXIS)


def _check_unique(place: str, names: list[str], file: TomlFile) -> None:
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            file.report("name-twice", place, "occurs more than once", "rename one", value=name)


def _check_protocol(protocol: ProtocolSettings, place: str, file: TomlFile) -> None:
    if not protocol.metrics:
        file.report("metrics-empty", f"{place}.metrics", "names no metric", "write at least one, such as mAP@10")
        return
    _check_unique(f"{place}.metrics", list(protocol.metrics), file)
    unknown = [name for name in protocol.metrics if not _is_metric(name)]
    for name in unknown:
        k = re.search(r"@([0-9]{1,5})", name)
        families = [family.replace("{k}", k[1] if k else "10") for family in QUERY_FAMILIES]
        hint = NearestIds(families).hint(name) or "docs/your-benchmark.md lists the metrics"
        file.report("metric-unknown", f"{place}.metrics", "is no metric", hint, value=name)
    primary = protocol.primary
    if primary is not None and primary not in protocol.metrics:
        file.report("primary-unknown", f"{place}.primary", "is not among the metrics", "add it there", value=primary)
    for fewest, most in filter(None, (protocol.list_length, *(part.list_length for part in protocol.parts))):
        if not 1 <= fewest <= most <= LONGEST_LIST:
            expected = f"expected are two rising numbers from 1 to {LONGEST_LIST:,}"
            file.report("length-odd", f"{place}.list_length", "is no range", expected, value=[fewest, most])
    in_parts = sorted(name for part in protocol.parts for name in part.metrics)
    if protocol.parts and in_parts != sorted(protocol.metrics):
        file.report("part-metrics", f"{place}.parts", "every metric must belong to exactly one part")
    if not unknown:
        try:
            check_metrics(protocol_of(protocol))
        except ManifestError as error:
            file.report("metric-needs", f"{place}.metrics", str(error))


def _is_metric(name: str) -> bool:
    try:
        parse_metric(name)
    except MetricNameError:
        return False
    return True


def axes_in_use(settings: Settings) -> Iterator[tuple[str, str]]:
    """Key and name of every axis that must have exactly one value per query, and of the fairness axes."""
    yield from axes_of_units(settings)
    if settings.fairness:
        yield "fairness.axis", settings.fairness.axis
        for name in settings.fairness.standardise_by:
            yield "fairness.standardise_by", name


def axes_of_units(settings: Settings) -> Iterator[tuple[str, str]]:
    """Key and name of every axis that must have exactly one value per query."""
    yield "resampling.axis", settings.resampling.axis
    if settings.resampling.strata is not None:
        yield "resampling.strata", settings.resampling.strata
    for place, protocol in enumerate(settings.protocols):
        for key, name in (("macro", protocol.macro), ("average_over", protocol.average_over)):
            if name is not None:
                yield f"protocols[{place}].{key}", name
        if protocol.language:
            yield f"protocols[{place}].language.axis", protocol.language.axis
        if protocol.parts:
            yield f"protocols[{place}].parts", PART_AXIS


def deepest(metrics: Iterable[str]) -> int | None:
    """The largest cutoff among metrics that are known; None if one of them needs the whole ranking."""
    cutoffs = []
    for name in metrics:
        base = parse_metric(name).base
        k = family_of(base)[1] if base else 1
        if k is None:
            return None
        cutoffs.append(k)
    return max(cutoffs, default=1)


def protocol_of(settings: ProtocolSettings) -> Protocol:
    """A protocol with its defaults filled in; its metrics must be known."""
    metrics = (*settings.metrics, *([settings.language.metric] if settings.language else []))
    k = deepest(name for name in metrics if _is_metric(name))
    full = settings.full_gallery if settings.full_gallery is not None else k is None and not settings.list_length
    given = [part.list_length for part in settings.parts]
    if settings.list_length:
        length = settings.list_length
    elif given:
        length = (min(fewest for fewest, _ in given), max(most for _, most in given))
    else:
        length = (1, LONGEST_LIST) if full or k is None else (min(k, LONGEST_LIST), min(k, LONGEST_LIST))
    return Protocol(
        name=settings.name,
        title=settings.title or settings.name.capitalize(),
        description=settings.description,
        list_length=length,
        metrics=settings.metrics,
        primary=settings.primary or settings.metrics[0],
        truth=settings.truth,
        delete_references=settings.delete_references,
        short_lists=settings.short_lists,
        language=settings.language,
        full_gallery=full,
        parts=settings.parts,
        average_over=settings.average_over,
        macro=settings.macro,
    )


def manifest_of(settings: Settings) -> Manifest:
    """The bundle's manifest, without digests."""
    unit = settings.resampling
    return Manifest(
        name=settings.name,
        version=settings.version,
        split=settings.split,
        title=settings.title,
        summary=settings.summary,
        homepage=settings.homepage,
        citation=settings.citation,
        licence=settings.licence,
        terms=settings.terms,
        ground_truth=settings.ground_truth,
        run_format=settings.run_format,
        gallery_policy=settings.gallery_policy,
        image_id_pattern=settings.image_id_pattern,
        resampling=ResamplingUnit(unit.axis, unit.title or unit.axis, strata=unit.strata),
        display=settings.display,
        protocols=tuple(map(protocol_of, settings.protocols)),
        slice_axes=tuple(
            SliceAxis(axis.name, axis.title or axis.name, sealed=axis.sealed) for axis in settings.axes if axis.slices
        ),
        fairness=settings.fairness,
    )
