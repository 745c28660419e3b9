# Cumulet. `make run` shows it, `make test` checks it; both install what is missing first.
.PHONY: run test bench setup build format lint

SWIFT_SOURCES = Package.swift Sources Tests $(wildcard Examples)

run: setup build
	if [ -x Examples/demo.sh ]; then Examples/demo.sh; else .build/debug/cumulet dev; fi

test:
	scripts/test

bench: setup
	Benchmarks/run

setup:
	scripts/setup

build: setup
	swift build

format:
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

lint:
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)
