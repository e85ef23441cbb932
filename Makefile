# make demo, make test: need Python 3.10 or newer, git, make and the package registry of pip.
# make bench: needs that, too; takes a quarter of an hour, half of it for one run of fixit.
# make sarif: needs npm and its registry, too.

VENV ?= .venv
PYTHON ?=
# Idle workers take tests from busy ones: those over real releases take seconds each.
PYTEST_ARGS ?= -n auto --dist worksteal
BENCH_ARGS ?=
MULTITOOL_VERSION ?= 5.7.0
DEMO_RELEASE ?= 0.5.10

BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
INSTALLED_DEV := $(VENV)/.installed-dev
NODE := $(VENV)/node
MULTITOOL := $(NODE)/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool

.DEFAULT_GOAL := help
.PHONY: help demo test sarif sarif-tool bench clean

help:
	@echo "make demo   lint sglang $(DEMO_RELEASE) and show what is found"
	@echo "make test   run the tests, the linters and the type checker"
	@echo "make sarif  ask Microsoft's SARIF multitool whether our SARIF is right"
	@echo "make bench  measure a check of the newest pinned sglang beside other linters, as a Markdown table"
	@echo "make clean  remove $(VENV) and the caches of the tools"

# The linter exits 1 because it finds something; anything else is a failed demo.
demo: $(INSTALLED)
	@tree=$$($(BIN)/python tests/corpus.py $(DEMO_RELEASE)) && \
	lint=$$(cd $(BIN) && pwd)/ipc-lint && cd "$$tree" && \
	echo "\$$ ipc-lint check .    # sglang $(DEMO_RELEASE)" && \
	{ status=0; "$$lint" check . || status=$$?; test $$status -eq 1; }

test: $(INSTALLED_DEV)
	$(BIN)/python -m pytest $(PYTEST_ARGS)
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/python -m mypy --strict src tests tools benchmarks
	$(BIN)/python tools/readme.py --check
	$(BIN)/python tools/rule_pages.py --check

sarif: $(INSTALLED) $(MULTITOOL)
	$(BIN)/python tools/sarif.py $(MULTITOOL)

sarif-tool: $(MULTITOOL)

bench: $(INSTALLED_DEV)
	@$(BIN)/python benchmarks/compare.py $(BENCH_ARGS)

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(INSTALLED): pyproject.toml
	@$(ensure_venv)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@$(compile)
	@touch $@

$(INSTALLED_DEV): pyproject.toml
	@$(ensure_venv)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@$(compile)
	@touch $@ $(INSTALLED)

# As pip does with what it installs, but not with what it only links to: with PYTHONDONTWRITEBYTECODE set,
# every start would compile all of it.
compile = $(BIN)/python -m compileall -q src/ipc_lint

# npm may refuse to run the script of the package, which makes the program executable.
$(MULTITOOL): Makefile
	npm install --prefix $(NODE) --no-save --no-audit --no-fund --silent @microsoft/sarif-multitool@$(MULTITOOL_VERSION)
	chmod u+x $@
	@touch $@

# Use the environment that is there if its Python still runs and is new enough; else make one with
# the first Python that is.
new_enough := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))
define ensure_venv
set -e; \
if $(BIN)/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then exit 0; fi; \
for python in $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python3.10 python3.14 python); do \
  if $$python -c '$(new_enough)' 2>/dev/null; then \
    echo "creating $(VENV) with $$($$python --version)"; \
    $$python -m venv --clear $(VENV); exit 0; \
  fi; \
done; \
echo "no Python 3.10 or newer (with venv) found: make PYTHON=/path/to/python" >&2; exit 1
endef
