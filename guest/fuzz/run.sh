#!/usr/bin/env bash
# Runs every fuzz target for a bounded number of inputs from its committed corpus, the same ones
# each time. Fails on a finding, whose input is left in `artifacts/`.
#
#   guest/fuzz/run.sh [RUNS]
set -euo pipefail
cd "$(dirname "$0")"

runs=${1:-20000}
# A guard, not the bound: on a machine that is busy with other things the inputs take longer.
seconds=120

command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked
# The guest is safe Rust: what a sanitizer would find cannot be there, and without one it is twice
# as fast. Assertions and overflow checks stay on.
cargo +nightly fuzz build --fuzz-dir . --sanitizer none

host=$(rustc -vV | sed -n 's/^host: //p')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p artifacts
passed=0 failed=0
for source in targets/*.rs; do
  target=$(basename "$source" .rs)
  mkdir "$scratch/$target"
  # What is new goes to the first directory; the committed corpus is only read.
  if "target/$host/release/$target" "$scratch/$target" "corpus/$target" \
    -runs="$runs" -max_total_time="$seconds" -seed=1 -max_len=4096 -dict=json.dict \
    -timeout=30 -rss_limit_mb=2048 -artifact_prefix="artifacts/$target-" \
    >"$scratch/$target.log" 2>&1; then
    echo "ok   $target: $(grep -a '^Done ' "$scratch/$target.log")"
    passed=$((passed + 1))
  else
    echo "FAIL $target"
    tail -n 40 "$scratch/$target.log"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
