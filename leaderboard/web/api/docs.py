"""The API described for people, made from its own schema: no script and nothing from elsewhere."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One query parameter or form field."""

    name: str
    kind: str
    required: bool
    text: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one address."""

    id: str
    method: str
    path: str
    text: str
    parameters: tuple[Parameter, ...]
    body: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    server = request.build_absolute_uri("/").rstrip("/")
    return render(request, "api_docs.html", {"nav": "api", "operations": read_operations(), "server": server})


@lru_cache(maxsize=1)
def read_operations() -> tuple[Operation, ...]:
    """All operations of the schema, by address."""
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # untyped upstream
    return tuple(
        _operation(path, method, entry[method])
        for path, entry in sorted(schema["paths"].items())
        for method in METHODS
        if method in entry
    )


def _operation(path: str, method: str, entry: dict[str, Any]) -> Operation:
    parameters = tuple(
        Parameter(p["name"], _kind(p["schema"]), p.get("required", False), p.get("description", ""))
        for p in entry.get("parameters", [])
        if p["in"] == "query"
    )
    answers = tuple((code, _answer(answer)) for code, answer in sorted(entry["responses"].items()))
    return Operation(
        id=entry["operationId"],
        method=method.upper(),
        path=path,
        text=entry.get("description", ""),
        parameters=parameters,
        body=tuple(entry.get("requestBody", {}).get("content", {})),
        answers=answers,
    )


def _kind(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    return str(schema.get("type", "value"))


def _answer(answer: dict[str, Any]) -> str:
    contents = answer.get("content", {})
    if not contents:
        return "nothing"
    kind, content = next(iter(contents.items()))
    schema = content.get("schema", {})
    name = schema.get("$ref", schema.get("items", {}).get("$ref", "")).rpartition("/")[2]
    return str(name or kind)
