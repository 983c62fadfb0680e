# Entry point. `make demo` on a fresh clone installs missing packages (only this step asks for root), builds and runs.
PREFIX ?= /usr/local
PRESET ?= release
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PYTHON ?= $(shell test -x /usr/bin/python3 && echo /usr/bin/python3 || echo python3)
BUILD = build/$(PRESET)

.PHONY: help setup build demo pictures test test-all bench validate experiments lint fuzz coverage mutants golden docs site install format clean

help:
	@echo "make setup      install the packages that carom needs (apt-get, if they are missing)"
	@echo "make build      build the command and the library under build/release"
	@echo "make demo       build, run the example scenes, print results next to the expected numbers"
	@echo "make pictures   regenerate the pictures of README.md and docs/ from the examples"
	@echo "make test       build, run the quick tier of the tests (5 minutes on two cores)"
	@echo "make test-all   build, run all tests, and all but tests/physics under the sanitizers (some 40 minutes on two cores)"
	@echo "make bench      events per second, table"
	@echo "make validate   the numbers of docs/validation.md, experiments.md and aggregation-comparison.md, computed again (hours)"
	@echo "make experiments  the experiments of docs/experiments.md and aggregation-comparison.md, small (minutes; pictures in build/experiments/quick)"
	@echo "make install    install to PREFIX ($(PREFIX)); DESTDIR is honoured"
	@echo "make lint       clang's warnings and analyzer, cppcheck, layering, formatting"
	@echo "make fuzz       fuzz every reader (SECONDS_EACH=60 or RUNS=n)"
	@echo "make coverage   lines of src/ that the tests reach"
	@echo "make mutants    wrong changes of the source, each against the tests that should detect it (an hour; MUTANTS='17 23' for some)"
	@echo "make golden     rewrite the expected outputs of the command-line tests"
	@echo "make docs       regenerate docs/scene.md"
	@echo "make site       build the documentation as a site in build/site (minutes: it makes the pictures of the gallery)"
	@echo "make format     clang-format all sources"
	@echo "make clean      remove build/"

setup:
	@tools/setup.sh build

# The cache is created once: a manual configuration in build/ is kept.
build: setup
	@test -f $(BUILD)/build.ninja || cmake --preset $(PRESET) > /dev/null
	@cmake --build --preset $(PRESET) -j $(JOBS) --target carom_command carom_share

demo: build
	@tools/demo.sh $(BUILD)

pictures: build
	@tools/pictures.sh $(BUILD)

test:
	@tools/setup.sh test
	@tools/test.sh

test-all:
	@tools/setup.sh test
	@tools/test.sh all

bench: build
	@tools/bench.sh $(BUILD)

validate: build
	@tools/setup.sh experiments
	@$(PYTHON) tools/validate.py --build $(BUILD)
	@$(PYTHON) -m experiments --full --build $(BUILD)

experiments: build
	@tools/setup.sh experiments
	@$(PYTHON) -m experiments --build $(BUILD)

install: build
	@cmake --install $(BUILD) --prefix $(abspath $(PREFIX))

lint:
	@tools/setup.sh all
	@tools/lint.sh deep

fuzz:
	@tools/setup.sh all
	@tools/fuzz.sh

coverage:
	@tools/setup.sh all
	@tools/coverage.sh

mutants:
	@tools/setup.sh test
	@cmake --preset mutants > /dev/null && cmake --build --preset mutants -j $(JOBS) > /dev/null
	@$(PYTHON) tests/mutants/run.py $(MUTANTS)

golden: build
	@CAROM=$(abspath $(BUILD))/carom CAROM_SOURCE=$(CURDIR) CAROM_BUILD=$(abspath $(BUILD)) tests/cli/run.sh --update

docs: build
	@$(BUILD)/carom help --reference > docs/scene.md

site: build
	@tools/setup.sh site
	@$(PYTHON) tools/site/build.py --build $(BUILD)

format:
	@git ls-files -co --exclude-standard '*.c' '*.h' | xargs clang-format -i

clean:
	@rm -rf build
