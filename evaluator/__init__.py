"""Exact evaluation of composed image retrieval: bundles, formats, metrics, statistics, reports."""

from typing import Final

__version__: Final = "0.1.0"

SCORING_REVISION: Final = 1
"""Raised only when a score changes for some run, so that stored evaluations can be told apart."""
