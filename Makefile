# Cumulet. `make run` shows it, `make test` checks it; both install what is missing first.
.PHONY: run demo test fuzz tsan bench setup build format lint symbols

SWIFT_SOURCES = Package.swift Sources Tests $(wildcard Examples)

run: setup build
	Examples/stage.sh

# The same recipes in a terminal, on devices that follow each other.
demo: setup build
	Examples/demo.sh

test:
	scripts/test

# Minutes of requests made from Docs/openapi.yaml against a live service.
fuzz: build
	scripts/setup test
	scripts/python Tests/Interop/fuzz.py 300

# The module's suites and those of what it stands on, with every data race told.
tsan: setup
	scripts/tsan

bench:
	scripts/setup bench
	Benchmarks/run
	Benchmarks/assets
	scripts/setup test
	Benchmarks/views

setup:
	scripts/setup

build: setup
	swift build

# Writes Docs/Compatibility/symbols.tsv for the module as it is; look at the difference before committing it.
symbols:
	swift build --build-tests
	CUMULET_SYMBOLS=write swift test --skip-build --filter SymbolTableTests

format:
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

lint:
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)
