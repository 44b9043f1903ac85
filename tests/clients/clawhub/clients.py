"""The clients of the matrix, and running one of them."""

import dataclasses
import os
import pathlib
import platform
import re
import subprocess
import threading

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True)
class Client:
    """A version of the client."""

    # The name in package.json.
    name: str

    @property
    def number(self):
        """The version as numbers, to say from which on a command exists."""
        return tuple(int(part) for part in self.name.split("-")[1].split("."))

    @property
    def label(self):
        """The version as a part of a slug."""
        return "-".join(map(str, self.number))

    def since(self, *number):
        """Whether it is this version or a later one."""
        return self.number >= number


CLIENTS = [
    Client("clawhub-0.20"),
    Client("clawhub-0.23"),
]


class Unexpected(Exception):
    """A client did something else than the matrix says."""


class Home:
    """A client with its own home and project folder, and a registry."""

    def __init__(self, client, folder, modules, registry):
        self.client, self.folder, self.modules, self.registry = client, pathlib.Path(folder), modules, registry
        self.project = self.folder / "project"
        self.project.mkdir(parents=True, exist_ok=True)

    def installed(self, name="tools--hello"):
        """The folder of an installed skill."""
        return self.project / "skills" / name

    def environment(self, **more):
        """Nothing of the developer's. Telemetry is off, other hosts have no address, and no browser opens."""
        machine = {"x86_64": "x64", "aarch64": "arm64"}[platform.machine()]
        node = self.modules / f"node-linux-{machine}" / "bin"
        browser = self.folder / "bin" / "xdg-open"
        browser.parent.mkdir(exist_ok=True)
        if not browser.exists():
            browser.symlink_to("/bin/true")
        variables = {
            "HOME": str(self.folder),
            "PATH": os.pathsep.join([str(browser.parent), str(node), os.environ["PATH"]]),
            "NODE_OPTIONS": f"--require {HERE.parent / 'guard.cjs'}",
            "NODE_COMPILE_CACHE": os.environ["NODE_COMPILE_CACHE"],
            "NOTED_NAMES": str(self.folder / "names"),
            "CLAWHUB_REGISTRY": self.registry,
            "CLAWHUB_DISABLE_TELEMETRY": "1",
            "NO_COLOR": "1",
            **more,
        }
        return {name: value for name, value in variables.items() if value}

    def command(self, arguments):
        # The programs are too short for optimised code to pay.
        return ["node", "--no-opt", str(self.modules / self.client.name / "bin" / "clawdhub.js"), "--no-input", *arguments]

    def run(self, *arguments, fails=False, says=(), lacks=(), **more):
        """Runs a command. Its output has to have the texts `says` and none of `lacks`. Returns its
        output."""
        done = self._run(arguments, fails, says, lacks, more)
        return (done.stdout + done.stderr).decode(errors="replace")

    def refused(self, *arguments, says, **more):
        """Runs a command that the registry refuses: with one sentence in one line, which has the texts
        `says`. Returns it."""
        done = self._run(arguments, True, says, (), more)
        lines = done.stderr.decode(errors="replace").splitlines()
        begin = "Error: "
        errors = [line.removeprefix(begin) for line in lines if line.startswith(begin)]
        # Before it, clients show it as the end of what they were doing, whose lines begin with `-`.
        others = [line for line in lines if not line.startswith((begin, "- "))]
        if len(errors) != 1 or lines[-1] != begin + errors[0] or any(not line.endswith(errors[0]) for line in others):
            raise Unexpected(f"{' '.join(map(str, arguments))}: wanted one line:\n" + "\n".join(lines))
        sentence = errors[0]
        if not sentence.endswith(".") or sentence.startswith("{"):
            raise Unexpected(f"{' '.join(map(str, arguments))}: wanted a sentence: {sentence}")
        return sentence

    def _run(self, arguments, fails, says, lacks, more):
        done = subprocess.run(
            self.command(arguments), cwd=self.project, env=self.environment(**more), capture_output=True,
            stdin=subprocess.DEVNULL, timeout=120,
        )
        output = (done.stdout + done.stderr).decode(errors="replace")
        says = [says] if isinstance(says, str) else says
        lacks = [lacks] if isinstance(lacks, str) else lacks
        as_expected = (done.returncode != 0) == fails
        if not as_expected or any(text not in output for text in says) or any(text in output for text in lacks):
            wanted = f"{'a failure' if fails else 'success'} with {says} and without {lacks}"
            raise Unexpected(f"{' '.join(map(str, arguments))}: wanted {wanted}, got {done.returncode}:\n{output[-3000:]}")
        return done

    def start(self, *arguments, **more):
        """Starts a command that waits for its user."""
        return Started(self.command(arguments), self.project, self.environment(**more))

    def other_names(self):
        """Hosts that the client looked for, other than this machine."""
        noted = self.folder / "names"
        return noted.read_text().split() if noted.exists() else []


class Started:
    """A command that has been started. Leaving the `with` block stops it."""

    def __init__(self, command, folder, environment):
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )
        self.lines = []

    def __enter__(self):
        # A command that never ends has no more lines then.
        self.limit = threading.Timer(120, self.process.kill)
        self.limit.start()
        return self

    def __exit__(self, *_):
        self.limit.cancel()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def line_with(self, pattern):
        """The groups of a pattern in the next line that has it."""
        for line in self.process.stdout:
            self.lines.append(line)
            found = re.search(pattern, line)
            if found:
                return found.groups()
        raise Unexpected(f"no line with {pattern}:\n{''.join(self.lines)}")

    def ends(self, says, fails=False):
        """Waits for the end. All lines together have to have a text."""
        self.lines += self.process.stdout
        failed = self.process.wait() != 0
        if failed != fails or says not in "".join(self.lines):
            raise Unexpected(f"wanted {says}, failed: {failed}:\n{''.join(self.lines)}")
