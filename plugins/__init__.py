"""Methods as plugins: what they may see and do, and how they are run."""
