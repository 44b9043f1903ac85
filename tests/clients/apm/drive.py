"""Installs, checks and publishes skills with `apm`.

drive.py PROGRAM APM: the program under test, and the client.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

from hosts import Nginx, Server
from registry_site import Site


class Project:
    """A project whose skills come from the registry at `url`."""

    def __init__(self, apm, folder, url, **environment):
        self.apm, self.folder = apm, folder
        (folder / ".claude").mkdir(parents=True)
        home = folder.parent / f"{folder.name}-home"
        home.mkdir()
        self.environment = {"HOME": str(home), "PATH": os.environ["PATH"], "NO_COLOR": "1", **environment}
        registry = f"registries:\n  corp:\n    url: {url}/api/apm\n  default: corp\n"
        (folder / "apm.yml").write_text(f"name: hello\nversion: 2.0.0\nlicense: MIT\n{registry}")
        self.run("experimental", "enable", "registries")
        # The client sends a token only to an address that its user has set.
        self.run("config", "set", "registry.corp.url", f"{url}/api/apm")

    def run(self, *arguments, is_good=True):
        """Runs the client. Returns what it prints, in one line."""
        command = [self.apm, *map(str, arguments)]
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300)
        assert (done.returncode == 0) == is_good, (arguments, done.returncode, done.stdout, done.stderr)
        return " ".join((done.stdout + done.stderr).split())

    def forget(self):
        """Removes what is installed, but not the lock file."""
        for folder in ("apm_modules", ".claude/skills"):
            shutil.rmtree(self.folder / folder, ignore_errors=True)

    def installed(self):
        root = self.folder / ".claude/skills/hello"
        return {path.name: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def write_skill(folder, version):
    (folder / "scripts").mkdir(parents=True, exist_ok=True)
    front_matter = f'---\nname: hello\ndescription: Greets.\nmetadata:\n  version: "{version}"\n---\n'
    (folder / "SKILL.md").write_text(f"{front_matter}\n# Hello {version}\n")
    (folder / "scripts/hello.sh").write_text("echo hello\n")
    return folder


def installs(project, server=None):
    """Installs 1.1.0, which is then no longer the latest, and yanked. `server` still changes the skill."""
    project.run("install", "team/hello#^1.0.0")
    before = project.installed()
    assert set(before) == {"SKILL.md", "hello.sh"} and b"# Hello 1.1.0\n" in before["SKILL.md"], before
    lock = (project.folder / "apm.lock.yaml").read_text()
    assert "/api/apm/v1/packages/team/hello/versions/1.1.0/download" in lock, lock
    project.run("audit", "--ci")
    bill = json.loads(project.run("lock", "export", "--format", "cyclonedx"))
    assert bill["bomFormat"] == "CycloneDX" and len(bill["components"]) == 1, bill
    project.forget()
    project.run("install", "--frozen")
    assert project.installed() == before
    if server:
        server()
        found = project.run("outdated")
        assert "1.2.0" in found, found
        project.forget()
        project.run("install", "--frozen")
        assert project.installed() == before
        assert (project.folder / "apm.lock.yaml").read_text() == lock
    (project.folder / ".claude/skills/hello/SKILL.md").write_text("Changed.\n")
    project.run("audit", "--ci", is_good=False)


def publishes(program, apm, folder):
    """Publishes a zip with a token, over https."""
    folder.mkdir()
    site = Site(program, folder)
    try:
        site.serve(None)
        site.ask("namespaces", {"slug": "team"})
        project = Project(
            apm, folder / "project", site.url, REQUESTS_CA_BUNDLE=str(site.certificate), APM_REGISTRY_TOKEN_CORP=site.token
        )
        archive = folder / "hello.zip"
        with zipfile.ZipFile(archive, "w") as into:
            into.write(project.folder / "apm.yml", "apm.yml")
            into.writestr("SKILL.md", "---\nname: hello\ndescription: Greets.\n---\n\n# Hello\n")
        arguments = ("publish", "--package", "team/hello", "--zip", archive)
        said = project.run(*arguments)
        assert "2.0.0" in said, said
        again = project.run(*arguments, is_good=False)
        assert "immutable" in again, again
        project.environment["APM_REGISTRY_TOKEN_CORP"] = "smt_" + "x" * 40
        project.run(*arguments, is_good=False)
        project.environment.pop("APM_REGISTRY_TOKEN_CORP")
        project.run("install", "team/hello#2.0.0")
        assert set(project.installed()) >= {"SKILL.md"}
    finally:
        site.stop_all()


def main(program, apm):
    with tempfile.TemporaryDirectory(prefix="skillmirror-") as folder:
        folder = pathlib.Path(folder)
        publishes(program, apm, folder / "publishing")
        root = folder / "registry"
        root.mkdir()
        server = Server(program, root)
        server.start()
        nginx = None
        try:
            token = (root / "data/admin-token").read_text().strip()
            server.command("namespace", "create", "team", token=token)
            publish = lambda version: server.command(
                "publish", write_skill(folder / "hello", version), "--namespace", "team"
            )
            publish("1.0.0")
            publish("1.1.0")

            def advance():
                publish("1.2.0")
                server.command("yank", "@team/hello@1.1.0", "--reason", "wrong")

            nginx = Nginx(server, folder / "nginx")
            before = Project(apm, folder / "before", nginx.url)
            before.run("install", "team/hello#^1.0.0")
            installs(Project(apm, folder / "project", server.url), advance)
            server.stop()
            # The host of files has the package of the yanked version, too.
            before.forget()
            before.run("install", "--frozen")
            assert b"# Hello 1.1.0\n" in before.installed()["SKILL.md"]
            latest = Project(apm, folder / "latest", nginx.url)
            latest.run("install", "team/hello#^1.0.0")
            assert b"# Hello 1.2.0\n" in latest.installed()["SKILL.md"]
            latest.run("install", "team/nothing#^1.0.0", is_good=False)
            package = root / "public/api/v1/skills/team/hello/versions/1.2.0/download.zip"
            changed = bytearray(package.read_bytes())
            changed[40] ^= 1
            package.unlink()
            package.write_bytes(changed)
            stranger = Project(apm, folder / "stranger", nginx.url)
            refused = stranger.run("install", "team/hello#1.2.0", is_good=False)
            assert "sha256" in refused.lower() or "hash" in refused.lower(), refused
        finally:
            server.stop()
            if nginx:
                nginx.stop()
    print("tests/clients/apm: apm installs from the server and from nginx alone, and publishes")


if __name__ == "__main__":
    main(*map(os.path.abspath, sys.argv[1:]))
