# The two commands of a fresh machine are `make demo` and `make test`.
.DEFAULT_GOAL := help
.PHONY: help demo serve manage test lint bench clean install install-dev install-bench

BIN := .venv/bin
# Set to pass more to pytest or manage.py, as in: make test ARGS="-k scores"
ARGS ?=

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

demo: install ## a whole server on this machine with a small benchmark, accounts and runs; Ctrl-C stops it
	@exec $(BIN)/python -m leaderboard.local demo --stop-with-parent $(ARGS)

serve: install ## the same server without the demo's benchmark, accounts and runs
	@exec $(BIN)/python -m leaderboard.local serve --stop-with-parent $(ARGS)

manage: install ## a management command for that server: make manage ARGS="install_benchmark BUNDLE"
	@exec $(BIN)/python -m leaderboard.local manage $(ARGS)

test: install-dev lint ## everything: lint, types, import rules, migrations, then all tests
	$(BIN)/python -m pytest --ignore=tests/performance $(ARGS)

lint: install-dev ## style, types, import rules, missing migrations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@# The ignored warning says that no database runs, which this check does not need.
	$(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run

bench: install-bench ## speed and memory beside other libraries (ten minutes); rewrites docs/performance.md
	$(BIN)/python -m pytest tests/performance $(ARGS)

clean: ## remove the virtual environment and caches; the server's data stay
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

install:
	@leaderboard/local/install.sh local

install-dev:
	@leaderboard/local/install.sh dev

install-bench:
	@leaderboard/local/install.sh bench
