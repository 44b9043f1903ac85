"""Changes a registry as fast as it answers, across restarts."""

import io
import json
import random
import threading
import time
import urllib.error
import urllib.request
import zipfile

# Skills that are changed, and skills that come and go.
SKILLS, TRANSIENT = 12, 4


class Writer(threading.Thread):
    """Makes a number of changes. An answer that is lost with the server is asked for again."""

    def __init__(self, registry, changes):
        super().__init__()
        self.registry, self.changes, self.done, self.is_ended = registry, changes, 0, False
        self.moved, self.back = threading.Condition(), threading.Event()
        self.versions = {}
        for number in range(SKILLS):
            self.publish(f"skill-{number}")

    def run(self):
        try:
            while self.done < self.changes:
                self.change()
                with self.moved:
                    self.done += 1
                    self.moved.notify_all()
        finally:
            with self.moved:
                self.is_ended = True
                self.moved.notify_all()

    def reached(self, number):
        """Waits until as many changes are made, or no more are."""
        with self.moved:
            self.moved.wait_for(lambda: self.is_ended or self.done >= number)

    def server_is_back(self):
        self.back.set()

    def change(self):
        slug = f"skill-{random.randrange(SKILLS)}"
        kind = random.random()
        if kind < 0.7:
            self.publish(slug)
        elif kind < 0.8:
            version = f"1.0.{random.randrange(self.versions[slug])}"
            self.ask("PUT", f"skills/global/{slug}/tags/stable", {"version": version})
        elif kind < 0.9 and self.versions[slug] > 1:
            version = f"1.0.{random.randrange(self.versions[slug] - 1)}"
            self.ask("POST", f"skills/global/{slug}/versions/{version}/yank", {"reason": "It is wrong."})
        else:
            slug = f"transient-{random.randrange(TRANSIENT)}"
            if slug in self.versions:
                del self.versions[slug]
                self.ask("DELETE", f"skills/global/{slug}")
            elif not self.ask("POST", f"skills/global/{slug}/restore"):
                self.publish(slug)
            else:
                self.versions[slug] = 1

    def publish(self, slug):
        version = f"1.0.{self.versions.get(slug, 0)}"
        text = f"---\nname: {slug}\ndescription: Reads files, the {version}th way.\nversion: {version}\n---\n\n# {slug}\n"
        package = io.BytesIO()
        with zipfile.ZipFile(package, "w") as archive:
            archive.writestr("SKILL.md", text)
            archive.writestr("data.bin", random.randbytes(500))
        boundary = "a-boundary-of-the-tests"
        fields = {"namespace": "global"}
        parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()]
        file = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{slug}.zip"\r\n\r\n'
        body = "".join([*parts, file]).encode() + package.getvalue() + f"\r\n--{boundary}--\r\n".encode()
        self.send("POST", "publish", body, f"multipart/form-data; boundary={boundary}")
        self.versions[slug] = self.versions.get(slug, 0) + 1

    def ask(self, method, path, body=None):
        """Whether it was done. It may have been done before."""
        return self.send(method, path, json.dumps(body or {}).encode(), "application/json")

    def send(self, method, path, body, kind):
        headers = {"Authorization": f"Bearer {self.registry.token}", "Content-Type": kind}
        while True:
            self.back.clear()
            request = urllib.request.Request(f"{self.registry.url}/api/v1/{path}", body, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=120) as answer:
                    answer.read()
                return True
            except urllib.error.HTTPError as refused:
                # Done before, or there is nothing to do.
                if refused.code in (404, 409, 410):
                    return False
                if refused.code not in (429, 503):
                    raise AssertionError(f"{method} {path}: {refused.code} {refused.read()}") from refused
                time.sleep(0.1)
            except OSError:
                # The server was killed.
                self.back.wait(60)
