#!/bin/sh
# MCP clients that nobody here wrote, against the built server over the sample Loom: each lists,
# reads, runs a batch, cancels a sleeping command, and is killed midway.
#
#   tests/clients/run.sh [BINARY]     BINARY: a built loom-tools; built when left out
#
# The clients are installed, in the versions pinned beside this file, into a cache of their own:
# $LOOM_TOOLS_CLIENTS, or one under $XDG_CACHE_HOME. Prints `N passed, N failed` at the end.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
passed=0
failed=0

say() { printf '%s\n' "$*"; }

if [ $# -gt 0 ]; then
    binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
else
    say '# building loom-tools'
    (cd "$root" && cargo build --quiet --locked --package loom-tools-host)
    binary=${CARGO_TARGET_DIR:-$root/target}/debug/loom-tools
fi
[ -x "$binary" ] || { say "no binary at $binary"; exit 2; }

# --- the clients, once for each set of pins ---

pins=$(cat "$here/package-lock.json" "$here/requirements.txt" | sha256sum | cut -c1-16)
cache=${LOOM_TOOLS_CLIENTS:-${XDG_CACHE_HOME:-$HOME/.cache}/loom-tools-tests}/clients-$pins
if [ ! -e "$cache/complete" ]; then
    say '# installing the clients'
    rm -rf "$cache"
    mkdir -p "$cache"
    cp "$here/package.json" "$here/package-lock.json" "$cache/"
    (cd "$cache" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
    python3 -m venv "$cache/venv"
    "$cache/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
        --requirement "$here/requirements.txt"
    touch "$cache/complete"
fi

# --- a sample Loom, and a configuration that reaches it ---

work=$(mktemp -d)
broker=
cleanup() {
    [ -z "$broker" ] || kill "$broker" 2>/dev/null || :
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The program is found through a link beside the script, so that no path needs quoting.
ln -s "$binary" "$work/loom-tools"
cat > "$work/loom" <<'LOOM'
#!/bin/sh
exec "${0%/*}/loom-tools" sample-loom "$@"
LOOM
chmod 755 "$work/loom"
cat > "$work/config.json" <<CONFIG
{ "cliPath": "$work/loom", "transport": { "kind": "broker", "queuePath": "$work/queue" } }
CONFIG
"$work/loom-tools" sample-loom broker --queue "$work/queue" &
broker=$!
tries=0
until "$work/loom-tools" call loom_profile --loom-retrieval-config "$work/config.json" 2>/dev/null |
    grep -q '"status":"ok"'; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || { say 'the sample Loom does not answer'; exit 1; }
    sleep 0.1
done
server() {
    "$@" "$work/loom-tools" mcp --loom-retrieval-config "$work/config.json" \
        --loom-commands-config "$work/config.json"
}

# --- what is counted ---

ok() { passed=$((passed + 1)); say "ok - $1"; }
not_ok() { failed=$((failed + 1)); say "not ok - $1"; }
check() { # NAME COMMAND...
    name=$1
    shift
    if "$@"; then ok "$name"; else not_ok "$name"; fi
}

# Counts the `ok` and `not ok` lines of a client, and that it came to its end.
count() { # NAME COMMAND...
    name=$1
    shift
    timeout 120 "$@" > "$work/lines" 2> "$work/errors" && end=0 || end=$?
    while IFS= read -r line; do
        case $line in
            'ok - '*) ok "$name: ${line#ok - }" ;;
            'not ok - '*) not_ok "$name: ${line#not ok - }" ;;
            *) say "# $line" ;;
        esac
    done < "$work/lines"
    if [ "$end" -eq 0 ]; then
        ok "$name: comes to its end"
    else
        not_ok "$name: exits with $end"
        cat "$work/errors"
    fi
}

# --- processes ---

