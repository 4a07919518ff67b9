# Everything that a fresh machine needs is installed here, into .venv and the test caches.
#
#   make demo    set up, compile an example into a bundle, show its plan
#   make test    set up, then lint, types and the tests of a day; OPTIONS=--complete runs all of each matrix and all that takes long
#   make golden  rewrite the expected outputs of the tests
#   make changes what a change changes in the bundles of the examples and in the reference, line by line; SINCE=REVISION (a minute)
#   make generated   how much of what the last 100 commits added is generated, by file
#   make docs    build the manual into site/
#   make playground   the same, with all that its playground loads (needs npm; fetches Pyodide once)
#   make mutants break the standard library in every small way, and see who notices (an hour; can be interrupted)
#   make planted put a hundred planted defects to kb check (minutes); the tests try a sample of them
#   make release TAG=v0.2.0   everything that a release consists of, in dist/ (minutes; needs mmdebstrap for the image)
#   make release-locks   resolve anew what releases are made of and with
#   make bench   all that the page of the manual on speed shows, which it writes (ten minutes; installs the languages that it compares)
#   make bench-start-up   a plan and a bundle as multiples of a bare interpreter, and the cost of one more policy
#   make bench-differing   CPU time of policies, and of blocks for hosts, that differ in what they say
#   make bench-fleet   CPU time and memory of a fleet of up to a million hosts, and of check with many blocks for hosts
#   make bench-captures   CPU time and memory of verify on folders of up to 5,000 captures
#   make bench-editor   milliseconds until an editor has findings and completions, in a file of 1,000 lines
#   make bench-playground   milliseconds until the playground has its first plan in Chromium, and later ones
#   make bench-proof   CPU time and memory of kb check, from nothing and after each kind of edit; OF="4 10": with so many vendors
#   make fuzz    spoil what every reader reads, for ten minutes; FUZZ="--seconds 60 policy" says otherwise

PYTHON ?= python3
BIN := .venv/bin
AS_ROOT := $(shell [ "$$(id -u)" -eq 0 ] || echo sudo)
EXAMPLE := examples/trading-edge/trading.tune

# Where this is set, as in some containers, each process would compile whatever it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test tests bytecode consumers proven lint style types golden changes generated docs playground mutants planted release release-locks bench bench-captures bench-differing bench-editor bench-fleet bench-playground bench-proof bench-start-up fuzz

demo: .venv/ready
	$(BIN)/setpoint compile $(EXAMPLE) -o out/trading-edge
	$(BIN)/setpoint plan $(EXAMPLE)

# What takes seconds comes first, so that it fails first; the types, the proof and the tests go on beside each other.
test: .venv/ready
	$(MAKE) style consumers
	$(MAKE) -j 3 types proven tests

# One worker more than there are processors, since some tests wait.
WORKERS ?= $(shell expr $$(nproc) + 1)

tests: bytecode
	$(BIN)/pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(OPTIONS)

consumers:
	sh tests/install-consumers

# Beside the tests: a worker that needs the proof waits, and the others go on.
proven: .venv/ready
	PYTHONPATH=.dev:tests $(BIN)/python -c "from support.proven import library_memory; library_memory()"

# Each worker of pytest would otherwise compile all tests for itself. What changes later each compiles, which takes less than to look for it.
bytecode: .venv/bytecode

.venv/bytecode: .venv/ready
	$(BIN)/pytest -q --collect-only >/dev/null
	touch .venv/bytecode

lint: style types

style: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# A new checkout starts with what mypy found in another one. It compares the contents of files, and checks those that differ, and what uses them.
KEPT := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/setpoint-tests

types: .venv/ready .mypy_cache
	$(BIN)/mypy
	@mkdir -p "$(KEPT)" && tar -cf "$(KEPT)/mypy.$$$$" .mypy_cache && mv -f "$(KEPT)/mypy.$$$$" "$(KEPT)/mypy.tar" || true

.mypy_cache:
	@tar -xf "$(KEPT)/mypy.tar" 2>/dev/null || mkdir -p .mypy_cache

golden: .venv/ready
	$(BIN)/pytest -q -n 2 --update

changes: .venv/ready
	PYTHONPATH=.dev:tests $(BIN)/python -m support.changes $(SINCE)

generated: .venv/ready
	PYTHONPATH=.dev:tests $(BIN)/python -m support.generated

docs: .venv/ready
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

playground: docs
	$(BIN)/python docs/playground/assemble.py site/playground

PROCESSES ?= 1

mutants: .venv/ready
	PYTHONPATH=.dev:tests $(BIN)/python -m proof.mutants --processes $(PROCESSES)

planted: .venv/ready
	$(BIN)/pytest -q --complete tests/library/test_planted_defects.py tests/library/test_planted_blindly.py

# RELEASE takes `--rehearse`, `--repository URL`, `--without-image` and `--output DIR`.
release: .venv/release/ready
	PYTHONPATH=.ci .venv/release/bin/python -m release $(TAG) $(RELEASE)

RESOLVE := .venv/release/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --upgrade

release-locks: .venv/release/ready
	$(RESOLVE) pyproject.toml --output-file .ci/release/locked.txt
	$(RESOLVE) .ci/release/tools.in --output-file .ci/release/tools.txt

bench: .venv/ready
	sh tests/benchmarks/install-peers
	PYTHONPATH=.dev:tests $(BIN)/python -m benchmarks.measure

bench-captures: .venv/ready
	PYTHONPATH=.dev:tests $(BIN)/python tests/benchmarks/captures.py

bench-editor: .venv/ready
	$(BIN)/python tests/benchmarks/editor.py

bench-differing: .venv/ready
	PYTHONPATH=.dev:tests $(BIN)/python -m benchmarks.differing

bench-fleet: .venv/ready
	$(BIN)/python tests/benchmarks/fleet.py

bench-playground: .venv/ready
	PYTHONPATH=.dev:tests $(BIN)/python tests/benchmarks/playground.py

bench-proof: .venv/ready
	$(BIN)/python tests/benchmarks/proof.py $(OF)

bench-start-up: .venv/ready
	$(BIN)/python tests/benchmarks/start_up.py

fuzz: .venv/ready
	PYTHONPATH=tests nice $(BIN)/python -m fuzz $(FUZZ)

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv || { rm -rf .venv; $(AS_ROOT) apt-get update -qq; \
		$(AS_ROOT) apt-get install -y --no-install-recommends python3-venv && $(PYTHON) -m venv .venv; }
	$(BIN)/python .ci/dependencies.py '.[dev]'
	$(BIN)/python -m compileall -q compiler targets grammar stdlib
	touch .venv/ready

# The tools of a release, in releases of their own: those of the tests are newer every day.
.venv/release/ready: .ci/release/tools.txt
	$(PYTHON) -m venv .venv/release
	.venv/release/bin/pip install --quiet --disable-pip-version-check --require-hashes -r .ci/release/tools.txt
	touch .venv/release/ready
