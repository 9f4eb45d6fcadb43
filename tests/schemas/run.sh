#!/usr/bin/env bash
# Renders the schemas of published MCP servers and OpenAPI documents as signatures, through the real
# binary, and judges each line. The packages come from their registries at the versions pinned here;
# they are installed once, outside the tree. Needs Node 20 with npm, and Python 3 with pip.
#
# Usage: tests/schemas/run.sh
# LOOM_TOOLS names the binary to use; without it the debug build is made and used.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"

fail() {
  echo "tests/schemas: $*" >&2
  exit 1
}

for program in node npm python3 sha256sum; do
  command -v "$program" >/dev/null || fail "$program is missing"
done

pinned="$(cat "$here/package.json" "$here/.npmrc" "$here/requirements.txt" | sha256sum | cut -c1-16)"
cache="${XDG_CACHE_HOME:-$HOME/.cache}/loom-tools-tests/schemas-$pinned"
if [ ! -e "$cache/complete" ]; then
  rm -rf "$cache"
  mkdir -p "$cache/npm" "$cache/python"
  cp "$here/package.json" "$here/.npmrc" "$cache/npm/"
  echo "installing the pinned npm packages" >&2
  (cd "$cache/npm" && npm install >"$cache/npm.log" 2>&1) || {
    tail -n 20 "$cache/npm.log" >&2
    fail "the npm registry could not be reached, or did not give a pinned package"
  }
  echo "installing the pinned Python packages" >&2
  python3 -m pip install --quiet --no-deps --target "$cache/python" --requirement "$here/requirements.txt" \
    >"$cache/pip.log" 2>&1 || {
    tail -n 20 "$cache/pip.log" >&2
    fail "the Python registry could not be reached, or did not give a pinned package"
  }
  # One package holds a description of the same interface for each release of a server: nine tenths
  # of everything here, and one is enough.
  find "$cache/npm/node_modules/@octokit/openapi/generated" -type f ! -name api.github.com.json -delete
  touch "$cache/complete"
fi

if [ -z "${LOOM_TOOLS:-}" ]; then
  (cd "$root" && cargo build --quiet --locked --bin loom-tools)
  LOOM_TOOLS="${CARGO_TARGET_DIR:-$root/target}/debug/loom-tools"
fi
[ -x "$LOOM_TOOLS" ] || fail "there is no program $LOOM_TOOLS"
exec node "$here/check.mjs" "$cache" "$(realpath "$LOOM_TOOLS")"
