"""The registry that a table is about, with its people, and homes for the clients."""

import concurrent.futures
import dataclasses
import io
import json
import pathlib
import shutil
import tempfile
import threading
import urllib.error
import urllib.request
import zipfile

from clients import Home
from hosts import Server

PASSWORD = "correct horse battery staple"


@dataclasses.dataclass(frozen=True)
class Person:
    """An account with the password `PASSWORD` and a token with all usual scopes."""

    handle: str
    token: str


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a client finds the registry."""

    registry: str
    site: str

    @classmethod
    def at(cls, url):
        """The registry with the public URL `url`."""
        return cls(f"{url}/clawhub", url)


class Fixture:
    """A running server with two people who share the team `tools`, and an administrator."""

    def __init__(self, program, modules, scratch, name, settings=""):
        self.modules, self.scratch = modules, scratch
        folder = scratch / name
        folder.mkdir()
        self.server = Server(program, folder, settings)
        self._made, self._lock = {}, threading.Lock()
        self.server.start()
        try:
            self._add_people()
        except BaseException:
            self.server.stop()
            raise

    def _add_people(self):
        self.ann, self.bob = self._person("ann"), self._person("bob")
        self.admin = self._person("pat", "--role", "admin")
        self.ask("POST", "namespaces", {"slug": "tools"}, self.ann)
        self.ask("POST", "namespaces/tools/members", {"userId": "bob", "role": "member"}, self.ann)
        self.ask("POST", "namespaces", {"slug": "others"}, self.bob)

    def _person(self, handle, *options):
        self.server.command("user", "add", handle, "--password-stdin", *options, typed=f"{PASSWORD}\n")
        issued = self.server.command("token", "issue", handle, "--name", "tests", "--scopes", "read,publish,social,manage,tokens")
        return Person(handle, issued.split()[-1])

    def ask(self, method, path, body=None, person=None):
        """Sends a request of the registry's own API. Returns the response, or None if it is not found."""
        data = None if body is None else json.dumps(body).encode()
        return self._send(method, path, data, "application/json", person)

    def publish(self, slug, contents, version="1.0.0"):
        """Publishes files as ann, without a client."""
        package = io.BytesIO()
        with zipfile.ZipFile(package, "w") as archive:
            for name, content in contents.items():
                archive.writestr(name, content)
        boundary = "a-boundary-that-no-package-contains"
        form = b""
        for head, content in (
            ('"slug"', slug.encode()), ('"version"', version.encode()), ('"file"; filename="a.zip"', package.getvalue())
        ):
            form += f"--{boundary}\r\nContent-Disposition: form-data; name={head}\r\n\r\n".encode() + content + b"\r\n"
        form += f"--{boundary}--\r\n".encode()
        return self._send("POST", "publish", form, f"multipart/form-data; boundary={boundary}", self.ann)

    def _send(self, method, path, data, kind, person):
        headers = {"Content-Type": kind, "Prefer": "wait"}
        if person:
            headers["Authorization"] = f"Bearer {person.token}"
        request = urllib.request.Request(f"{self.server.url}/api/v1/{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            if error.code in (404, 410):
                return None
            raise AssertionError(f"{method} {path}: {error.code} {error.read()}") from error

    def place(self):
        """The registry's URL that a client is meant to have."""
        return Place.at(self.server.url)

    def home(self, client, place, person=None):
        """A new home of a client. With a person it is logged in, by a login that homes share."""
        home = Home(client, tempfile.mkdtemp(prefix=f"{client.name}-", dir=self.scratch), self.modules, place.registry)
        home.fixture, home.place = self, place
        if person:
            shutil.copytree(self.once(("login", client, place, person), lambda: self._log_in(client, place, person)),
                            home.folder, dirs_exist_ok=True)
        return home

    def _log_in(self, client, place, person):
        home = self.home(client, place)
        home.run("login", "--token", person.token, says=person.handle)
        return home.folder

    def once(self, key, make):
        """Makes something for the first cell that needs it. The others wait for it."""
        with self._lock:
            made = self._made.get(key)
            is_first = made is None
            if is_first:
                made = self._made[key] = concurrent.futures.Future()
        if is_first:
            try:
                made.set_result(make())
            except Exception as error:
                made.set_exception(error)
        return made.result()

    def packages(self):
        """A new folder for what a client publishes."""
        return pathlib.Path(tempfile.mkdtemp(prefix="packages-", dir=self.scratch))
