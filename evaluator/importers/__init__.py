"""Official benchmark files to bundles."""
