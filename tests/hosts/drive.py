"""Asks the server for every public read, stops it, and asks each host the same.

drive.py PROGRAM: the program under test. UPDATE_DOCS=1 writes the table into docs/hosting.md.
"""

import concurrent.futures
import os
import pathlib
import re
import sys
import tempfile

import answers
import hostile
import reads
from hosts import BELOW_A_PATH, STORES, Ceph, all_hosts, nginx, s3_script
from registry import Registry, fill

MANUAL = pathlib.Path(__file__).resolve().parents[2] / "docs/hosting.md"
START, END = "<!-- The table of tests/hosts/run -->\n", "<!-- End of the table -->\n"


def with_commit(read, registry):
    """A read of git names the commit of the refs."""
    if not read.body:
        return read
    refs = (registry.public / "tools/hello.git/info/refs").read_text()
    commit = next(line.split()[0][-40:] for line in refs.splitlines() if "HEAD" in line)
    # The length of the line counts the commit.
    old, new = reads.line("want {commit} ofs-delta\n"), reads.line(f"want {commit} ofs-delta\n")
    return reads.Read(read.row, read.path, read.method, read.headers, read.body.replace(old, new))


def main(program):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        scratch.chmod(0o755)
        registry = Registry(program, scratch)
        try:
            fill(registry)
            everything = [with_commit(read, registry) for read in (*reads.of_tree(registry.public), *reads.queries())]
            expected = answers.ask(registry.url, everything)
        finally:
            registry.stop()
        print(f"the server answered {len(everything)} reads and was stopped")
        gateway = Ceph(STORES, scratch / "gateway")
        try:
            lines = ask_hosts(registry, scratch, expected, all_hosts(gateway))
            s3_script.check(registry, gateway, scratch)
        finally:
            gateway.stop()
    table = answers.table(lines)
    print(table)
    check_manual(table)


def ask_hosts(registry, scratch, expected, hosts):
    """Starts each host and asks it. Returns the lines of the table."""
    lines = {}
    (scratch / "front").mkdir()
    front = nginx(registry, scratch / "front", "--origin", registry.url)
    try:
        hostile.attack(registry, {"nginx in front of the server, which was stopped,": front}, refusal=503)
    finally:
        front.stop()
    found = serve(registry, scratch, hosts, "", expected)
    for name in found:
        lines[name], examples = answers.compare(expected, found[name])
        if os.environ.get("VERBOSE"):
            for (row, difference), (read, wanted, got) in examples.items():
                print(f"{name}: {row}: {difference}: {read.method} {read.path}\n    {wanted}\n    {got}")
    sample = reads.one_of_each(expected)
    for name, below in serve(registry, scratch, BELOW_A_PATH, "/team/skills", sample).items():
        for read, answer in below.items():
            assert found[name][read].difference(answer) is None, (name, read, answer, found[name][read])
    print(f"{', '.join(BELOW_A_PATH)}: the same below a path")
    return lines


def serve(registry, scratch, hosts, path, asked):
    """The answers of each of the hosts, which serve the tree below a path."""
    running = {}
    options = ["--base-path", path] if path else []
    try:
        for name, start in hosts.items():
            folder = scratch / re.sub("[^A-Za-z0-9]+", "-", f"{name}{path}")
            folder.mkdir()
            running[name] = start(registry, folder, *options, path=path)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            found = pool.map(lambda host: answers.ask(host.url, asked, host.host), running.values())
            found = dict(zip(running, found))
        if not path:
            hostile.attack(registry, {name: host for name, host in running.items() if name in BELOW_A_PATH})
        return found
    finally:
        for host in running.values():
            host.stop()


def check_manual(table):
    manual = MANUAL.read_text()
    before, rest = manual.split(START)
    old, after = rest.split(END)
    if old.strip() == table.strip():
        return
    if os.environ.get("UPDATE_DOCS"):
        MANUAL.write_text(f"{before}{START}\n{table}\n{END}{after}")
        return
    sys.exit("docs/hosting.md has another table: read the differences with VERBOSE=1, then UPDATE_DOCS=1 tests/hosts/run")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
