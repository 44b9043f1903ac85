"""Two servers on machines of their own. The cable of one is pulled, and later plugged in again.

cut_off.py PROGRAM STORES

The database, the bucket of packages and tree, and the server `near` are in this network namespace. The server
`far` is in another one. A cable joins both; clients reach `far` by a second one. `tests/storage/run` starts
this as root in a network of its own. STORES has the gateway that `tests/install` unpacks.
"""

import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "stores"))

from ceph import Ceph
from postgres import Database
from processes import until

# The ends of the cable to the database and of the one for clients.
NEAR, FAR, CLIENTS, FAR_FOR_CLIENTS = "10.77.1.1", "10.77.1.2", "10.77.2.1", "10.77.2.2"
PORT = 8000

# No request may take longer, in seconds. What is silent is waited for.
LONGEST_ANSWER = 60


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


class FarMachine:
    """A network namespace with two cables to this one."""

    def __init__(self):
        holder = ["unshare", "--net", "sh", "-c", "echo; read _"]
        self.holder = subprocess.Popen(holder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        # It is in its namespace once it says so.
        self.holder.stdout.readline()
        self.enter = ["nsenter", "--net", "--target", str(self.holder.pid)]
        ip("link", "set", "lo", "up")
        self.run("ip", "link", "set", "lo", "up")
        for cable, here, there in (("cable", NEAR, FAR), ("clients", CLIENTS, FAR_FOR_CLIENTS)):
            ip("link", "add", cable, "type", "veth", "peer", "name", "end", "netns", str(self.holder.pid))
            ip("addr", "add", f"{here}/24", "dev", cable)
            ip("link", "set", cable, "up")
            self.run("ip", "link", "set", "end", "name", f"{cable}-end")
            self.run("ip", "addr", "add", f"{there}/24", "dev", f"{cable}-end")
            self.run("ip", "link", "set", f"{cable}-end", "up")

    def run(self, *command):
        subprocess.run([*self.enter, *command], check=True)

    def pull(self):
        """Nothing arrives any more, and nobody is told."""
        ip("link", "set", "cable", "down")

    def plug_in(self):
        ip("link", "set", "cable", "up")


class Server:
    """A server with a data folder and a tree of its own."""

    def __init__(self, program, folder, name, address, ceph, journal, enter=()):
        self.program, self.folder, self.enter = program, folder / name, enter
        self.folder.mkdir()
        self.url, self.log = f"http://{address}:{PORT}", folder / f"{name}.log"
        store = {"ENDPOINT": ceph.endpoint, "REGION": "default"}
        self.environment = {
            **os.environ,
            **ceph.environment,
            "SKILLMIRROR_STORAGE_JOURNAL": journal,
            "SKILLMIRROR_STORAGE_PACKAGES": f"s3://{ceph.bucket}/packages",
            "SKILLMIRROR_MIRROR_TARGET": f"s3://{ceph.bucket}/tree",
            **{f"SKILLMIRROR_STORAGE_{key}": value for key, value in store.items()},
            **{f"SKILLMIRROR_MIRROR_TARGET_{key}": value for key, value in store.items()},
            "SKILLMIRROR_LISTEN": f"{address}:{PORT}",
            "SKILLMIRROR_PUBLIC_URL": "https://skills.example.org",
        }
        with self.log.open("a") as out:
            command = [*enter, program, "serve"]
            self.process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=out, stderr=out)
        until(f"the server {name} is ready", self.ready)

    def ready(self):
        """What it says about itself if it is ready, or None."""
        try:
            status, body = self.ask("/readyz")
        except OSError:
            return None
        return json.loads(body) if status == 200 else None

    def is_settled(self):
        """Whether it knows and shows everything up to its revision, also in the bucket if it writes that."""
        state = self.ready()
        if not state or state["mirrorRevision"] != state["revision"]:
            return None
        target = state["target"]
        is_done = not target["writer"] or (target["revision"] == state["revision"] and target["waiting"] == 0)
        return state if is_done else None

    def ask(self, path, body=None, headers=None):
        """The status and the body. A refusal of the server must tell when to come again."""
        request = urllib.request.Request(self.url + path, body, headers or {})
        try:
            with urllib.request.urlopen(request, timeout=LONGEST_ANSWER) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            if refused.code == 503:
                assert refused.headers.get("Retry-After"), f"{path}: 503 without Retry-After"
            return refused.code, refused.read()

    def publish(self, slug, token):
        package = io.BytesIO()
        with zipfile.ZipFile(package, "w") as archive:
            archive.writestr("SKILL.md", f"---\nname: {slug}\ndescription: Reads files.\n---\n\n# {slug}\n")
        head = f'--b\r\nContent-Disposition: form-data; name="file"; filename="{slug}.zip"\r\n\r\n'
        body = head.encode() + package.getvalue() + b"\r\n--b--\r\n"
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "multipart/form-data; boundary=b"}
        status, answer = self.ask("/api/v1/publish", body, headers)
        assert status in (200, 201, 503), (slug, status, answer)
        return status

    def command(self, *arguments):
        command = [*self.enter, self.program, *arguments]
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def check(program, folder, stores):
    far_machine = FarMachine()
    database, ceph = Database(folder / "database", NEAR), Ceph(stores, folder / "ceph", NEAR)
    servers = []
    try:
        # The first to start writes the bucket: it is the one that will be cut off.
        far = Server(program, folder, "far", FAR_FOR_CLIENTS, ceph, database.address_elsewhere, far_machine.enter)
        servers.append(far)
        until("it writes the bucket", lambda: far.ready()["target"]["writer"])
        token = (far.folder / "data/admin-token").read_text().strip()
        near = Server(program, folder, "near", NEAR, ceph, database.address_elsewhere)
        servers.append(near)
        cut_off(far_machine, near, far, token)
        for server in servers:
            server.command("verify")
        near.command("journal", "check")
        for server in servers:
            server.stop()
    except BaseException:
        for server in servers:
            print(f"--- {server.log}\n{server.log.read_text()[-3000:]}")
        raise
    finally:
        for server in servers:
            server.process.kill()
        ceph.stop()
        database.stop()


