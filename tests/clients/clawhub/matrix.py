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
from fixture import Fixture, Place
from hosts import Nginx
from rows import FILES, SERVER, changes, logins, publishing, reads, refusals
from skills import files, write

# A file in the refused package is larger than this limit.
WRITE_SETTINGS = "[limits]\nfile = 65536\n[log]\naccess = \"access.log\"\n"
WRITES = logins.ROWS + publishing.ROWS + changes.ROWS + refusals.ROWS

ALL_ROWS = {row.__name__ for row in reads.ROWS + WRITES}
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


def run(title, rows, host, place, wanted, fixture):
    """Runs rows on a host, and prints their table. `wanted` names rows and clients; all, if it names
    none. Returns the failures."""
    rows = [row for row in rows if row.__name__ in wanted] or ([] if wanted & ALL_ROWS else rows)
    clients = [client for client in CLIENTS if client.name in wanted] or CLIENTS
    if not rows:
        return []
    print(f"\n{title} ", end="", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        cells = {
            (row, client): pool.submit(cell, row, client, host, place, fixture)
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


def run_reads(make_fixture, wanted):
    fixture = make_fixture("reads")
    server = fixture.server
    try:
        prepare_reads(fixture)
        failed = run("reads", reads.ROWS, SERVER, fixture.place(), wanted, fixture)
        server.stop()
        nginx = Nginx(server, fixture.scratch / "nginx")
        try:
            # As if it had always been served there.
            server.command("generate", "--public-url", nginx.url)
            failed += run("reads, nginx, server stopped", reads.ROWS, FILES, Place.at(nginx.url), wanted, fixture)
            assert not nginx.log.read_text(), nginx.log.read_text()
        finally:
            nginx.stop()
    finally:
        server.stop()
    return failed


def run_writes(make_fixture, wanted):
    fixture = make_fixture("writes", WRITE_SETTINGS)
    try:
        failed = run("writes", WRITES, SERVER, fixture.place(), wanted, fixture)
    finally:
        fixture.server.stop()
    # Clients try again after these, or do not show them, so that no row shows them.
    with (fixture.server.folder / "access.log").open() as log:
        requests = [json.loads(line) for line in log]
    busy = [request for request in requests if request["status"] == 429 or request["status"] >= 500]
    return failed + ([f"writes: the server was too busy, or failed: {busy}"] if busy else [])


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
        for part, rows in ((run_reads, reads.ROWS), (run_writes, WRITES)):
            if wanted & {row.__name__ for row in rows} or not wanted & ALL_ROWS:
                failed += part(make_fixture, wanted)
        for failure in failed:
            print(f"\n{failure}")
        if failed:
            sys.exit(f"tests/clients/clawhub: {len(failed)} cells failed")


main()
