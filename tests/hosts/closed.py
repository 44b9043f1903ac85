"""Hosts of a closed registry: who has a read key reads, and all others learn nothing.

closed.py PROGRAM: the program under test.
"""

import base64
import pathlib
import sys
import tempfile
import urllib.error
import urllib.request

from hosts import caddy, cloudfront, nginx, worker
from registry import Registry, write_skill

CLOSED = '[reads]\nrequire = "token"\n'
MARKER = "zebrafish"
SKILL = f"{MARKER}-skill"
ADDRESSES = (
    "/", f"/global/{SKILL}/", "/api/v1/skills", f"/api/v1/skills/global/{SKILL}/versions/1.0.0/download",
    "/api/v1/mirror/head.json", "/search/", "/llms.txt", "/sitemap.xml",
)  # fmt: skip
OPEN = ("/login/", "/.well-known/registry.json", "/robots.txt")


class Unfollowed(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def ask(url, path, authorization=None):
    """Returns status, headers and body."""
    headers = {"Authorization": authorization} if authorization else {}
    request = urllib.request.Request(url + path, headers=headers)
    try:
        with urllib.request.build_opener(Unfollowed).open(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def basic(name, password=""):
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


def check(name, url, keys, expected):
    """A host that is in front of the files alone, or before the server."""
    valid, revoked, expired = keys
    refused = {ask(url, path)[0] for path in (*ADDRESSES, "/nobody/nothing/", "/api/v1/skills/nobody/nothing")}
    assert refused == {401}, (name, refused)
    bodies = {ask(url, path)[2].split(b'"requestId"')[0] for path in (*ADDRESSES, "/nobody/nothing/")}
    assert len(bodies) == 1 and MARKER.encode() not in bodies.pop(), name
    assert "Bearer" in ask(url, "/api/v1/skills")[1]["WWW-Authenticate"], name
    for path in ("/assets/0123456789abcdef/..%2f..%2fapi%2fv1%2fskills.json", "/.files/api/v1/skills", "/global"):
        for headers in ({}, {"authorization": "x"}):
            status, _, body = ask(url, path, **headers)
            assert status in (400, 401) and MARKER.encode() not in body, (name, path, headers, status, body[:200])
    for path in OPEN:
        status, _, body = ask(url, path)
        assert status == 200 and MARKER.encode() not in body, (name, path, status)
    for path in ADDRESSES:
        for authorization in (f"Bearer {valid}", basic(valid, "x")):
            status, headers, body = ask(url, path, authorization)
            assert (status, body) == (200, expected[path]), (name, path, status, body[:200])
            assert headers["Cache-Control"].startswith("private"), (name, path, headers["Cache-Control"])
    assert ask(url, "/nobody/nothing/", f"Bearer {valid}")[0] == 404, name
    while ask(url, "/api/v1/skills", f"Bearer {expired}")[0] != 401:
        pass  # It ends within a second.
    for wrong in (revoked, f"{valid}a", valid.replace("smr_1", "smr_2", 1), "smr_", "nonsense"):
        status, _, body = ask(url, "/api/v1/skills", f"Bearer {wrong}")
        assert status == 401 and MARKER.encode() not in body, (name, wrong, status)
    print(f"{name}: closed")


def check_without_server(name, url, key, has_files):
    """A host whose server is away."""
    for path in (*ADDRESSES, "/nobody/nothing/"):
        status, _, body = ask(url, path)
        assert status in (401, 503) and MARKER.encode() not in body, (name, path, status)
    status, _, body = ask(url, "/api/v1/skills", f"Bearer {key}")
    assert (status == 200 and MARKER.encode() in body) if has_files else status == 503, (name, status, body)
    print(f"{name}: closed without its server")


def main(program):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        scratch.chmod(0o755)
        registry = Registry(program, scratch, settings=CLOSED)
        registry.start()
        write_skill(scratch / SKILL, SKILL, f"Counts {MARKER}.")
        registry.run("login", "--registry", registry.url, "--token-stdin", input=registry.token)
        registry.run("publish", scratch / SKILL, "--version", "1.0.0")
        keys = [registry.run("read-key", "new", name).strip() for name in ("valid", "revoked")]
        registry.run("read-key", "revoke", "revoked")
        keys.append(registry.run("read-key", "new", "expired", "--expires", "1s").strip())
        registry.ask("GET", "skills")
        expected = {path: ask(registry.url, path, f"Bearer {keys[0]}")[2] for path in ADDRESSES}
        running = {}
        alone = {"nginx": nginx, "Cloudflare": worker, "CloudFront": cloudfront}
        before = {"nginx": nginx, "Caddy": caddy, "Cloudflare": worker}
        try:
            for name, start in alone.items():
                (scratch / name).mkdir()
                running[name] = start(registry, scratch / name)
                check(name, running[name].url, keys, expected)
            for name, start in before.items():
                folder = scratch / f"{name}-before"
                folder.mkdir()
                running[f"{name} before the server"] = host = start(registry, folder, "--origin", registry.url)
                check(f"{name} before the server", host.url, keys, expected)
                assert ask(host.url, "/api/v1/skills", f"Bearer {registry.token}")[0] == 200, name
            registry.stop()
            for name in before:
                host = running[f"{name} before the server"]
                check_without_server(name, host.url, keys[0], has_files=name != "Caddy")
        finally:
            registry.stop()
            for host in running.values():
                host.stop()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).absolute())
