#!/usr/bin/env bash
# The component in other runtimes: the conversation of this folder in Rust, Node and Python, each
# compared with what `loom-tools session` prints, byte for byte, and with the processes it started.
#
#   tests/embed/run.sh [LOOM_TOOLS [EXAMPLE]]     built where left out
#
# A further runtime passes when it prints the same lines for conversation.jsonl, one for each turn
# (the format is that of `loom-tools session`), and answers requests.jsonl as its lines expect. It
# has to be given: both families, the facets `work` and `home`, and the read-ceiling record, read
# again for each turn; the run id `embed`; the ceiling below; `enforce-explicit` and the slot
# `direct-command`; the job id `job-7`; and a broker that has answered nobody before, since the
# conversation writes. For requests.jsonl: a run that may not write, whose turn has one call, with
# a deadline of one second and 1 MiB of output.
set -euo pipefail
cd "$(dirname "$0")/../.."
ceiling='["loom:facet:work",{"anyOf":["loom:group:studio"]}]'
job=job-7
embed=$PWD/tests/embed
# What no process of a host may see.
export LOOM_TOOLS_CANARY=canary PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1

tmp=$(mktemp -d)
broker= installing=
cleanup() {
  [ -z "$broker" ] || kill "$broker" 2>/dev/null || true
  rm -rf "$tmp" ${installing:+"$installing"}
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

passed=0 failed=0
check() { # NAME COMMAND…
  local name=$1
  shift
  if "$@" >"$tmp/said" 2>&1; then
    passed=$((passed + 1))
    echo "ok      $name"
  else
    failed=$((failed + 1))
    echo "FAILED  $name"
    sed -n '1,10s/^\(.\{0,300\}\).*/        \1/p' "$tmp/said"
  fi
}

# --- what is missing ---------------------------------------------------------------------------

for tool in node npm python3; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: install it" >&2; exit 1; }
done
# The interpreter itself: a wrapper of it would add to the search path that is compared below.
python3=$(python3 -c 'import sys; print(sys.executable)')
build() { cargo build --quiet --locked --package loom-tools-host "$@" >&2; }
built=${CARGO_TARGET_DIR:-target}/debug
[ -n "${1:-}" ] || build --bin loom-tools
[ -n "${2:-}" ] || build --example embed
bin=$(realpath "${1:-$built/loom-tools}")
example=$(realpath "${2:-$built/examples/embed}")

cache=${XDG_CACHE_HOME:-$HOME/.cache}/loom-tools-tests/embed
key() { cat "$@" | sha256sum | cut -c1-16; }
install() { # FOLDER COMMAND…: the command fills $installing, which becomes the folder whole
  local folder=$1
  shift
  [ ! -d "$folder" ] || return 0
  mkdir -p "$cache"
  installing=$(mktemp -d "$cache/new.XXXXXX")
  "$@" >&2
  # Another run may have been faster.
  mv -T "$installing" "$folder" 2>/dev/null || rm -rf "$installing"
  installing=
}
npm_packages() {
  cp "$embed"/node/package*.json "$installing"
  npm ci --prefix "$installing" --ignore-scripts --no-audit --no-fund
}
pip_packages() {
  "$python3" -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --require-hashes \
    --requirement "$embed/python/requirements.txt" --target "$installing"
}
jco=$cache/node-$(key "$embed"/node/package-lock.json)
wasmtime=$cache/python-$(key "$embed/python/requirements.txt")
install "$jco" npm_packages
install "$wasmtime" pip_packages

component=$tmp/loom-tools.wasm
"$bin" component --output "$component"
"$jco/node_modules/.bin/jco" transpile "$component" --quiet \
  --name loom-tools --instantiation sync --out-dir "$tmp/transpiled"

# --- the hosts, each given RETRIEVAL COMMANDS --------------------------------------------------

session() {
  timeout 120 "$bin" session --loom-retrieval-config "$1" --loom-commands-config "$2" \
    --run-id embed --max-confidentiality "$ceiling" --prompt-slot direct-command --command-job-id "$job"
}
rust() { timeout 120 "$example" "$@"; }
node() { timeout 120 node "$embed/node/host.mjs" "$tmp/transpiled" "$@"; }
python() { PYTHONPATH=$wasmtime timeout 120 "$python3" "$embed/python/host.py" "$component" "$@"; }
node_check() { timeout 120 node "$embed/node/check.mjs" "$@"; }
python_check() { PYTHONPATH=$wasmtime timeout 120 "$python3" "$embed/python/check.py" "$@"; }

# Writes HERE/retrieval.json and HERE/commands.json, for HERE/loom.
configure() { # HERE
  local broker='"transport":{"kind":"broker","queuePath":"'$1/queue'"}'
  echo '{"cliPath":"'"$1/loom"'",'"$broker"',"readCeilingFile":"'"$1/ceiling.json"'","facets":["work","home"]}' \
    >"$1/retrieval.json"
  echo '{"cliPath":"'"$1/loom"'",'"$broker"',"jobIdEnvVar":"LOOM_COMMAND_JOB_ID"}' >"$1/commands.json"
}

# --- the conversation --------------------------------------------------------------------------

# A CLI that is the sample Loom, once it has noted what it was started with; of a variable that has
# no business there the name alone, since this may end in a log.
noting_cli() { # HERE
  printf '%s' "$PATH" >"$1/path"
  cat >"$1/loom" <<EOF
#!/bin/sh
here='$1'
read -r _ _ _ _ group _ </proc/\$\$/stat
[ "\$group" = \$\$ ] && group=own
stdin=\$(readlink /proc/\$\$/fd/0)
[ "\$stdin" = /dev/null ] && stdin=null || stdin=sent
path='^$'
[ "\$PATH" = "\$(cat "\$here/path")" ] && path='^PATH=.*'
variables=\$(tr '\\0' '\\n' </proc/\$\$/environ | sed "s|\$path|PATH|; s|\$here|HERE|; /^LOOM_/!s/=.*/=…/" | sort | tr '\\n' ' ')
printf '%s\\n' "in \$(readlink /proc/\$\$/cwd), group \$group, stdin \$stdin, \$variables: \$*" >>"\$here/processes"
echo "canary: \$0" >&2
exec '$bin' sample-loom "\$@"
EOF
  chmod +x "$1/loom"
}

converse() { # HOST
  local here=$tmp/$1 hold
  mkdir "$here"
  configure "$here"
  noting_cli "$here"
  mkfifo "$here/hold"
  "$bin" sample-loom broker --queue "$here/queue" --read-ceiling "$here/ceiling.json" \
    --facets work,home --require-job-id "$job" --until-stdin-closes <"$here/hold" &
  broker=$!
  exec {hold}>"$here/hold"
  for ((tries = 200; tries > 0; tries--)); do
    [ ! -e "$here/queue/ready.json" ] || break
    sleep 0.05
  done
  "$1" "$here/retrieval.json" "$here/commands.json" \
    <"$embed/conversation.jsonl" >"$here/replies" 2>"$here/errors" || echo "exit $?" >>"$here/replies"
  sort "$here/processes" >"$here/sorted"
  # Once more without the ceiling record: nothing may be read, and nothing may start.
  rm "$here/ceiling.json" "$here/processes"
  grep -E '"id":"(search|discover|echo|write|held)"' "$embed/conversation.jsonl" |
    "$1" "$here/retrieval.json" "$here/commands.json" >"$here/blind" 2>>"$here/errors" || echo "exit $?" >>"$here/blind"
  exec {hold}>&-
  wait "$broker"
  broker=
}

shows_what_it_is_for() { # REPLIES
  local text
  for text in cfc_ceiling_exceeded cfc_label_read_failed '"truncated":true' invalid_input unknown_tool \
    '"known":true' 12345678901234567890 1.50 not_found host_refused '"status":"batch"' unknown_command \
    '"landed":"no"' '"landed":"unknown"' '"completed":\["notes.create' unheld_handle '"resolved"' �; do
    grep -q -- "$text" "$1" || { echo "no $text"; return 1; }
  done
  [ "$(wc -l <"$1")" = "$(wc -l <"$embed/conversation.jsonl")" ]
}
# The environment is the one list, in the folder `/`, in a group of its own.
is_confined() { # PROCESSES
  local broker='LOOM_PAGE_RPC_QUEUE=HERE/queue'
  local family="(LOOM_COMMAND_JOB_ID=$job $broker|$broker LOOM_SEARCH_BROKER_QUEUE=HERE/queue)"
  ! grep -vE "^in /, group own, stdin (null|sent), $family PATH : " "$1"
}
# Neither a path of the host's nor what the CLI said on standard error.
discloses_nothing() { # HERE
  ! grep -oE ".{0,40}(canary|$tmp).{0,40}" "$1/replies"
}
is_blind() { # HERE
  grep -q ceiling_unavailable "$1/blind" && [ ! -e "$1/processes" ]
}

converse session
reference=$tmp/session
check "session: the conversation shows what it was written to show" shows_what_it_is_for "$reference/replies"
check "session: a process has one list of variables, the folder / and its own group" is_confined "$reference/sorted"
check "session: without the ceiling record nothing starts" is_blind "$reference"
check "session: nothing of the host in a reply" discloses_nothing "$reference"
for host in rust node python; do
  converse "$host"
  check "$host: the same replies" cmp "$tmp/$host/replies" "$reference/replies"
  check "$host: the same processes, arguments and variables" diff "$tmp/$host/sorted" "$reference/sorted"
  check "$host: without the ceiling record the same, and nothing starts" \
    eval 'cmp "$tmp/$host/blind" "$reference/blind" && is_blind "$tmp/$host"'
  check "$host: nothing of the host in a reply" discloses_nothing "$tmp/$host"
  check "$host: nothing on standard error" eval '! grep . "$tmp/$host/errors"'
done

# --- a component that asks for more ------------------------------------------------------------

only_run_loom() { # TRANSPILED: no module of Node's, and one import object
  ! grep -E '^import |require\(' "$1" &&
    [ "$(grep -o "imports\[[^]]*\]" "$1" | sort -u)" = "imports['loom:tools/process']" ]
}
check "node: no other import" only_run_loom "$tmp/transpiled/loom-tools.js"
refuses_another_import() {
  local component=$tmp/greedy.wat
  echo '(component (import "loom:tools/process@0.1.0" (instance)) (import "clock" (func)))' >"$component"
  python "$reference/retrieval.json" "$reference/commands.json" </dev/null 2>"$tmp/refusal" && return 1
  grep "the component imports .*clock" "$tmp/refusal"
}
check "python: no other import" refuses_another_import