def cut_off(far_machine, near, far, token):
    assert far.publish("from-far", token) == 201
    assert near.publish("from-near", token) == 201
    until("both have everything", lambda: both_settled(near, far))
    assert far.ready()["target"]["writer"] and not near.ready()["target"]["writer"]

    # While it writes, so that it is cut off in the middle of something.
    done, acknowledged = threading.Event(), []
    writer = threading.Thread(target=write_until, args=(far, token, done, acknowledged))
    writer.start()
    until("it has written some", lambda: len(acknowledged) > 5)
    far_machine.pull()
    pulled = time.monotonic()
    for number in range(3):
        # A refused one may be stored.
        while near.publish(f"meanwhile-{number}", token) == 503:
            assert time.monotonic() < pulled + LONGEST_ANSWER, "the other server cannot write, either"
    print(f"the other server goes on after {time.monotonic() - pulled:.1f} s")
    until("the other server writes the bucket", lambda: (near.is_settled() or {}).get("target", {}).get("writer"))
    print(f"it writes the bucket after {time.monotonic() - pulled:.1f} s")
    done.set()
    writer.join()

    # The one that is cut off refuses writes, says so, and answers reads from its tree.
    assert far.publish("refused", token) == 503
    until("it is not ready", lambda: far.ask("/readyz")[0] == 503)
    for path in ("/api/v1/skills", "/api/v1/skills/global/from-near", "/api/v1/search?q=files", "/global/from-near/"):
        assert far.ask(path)[0] == 200, path
    for path in ("/api/v1/skills/global/from-near/versions/1.0.0/download",):
        assert far.ask(path)[0] == 200, path
    assert far.ask("/api/v1/skills/global/meanwhile-0")[0] == 404

    far_machine.plug_in()
    plugged = time.monotonic()
    until("both have everything again", lambda: both_settled(near, far))
    print(f"it has everything {time.monotonic() - plugged:.1f} s after it is back")
    state = far.ready()["target"]
    assert not state["writer"] and near.ready()["target"]["writer"], state
    for server in (near, far):
        for slug in ("meanwhile-0", *acknowledged):
            assert server.ask(f"/api/v1/skills/global/{slug}")[0] == 200, (server.url, slug)
    until("it takes writes again", lambda: far.publish("refused", token) in (200, 201))
    until("both have everything in the end", lambda: both_settled(near, far))


def write_until(server, token, done, acknowledged):
    """Publishes one skill after another, and remembers what was acknowledged."""
    number = 0
    while not done.is_set():
        slug = f"written-{number}"
        if server.publish(slug, token) in (200, 201):
            acknowledged.append(slug)
        number += 1


def both_settled(near, far):
    states = [server.is_settled() for server in (near, far)]
    return all(states) and states[0]["revision"] == states[1]["revision"]


def main():
    program, stores = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="cut-off-") as folder:
        check(program, pathlib.Path(folder), stores)
    print("tests/storage: a server that was cut off has the same history again")


main()
