"""A client with a home of its own, which trusts the site's certificate."""

import os
import pathlib
import re
import subprocess


class Result:
    def __init__(self, command, done):
        self.command, self.code = command, done.returncode
        # Without the colours that some clients always print.
        self.output = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", done.stdout + done.stderr)

    def ok(self):
        assert self.code == 0, f"{self.command} failed:\n{self.output}"
        return self.output


class Client:
    def __init__(self, modules, folder, site):
        self.modules = pathlib.Path(modules)
        self.home, self.project, self.site = folder / "home", folder / "project", site
        self.home.mkdir(parents=True)
        self.project.mkdir()

    def run(self, *command, **variables):
        environment = {
            "HOME": str(self.home),
            "PATH": f"{self.node().parent}:{os.environ['PATH']}",
            "NODE_EXTRA_CA_CERTS": str(self.site.certificate),
            # Nothing is told to the vendors.
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DO_NOT_TRACK": "1",
            "CI": "1",
            "NO_COLOR": "1",
            **variables,
        }
        options = {"cwd": self.project, "env": environment, "stdin": subprocess.DEVNULL, "timeout": 120}
        return Result(command, subprocess.run(command, capture_output=True, text=True, **options))

    def node(self):
        [found] = self.modules.glob("node-linux-*/bin/node")
        return found
