"""Readers that follow the references of a host's documents, and check what they get."""

import hashlib
import http.client
import json
import pathlib
import random
import subprocess
import threading
import time
import urllib.parse

from store_errors import StoreErrors

HERE = pathlib.Path(__file__).resolve().parent
HEAD = "/api/v1/mirror/head.json"

# How long a cache may keep a document that changes, and how long a request may take.
LIFETIME, SLACK = 60, 15


class Reader(threading.Thread):
    """Reads from one host until it is told to end."""

    # When the bucket had which revision first: for all readers.
    seen = {}

    def __init__(self, name, host, writer=None):
        super().__init__()
        self.kind, self.host, self.writer = name, host, writer
        self.address = urllib.parse.urlsplit(host.url)
        self.connection = None
        self.ends = threading.Event()
        self.failures, self.reads, self.revision = [], 0, 0
        self.errors = StoreErrors()

    def run(self):
        while not self.ends.is_set() and len(self.failures) < 10:
            try:
                self.look()
            except AssertionError as failure:
                self.failures.append(f"{self.kind}: {failure}")
            # A reader that ended here would count as one without failures.
            except Exception as failure:
                self.failures.append(f"{self.kind}: {type(failure).__name__}: {failure}")

    def end(self):
        self.ends.set()
        self.join()

    def summary(self):
        reads = f"{self.kind}: {self.reads} reads, up to revision {self.revision}, {len(self.failures)} failures"
        return reads + self.errors.summary()

    def ask(self, path):
        """Status and body of an answer, which is complete. A store may fail now and then.

        Ceph 16 answers 500 now and then while an object is replaced. The page with the error is longer than its
        `Content-Length`, so the rest would begin the next answer of the connection.
        """
        for _ in range(5):
            status, body = self.ask_once(path)
            if status < 500:
                break
        return status, body

    def ask_once(self, path):
        self.reads += 1
        headers = {"Host": self.host.host} if self.host.host else {}
        for attempt in range(2):
            is_reused = self.connection is not None
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=60)
                self.connection.request("GET", self.address.path + path, headers=headers)
                answer = self.connection.getresponse()
                body = answer.read()
                if answer.status >= 500:
                    self.errors.add_answer(path, answer.status, answer.headers, body)
                    self.connection.close()
                    self.connection = None
                return answer.status, body
            except http.client.IncompleteRead as cut:
                self.errors.add_exception(path, cut, is_reused)
                raise AssertionError(f"{path}: half a document: {cut}") from cut
            except (http.client.HTTPException, OSError) as failure:
                # Usually the connection was idle for too long. The log tells that from a malformed answer.
                self.errors.add_exception(path, failure, is_reused)
                self.connection = None
                if attempt:
                    raise

    def bytes(self, path):
        status, body = self.ask(path)
        return body if status == 200 else None

    def json(self, path):
        status, body = self.ask(path)
        assert status == 200, f"{path}: status {status}"
        try:
            return json.loads(body)
        except ValueError as broken:
            raise AssertionError(f"{path}: half a document: {body[-100:]}") from broken

    def follow(self, path, referrer, names):
        """What a document refers to. None if the reference is gone meanwhile: `names` says whether
        the referrer, read again, still has it."""
        status, body = self.ask(path)
        if status == 200:
            return body
        # A removed skill may be in a list that the cache keeps for its lifetime.
        if self.kind == "cache" and "/transient-" in path:
            return None
        again_status, again = self.ask(referrer)
        if again_status != 200 or not names(again):
            return None
        status, body = self.ask(path)
        assert status == 200, f"{referrer} refers to {path}, which has status {status}"
        return body

    def look(self):
        self.look_at_head()
        sort = random.choice(["name", "updated", "created"])
        list_path = f"/api/v1/skills/_list/_all/{sort}-1.json"
        listed = self.json(list_path)["items"]
        for item in random.sample(listed, min(3, len(listed))):
            slug = item["slug"]
            skill = f"/api/v1/skills/global/{slug}"
            names_slug = lambda body: f'"slug":"{slug}"'.encode() in body
            body = self.follow(f"{skill}.json", list_path, names_slug)
            if body is not None:
                self.look_at_skill(skill, body)
            self.follow(f"/global/{slug}/index.html", list_path, names_slug)

    def look_at_head(self):
        revision = self.json(HEAD)["revision"]
        if self.kind == "bucket":
            Reader.seen.setdefault(revision, time.monotonic())
        if self.kind == "cache":
            later = [at for known, at in list(Reader.seen.items()) if known > revision]
            age = time.monotonic() - min(later) if later else 0
            assert age < LIFETIME + SLACK, f"the head with revision {revision} is {age:.0f} s too old"
        assert revision >= self.revision, f"revision {revision} after {self.revision}"
        self.revision = revision

    def look_at_skill(self, skill, body):
        path = f"{skill}/versions.json"
        versions = self.json_of(self.follow(path, f"{skill}.json", lambda _: True))
        shown = json.loads(body).get("version")
        if not versions:
            return
        listed = [item["version"] for item in versions["items"]]
        for version in {shown, random.choice(listed)} - {None}:
            names = lambda again: f'"{version}"'.encode() in again
            document = self.json_of(self.follow(f"{skill}/versions/{version}.json", path, names))
            package = self.follow(f"{skill}/versions/{version}/download.zip", path, names)
            if document and package:
                digest = hashlib.sha256(package).hexdigest()
                assert document["sha256"] == digest, f"{skill} {version}: the package has sha256 {digest}"

    def json_of(self, body):
        return None if body is None else json.loads(body)


class Searcher:
    """search.js in node, which finds skills again and again."""

    def __init__(self, host, scratch):
        self.failures = []
        command = ["node", HERE / "searcher.mjs", host.url, host.host or ""]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def end(self):
        said, _ = self.process.communicate("")
        assert self.process.returncode == 0, f"searcher.mjs ended with {self.process.returncode}: {said}"
        self.said = json.loads(said)
        self.failures = self.said["failures"]

    def summary(self):
        searches = f"search.js at {self.said['base']}: {self.said['searches']} searches, {len(self.failures)} failures"
        errors = StoreErrors()
        for kind, (count, example) in self.said["errors"].items():
            errors.add(kind, example, count)
        return searches + errors.summary()
