"""A table's address: what a reader chose, as query parameters."""

from django.http import HttpRequest, QueryDict

from leaderboard.tables.query import BoardQuery

LONGEST = 200


def query_of(parameters: QueryDict) -> BoardQuery:
    """Read the parameters; whether what they name exists is the table's to say."""

    def one(name: str) -> str:
        return parameters.get(name, "")[:LONGEST]

    return BoardQuery(
        protocol=one("protocol"),
        sort=one("sort"),
        slice=one("slice"),
        search=one("q").strip(),
        paradigm=one("paradigm"),
        columns=tuple(slug for slug in parameters.getlist("c")[:LONGEST] if slug),
    )


def address_with(request: HttpRequest, **changes: str) -> str:
    """The present address's query string with some parameters changed; "" drops one."""
    parameters = request.GET.copy()
    for name, value in changes.items():
        if value:
            parameters[name] = value
        else:
            parameters.pop(name, None)
    for name in [name for name in parameters if not any(parameters.getlist(name))]:
        parameters.pop(name)
    return f"?{parameters.urlencode()}" if parameters else "?"
