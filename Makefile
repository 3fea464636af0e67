# One command each; `make help` lists them. Needs Python 3.11 or later and nothing else:
# the environment (.venv) is made from uv.lock before the first target that uses it.

# What is given is text: make expands none of it, and recipes read it as "$$NAME", so
# the shell runs none of it either.
GIVEN := EDITION ENGINE PROFILE PORT DEST OPTIONS PYTHON PART MINUTES JOBS CASES REHASH
$(foreach name,$(GIVEN),$(if $(filter-out undefined,$(origin $(name))), \
	$(eval override $(name) := $$(value $(name)))))

EDITION ?=
ENGINE ?=
PROFILE ?=
PORT ?= 8765
DEST ?=
OPTIONS ?=
PART ?=
CASES ?=
REHASH ?=
MINUTES ?= 10
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& command -v $$python && break; done)
SHELL_PYTHON = '$(subst ','\'',$(PYTHON))'
export EDITION ENGINE PROFILE PORT DEST OPTIONS PART MINUTES JOBS CASES REHASH

UV := .bootstrap/bin/uv
VENV := .venv/bin
READY := .venv/uv.lock

# Python keeps the bytecode of what it imports the first time: all of the environment
# would be several times as much. Without it every start takes seconds.
unexport PYTHONDONTWRITEBYTECODE VIRTUAL_ENV PYTHONPATH PYTHONHOME
export UV_PROJECT_ENVIRONMENT := .venv
export UV_PYTHON_DOWNLOADS := never

