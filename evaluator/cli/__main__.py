"""Run `cirboard` as `python -m evaluator.cli`."""

from evaluator.cli import main

main()
