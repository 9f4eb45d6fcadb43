#!/usr/bin/env bash
# Drives thousands of turns with faults, and looks at what is left of them. See main.rs beside this.
#
# Usage: tests/soak/run.sh [TURNS [SEED]]     (10,000 turns and one seed unless given)
set -euo pipefail
cd "$(dirname "$0")/../.."
exec cargo test --quiet --locked --package loom-tools-tests --test soak -- "$@"
