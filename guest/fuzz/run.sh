#!/usr/bin/env bash
# Fuzzes the guest: builds every target and runs each for a bounded number of inputs.
#
#   guest/fuzz/run.sh [RUNS]
set -euo pipefail
cd "$(dirname "$0")"

PATH=$(../../.ci/tool cargo-fuzz 0.13.2):$PATH
# The guest is safe Rust: what a sanitizer would find cannot be there, and without one it is twice
# as fast. Assertions and overflow checks stay on.
cargo +nightly fuzz build --fuzz-dir . --sanitizer none --target-dir "$PWD/target"
host=$(rustc -vV | sed -n 's/^host: //p')
./bounded.sh "target/$host/release" "${1:-20000}"
