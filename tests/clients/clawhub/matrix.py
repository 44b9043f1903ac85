"""Runs every command of every client on every host, and prints a table for each.

matrix.py PROGRAM MODULES [NAME…]: the program under test, the folder with the clients, and the
commands and clients to run (default: all).
"""

import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile
import traceback

from clients import CLIENTS
from dialect_hosts import DialectNginx
from fixture import Fixture, Place
from rows import FILES, LISTENER, SERVER, changes, logins, publishing, reads, refusals
from skills import files, write

# The rows of each host. On the second listener newer clients do little: the old ones do everything.
READS = {
    SERVER: reads.ROWS,
    LISTENER: [reads.explore_by_site, reads.install],
    FILES: reads.ROWS,
}
# A file in the refused package is larger than this limit.
WRITE_SETTINGS = "[limits]\nfile = 65536\n[log]\naccess = \"access.log\"\n"
WRITES = {
    SERVER: logins.ROWS + publishing.ROWS + changes.ROWS + refusals.ROWS,
    LISTENER: [publishing.publish],
}

ALL_ROWS = {row.__name__ for table in (READS, WRITES) for rows in table.values() for row in rows}
NAMES = {client.name for client in CLIENTS}


def prepare_reads(fixture):
    """Makes the skills that are read."""
    server, token = fixture.server, fixture.ann.token
    packages = server.folder / "packages"
    for version, tags in (("1.0.0", ["--tags", "stable"]), ("1.1.0", []), ("2.0.0", [])):
        folder = write(packages / version / "hello", files(version))
        server.command("publish", folder, "--namespace", "tools", "--version", version, *tags, token=token)
    other = {"SKILL.md": b"---\nname: other\ndescription: Does something else.\n---\n\nElse.\n"}
    folder = write(packages / "other", other)
    server.command("publish", folder, "--namespace", "tools", "--version", "1.0.0", token=token)
    fixture.ask("POST", "skills/tools/hello/versions/2.0.0/yank", {"reason": "It greets nobody."}, fixture.ann)
    # The latest change, so that it comes first in lists.
    server.command("publish", folder, "--namespace", "tools", "--version", "1.0.1", token=token)


def cell(row, client, host, place, fixture):
    """Runs a row for a client. Returns what the table shows, and what went wrong."""
    home = fixture.home(client, place)
    try:
        shown, wrong = row(home, host), None
        others = home.other_names()
        assert not others, f"the client looked for other hosts: {others}"
    except Exception:  # A failed cell is reported together with all others.
        shown, wrong = "FAILED", traceback.format_exc()
    print(".", end="", flush=True)
    return shown, wrong


def run(title, rows, host, places, wanted, fixture):
    """Runs rows on a host, and prints their table. `places` has the place of each client. `wanted`
    names rows and clients; all, if it names none. Returns the failures."""
    clients = [client for client in CLIENTS if client in places]
    rows = [row for row in rows if row.__name__ in wanted] or ([] if wanted & ALL_ROWS else rows)
    clients = [client for client in clients if client.name in wanted] or ([] if wanted & NAMES else clients)
    if not rows or not clients:
        return []
    print(f"\n{title} ", end="", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        cells = {
            (row, client): pool.submit(cell, row, client, host, places[client], fixture)
            for client in clients
            for row in rows
        }
    print("\n" + line(["", *(client.name for client in clients)]))
    for row in rows:
        shown = [cells[row, client].result()[0] for client in clients]
        print(line([row.__name__.replace("_", " "), *shown]))
    outcomes = [(f"{title}, {client.name}, {row.__name__}", done.result()[1]) for (row, client), done in cells.items()]
    return [f"{where}:\n{wrong}" for where, wrong in outcomes if wrong]


def line(texts):
    return f"  {texts[0]:<22}" + "".join(f"{text:<14}" for text in texts[1:])


def on_server(title, table, wanted, fixture):
    """Runs the rows of a server and of its second listener."""
    usual = {client: fixture.place(client) for client in CLIENTS}
    failed = run(title, table[SERVER], SERVER, usual, wanted, fixture)
    newer = {client: fixture.second_place() for client in CLIENTS if client.keeps_path}
    return failed + run(f"{title}, second listener", table[LISTENER], LISTENER, newer, wanted, fixture)


def run_reads(make_fixture, wanted):
    fixture = make_fixture("reads")
    server = fixture.server
    try:
        prepare_reads(fixture)
        failed = on_server("reads", READS, wanted, fixture)
        server.stop()
        nginx = DialectNginx(server, fixture.scratch / "nginx")
        try:
            # As if it had always been served there.
            server.command("generate", "--public-url", nginx.url)
            below, at_root = Place(f"{nginx.url}/clawhub", nginx.url), Place(nginx.root, nginx.root)
            places = {client: below if client.keeps_path else at_root for client in CLIENTS}
            failed += run("reads, nginx, server stopped", READS[FILES], FILES, places, wanted, fixture)
            assert not nginx.log.read_text(), nginx.log.read_text()
        finally:
            nginx.stop()
    finally:
        server.stop()
    return failed


def run_writes(make_fixture, wanted):
    fixture = make_fixture("writes", WRITE_SETTINGS)
    try:
        failed = on_server("writes", WRITES, wanted, fixture)
    finally:
        fixture.server.stop()
    # Clients try again after these, or do not show them, so that no row shows them.
    with (fixture.server.folder / "access.log").open() as log:
        requests = [json.loads(line) for line in log]
    busy = [request for request in requests if request["status"] == 429 or request["status"] >= 500]
    refused = [request for request in requests if "/telemetry/" in request["target"] and request["status"] != 200]
    problems = [("the server was too busy, or failed", busy), ("telemetry was refused", refused)]
    return failed + [f"writes: {what}: {which}" for what, which in problems if which]


def main():
    program, modules = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    wanted = set(sys.argv[3:])
    unknown = wanted - ALL_ROWS - NAMES
    if unknown:
        sys.exit(f"tests/clients/clawhub: no row or client is called {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="clawhub-") as scratch:

        def make_fixture(name, settings=""):
            return Fixture(program, modules, pathlib.Path(scratch), name, settings)

        failed = []
        for part, table in ((run_reads, READS), (run_writes, WRITES)):
            rows = {row.__name__ for rows in table.values() for row in rows}
            if wanted & rows or not wanted & ALL_ROWS:
                failed += part(make_fixture, wanted)
        for failure in failed:
            print(f"\n{failure}")
        if failed:
            sys.exit(f"tests/clients/clawhub: {len(failed)} cells failed")


main()
