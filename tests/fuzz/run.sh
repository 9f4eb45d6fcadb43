#!/usr/bin/env bash
# Fuzzes the host: builds every target and runs each for a bounded number of inputs. Needs a C++
# compiler, for libFuzzer, and no nightly.
#
#   tests/fuzz/run.sh [RUNS]
set -euo pipefail
cd "$(dirname "$0")"
fuzz=$PWD
cd ../..
target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)

# The component that ships, rather than one built for the fuzzers; written where it changed.
component=$target/loom-tools.fuzzed.wasm
cargo run --release --locked --quiet -- component --output "$component.new"
cmp -s "$component.new" "$component" || mv "$component.new" "$component"
cd "$fuzz"
# Into the directory that a release build has filled: Cranelift alone would take minutes.
LOOM_TOOLS_COMPONENT=$component RUSTC_WRAPPER=$fuzz/instrument.sh \
  cargo build --release --locked --bins --target-dir "$target"
../../guest/fuzz/bounded.sh "$target/release" "${1:-20000}"
