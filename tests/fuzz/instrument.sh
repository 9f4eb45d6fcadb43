#!/bin/sh
# A compiler for `RUSTC_WRAPPER`: our own crates get the coverage that libFuzzer steers by, and every
# assertion; what they depend on is compiled as in any release build, and shared with one.
case "$*" in
*"--crate-name build_script_build"*) ;;
*"--crate-name loom_tools_"* | *"--crate-name "*" targets/"*)
  set -- "$@" -Cdebug-assertions=on -Coverflow-checks=on -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares
  ;;
esac
exec "$@"
