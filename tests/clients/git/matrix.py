"""Runs every row at every place, and prints a table.

matrix.py PROGRAM MODULES [ROW…]: the program under test, the folder with the clients, and the rows to
run (default: all).

A row is a function of a `Home`. It returns what the table shows. If it yields, the skills change then
(see places.py), so it shows what clients do before and after that.
"""

import concurrent.futures
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

import agents
import bundles
import namespaces
import opencode
import plain_git
from home import Home
from places import FromFiles, FromServer, FromSnapshot

ROWS = plain_git.ROWS + agents.ROWS + namespaces.ROWS + bundles.ROWS + opencode.ROWS


class Cell:
    """A row at a place: what the table shows of it, and what went wrong."""

    def __init__(self, row, home):
        self.row, self.home = row, home
        self.steps = self.shown = self.wrong = None

    def step(self):
        """Runs until the skills change, or to the end."""
        if self.shown:
            return
        try:
            if self.steps is None:
                started = self.row(self.home)
                self.steps = started if inspect.isgenerator(started) else iter(())
                self.shown = None if inspect.isgenerator(started) else started
            if self.shown is None:
                next(self.steps)
        except StopIteration as end:
            self.shown = end.value
        except Exception:  # A failed cell is reported together with all others.
            self.shown, self.wrong = "FAILED", traceback.format_exc()
        others = self.home.other_names()
        if others:
            self.shown, self.wrong = "FAILED", f"the client looked for other hosts: {others}"
        print(".", end="", flush=True)


def commit_of(place):
    """The commit of the latest version of `hello`."""
    command = ["git", "ls-remote", f"{place.url}/team/hello.git", "HEAD"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[0]


def run(place, rows, make_home, pool, commits=None):
    """Runs rows at a place, before and after the changes. Returns their cells. `commits` is filled if
    it is empty: all later places have to have the same."""
    cells = [Cell(row, make_home(row, place)) for row in rows]
    print(f"\n{place.name} ", end="", flush=True)
    for version, change in (("1.0.0", lambda: None), ("1.1.0", place.advance)):
        change()
        commit = commit_of(place)
        assert commits.setdefault(version, commit) == commit, f"{place.name} has another commit of {version}"
        list(pool.map(Cell.step, cells))
    return cells


def main():
    program, modules = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    rows = [row for row in ROWS if row.__name__ in sys.argv[3:]] or ROWS
    columns, failed, commits = {}, [], {}
    with tempfile.TemporaryDirectory(prefix="git-") as scratch, concurrent.futures.ThreadPoolExecutor(
        os.cpu_count()
    ) as pool:
        scratch = pathlib.Path(scratch)

        def make_home(row, place):
            folder = tempfile.mkdtemp(prefix=f"{place.name}-{row.__name__}-", dir=scratch)
            return Home(folder, program, modules, place, commits)

        first = FromServer(program, scratch / "server")
        for make in (
            lambda: first,
            lambda: FromFiles(first.server, scratch / "nginx"),
            lambda: FromSnapshot(program, first.folder, scratch / "snapshot"),
        ):
            place = make()
            try:
                cells = columns[place.name] = run(place, rows, make_home, pool, commits)
            finally:
                place.stop()
            failed += [f"{place.name}, {cell.row.__name__}:\n{cell.wrong}" for cell in cells if cell.wrong]
            failed += [f"{place.name} logged: {line}" for line in place.complaints()]
    print("\n" + line(["", *columns]))
    for number, row in enumerate(rows):
        print(line([row.__name__.replace("_", " "), *(cells[number].shown for cells in columns.values())]))
    for failure in failed:
        print(f"\n{failure}")
    if failed:
        sys.exit(f"tests/clients/git: {len(failed)} failures")


def line(texts):
    return f"  {texts[0]:<20}" + "".join(f"{text:<15}" for text in texts[1:]).rstrip()


main()
