"""The script that `skillmirror hosts s3` prints, run as it is printed, with the AWS CLI and a gateway of Ceph."""

import hashlib
import http.client
import os
import re
import subprocess
import urllib.parse

import s3
from ceph import KEY, SECRET, WEBSITE

BUCKET = "scripted"
HEAD = "api/v1/mirror/head.json"
# The key of an object that is no file of the tree.
STRANGER = 'not/of the tree"\\.txt'
ORIGIN = "https://other.example.org"


def make_bucket(gateway):
    s3.ask(gateway.endpoint, (KEY, SECRET), "PUT", f"/{BUCKET}")


def run(registry, gateway, folder, *options, fails=False):
    """Runs the script. Returns what it printed."""
    folder.mkdir(exist_ok=True)
    (folder / "s3.sh").write_text(registry.run("hosts", "s3", *options))
    environment = {
        **gateway.environment, "HOME": str(folder), "PATH": f"{os.environ['AWS']}:{os.environ['PATH']}",
        "AWS_ENDPOINT_URL": gateway.endpoint, "AWS_DEFAULT_REGION": "default",
    }  # fmt: skip
    done = subprocess.run(
        ["sh", folder / "s3.sh", BUCKET], env=environment, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL
    )
    assert (done.returncode != 0) == fails, (done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


def check(registry, gateway, scratch):
    """Changes the tree, and runs the script again."""
    folder = scratch / "again"
    bucket_equals_folder(registry, gateway)
    folder_without_a_tree_is_refused(registry, gateway, folder)
    other_sites_may_read(gateway)
    registry.start()
    try:
        registry.ask("DELETE", "skills/global/pdf-0")
        # Documents with another content of the same size.
        registry.ask("PUT", "skills/tools/hello/tags/stable", {"version": "1.1.0"})
    finally:
        registry.stop()
    s3.ask(gateway.endpoint, (KEY, SECRET), "PUT", f"/{BUCKET}/{urllib.parse.quote(STRANGER)}", body=b"something")
    order_is_safe(run(registry, gateway, folder))
    bucket_equals_folder(registry, gateway)
    assert "deleting 0 objects" in run(registry, gateway, folder)
    print("hosts s3: the bucket follows the folder, and other sites may read it")


def wanted(registry):
    """The keys that the bucket should have, with their MD5."""
    files = (path for path in registry.public.rglob("*") if path.is_file() and path.suffix != ".gz")
    return {path.relative_to(registry.public).as_posix(): hashlib.md5(path.read_bytes()).hexdigest() for path in files}


def bucket_equals_folder(registry, gateway):
    there, files = s3.digests(gateway.endpoint, (KEY, SECRET), BUCKET), wanted(registry)
    different = sorted(key for key in {*there, *files} if there.get(key) != files.get(key))
    assert not different, f"{len(different)} keys differ, for example {different[:5]}"


def folder_without_a_tree_is_refused(registry, gateway, folder):
    """An empty folder would empty the bucket."""
    empty = folder / "empty"
    empty.mkdir(parents=True)
    assert run(registry, gateway, folder, "--root", empty, fails=True) == ""
    bucket_equals_folder(registry, gateway)


def order_is_safe(printed):
    """Packages come before documents, all of them before removals, and the head is last."""
    lines = printed.splitlines()
    [removal] = [number for number, line in enumerate(lines) if line.startswith("deleting ")]
    keys = [re.sub(f".* to s3://{BUCKET}/", "", line) for line in lines if line.startswith("upload: ")]
    assert len(keys) > 20 and keys[-1] == HEAD and HEAD not in keys[:-1], keys[-5:]
    assert not any(line.startswith("upload: ") for line in lines[removal:-1]), lines[removal:]
    first = {kind: next(number for number, key in enumerate(keys) if re.search(kind, key)) for kind in ("/_list/", "^index.html")}
    skill = max(number for number, key in enumerate(keys) if key.startswith("api/v1/skills/tools/"))
    assert skill < first["/_list/"] < first["^index.html"], keys


def other_sites_may_read(gateway):
    """The headers that let a page of another site read the bucket."""
    address = urllib.parse.urlsplit(gateway.endpoint)

    def ask(method, path, headers):
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
        connection.request(method, path, headers={"Origin": ORIGIN, **headers})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer

    answer = ask("GET", f"/{HEAD}", {"Host": f"{BUCKET}.{WEBSITE}"})
    assert (answer.status, answer.getheader("Access-Control-Allow-Origin")) == (200, "*"), answer.headers
    assert "ETag" in answer.getheader("Access-Control-Expose-Headers"), answer.headers
    # The website of this gateway answers no OPTIONS, but its API does.
    asked = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "if-none-match, range"}
    answer = ask("OPTIONS", f"/{BUCKET}/{HEAD}", asked)
    assert answer.status == 200 and answer.getheader("Access-Control-Allow-Origin") in ("*", ORIGIN), answer.headers
    allowed = answer.getheader("Access-Control-Allow-Headers").lower()
    assert "if-none-match" in allowed and "range" in allowed, answer.headers
    answer = ask("OPTIONS", f"/{BUCKET}/{HEAD}", {"Access-Control-Request-Method": "PUT"})
    assert answer.status == 403, answer.status
