# Two commands for a newcomer: `make demo` and `make test`. Everything lands in .venv/ and build/, both ignored by git.
PYTHON ?= python3
BIN := .venv/bin
ROSETTA := $(BIN)/rosetta
PORT ?= 8000
FRAMEWORKS := $(patsubst runners/frameworks/%/framework.toml,%,$(wildcard runners/frameworks/*/framework.toml))

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export NO_MKDOCS_2_WARNING := 1

.PHONY: help demo serve test test-frameworks lint format docs screenshots benchmark lock clean

help:
	@echo "make demo       measure PyTorch on this machine; build data set, report and site"
	@echo "make serve      show the site at http://127.0.0.1:$(PORT)/"
	@echo "make test       lint and all tests"
	@echo "make test-frameworks  install every framework, and test all of them"
	@echo "make lint       ruff, mypy, import-linter, vermin, codespell"
	@echo "make docs       renew the pages of docs/ that follow from the code"
	@echo "make screenshots  renew docs/images from the built site"
	@echo "make benchmark  speed of our own code, to build/benchmarks.json"
	@echo "make lock       renew requirements.lock"
	@echo "make clean      remove .venv and build"

demo: .venv/ready
	$(ROSETTA) run --framework pytorch --workload cifar10-cnn --profile quick
	$(ROSETTA) build
	$(ROSETTA) report --lang both
	$(ROSETTA) site
	@echo
	@echo "Submission  build/submissions/local/"
	@echo "Data set    build/data/"
	@echo "Report      build/report/rosetta-bench-en.pdf, build/report/rosetta-bench-zh.pdf"
	@echo "Site        build/html/   (make serve, then http://127.0.0.1:$(PORT)/)"

serve: .venv/ready
	$(ROSETTA) serve --port $(PORT)

test: lint
	$(ROSETTA) setup pytorch
	$(BIN)/pytest

test-frameworks: .venv/ready
	$(foreach framework,$(FRAMEWORKS),$(ROSETTA) setup $(framework) &&) true
	ROSETTA_REQUIRED_FRAMEWORKS="$(FRAMEWORKS)" $(BIN)/pytest tests/contract

lint: .venv/ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/vermin --quiet --no-tips --violations --eval-annotations --target=3.6- runners/worker runners/frameworks/toy
	$(BIN)/codespell

format: .venv/ready
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: .venv/ready
	$(BIN)/python docs/generate.py

screenshots: .venv/ready
	$(BIN)/python docs/screenshots.py

benchmark: .venv/ready
	$(BIN)/python benchmarks

# uv resolves for every Python and platform at once; hashes make both commands install the same bytes everywhere.
lock: .venv/ready
	uv pip compile --universal --python-version 3.11 --group dev --generate-hashes --no-header --no-annotate \
		--upgrade --output-file requirements.lock pyproject.toml

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Rosetta Bench needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) --version 2>&1`." \
			"Name another one: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || { \
		echo "Python's venv module is missing (on Debian: apt-get install python3-venv)."; exit 2; }
	@echo "Installing the pinned packages into .venv (a minute or two) ..."
	$(BIN)/pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

clean:
	rm -rf .venv build
