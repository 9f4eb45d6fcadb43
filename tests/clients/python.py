"""The official Python SDK's client, of the revision deployed clients speak or the newest.

    python python.py legacy|REVISION check|hang SERVER [ARGUMENT...]

`check` prints a line for each thing that works or does not; `hang` waits in a sleeping command.
"""

import json
import os
import sys
import traceback

import anyio
from mcp import Client, StdioServerParameters

REVISION, MODE, COMMAND, *ARGUMENTS = sys.argv[1:]
SLEEP = {"command": "diag.sleep", "args": {"ms": 60_000}}
failed = 0


def stat(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            state, parent = file.read().rsplit(") ", 1)[1].split()[:2]
            return state, int(parent)
    except OSError:
        return "gone", None


def runs(pid):
    return stat(pid)[0] not in ("gone", "Z", "X")


def called(parent, text):
    """The running children of a process that were called with a text."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
                if stat(pid)[1] == parent and runs(pid) and text in file.read().split("\0"):
                    found.append(int(pid))
        except OSError:
            pass
    return found


async def until(what, there):
    for _ in range(100):
        if there():
            return
        await anyio.sleep(0.1)
    raise AssertionError(f"in vain: {what}")


async def check(name, work):
    global failed
    try:
        await work()
        print(f"ok - {name}", flush=True)
    except Exception:
        failed += 1
        print(f"not ok - {name}", flush=True)
        traceback.print_exc(file=sys.stdout)


def same(result):
    assert len(result.content) == 1
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def main():
    parameters = StdioServerParameters(command=COMMAND, args=ARGUMENTS)
    async with Client(parameters, mode=REVISION) as client:
        if MODE == "hang":
            await client.call_tool("run_read_command", SLEEP)
            sys.exit(1)
        server = called(os.getpid(), "mcp")[0]

        async def speaks():
            expected = "2025-11-25" if REVISION == "legacy" else REVISION
            assert client.protocol_version == expected, client.protocol_version

        async def lists():
            tools = (await client.list_tools()).tools
            assert len(tools) == 12
            for tool in tools:
                assert tool.input_schema["type"] == "object"
                assert tool.output_schema["type"] == "object"
                assert tool.annotations.read_only_hint == (tool.name != "run_command")

        async def reads():
            result = await client.call_tool("loom_search", {"query": "ferry"})
            assert result.is_error is False
            shown = same(result)
            assert shown["status"] == "ok" and shown["admitted"] > 0
            token = shown["entries"][0]["handle"]
            assert same(await client.call_tool("describe_handle", {"token": token}))["known"]
            for tool, given in [
                ("loom_page_discover", {}),
                ("loom_calendar_list", {"all": True}),
                ("loom_context", {"read": "where"}),
                ("loom_profile", {}),
                ("list_commands", {"detail": ["diag.echo"]}),
            ]:
                assert same(await client.call_tool(tool, given))["status"] == "ok", tool

        async def batch():
            heard = []

            async def hear(progress, total, message):
                heard.append(progress)

            calls = [
                {"command": "diag.echo", "args": {"n": 1.5}},
                {"command": "diag.sleep", "args": {"ms": 500}},
                {"command": "no.such", "args": {}},
            ]
            result = await client.call_tool(
                "run_read_command", {"calls": calls}, progress_callback=hear
            )
            statuses = [one["status"] for one in same(result)["results"]]
            assert statuses == ["executed", "executed", "unknown_command"], statuses
            assert result.is_error is False
            assert heard == [1, 2], heard

        async def errors():
            error = await client.call_tool("loom_people", {"query": "nobody@nowhere.invalid"})
            assert error.is_error and same(error)["code"] == "not_found"
            denied = await client.call_tool("run_command", {"command": "diag.echo", "args": {}})
            assert denied.is_error and same(denied)["status"] == "denied"

        async def together():
            results = []

            async def search(query):
                results.append(same(await client.call_tool("loom_search", {"query": query})))

            async with anyio.create_task_group() as group:
                for query in ["ferry", "mira", "studio", "cello", "train"]:
                    group.start_soon(search, query)
            assert [result["status"] for result in results] == ["ok"] * 5

        async def cancels():
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as group:

                    async def sleeper():
                        await client.call_tool("run_read_command", SLEEP)

                    group.start_soon(sleeper)
                    await until("the command sleeps", lambda: called(server, "diag.sleep"))
                    scope.cancel()
            await until("the command is gone", lambda: not called(server, "diag.sleep"))
            assert same(await client.call_tool("loom_profile", {}))["status"] == "ok"

        await check(f"speaks {REVISION}", speaks)
        await check("lists", lists)
        await check("reads", reads)
        await check("runs a batch, and hears of its progress", batch)
        await check("reads errors and denials", errors)
        await check("runs five calls together", together)
        await check("cancels a sleeping command", cancels)

    async def exits():
        await until("the server is gone", lambda: not runs(server))

    await check("closes, and the server exits", exits)


anyio.run(main)
sys.exit(1 if failed else 0)
