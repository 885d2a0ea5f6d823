"""One metric per file: a pure function over arrays with one value per query."""
