"""Any benchmark, from tables and a `benchmark.toml` that its organiser writes."""
