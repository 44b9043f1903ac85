"""Requests that try to leave the tree, to each host that the program configures.

Beside the tree is a file with a secret, and below it a folder of the server's own. No host may send
either, and no strange argument may choose a file.
"""

import http.client
import urllib.parse

SECRET = b"this is no part of the tree"

# The ways to say "the folder above".
UP = ["..", "%2e%2e", ".%2e", "%2E.", "..%2f", "%2e%2e%2f", "..;", "..%5c", "..%00", "%252e%252e"]

# What an argument may try to be. `{}` is a way up.
ARGUMENTS = [
    "/api/v1/skills?namespace={}/{}/{}/{}/{}/secret",
    "/api/v1/skills?sort={}/{}/{}/{}/{}/secret&page=1",
    "/api/v1/skills?sort=name&page={}/{}/{}/{}/{}/{}/secret",
    "/api/v1/search?q={}/{}/{}/{}/{}/secret",
    "/api/search?q={}/{}/{}/{}/secret",
    "/api/v1/resolve?slug={}/{}/{}/{}/secret",
    "/api/v1/skills/tools/hello/resolve?tag={}/{}/{}/{}/{}/{}/{}/secret",
    "/clawhub/api/v1/download?slug={}/{}/{}/{}/secret&version=1.0.0",
    "/clawhub/api/v1/download?slug=tools--hello&version={}/{}/{}/{}/secret",
]

# Requests for one list, said in strange ways, and the answers that they may have: that of the list,
# or a refusal, but never another file.
STRANGE = [
    "/api/v1/skills?sort=name%00",
    "/api/v1/skills?sort=name%0aX",
    "/api/v1/skills?sort=name&sort=../../../../secret",
    "/api/v1/skills?SORT=../../../../../secret",
    "/api/v1/skills?sort=$uri",
    "/api/v1/skills?sort={path}",
    "/api/v1/skills?sort=name&page=1%2f..%2f..%2fsecret",
    "/api/v1/skills?" + "a" * 4000,
    "/api/v1/skills?" + "&".join(["sort=name"] * 300),
]


def paths():
    for up in UP:
        for depth in (1, 2, 6):
            yield f"/{'/'.join([up] * depth)}/secret.json"
            yield f"/api/v1/{'/'.join([up] * (depth + 2))}/secret"
        yield f"/assets/{up}/{up}/secret.json"
        for argument in ARGUMENTS:
            yield argument.replace("{}", up)
    yield from STRANGE
    yield from ("/.tmp/secret", "/.files/../secret.json", "/.files/%2e%2e/secret.json", "/secret", "//secret.json")
    yield from ("/\\..\\secret.json", "/api//v1/skills/..%2f..%2f..%2f..%2fsecret.json", "/.git/config", "/./.././secret.json")


def attack(registry, hosts, refusal=None):
    """Asks each host, and fails if one sends the secret or an error of its own. `refusal` is the status
    for what only the server could answer."""
    for suffix in ("", ".json", ".zip"):
        (registry.folder / f"secret{suffix}").write_bytes(SECRET)
    asked = list(paths())
    for name, host in hosts.items():
        address = urllib.parse.urlsplit(host.url)
        for path in [*asked, "/"]:
            status, body = ask(address, path)
            assert SECRET not in body, f"{name} sends the secret: {path}"
            assert status < 500 or status == refusal, f"{name}: {path}: {status} {body[:200]}"
        assert status == 200, f"{name} is not well: {status} {body[:200]}"
    print(f"no host left the tree: {len(asked)} requests to each of {', '.join(hosts)}")


def ask(address, path):
    """Status and body. A host may close the connection instead: that is 400."""
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    try:
        connection.putrequest("GET", path, skip_accept_encoding=True)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read()
    except http.client.RemoteDisconnected:
        return 400, b""
    finally:
        connection.close()
