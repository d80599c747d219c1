# make build         the library
# make test          everything that must hold before a change goes in (scripts/test)
# make unit-test     the Swift tests alone; FILTER=name picks some
# make lint          names every place whose form differs from .swift-format
# make format        changes the files to that form
# make check         layers, SQL in a face, stored names, unsafe code (scripts/check)
# make bench         measures the paths of data; a package of its own in Benchmarks/
# make fuzz          a million damaged inputs; how many and which: scripts/fuzz --help
# make docs          reference pages into .build/documentation
# make install       modelstore with its manual and completions, into ~/.local or PREFIX=folder
# make animals       builds the Animals example and starts it
# make browser-test  a browser against the Animals example and modelstore browse
# make clean         removes what builds made

.DEFAULT_GOAL := help
.PHONY: help build test unit-test lint format check bench fuzz docs install animals browser-test clean

help:
	@sed -n 's/^# make/make/p' $(firstword $(MAKEFILE_LIST))

build:
	swift build

test:
	scripts/test

unit-test:
	swift test $(if $(FILTER),--filter '$(FILTER)')

lint:
	scripts/lint

format:
	scripts/lint --fix

check:
	scripts/check

bench:
	swift run --package-path Benchmarks --configuration release ratios

fuzz:
	scripts/fuzz

docs:
	scripts/docs

install:
	scripts/install $(PREFIX)

animals:
	scripts/animals

browser-test:
	scripts/browser-test

clean:
	rm -rf .build Examples/*/.build Benchmarks/.build
