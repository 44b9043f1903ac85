"""Azurite, the blob store of Azure for tests."""

import base64
import datetime
import hashlib
import hmac
import http.client
import pathlib
import re
import subprocess

from ports import free_port
from processes import until
from s3 import status

PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "node_modules/azurite/dist/src/blob/main.js"

# The account of every Azurite.
ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


class Azurite:
    """A running store with the container `skills`, which everyone may read."""

    container = "skills"
    environment = {"AZURE_STORAGE_ACCOUNT_NAME": ACCOUNT, "AZURE_STORAGE_ACCOUNT_KEY": KEY}

    def __init__(self, folder):
        self.port = free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}/{ACCOUNT}"
        self.url, self.host = f"{self.endpoint}/{self.container}", None
        folder.mkdir(parents=True, exist_ok=True)
        command = [
            "node", PROGRAM, "--blobPort", str(self.port),
            "--inMemoryPersistence", "--silent", "--disableTelemetry", "--skipApiVersionCheck",
        ]  # fmt: skip
        log = (folder / "azurite.log").open("w")
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            until("Azurite answers", lambda: status(f"http://127.0.0.1:{self.port}/"))
            self.ask("PUT", "restype:container", {"x-ms-blob-public-access": "container"})
        except BaseException:
            self.stop()
            raise

    def settings(self, prefix=""):
        """The settings of a registry that writes to the container."""
        target = f"az://{self.container}" + (f"/{prefix}" if prefix else "")
        return f'target = "{target}"\ntarget_endpoint = "{self.endpoint}"\n'

    def ask(self, method, query, headers):
        """A request for the container that is signed with the account's key."""
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S GMT")
        headers = {"x-ms-date": now, "x-ms-version": "2021-12-02", **headers}
        lines = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
        path = f"/{ACCOUNT}/{self.container}"
        text = f"{method}\n\n\n\n\n\n\n\n\n\n\n\n{lines}/{ACCOUNT}{path}\n{query}"
        mac = hmac.new(base64.b64decode(KEY), text.encode(), hashlib.sha256).digest()
        headers["Authorization"] = f"SharedKey {ACCOUNT}:{base64.b64encode(mac).decode()}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, f"{path}?{query.replace(':', '=')}", None, {**headers, "Content-Length": "0"})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        assert answer.status < 300, (method, query, answer.status, body)
        return re.sub(rb"\s+", b" ", body)

    def stop(self):
        self.process.kill()
        self.process.wait()