# --- a component that checks nothing -----------------------------------------------------------

# A CLI that notes that it started, and misbehaves when a page of that name is read.
misbehaving_cli() { # HERE
  cat >"$1/loom" <<EOF
#!/bin/sh
echo \$\$ >>'$1/started'
[ "\$1 \$2" = 'page read' ] || exit 0
case \$3 in
  'exits with 3') exit 3 ;;
  dies) kill -9 \$\$ ;;
  floods) exec yes ;;
  hangs) exec sleep 1000 ;;
  'leaves a child') sleep 1000 & ;;
  'leaves a daemon') setsid sleep 3 & ;;
esac
EOF
  chmod +x "$1/loom"
}
long='{"expect":"not-granted","why":"16,385 bytes","request":{"call":0,"operation":{"tag":"command-run","val":{"id":"a","argsJson":"{'$(printf '%16383s')'}","readOnly":true}}}}'
{ cat "$embed/requests.jsonl"; echo "$long"; } >"$tmp/requests"
sed 's/^{"expect":"\([^"]*\)".*/\1/' "$tmp/requests" >"$tmp/expected"

nothing_else_started() { # HERE
  [ "$(wc -l <"$1/started")" = "$(grep -cv not-granted "$tmp/expected")" ]
}
# What has ended and waits for init to take note is not left.
nothing_is_left() { # HERE
  local left
  left=$(cat /proc/[0-9]*/stat 2>/dev/null | sed 's/.*) //' |
    awk 'NR == FNR { started[$1]; next } $1 != "Z" && $3 in started { print $3 }' "$1/started" -) || true
  [ -n "$left" ] || return 0
  echo "left, and ended now: the groups" $left
  for group in $left; do kill -KILL -- "-$group" || true; done
  return 1
}
for host in node python; do
  here=$tmp/${host}_check
  mkdir "$here"
  configure "$here"
  misbehaving_cli "$here"
  "${host}_check" "$here/retrieval.json" "$here/commands.json" <"$tmp/requests" >"$here/answers" 2>&1 || true
  check "$host: every request that breaks a rule is refused, every process bounded" \
    diff "$here/answers" "$tmp/expected"
  check "$host: what is refused starts nothing" nothing_else_started "$here"
  check "$host: no process of a group is left" nothing_is_left "$here"
  rm "$here/loom"
  echo '{"request":{"call":0,"operation":{"tag":"command-list"}}}' |
    "${host}_check" "$here/retrieval.json" "$here/commands.json" >"$here/answers" 2>&1 || true
  check "$host: a CLI that is not there was not started" grep -qx not-started "$here/answers"
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
