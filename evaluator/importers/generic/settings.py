"""An organiser's benchmark.toml: the keys of the bundle's manifest, most of them with a default."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args, get_origin, get_type_hints

from evaluator.formats.nearest import NearestIds
from evaluator.importers.generic.faults import FaultLog
from evaluator.importers.generic.reading import is_inside
from evaluator.public.manifest import (
    Display,
    FairnessRule,
    GalleryPolicy,
    LanguageRule,
    Part,
    TruthHolder,
    TruthRule,
)
from evaluator.public.typed import ShapeError, value_of

FILE = "benchmark.toml"
MOST_BYTES = 1 << 20
PERCENT = Display(percent=True, decimals=2)


@dataclass(frozen=True, slots=True)
class ProtocolSettings:
    """A protocol as organisers write it: see `evaluator.public.manifest.Protocol`.

    Attributes:
        primary: None for the first metric.
        title: None for the name.
        list_length: None for exactly as many images as the largest cutoff of the metrics.
        full_gallery: None for what the metrics need: those without a cutoff need whole rankings.
    """

    metrics: tuple[str, ...]
    primary: str | None = None
    name: str = "official"
    title: str | None = None
    description: str = ""
    list_length: tuple[int, int] | None = None
    full_gallery: bool | None = None
    short_lists: bool = False
    truth: TruthRule = "as_listed"
    delete_references: bool = False
    language: LanguageRule | None = None
    parts: tuple[Part, ...] = ()
    average_over: str | None = None
    macro: str | None = None


@dataclass(frozen=True, slots=True)
class AxisSettings:
    """A further column of the queries' table.

    Attributes:
        name: The column.
        title: None for the name.
        sealed: Whether its values are kept beside the ground truth, away from methods.
        slices: Whether results are shown for each value; False for units and groups with many values.
    """

    name: str
    title: str | None = None
    sealed: bool = False
    slices: bool = True


@dataclass(frozen=True, slots=True)
class ResamplingSettings:
    """What the bootstrap draws: see `evaluator.public.manifest.ResamplingUnit`."""

    axis: str = "query"
    title: str | None = None
    strata: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything in an organiser's benchmark.toml: see `evaluator.public.manifest.Manifest`."""

    name: str
    version: str
    title: str
    ground_truth: TruthHolder
    protocols: tuple[ProtocolSettings, ...]
    split: str = "test"
    summary: str = ""
    homepage: str = ""
    citation: str = ""
    licence: str = ""
    terms: str = ""
    gallery_policy: GalleryPolicy = "closed"
    image_id_pattern: str = r"[\p{L}\p{N}_.,:/+-]+"
    run_format: str = "lists"
    resampling: ResamplingSettings = ResamplingSettings()
    display: Display = PERCENT
    axes: tuple[AxisSettings, ...] = ()
    fairness: FairnessRule | None = None


ANY_ID = "(?s:.*)"
STAND_INS: Mapping[str, Any] = MappingProxyType(
    {
        "name": "benchmark",
        "version": "1",
        "title": "benchmark",
        "ground_truth": "held_out",
        "image_id_pattern": ANY_ID,
        "protocols": (ProtocolSettings(("mAP@10",)),),
    }
)
"""What the check goes on with where a key that is needed was reported; nothing is imported then."""


@dataclass(frozen=True)
class TomlFile:
    """A TOML file that can say where a key stands.

    Attributes:
        text: Its lines.
        log: Where faults of it are reported.
    """

    text: str
    log: FaultLog

    def report(
        self, kind: str, place: str, message: str, remedy: str = "", *, value: object = None, warning: bool = False
    ) -> None:
        """Report a fault at a place such as ``protocols[0].primary``."""
        self.log.report(
            kind,
            message,
            remedy,
            file=FILE,
            line=self._line_of(place),
            column=place,
            value=None if value is None else str(value),
            severity="warning" if warning else "error",
        )

    def _line_of(self, place: str) -> int | None:
        """The line of a key's ``key =``, or of its table's header; None where neither is found."""
        table, seen, header = "", dict[str, int](), None
        for number, line in enumerate(self.text.splitlines(), start=1):
            stripped = line.strip()
            if stripped.startswith("[") and (name := stripped.split("]")[0].strip("[ ")) and "=" not in stripped:
                path = name
                if stripped.startswith("[["):
                    seen[name] = seen.get(name, -1) + 1
                    path = f"{name}[{seen[name]}]"
                elif "." in name and (owner := name.split(".")[0]) in seen:
                    path = name.replace(owner, f"{owner}[{seen[owner]}]", 1)
                table = f"{path}."
                header = number if path == place or place.startswith(table) else header
            elif table + stripped.split("=")[0].strip() == place:
                return number
        return header


