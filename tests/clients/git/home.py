"""A person with a home and a project folder, and all clients."""

import os
import pathlib
import re
import subprocess

GUARD = pathlib.Path(__file__).resolve().parents[1] / "guard.cjs"


class Home:
    """Runs clients with nothing of the developer's. `commits` has the commit of each version of `hello`."""

    def __init__(self, folder, program, modules, place, commits):
        self.folder, self.modules = pathlib.Path(folder), pathlib.Path(modules)
        self.program, self.place, self.commits = program, place, commits
        self.project = self.folder / "project"
        self.project.mkdir()
        # Gemini CLI reports its usage otherwise.
        settings = self.folder / ".gemini/settings.json"
        settings.parent.mkdir()
        settings.write_text('{"privacy": {"usageStatisticsEnabled": false}}')

    def url(self, slug):
        """The address of a repository."""
        return f"{self.place.url}/team/{slug}.git"

    def environment(self):
        """Other hosts have no address for clients on node, and are behind a closed port for the rest."""
        [node] = self.modules.glob("node-linux-*/bin")
        closed = "http://127.0.0.1:1"
        return {
            "HOME": str(self.folder),
            "PATH": f"{self.modules / '.bin'}:{node}:{self.program.parent}:{os.environ['PATH']}",
            "NODE_OPTIONS": f"--require {GUARD}",
            "NODE_COMPILE_CACHE": os.environ["NODE_COMPILE_CACHE"],
            "NOTED_NAMES": str(self.folder / "names"),
            # Gemini CLI starts itself again otherwise, with other limits of memory.
            "GEMINI_CLI_NO_RELAUNCH": "true",
            **{name: closed for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")},
            **{name: "127.0.0.1" for name in ("NO_PROXY", "no_proxy")},
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            **{f"GIT_{who}_{what}": "me@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DO_NOT_TRACK": "1",
            "CI": "1",
            "NO_COLOR": "1",
            "LC_ALL": "C.UTF-8",
        }

    def run(self, *command, fails=False, says=(), lacks=(), typed=""):
        """Runs a command. Its output has to have the texts `says` and none of `lacks`."""
        options = {"cwd": self.project, "env": self.environment(), "input": typed, "timeout": 300}
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, errors="replace", **options)
        # Some clients always print colours, and wrap lines in frames.
        output = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", done.stdout + done.stderr)
        says = [says] if isinstance(says, str) else [str(text) for text in says]
        lacks = [lacks] if isinstance(lacks, str) else lacks
        as_expected = (done.returncode != 0) == fails
        if not as_expected or any(text not in output for text in says) or any(text in output for text in lacks):
            wanted = f"{'a failure' if fails else 'success'} with {says} and without {lacks}"
            raise AssertionError(f"{' '.join(map(str, command))}: wanted {wanted}, got {done.returncode}:\n{output[-3000:]}")
        return output

    def git(self, *arguments, **expected):
        return self.run("git", *arguments, **expected)

    def gemini(self, *arguments, **expected):
        return self.run("gemini", "skills", *arguments, **expected)

    def skills(self, *arguments, **expected):
        return self.run("skills", *arguments, **expected)

    def claude(self, *arguments, **expected):
        # The package for this machine has the program.
        [program] = self.modules.glob("@anthropic-ai/claude-code-linux-*/claude")
        return self.run(program, "plugin", *arguments, **expected)

    def install_command(self, client):
        """The command for a client that `skillmirror info` shows."""
        shown = self.run("skillmirror", "info", "team/hello", "--registry", self.place.url)
        [command] = re.findall(rf"^  {client} +(.*?)(?:  # .*)?$", shown, re.M)
        return command

    def other_names(self):
        """Hosts that a client looked for, other than this machine."""
        noted = self.folder / "names"
        return noted.read_text().split() if noted.exists() else []
