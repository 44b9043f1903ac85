"""nginx in front of a company's registry: people work through it, then the server is killed.

company.py PROGRAM: the program under test.
"""

import http.client
import json
import os
import pathlib
import sys
import tempfile
import urllib.parse

from hosts import nginx
from ports import free_port
from registry import Registry, write_skill

PASSWORD = "correct horse battery staple"
SENTENCE = "The registry is read-only at the moment"


class Person:
    """A person with a home of their own, who only knows the public URL."""

    def __init__(self, registry, url, folder):
        self.registry, self.url, self.folder = registry, url, folder
        folder.mkdir()
        self.cookie = None

    def run(self, *arguments, input=None, fails=False):
        """Runs our client. Returns what it printed."""
        environment = {"HOME": str(self.folder), "CLI_REGISTRY": self.url}
        return self.registry.run(*arguments, input=input, cwd=self.folder, more=environment, fails=fails)

    def ask(self, method, path, body=None, headers=None):
        """A request of a browser. Returns status, headers and body."""
        address = urllib.parse.urlsplit(self.url)
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=120)
        headers = {"Origin": self.url, "Accept": "*/*", **(headers or {})}
        if self.cookie:
            headers["Cookie"] = self.cookie
        if isinstance(body, dict):
            body, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        found = response.read()
        cookie = response.getheader("Set-Cookie")
        if cookie:
            self.cookie = cookie.split(";")[0]
        return response.status, response.headers, found

    def read(self, path):
        status, headers, body = self.ask("GET", path)
        assert status == 200, (path, status, body[:500])
        return headers, body


def refused(status, headers, body):
    """Checks the one clear sentence for what only the server can do."""
    problem = json.loads(body)
    assert status == 503 and SENTENCE in problem["detail"], (status, body)
    assert headers["Content-Type"] == "application/problem+json" and headers["Retry-After"], headers
    assert headers["Cache-Control"] == "no-store", headers


def large_skill(folder):
    """A skill of 40 MB that no compression makes smaller."""
    write_skill(folder, "large", "Brings a lot of data.")
    for number in range(5):
        (folder / f"part-{number}.bin").write_bytes(os.urandom(8_000_000))
    return folder


def work(registry, ann, admin):
    """Login, a large publication, a review, and an installation, all through nginx."""
    registry.run("user", "add", "ann", "--password-stdin", input=f"{PASSWORD}\n")
    status, _, body = ann.ask("POST", "/api/v1/auth/login", {"handle": "ann", "password": PASSWORD})
    assert status == 200 and ann.cookie, body
    status, _, body = ann.ask("POST", "/api/v1/namespaces", {"slug": "tools"})
    assert status == 201, body
    status, _, body = ann.ask("POST", "/api/v1/tokens", {"name": "laptop", "scopes": ["read", "publish", "manage", "social"]})
    assert status == 201, body
    ann.token = json.loads(body)["token"]
    ann.run("login", "--registry", ann.url, "--token-stdin", input=ann.token)
    admin.run("login", "--registry", admin.url, "--token-stdin", input=registry.token)

    ann.run("publish", large_skill(ann.folder / "large"), "--namespace", "tools", "--version", "1.0.0")
    shared = write_skill(ann.folder / "shared", "shared", "Is for everybody.")
    printed = ann.run("publish", shared, "--namespace", "global", "--version", "1.0.0")
    assert "review" in printed, printed
    token = {"Authorization": f"Bearer {registry.token}"}
    status, _, body = admin.ask("GET", "/api/v1/namespaces/global/reviews", headers=token)
    [review] = json.loads(body)["items"]
    approve = f"/api/v1/namespaces/global/reviews/{review['id']}/approve"
    status, _, body = admin.ask("POST", approve, headers={**token, "Prefer": "wait"})
    assert status == 200, body
    ann.run("install", "tools/large", "--dir", ann.folder / "installed")
    assert len(list((ann.folder / "installed").rglob("part-*.bin"))) == 5


def go_on(ann, guest):
    """What works without the server: reads, for everybody."""
    for person in (ann, guest):
        for path in ("/", "/tools/large/", "/search/?q=data", "/api/v1/skills", "/api/v1/search", "/api/v1/skills/tools/large"):
            person.read(path)
        for query in ("/api/v1/search?q=data", "/api/v1/skills?sort=name&page=1", "/api/search?q=data&limit=20"):
            assert b"large" in person.read(query)[1], query
        headers, package = person.read("/api/v1/skills/tools/large/versions/1.0.0/download")
        assert headers["Content-Type"] == "application/zip" and len(package) > 40_000_000
        person.run("install", "global/shared", "--dir", person.folder / "afterwards")
        assert list((person.folder / "afterwards").rglob("SKILL.md"))
        assert "large" in person.run("search", "data")
    # With a token, as programs send it with every request.
    status, _, body = guest.ask("GET", "/api/v1/skills/tools/large", headers={"Authorization": f"Bearer {ann.token}"})
    assert status == 200 and json.loads(body)["slug"] == "large"


def stay_refused(ann):
    """What does not work without the server says so."""
    refused(*ann.ask("POST", "/api/v1/namespaces", {"slug": "more"}))
    refused(*ann.ask("DELETE", "/api/v1/skills/tools/large"))
    refused(*ann.ask("GET", "/api/v1/whoami"))
    refused(*ann.ask("GET", "/api/v1/skills?keyword=data&size=7"))
    refused(*ann.ask("POST", "/api/v1/auth/login", {"handle": "ann", "password": PASSWORD}))
    refused(*ann.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "ping"}))
    # Our client tries four times, and says so.
    printed = ann.run("publish", ann.folder / "large", "--namespace", "tools", "--version", "1.0.1", fails=True)
    lines = [line for line in printed.strip().splitlines() if not line.startswith("warning: ")]
    assert lines and all(SENTENCE in line for line in lines), printed


def main(program):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        scratch.chmod(0o755)
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        (scratch / "registry").mkdir()
        registry = Registry(program, scratch / "registry", url, '[limits]\ntrusted_proxies = ["127.0.0.1"]\n')
        (scratch / "nginx").mkdir()
        front = None
        try:
            registry.start()
            front = nginx(registry, scratch / "nginx", "--origin", registry.url, port=port)
            people = [Person(registry, url, scratch / name) for name in ("ann", "admin", "guest")]
            ann, admin, guest = people
            work(registry, ann, admin)
            print("login, publication of 40 MB, review and installation went through nginx")
            registry.kill()
            go_on(ann, guest)
            stay_refused(ann)
            print("the server was killed: reads went on, and writes said why not")
            registry.start()
            status, _, body = ann.ask("POST", "/api/v1/namespaces", {"slug": "more"})
            assert status == 201, body
            print("the server is back: writes work again")
        finally:
            registry.stop()
            if front:
                front.stop()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