def read_settings(folder: Path, log: FaultLog) -> tuple[Settings, TomlFile] | None:
    """Read benchmark.toml, reporting every key that is absent, unknown or of another type.

    Returns:
        The settings and their file, or None if it is no TOML. Where a fault was reported, a stand-in takes the
        place of the value, so that all else can be checked in the same go.
    """
    path = folder / FILE
    if not path.exists():
        log.report("settings-absent", "does not exist", "`cirboard benchmark new` writes one to start from", file=FILE)
        return None
    if not is_inside(path, folder, log):
        return None
    if path.stat().st_size > MOST_BYTES:
        log.report("file-too-large", "is larger than 1 MiB", "keep to the keys that are known", file=FILE)
        return None
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        log.report("settings-broken", f"is no TOML in UTF-8 ({error})", "correct it there", file=FILE)
        return None
    file = TomlFile(text, log)
    return _table(Settings, content, "", file, STAND_INS), file


def _table(
    kind: type[Any], content: Any, place: str, file: TomlFile, stand_ins: Mapping[str, Any] = MappingProxyType({})
) -> Any:
    """A table as a dataclass; None if a key that it needs was reported and has no stand-in."""
    if not isinstance(content, dict):
        file.report("key-type", place, "must be a table", value=content)
        return None
    known = {field.name: field for field in fields(kind)}
    prefix = f"{place}." if place else ""
    nearest = NearestIds(known)
    for key in content.keys() - known.keys():
        remedy = nearest.hint(key) or f"known are {', '.join(known)}"
        file.report("key-unknown", prefix + key, "is no key of this table", remedy, value=key)
    needed = [field.name for field in known.values() if field.default is MISSING]
    for key in needed:
        if key not in content:
            file.report("key-absent", place or key, f"the key {key} is absent", f"write {key} = ...")
    hints = get_type_hints(kind)
    read = {key: _value(hints[key], content[key], prefix + key, file) for key in known if key in content}
    failed = {key for key, value in read.items() if value is None}.union(needed)
    values = {key: value for key, value in stand_ins.items() if key in failed}
    values |= {key: value for key, value in read.items() if value is not None}
    return kind(**values) if all(key in values for key in needed) else None


def _value(hint: Any, value: Any, place: str, file: TomlFile) -> Any:
    choices = get_args(hint)
    if type(None) in choices:
        hint = next(choice for choice in choices if choice is not type(None))
    if is_dataclass(hint):
        return _table(hint, value, place, file)  # type: ignore[arg-type]  # a hint that is a dataclass is a class
    if get_origin(hint) is tuple and is_dataclass(get_args(hint)[0]):
        return _tables(get_args(hint)[0], value, place, file)
    return _leaf(lambda: value_of(hint, value, ""), value, place, file)


def _tables(kind: type[Any], value: Any, place: str, file: TomlFile) -> Any:
    if not isinstance(value, list):
        file.report("key-type", place, "must be an array of tables", f"write [[{place}]]", value=value)
        return None
    each = [_table(kind, content, f"{place}[{n}]", file) for n, content in enumerate(value)]
    return tuple(table for table in each if table is not None)


def _leaf(read: Callable[[], Any], value: Any, place: str, file: TomlFile) -> Any:
    try:
        return read()
    except ShapeError as error:
        file.report("key-type", place, str(error).strip(), value=value)
        return None
