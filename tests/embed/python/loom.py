"""`run-loom` for Python: the import of wit/world.wit, bound to an operator's loom CLI. The component
has checked what it asks for; a host checks again, because the component might be another one."""

import datetime
import json
import os
import re
import select
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from wasmtime.component import Record


class Refused(Exception):
    """A request that breaks a rule, or that the grant does not cover."""


def rule(broken, holds):
    """A check that returns its value, or refuses the whole request."""

    def check(value):
        if not holds(value):
            raise Refused(broken)
        return value

    return check


def is_text(t):
    units = len(t.encode("utf-16-le")) // 2
    return 0 < units <= 500 and not re.search("[\0-\x1f\x7f-\x9f]", t) and not t.startswith("-")


def is_date(t):
    try:
        return re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", t) and datetime.date.fromisoformat(t)
    except ValueError:
        return False


def is_object(t):
    depth = 0
    for bracket in re.findall(r"[{}[\]]", re.sub(r'(?s)"[^"\\]*(?:\\.[^"\\]*)*"', "", t)):
        depth += 1 if bracket in "{[" else -1
        if depth > 64:
            return False
    try:
        json.loads(t, parse_constant=rule("no JSON", lambda _: False))
    except ValueError:
        return False
    return len(t.encode()) <= 16384 and t.startswith("{")


# The same positional carries verbs that write.
LOOKUP = re.compile(
    r"(?s)(handle|person|group):.+|[^@\s]+@[^@\s]+|\+?[0-9][0-9\s().-]{4,}"
    r"|People/(?!\.{1,2}/)[^/]+/about\.md"
)
COMMAND = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)*")
text = rule("no text of 1 to 500 characters that is no flag", is_text)
lookup = rule("no lookup", lambda t: is_text(t) and LOOKUP.fullmatch(t))
date = rule("no day", is_date)
hits = rule("a limit out of range", lambda n: 1 <= n <= 200)
pages = rule("a limit out of range", lambda n: 1 <= n <= 500)
command = rule("no command id", lambda t: len(t) <= 128 and COMMAND.fullmatch(t))
loom_id = rule("no loom id", lambda t: re.fullmatch("loom-[a-f0-9]{16}", t))
version = rule("a version out of range", lambda n: 0 <= n < 1 << 53)
object_text = rule("no arguments", is_object)


def flags(record, **rules):
    """`--name value` for each field of a record that is given, its value under its rule."""
    given = {name: getattr(record, name) for name in rules if getattr(record, name) is not None}
    return [word for name, value in given.items() for word in (f"--{name}", str(rules[name](value)))]


def arguments(tag, asked):
    """The only place that spells a flag: what follows the program's name."""
    match tag:
        case "search":
            if asked.query is None and asked.person is None:
                raise Refused("nothing to search")
            query = [] if asked.query is None else [text(asked.query)]
            texts = dict.fromkeys(["sources", "since", "until", "tz", "person"], text)
            return ["search", *query, "--json", *flags(asked, **texts, limit=hits, rank=str)]
        case "page-discover":
            return ["page", "discover", "--json", "--concise", *flags(asked, kind=str, limit=pages)]
        case "page-inspect":
            return ["page", "inspect", text(asked), "--json", "--concise"]
        case "page-read":
            return ["page", "read", text(asked), "--json"]
        case "people":
            return ["people", lookup(asked.query), "--json", *flags(asked, shape=str)]
        case "calendar-list":
            words = ["calendar", "list", "--json"] + ["--all"] * (asked.tag == "every-event")
            for name, value in vars(asked.payload or Record()).items():
                words += [] if value is None else [f"--{name.removesuffix('-date')}", date(value)]
            return words
        case "context":
            if asked.state == "location" and (asked.since, asked.until) != (None, None):
                raise Refused("a location has no span")
            state = "where" if asked.state == "location" else "activity"
            return ["context", state, "--json", *flags(asked, at=text, since=text, until=text)]
        case "profile":
            return ["profile", "--json"] + ["--fresh"] * asked
        case "command-list":
            return ["command", "list", "--json"]
        case "command-run":
            words = ["command", "run", command(asked.id), "--args-json", "-", "--json"]
            loom, expect = getattr(asked, "loom-id"), getattr(asked, "expected-version")
            words += [] if loom is None else ["--loom", loom_id(loom)]
            words += [] if expect is None else ["--expect", str(version(expect))]
            return words + ["--read-only"] * getattr(asked, "read-only")
    raise Refused("no operation")


class Loom:
    """`retrieval` and `commands` are the operator's two files, or None; `writes` is whether the run
    may write. `calls` is set to the number of calls of each turn before it is invoked."""

    def __init__(self, retrieval, commands, writes, job_id=None, deadline=60, output=32 << 20):
        self.retrieval, self.commands, self.writes = retrieval, commands, writes
        self.job_id, self.deadline, self.output = job_id, deadline, output
        self.calls = 0

    def run_loom(self, _store, requests):
        with ThreadPoolExecutor(4) as pool:
            return list(pool.map(self.answer, requests))

    def answer(self, request):
        """A record is an answer, a text is a failure."""
        try:
            return self.start(*self.judge(request.call, request.operation))
        except Refused:
            return "not-granted"

    def judge(self, call, operation):
        tag, asked = operation.tag, operation.payload
        is_command = tag.startswith("command-")
        config = self.commands if is_command else self.retrieval
        if call >= self.calls or config is None:
            raise Refused("not granted")
        if tag == "command-run" and not getattr(asked, "read-only") and not self.writes:
            raise Refused("no writes")
        names = ["LOOM_PAGE_RPC_QUEUE"] + ["LOOM_SEARCH_BROKER_QUEUE"] * (not is_command)
        env = dict.fromkeys(names, config["transport"]["queuePath"])
        if "PATH" in os.environ:
            env["PATH"] = os.environ["PATH"]
        if is_command and self.job_id and "jobIdEnvVar" in config:
            env[config["jobIdEnvVar"]] = self.job_id
        argv = [config["cliPath"], *arguments(tag, asked)]
        sent = object_text(getattr(asked, "args-json")).encode() if tag == "command-run" else None
        return argv, env, sent

    def start(self, argv, env, sent):
        end = time.monotonic() + self.deadline
        stdin = subprocess.DEVNULL if sent is None else subprocess.PIPE
        try:
            # A session of its own is a process group of its own.
            process = subprocess.Popen(
                argv, env=env, cwd="/", stdin=stdin, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, start_new_session=True, bufsize=0,
            )
        except OSError:
            return "not-started"
        ended = os.pidfd_open(process.pid)
        try:
            return self.drain(process, ended, sent, end)
        finally:
            # Before the process is reaped: until then its group's number is nobody else's.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            os.close(ended)
            process.stdout.close()
            process.wait()

    def drain(self, process, ended, sent, end):
        """What was printed by the time the pipe closed and the process ended."""
        if sent is not None:
            try:
                # At most 16 KiB, which a pipe holds: this cannot block.
                process.stdin.write(sent)
            except BrokenPipeError:
                pass
            process.stdin.close()
        printed = bytearray()
        for source in (process.stdout.fileno(), ended):
            while select.select([source], [], [], max(0, end - time.monotonic()))[0]:
                chunk = b"" if source == ended else os.read(source, 1 << 16)
                printed += chunk
                if not chunk or len(printed) > self.output:
                    break
            else:
                return "lost"
            if len(printed) > self.output:
                return "lost"
        status = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        if status.si_code != os.CLD_EXITED:
            return "lost"
        answer = Record()
        setattr(answer, "exit-code", status.si_status)
        answer.stdout = bytes(printed)
        return answer
