"""The error of an importer."""


class ImportSourceError(ValueError):
    """Source files that do not make a benchmark: the message names the file or query and the remedy."""
