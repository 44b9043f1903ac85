"""A registry with skills for the judges, on a server, a file host, in a folder and in a snapshot."""

import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

SKILLS = {
    "hello": {"SKILL.md": b"---\nname: hello\ndescription: Greets people by name.\n---\n\n# Hello\n\nGreet them.\n"},
    # Its metadata breaks the Agent Skills specification, so it is only a resource.
    "nested": {
        "SKILL.md": b"---\nname: nested\ndescription: Nests.\nmetadata: {openclaw: {emoji: x, n: 2.5}}\n---\n\nNest.\n"
    },
    "pdf-forms": {
        "SKILL.md": (
            "---\nname: pdf-forms\ndescription: >\n  Fills in PDF forms,\n  and reads them.\nlicense: MIT\n"
            "metadata:\n  steps: \"2\"\n  author: Zoë\n---\n\n# PDF forms\r\n\nFill them.\n"
        ).encode(),
        "scripts/ü #1%41?.sh": b"#!/bin/sh\r\necho 1\n",
        "assets/logo.png": bytes(range(256)),
        "empty.txt": b"",
    },
}


class Registry:
    """A running server and file host. `ways` has the arguments of `skillmirror mcp` for each way to read it."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.processes = []
        server = self.start([program, "serve", "--listen", "127.0.0.1:0"], "listening on ")
        files = self.start(
            [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", "public"],
            "Serving HTTP on ",
        )
        self.url = server.split()[0]
        self.endpoint = f"{self.url}/mcp"
        port = files.split(" port ")[1].split()[0]
        for slug, contents in SKILLS.items():
            self.write(slug, contents)
        # Enough for a second page of the list.
        for number in range(70):
            front = f"---\nname: skill-{number}\ndescription: Number {number}.\n---\n"
            self.write(f"skill-{number}", {"SKILL.md": front.encode()})
        self.command("import", "packages")
        self.wait_for_tree()
        self.command("snapshot", "create", "--out", "all.tar.zst")
        self.ways = {
            "server": ["--registry", self.url],
            "file host": ["--registry", f"http://127.0.0.1:{port}"],
            "folder": ["--registry", (self.folder / "public").as_uri()],
            "snapshot": ["--snapshot", str(self.folder / "all.tar.zst")],
        }

    def start(self, command, sign):
        log = (self.folder / "log").open("a")
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=log, text=True)
        self.processes.append(process)
        for line in process.stdout:
            if sign in line:
                return line.split(sign)[1]
        raise AssertionError(f"{command} has ended")

    def write(self, slug, contents):
        for path, content in contents.items():
            path = self.folder / "packages" / slug / path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def command(self, *arguments):
        environment = {**os.environ, "HOME": str(self.folder)}
        done = subprocess.run(
            [self.program, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)

    def wait_for_tree(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=60) as answer:
                ready = json.load(answer)
            if ready["revision"] == ready["mirrorRevision"]:
                return
            time.sleep(0.1)
        raise AssertionError("the tree never followed")

    def stop(self):
        for process in self.processes:
            process.terminate()
            process.wait()
