"""Hosts of private namespaces: members and keys read, and all others see what they see of a name that none has.

private_namespaces.py PROGRAM: the program under test.
"""

import pathlib
import sys
import tempfile

from closed import ask, basic
from hosts import caddy, nginx, worker
from registry import Registry, write_skill

NAME = "zebrafish"
NOTHING = "nothing-here"
SKILL = f"{NAME}-skill"
# The headers that differ between two requests of the same kind.
VARYING = ("date", "x-request-id")


class Below:
    """A private namespace, as a registry of its own."""

    def __init__(self, main, name):
        self.main, self.name = main, name
        self.public = main.folder / "public.private" / name

    def run(self, *arguments, **options):
        return self.main.run(*arguments, "--private", self.name, **options)


def seen(url, name, path, authorization):
    """What a stranger sees, with the name that was asked for left out."""
    status, headers, body = ask(url, f"/-/{name}{path}", authorization)
    assert name == NOTHING or NAME.encode() not in body.replace(f"/-/{NAME}".encode(), b""), (path, status, body)
    kept = [(key, value.replace(name, "")) for key, value in headers.items() if key.lower() not in VARYING]
    return status, kept, body.split(b'"requestId"')[0].replace(name.encode(), b"")


def addresses(public):
    """Every file of a tree, as a file and as a request."""
    files = [f"/{path.relative_to(public)}" for path in sorted(public.rglob("*")) if path.is_file()]
    names = [path for path in files if not path.endswith(".gz")]
    short = [path.removesuffix(end) for path in names for end in (".json", ".zip", "index.html") if path.endswith(end)]
    assert len(names) > 100
    return [*names, *short, "", "/", "/healthz", "/mcp", "/api/v1/nothing", f"/{NAME}/{SKILL}"]


def check(name, url, paths, strangers, readers, expected, zero):
    for authorization in strangers:
        for path in paths:
            here, nowhere = (seen(url, which, path, authorization) for which in (NAME, NOTHING))
            assert here == nowhere and here[0] in (401, 404, 503), (name, path, authorization, here, nowhere)
    assert ask(url, "/-/0/api/v1/skills", zero)[0] == 200, name
    assert ask(url, "/api/v1/skills", "Bearer smt_bad")[0] == (401 if name != "nginx" and "stopped" not in name else 200), name
    for authorization in readers:
        for path, body in expected.items():
            status, headers, found = ask(url, f"/-/{NAME}{path}", authorization)
            assert (status, found) == (200, body), (name, path, status, found[:200])
            assert headers["Cache-Control"].startswith(("private", "no-store")), (name, path, headers["Cache-Control"])
    assert NAME.encode() not in ask(url, "/api/v1/skills")[2] + ask(url, "/")[2], name
    print(f"{name}: private")


def main(program):
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        scratch.chmod(0o755)
        registry = Registry(program, scratch)
        registry.start()
        registry.run("login", "--registry", registry.url, "--token-stdin", input=registry.token)
        # "0" is what nginx takes for false.
        for name in (NAME, "other", "0"):
            registry.run("namespace", "create", name, "--private")
        place = f"{registry.url}/-/{NAME}"
        registry.run("login", "--registry", place, "--token-stdin", input=registry.token)
        write_skill(scratch / SKILL, SKILL, f"Counts {NAME}.")
        registry.run("publish", scratch / SKILL, "--namespace", NAME, "--version", "1.0.0", "--registry", place)
        registry.run("user", "add", "stranger")
        below, other = Below(registry, NAME), Below(registry, "other")
        key, foreign = (it.run("read-key", "new", "ci").strip() for it in (below, other))
        token = registry.run("token", "issue", "stranger", "--name", "x", "--scopes", "read").split()[0]
        documents = ("/", "/api/v1/skills", f"/api/v1/skills/{NAME}/{SKILL}/versions/1.0.0/download", "/llms.txt")
        expected = {path: ask(place, path, f"Bearer {key}")[2] for path in documents}
        paths = addresses(below.public)
        strangers = [None, f"Bearer {foreign}", f"Bearer {token}", basic(foreign, "x"), "nonsense"]
        keys, member = [f"Bearer {key}", basic(key, "x")], f"Bearer {registry.token}"
        zero = f"Bearer {Below(registry, '0').run('read-key', 'new', 'ci').strip()}"
        running = {}
        try:
            check("the server", registry.url, paths, strangers, [*keys, member], expected, zero)
            for name, start, options in (
                ("nginx", nginx, ["--private-namespaces"]),
                ("nginx before the server", nginx, ["--private-namespaces", "--origin", registry.url]),
                ("nginx before the server, without their trees", nginx, ["--origin", registry.url]),
                ("Caddy before the server", caddy, ["--origin", registry.url]),
            ):
                folder = scratch / name.replace(" ", "-")
                folder.mkdir()
                running[name] = start(registry, folder, *options)
                readers = [*keys, member] if "--origin" in options else keys
                # A host that asks the server sends one token in clear text for all of a minute: a few paths show it.
                few = paths[:: len(paths) // 40]
                check(name, running[name].url, paths if name == "nginx" else few, strangers, readers, expected, zero)
            (scratch / "worker").mkdir()
            running["a worker"] = alone = worker(below, scratch / "worker", path=f"/-/{NAME}")
            for path in filter(None, paths):
                status, _, body = ask(alone.url, path)
                assert status == 401 and NAME.encode() not in body, (path, status, body[:200])
            for path, body in expected.items():
                assert ask(alone.url, path, keys[0])[2] == body, path
            registry.stop()
            check("nginx, its server stopped", running["nginx"].url, paths, strangers, keys, expected, zero)
            name = "nginx before the server"
            check(f"{name}, which is stopped", running[name].url, few, strangers, [*keys, member], expected, zero)
        finally:
            registry.stop()
            for host in running.values():
                host.stop()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).absolute())
