# make run   sets everything up and opens the program
# make test  sets everything up and passes the tests: lint, types, imports, tests
#
# Needs Python 3.11 or newer and make. Everything else is installed into .venv from requirements.lock, whose hashes are
# checked. uv does that quickly; where it is missing it is fetched as a package into .tools.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(not ((3, 11) <= sys.version_info[:2] < (3, 15)))' 2>/dev/null && { echo "$$p"; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
ARGS ?=

.PHONY: run test lint types tests bench format lock clean pictures

run: $(READY)
	@$(BIN)/recollect $(ARGS) || { code=$$?; [ $$code -eq 1 ] && exit 0; exit $$code; }

test: lint types tests

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(READY)
	$(BIN)/mypy

tests: $(READY)
	$(BIN)/pytest -n auto --dist worksteal $(ARGS)

bench: $(READY)
	$(BIN)/python -m tests.bench $(ARGS)

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

pictures: $(READY)
	$(BIN)/python -m tests.pictures

lock: $(READY)
	uv=$$(command -v uv || echo .tools/bin/uv); $$uv pip compile pyproject.toml --group dev --universal --generate-hashes \
		--no-emit-index-url --no-header --python-version 3.11 --quiet --output-file requirements.lock $(ARGS)

clean:
	rm -rf $(VENV) .tools .mypy_cache .ruff_cache .hypothesis dist

$(READY): pyproject.toml requirements.lock
	@[ -n "$(PYTHON)" ] || { echo "Recollect needs Python 3.11 to 3.14; none was found. Name one: make PYTHON=/path/to/python3"; exit 2; }
	@.ci/setup "$(PYTHON)" "$(VENV)"
	@touch $(READY)