.DEFAULT_GOAL := help
.PHONY: help report preview desk check publish test coverage fuzz lint bench notebook sbom dist condalock clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  \033[1mmake %-10s\033[0m %s\n", $$1, $$2}' Makefile
	@echo
	@echo '  make report EDITION=linux-veth       one edition instead of all'
	@echo '  make report ENGINE=quarto            auto (default), quarto or pandoc'
	@echo '  make report REHASH=1                 read all inputs, whatever their dates'
	@echo '  make report PROFILE=slurm            on a cluster: docs/how-to/cluster.md'
	@echo '  make publish DEST=… OPTIONS=--draft  also --list, --rollback, --keep 5, --dry-run'

report: $(READY) ## build the reports: HTML and PDF, in report/build/
	@test -z "$$PROFILE" || $(UV) sync --frozen --quiet --inexact --group cluster
	@$(VENV)/python -m workflow.build --edition "$$EDITION" --engine "$$ENGINE" \
	  --profile "$$PROFILE" $${REHASH:+--rehash}

preview: $(READY) ## show an edition in the browser while its texts are edited
	@$(VENV)/python -m workflow.show --edition "$$EDITION" --engine "$$ENGINE" --port "$$PORT"

desk: $(READY) ## serve all editions for reading, editing and approving, and build them meanwhile
	@set -f; exec $(VENV)/python -m analysis desk --port "$$PORT" --engine "$$ENGINE" --build $$EDITION

# OPTIONS are words between spaces, with no quotes among them.
publish: $(READY) ## put finished editions on an intranet: make publish DEST=/srv/www/reports
	@set -f; $(VENV)/python -m analysis publish $${DEST:+--to "$$DEST"} \
	  $${EDITION:+--edition $$EDITION} $$OPTIONS

test: $(READY) ## run all tests
	@$(VENV)/python -m pytest

coverage: $(READY) ## print which branches no test takes: make coverage PART=figures
	@$(UV) sync --frozen --quiet --inexact --group coverage
	@$(VENV)/python -m pytest --cov "analysis/$$PART" --cov-branch \
	  --cov-report term-missing:skip-covered "tests/$$PART"

fuzz: $(READY) ## read damaged files and texts for some minutes: make fuzz MINUTES=10
	@POLARS_MAX_THREADS=1 $(VENV)/python -m tests.fuzz --minutes "$$MINUTES" --jobs "$$JOBS"

check: $(READY) ## lint, claims and review of the reports' text
	@$(VENV)/python -m workflow.build --edition "$$EDITION" --facts
	@$(VENV)/python -m analysis check $${EDITION:+--edition "$$EDITION"}

# What checks pages needs Node, and is installed here only, from its own lock.
.lint/installed: tests/lint/package-lock.json
	@command -v npm >/dev/null || { echo 'make lint checks scripts, styles and filters with Node: apt install npm'; exit 1; }
	@mkdir -p .lint && cp tests/lint/package.json tests/lint/package-lock.json .lint/
	@cd .lint && npm ci --no-audit --no-fund --silent && touch installed

lint: $(READY) .lint/installed ## code, scripts, styles, filters: lint, types, format; FIX=1 mends
	@.lint/node_modules/.bin/biome check --config-path tests/lint/style.json \
	  --error-on-warnings $${FIX:+--write} templates tests/lint tests/templates
	@.lint/node_modules/.bin/tsc --project tests/lint/jsconfig.json
	@node tests/lint/lua.mjs $${FIX:+--write} templates/_extensions/*/*.lua
	@$(VENV)/ruff check
	@$(VENV)/ruff format --check
	@$(VENV)/mypy
	@$(VENV)/snakefmt --check Snakefile workflow/Snakefile
	@$(VENV)/snakemake --lint
	@$(VENV)/codespell

bench: $(READY) ## time builds, readers, pages: make bench CASES="cold smf"
	@set -f; $(VENV)/python -m benchmarks $$CASES $$OPTIONS

notebook: $(READY) ## give Jupyter a kernel that has the facts, in whatever folder it runs
	@$(UV) sync --frozen --quiet --inexact --group notebook
	@$(VENV)/python -m ipykernel install --user --name netperf-report --env PYTHONPATH "$$PWD"

sbom: $(READY) ## list what the program is made of, in dist/sbom.cdx.json (CycloneDX)
	@mkdir -p dist
	@$(UV) export --frozen --quiet --preview-features sbom-export \
	  --format cyclonedx1.5 --no-dev --output-file dist/sbom.cdx.json >/dev/null
	@echo dist/sbom.cdx.json

dist: sbom ## build what a version of the program consists of, in dist/: wheel, sdist, SBOM, sha256
	@$(UV) build --quiet --out-dir dist
	@cd dist && sha256sum netperf_report-* sbom.cdx.json > SHA256SUMS && cat SHA256SUMS

condalock: $(READY) ## lock environment.yml for conda; needs conda's channels
	@$(UV) tool run conda-lock lock --file environment.yml \
	  --platform linux-64 --platform linux-aarch64 --platform osx-arm64 \
	  --lockfile conda-lock.yml

clean: ## delete what was built; the environment stays
	rm -rf data/build report/build .snakemake

# The copy of the lock says what is installed; a new date alone installs nothing.
$(READY): uv.lock $(UV)
	@mkdir -p "$${XDG_CACHE_HOME:-$$HOME/.cache}/uv" 2>/dev/null || export UV_NO_CACHE=1; \
	cmp -s uv.lock $@ && touch $@ || { \
	  echo 'Preparing the Python environment in .venv (once; under a minute) …' && \
	  $(UV) sync --frozen --quiet --python $(SHELL_PYTHON) && cp uv.lock $@; }

$(UV): uv-bootstrap.txt
	@if [ -z $(SHELL_PYTHON) ]; then \
	  echo 'error: no Python 3.11 or later was found' >&2; \
	  echo '  mend: install one, or name it: make report PYTHON=/path/to/python3' >&2; \
	  exit 2; fi
	@$(SHELL_PYTHON) -m venv .bootstrap
	@.bootstrap/bin/python -m pip install --quiet --disable-pip-version-check \
	  --require-hashes --only-binary :all: --requirement uv-bootstrap.txt
	@touch $@
