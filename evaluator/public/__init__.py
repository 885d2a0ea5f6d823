"""What a method may see: queries, galleries, runs, the benchmark's manifest."""
