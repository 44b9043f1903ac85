"""Runs the commands of pages as a person would, and compares what they print with the pages.

    tour.py PROGRAM PAGE[#SECTION]...

Each page has a copy of the repository and an empty home. A block runs in the first terminal that waits for a command,
or else in a new one. A block that begins with `^C` stops the command that keeps a terminal, and goes on there.
`…` in an output is any text; as a whole line, it is any lines.
"""

import difflib
import os
import pathlib
import queue
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BUILD_AND_RUN = "cargo run --release --"
PROGRAM = "target/release/skillmirror"
NOT_RUN = {"tests/run": "it runs this test, too"}
# A command with one of these texts keeps its terminal. It is ready when it has printed the last line of the page.
STAYS = ("skillmirror serve", "snapshot serve", "http.server")
PORTS = ("8080", "9000")  # Those of the pages. A test takes free ones instead.
VARIES = {  # Texts that differ in every run.
    r"\d{4}-\d\d-\d\dT[\d:.]+Z": "TIME",
    r"\d{4}-\d\d-\d\d": "DAY",
    r"process \d+": "process PID",
    r"[\w.]+\+[0-9a-f]{8}\+[\w+/]+=*": "PUBLIC KEY",
    r"[0-9a-f]{8}\.key": "KEY FILE",
    r"\b[0-9a-f]{32}\b": "EPOCH",
}
END = "the command has ended\n"
PATIENCE = 120  # Seconds without a line, after which a command hangs.


class Terminal:
    """A bash that stays open. Ctrl-C stops its command, not the bash."""

    def __init__(self, folder, environment):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        self.bash = subprocess.Popen(["bash"], cwd=folder, env=environment, bufsize=1, start_new_session=True, **pipes)
        self.lines = queue.Queue()
        self.is_busy = False
        threading.Thread(target=lambda: [self.lines.put(line) for line in self.bash.stdout], daemon=True).start()
        self.bash.stdin.write("trap : INT\n")

    def run(self, command, is_last):
        """Returns the lines up to the end of the command, or up to the last one of the page if it stays."""
        if command == "^C":
            os.killpg(self.bash.pid, signal.SIGINT)
        else:
            self.bash.stdin.write(f"{{ {command}\n}} </dev/null; echo {END}")
        self.is_busy = any(text in command for text in STAYS)
        lines = []
        while not (self.is_busy and lines and is_last(lines[-1])):
            try:
                line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                return [*lines, f"(nothing more in {PATIENCE} seconds)\n"]
            if line.endswith(END):
                rest = line.removesuffix(END)
                return lines + ([f"{rest}\n"] if rest else [])
            lines.append(line)
        return lines


def blocks(page):
    """The console blocks of a page or a section: lists of line number, command and lines of output."""
    name, _, section = page.partition("#")
    found, fence, is_wanted = [], None, not section
    for number, line in enumerate((REPOSITORY / name).read_text().splitlines(keepends=True), 1):
        if line.startswith("```"):
            fence = line[3:].strip() if fence is None else None
            found += [[]] if fence == "console" and is_wanted else []
        elif fence is None and section and line.startswith("#"):
            is_wanted = re.sub(r"[^\w-]", "", line.lower().strip("# \n").replace(" ", "-")) == section
        elif fence == "console" and is_wanted and (line.startswith("$ ") or line == "^C\n"):
            found[-1].append((number, line.removeprefix("$ ").strip(), []))
        elif fence == "console" and is_wanted:
            found[-1][-1][2].append(replaced(line, VARIES))
    assert found, f"{page} has no console block: correct the name of the page or of the section"
    return found


def replaced(text, table):
    for pattern, new in table.items():
        text = re.sub(pattern, new, text)
    return text


def fits(printed, expected):
    each = ("(?:.*\n)*" if line == "…\n" else re.escape(line).replace("…", ".*") for line in expected)
    return re.fullmatch("".join(each), "".join(printed))


def run_block(page, block, terminal, ports):
    here = {rf"\b{port}\b": free for port, free in ports.items()}
    usual = {rf"\b{free}\b": port for port, free in ports.items()} | VARIES
    for number, command, expected in block:
        if command in NOT_RUN:
            print(f"{page}:{number}: not run: {command} ({NOT_RUN[command]})")
            continue
        real = replaced(command.replace(BUILD_AND_RUN, PROGRAM), here)
        printed = terminal.run(real, lambda line: fits(replaced(line, usual), expected[-1:]))
        printed = [replaced(line, usual) for line in printed]
        if not fits(printed, expected):
            diff = difflib.unified_diff(expected, printed, "expected", "got", n=99)
            sys.exit(f"{page}:{number}: $ {command}\n" + "".join(diff))


def run_page(page, program, clone):
    copy = "mkdir {0} && git ls-files -z | xargs -0 cp --parents -t {0} && cd {0} && git init -q && git add ."
    subprocess.run(copy.format(shlex.quote(str(clone))), shell=True, cwd=REPOSITORY, check=True)
    (clone / PROGRAM).parent.mkdir(parents=True)
    (clone / PROGRAM).symlink_to(program)
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in PORTS]
    ports = {port: str(held.getsockname()[1]) for port, held in zip(PORTS, sockets)}
    for held in sockets:
        held.close()
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("SKILLMIRROR_", "CLI_"))}
    environment |= {"HOME": str(clone.parent), "XDG_CONFIG_HOME": "", "PYTHONUNBUFFERED": "1"}
    environment["SKILLMIRROR_LISTEN"] = f"127.0.0.1:{ports['8080']}"
    if page != "README.md":  # This page itself says how to find the program.
        environment["PATH"] = f"{(clone / PROGRAM).parent}:{environment['PATH']}"
    terminals = []
    try:
        for block in blocks(page):
            is_stop = block[0][1] == "^C"
            if not any(each.is_busy == is_stop for each in terminals):
                terminals.append(Terminal(clone, environment))
            run_block(page, block, next(each for each in terminals if each.is_busy == is_stop), ports)
            left = subprocess.check_output(["git", "ls-files", "--others", "--exclude-standard"], cwd=clone, text=True)
            assert not left, f"{page}:{block[0][0]}: git does not ignore what the commands make:\n{left}"
    finally:
        for terminal in terminals:
            os.killpg(terminal.bash.pid, signal.SIGKILL)
            terminal.bash.wait()
    print(f"{page}: its commands print what it shows")


program, *pages = sys.argv[1:]
for each in pages:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        run_page(each, pathlib.Path(program).resolve(), pathlib.Path(temporary, "clone"))
