"""Long lists, some rows at a time."""

from typing import Any

from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

# PostgreSQL counts rows in 64 bits; no list of the server comes near this.
LARGEST_OFFSET = 10**9


class BoundedPages(LimitOffsetPagination):
    """No page is longer than 200 rows, and no number is larger than the database can count."""

    max_limit = 200

    def get_offset(self, request: Request) -> int:
        return min(super().get_offset(request), LARGEST_OFFSET)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        limit, offset = super().get_schema_operation_parameters(view)
        limit["schema"] = {"type": "integer", "minimum": 1, "maximum": self.max_limit}
        offset["schema"] = {"type": "integer", "minimum": 0}
        return [limit, offset]
