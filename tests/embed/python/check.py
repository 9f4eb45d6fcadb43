"""`check.py RETRIEVAL COMMANDS < requests.jsonl`: what `run-loom` answers to each request of a
component that has checked nothing, in a run that may not write."""

import json
import re
import sys

from wasmtime.component import Record, Variant

from loom import Loom


def lifted(value):
    """A value as wasmtime would hand it over: the file's names are those of JavaScript."""
    if not isinstance(value, dict):
        return value
    value = {re.sub("[A-Z]", lambda c: "-" + c[0].lower(), k): lifted(v) for k, v in value.items()}
    if "tag" in value:
        return Variant(value["tag"], value.get("val"))
    # A field that the file leaves out is an option without a value.
    record = type("Optional", (Record,), {"__getattr__": lambda _self, _name: None})()
    vars(record).update(value)
    return record


retrieval, commands = (json.load(open(file, encoding="utf-8")) for file in sys.argv[1:])
loom = Loom(retrieval, commands, writes=False, deadline=1, output=1 << 20)
loom.calls = 1
for line in sys.stdin:
    [answer] = loom.run_loom(None, [lifted(json.loads(line)["request"])])
    print(answer if isinstance(answer, str) else f"exit {getattr(answer, 'exit-code')}")
