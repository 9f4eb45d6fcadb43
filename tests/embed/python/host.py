"""A harness in Python: `host.py COMPONENT RETRIEVAL COMMANDS < conversation.jsonl`"""

import json
import re
import sys

from wasmtime import Config, Engine, Store
from wasmtime.component import Component, Linker, Record, Variant

from loom import Loom

IMPORT, EXPORT = "loom:tools/process@0.1.0", "loom:tools/tools@0.1.0"


def record(**fields):
    """A record of the interface, whose names have dashes."""
    made = Record()
    for name, value in fields.items():
        setattr(made, name.replace("_", "-"), value)
    return made


class Run:
    """One run of the component, its guest code bounded in memory and in steps."""

    def __init__(self, component, loom, settings):
        config = Config()
        config.consume_fuel = True
        engine = Engine(config)
        compiled = Component.from_file(engine, component)
        imports = list(compiled.type.imports(engine))
        if imports != [IMPORT]:
            sys.exit(f"the component imports {imports}")
        self.store, self.loom = Store(engine), loom
        self.store.set_limits(memory_size=512 << 20)
        linker = Linker(engine)
        with linker.root() as root, root.add_instance(IMPORT) as process:
            process.add_func("run-loom", loom.run_loom)
        self.store.set_fuel(1 << 40)
        self.instance = linker.instantiate(self.store, compiled)
        self.run = self.call("[static]run.start", settings)
        if isinstance(self.run, str):
            sys.exit(self.run)

    def call(self, name, *values):
        tools = self.instance.get_export_index(self.store, EXPORT)
        index = self.instance.get_export_index(self.store, name, tools)
        self.store.set_fuel(1 << 36)
        return self.instance.get_func(self.store, index)(self.store, *values)

    def invoke(self, calls, ceiling):
        self.loom.calls = len(calls)
        turn = record(calls=calls, ceiling_record=ceiling)
        return self.call("[method]run.invoke", self.run, turn)

    def resolve_result(self, result):
        return self.call("[method]run.resolve-result", self.run, result)

    def label(self):
        return self.call("[method]run.label", self.run)


def ceiling_record(path):
    """The record of this turn. One that cannot be read is an error, never no ceiling."""
    if path is None:
        return Variant("none")
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return Variant("some", file.read())
    except (OSError, ValueError):
        return Variant("some", None)


TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]')


def parts(text):
    """An object's names and values, or a list's items, each as the text it was written in: `json`
    would not keep the digits of every number."""
    found, depth, start = [], 0, 0
    for token in TOKEN.finditer(text):
        opens = token[0] in "{["
        depth += opens
        if depth == 1 and token[0] in "{}[],:":
            if not opens:
                found.append(text[start : token.start()].strip())
            start = token.end()
        depth -= token[0] in "}]"
    return [part for part in found if part]


def fields(text):
    found = parts(text)
    return {json.loads(name): value for name, value in zip(found[::2], found[1::2])}


def asked(text):
    call = fields(text)
    return record(
        id=json.loads(call["id"]), tool=json.loads(call["tool"]), input=call.get("input", ""),
        input_label=call.get("inputLabel"),
    )


def reply(r):
    call, output = (json.dumps(getattr(r, n), ensure_ascii=False) for n in ("call-id", "output-id"))
    return (
        f'{{"callId":{call},"outputId":{output},"shown":{r.shown},"artifact":{r.artifact},'
        f'"observation":{r.observation or "null"},"decision":{r.decision}}}'
    )


def main(component, *files):
    retrieval, commands = (json.load(open(file, encoding="utf-8")) for file in files)
    ceiling_file = retrieval.get("readCeilingFile")
    facets = record(facets=retrieval.get("facets"), ceiling_record=ceiling_file is not None)
    settings = record(
        run_id="embed", retrieval=facets, commands=True, enforcement="enforce-explicit",
        slot="direct-command", allowed_tools=None,
        ceilings=['["loom:facet:work",{"anyOf":["loom:group:studio"]}]'],
    )
    run = Run(component, Loom(retrieval, commands, writes=True, job_id="job-7"), settings)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    for line in sys.stdin.buffer.read().decode().split("\n"):
        turn = fields(line)
        if "calls" in turn:
            calls = [asked(call) for call in parts(turn["calls"])]
            replies = ",".join(map(reply, run.invoke(calls, ceiling_record(ceiling_file))))
            print(f'{{"replies":[{replies}],"label":{run.label()}}}')
        elif turn:
            answer = run.resolve_result(turn["resolveResult"])
            print(f'{{"{"resolved" if answer.tag == "ok" else "error"}":{answer.payload}}}')


main(*sys.argv[1:])