runs() { # whether a process runs, and is not merely unreaped
    [ -r "/proc/$1/status" ] && ! grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null
}
children() { # of a process
    grep -l "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status 2>/dev/null | cut -d/ -f3
}
called() { # those of the ids on standard input that were called with a text
    while read -r id; do
        tr '\0' ' ' < "/proc/$id/cmdline" 2>/dev/null | grep -q -- "$1" && say "$id" || :
    done
}
server_of() { children "$1" | called ' mcp '; }
sleeping_of() { children "$1" | called 'diag.sleep'; }
within() { # COMMAND...: whether it succeeds within ten seconds
    left=100
    until "$@"; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || return 1
        sleep 0.1
    done
}
asleep() { # whether the client's server runs a sleeping command; leaves both ids
    server=$(server_of "$1" | head -n 1)
    [ -n "$server" ] || return 1
    sleeper=$(sleeping_of "$server" | head -n 1)
    [ -n "$sleeper" ]
}
both_gone() { ! runs "$server" && ! runs "$sleeper"; }

# A client with a sleeping command gets a signal: its server exits, and nothing is left.
struck() { # NAME SIGNAL COMMAND...
    name=$1
    signal=$2
    shift 2
    "$@" > "$work/lines" 2> "$work/errors" &
    client=$!
    if within asleep "$client"; then
        kill -s "$signal" "$client"
        wait "$client" 2>/dev/null || :
        check "$name: the server exits and the command is gone" within both_gone
    else
        not_ok "$name: no command sleeps"
        cat "$work/lines" "$work/errors"
        kill -s KILL "$client" 2>/dev/null || :
        wait "$client" 2>/dev/null || :
    fi
}

# --- the clients ---

say '# TypeScript SDK 1, revision 2025-11-25'
server count 'typescript 1' node "$here/typescript.mjs" "$cache" 1 check
server struck 'typescript 1, killed' KILL node "$here/typescript.mjs" "$cache" 1 hang
say '# TypeScript SDK 2, revision 2026-07-28'
server count 'typescript 2' node "$here/typescript.mjs" "$cache" 2 check
server struck 'typescript 2, killed' KILL node "$here/typescript.mjs" "$cache" 2 hang
python=$cache/venv/bin/python
say '# Python SDK, revision 2025-11-25'
server count 'python legacy' "$python" "$here/python.py" legacy check
server struck 'python legacy, killed' KILL "$python" "$here/python.py" legacy hang
say '# Python SDK, revision 2026-07-28'
server count 'python 2026-07-28' "$python" "$here/python.py" 2026-07-28 check
server struck 'python 2026-07-28, killed' KILL "$python" "$here/python.py" 2026-07-28 hang

say '# Inspector, command line, revision 2025-11-25'
cli=$cache/node_modules/@modelcontextprotocol/inspector-cli/build/index.js
# It looks for its own package.json one above the working directory.
inside=$cache/node_modules/@modelcontextprotocol/inspector-cli/build
inspect() { # TARGET..., then the method and its arguments are in $method
    # shellcheck disable=SC2086 # the words of $method are its own
    (cd "$inside" && timeout 60 node "$cli" "$@" $method) > "$work/lines" 2> "$work/errors"
}
inspected() { # NAME METHOD PATTERN: whether what it prints holds the pattern
    method=$2
    if server inspect && grep -q "$3" "$work/lines"; then
        ok "inspector: $1"
    else
        not_ok "inspector: $1"
        cat "$work/lines" "$work/errors"
    fi
}
inspected 'lists' '--method tools/list' '"name": "run_read_command"'
inspected 'reads' '--method tools/call --tool-name loom_search --tool-arg query=ferry' '"status": "ok"'
inspected 'runs a batch' \
    '--method tools/call --tool-name run_read_command --tool-arg calls=[{"command":"diag.echo","args":{"n":1}},{"command":"notes.list","args":{}}]' \
    '"status": "batch"'
sleeper_method='--method tools/call --tool-name run_read_command --tool-arg command=diag.sleep --tool-arg args={"ms":60000}'
sleeping_inspector() { # TARGET...
    # shellcheck disable=SC2086 # as above
    cd "$inside" && exec node "$cli" "$@" $sleeper_method
}
# Its one way to cancel is to be interrupted.
server struck 'inspector, interrupted' INT sleeping_inspector
server struck 'inspector, killed' KILL sleeping_inspector

say "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
