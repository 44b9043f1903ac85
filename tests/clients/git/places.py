"""The places of the matrix. Each shows a registry before and after some changes.

Before: `team/hello` 1.0.0, `team/withdrawn` and `team/removed`. Then `hello` gets version 1.1.0, the
only version of `withdrawn` is yanked, and `removed` is removed. `team/missing` never exists.
"""

import json
import os
import shutil
import urllib.request

from hosts import Nginx, Program, Server
from packages import write
from ports import free_port

# What git prints of skills that cannot be cloned.
FROM_PROGRAM = {
    "missing": "Not found: there is no skill @team/missing: check its name",
    "withdrawn": "All versions of @team/withdrawn were yanked, so there is nothing to clone: see /team/withdrawn/.",
    "removed": "Removed: the skill @team/removed was removed",
}
FROM_FILES = "There is no such skill or namespace, or this host has no git repositories: check the address, /{namespace}/{slug}.git or /{namespace}.git"


class Place:
    """A registry at `url`."""

    # Whether our program answers.
    is_program = True

    def sentence(self, slug):
        return FROM_PROGRAM[slug] if self.is_program else FROM_FILES

    def complaints(self):
        """What the log has besides the usual."""
        lines = self.running.log.read_text().splitlines()
        return [line for line in lines if not self.is_program or any(sign in line for sign in ("WARN", "ERROR", "panic"))]

    def stop(self):
        self.running.stop()


class FromServer(Place):
    name = "server"

    def __init__(self, program, folder):
        folder.mkdir()
        self.running = self.server = Server(program, folder, "[mirror]\ngit = true\n")
        self.server.start()
        self.url, self.folder = self.server.url, folder
        self.token = (folder / "data/admin-token").read_text().strip()
        self.ask("namespaces", {"slug": "team"})
        for slug in ("hello", "withdrawn", "removed"):
            self.publish(slug, "1.0.0")
        self.ask("namespaces/team", {"description": "Before."}, "PUT")
        bundle = {"title": "Tools", "members": ["hello", "removed"]}
        self.ask("namespaces/team/bundles/tools", bundle, "PUT")
        self.copy("before")

    def advance(self):
        self.publish("hello", "1.1.0")
        self.ask("skills/team/withdrawn/versions/1.0.0/yank", {"reason": "It greets nobody."})
        self.ask("skills/team/removed", None, "DELETE")
        self.ask("namespaces/team", {"description": "After."}, "PUT")
        self.copy("after")

    def publish(self, slug, version):
        package = write(self.folder / "packages" / version / slug, slug, version)
        self.server.command("publish", package, "--namespace", "team", "--version", version, token=self.token)

    def ask(self, path, body, method="POST"):
        """Sends a write, and waits for the whole tree."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", "Prefer": "wait"}
        data = json.dumps(body).encode() if body else None
        request = urllib.request.Request(f"{self.url}/api/v1/{path}", data, headers, method=method)
        urllib.request.urlopen(request, timeout=60).close()

    def copy(self, state):
        """Copies the tree for the other places."""
        shutil.copytree(self.folder / "public", self.folder / state)
        self.server.command("snapshot", "create", "--out", f"{state}.tar.zst")


class FromFiles(Place):
    name, is_program = "nginx", False

    def __init__(self, server, folder):
        folder.mkdir()
        self.origin, self.tree = server.folder, folder / "tree"
        self.show("before")
        self.running = Nginx(server, folder / "nginx", "--root", self.tree)
        self.url = self.running.url

    def show(self, state):
        link = self.tree.with_name("next")
        link.symlink_to(self.origin / state)
        os.replace(link, self.tree)

    def advance(self):
        self.show("after")


class FromSnapshot(Place):
    name = "snapshot"

    def __init__(self, program, origin, folder):
        folder.mkdir()
        self.origin, self.address = origin, f"127.0.0.1:{free_port()}"
        self.url = f"http://{self.address}"
        self.running = Program(program, folder, self.url)
        self.show("before")

    def show(self, state):
        self.running.command("snapshot", "apply", self.origin / f"{state}.tar.zst", "--to", "mirror")
        self.running.start("snapshot", "serve", "mirror", "--listen", self.address)

    def advance(self):
        self.running.stop()
        self.show("after")
