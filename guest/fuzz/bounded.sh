#!/usr/bin/env bash
# Runs every target of the fuzz crate in this directory for a bounded number of inputs from its
# committed corpus, the same ones each time; `run.sh` has built them. Fails on a finding, whose input
# is left in `artifacts/`.
#
#   bounded.sh BINARIES RUNS
set -euo pipefail

binaries=$1 runs=$2
# A guard, not the bound: on a machine that is busy with other things the inputs take longer.
seconds=120
dictionary=$(dirname "$0")/json.dict

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p artifacts "$scratch/tmp"
passed=0 failed=0
for source in targets/*.rs; do
  target=$(basename "$source" .rs)
  mkdir "$scratch/$target"
  # What is new goes to the first directory; the committed corpus is only read.
  if TMPDIR=$scratch/tmp "$binaries/$target" "$scratch/$target" "corpus/$target" \
    -runs="$runs" -max_total_time="$seconds" -seed=1 -max_len=4096 -dict="$dictionary" \
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
