"""A registry at one https address: a server behind nginx, or the tree in nginx alone."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.request

from ports import free_port


def own_address():
    """An address of this machine that is no loopback address: Claude Code refuses those."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Sends nothing. The address is reserved for documentation.
        probe.connect(("198.51.100.1", 9))
        address = probe.getsockname()[0]
    assert not address.startswith("127."), "these tests need a network address besides the loopback one"
    return address


class Site:
    """The server, and nginx in front of it at `url`."""

    def __init__(self, program, folder, settings=""):
        self.program, self.folder = program, folder
        self.address, self.port, self.inner = own_address(), free_port(), free_port()
        self.url = f"https://{self.address}:{self.port}"
        self.certificate = folder / "certificate.pem"
        subject = ["-subj", "/CN=registry", "-addext", f"subjectAltName=IP:{self.address}"]
        keys = ["-keyout", folder / "key.pem", "-out", self.certificate]
        request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *keys, *subject]
        subprocess.run(request, check=True, capture_output=True)
        (folder / "config.toml").write_text(f'listen = "127.0.0.1:{self.inner}"\npublic_url = "{self.url}"\n{settings}')
        log = (folder / "serve.log").open("w")
        self.server = subprocess.Popen([program, "serve"], cwd=folder, stdout=log, stderr=log)
        self.nginx = None
        wait_for(f"http://127.0.0.1:{self.inner}/readyz")
        self.token = (folder / "data/admin-token").read_text().strip()
        self.command("login", "--registry", f"http://127.0.0.1:{self.inner}", "--token-stdin", input=self.token)

    def command(self, *arguments, input=None):
        """Runs our own client, with a home of its own."""
        environment = {"HOME": str(self.folder), "PATH": os.environ["PATH"]}
        options = {"cwd": self.folder, "env": environment, "input": input, "capture_output": True, "text": True}
        done = subprocess.run([self.program, *arguments], **options)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout

    def publish(self, package, namespace, version):
        """Publishes with our own client, to the inner address. Waits for the whole tree."""
        self.command("publish", package, "--namespace", namespace, "--version", version)
        # A write that changes nothing public, and waits for the head.
        self.ask(f"namespaces/{namespace}", {"description": f"{package.name} {version}"}, "PUT")

    def ask(self, path, body, method="POST"):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", "Prefer": "wait"}
        url = f"http://127.0.0.1:{self.inner}/api/v1/{path}"
        request = urllib.request.Request(url, json.dumps(body).encode(), headers, method=method)
        urllib.request.urlopen(request, timeout=60).close()

    def serve(self, place):
        """Answers at the public URL with the server, or with the files of a folder alone."""
        self.stop(self.nginx)
        if place is None:
            location = f"location / {{ proxy_pass http://127.0.0.1:{self.inner}; }}"
        else:
            # `docs/hosting.md` maps more. These clients ask for files and for one query.
            location = f"""root "{place}";
    location = /api/search {{ default_type application/json; try_files /api/search/_q/$word.json =404; }}"""
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        paths = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in kinds)
        config = f"""daemon off;
{"user root;" if os.geteuid() == 0 else ""}
pid {self.folder}/nginx.pid;
error_log {self.folder}/nginx.log warn;
events {{ worker_connections 64; }}
http {{
access_log {self.folder}/access.log;
types {{ application/json json; application/zip zip; text/html html; }}
{paths}
map $arg_q $word {{ default none; "~^[a-z0-9]+$" $arg_q; }}
server {{
    listen {self.address}:{self.port} ssl;
    ssl_certificate {self.certificate};
    ssl_certificate_key {self.folder}/key.pem;
    {location}
}}
}}
"""
        (self.folder / "nginx.conf").write_text(config)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.nginx = subprocess.Popen(["nginx", "-c", self.folder / "nginx.conf"], **quiet)
        for _ in range(1200):
            with socket.socket() as probe:
                if probe.connect_ex((self.address, self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError((self.folder / "nginx.log").read_text())

    def requests(self):
        """The requests that nginx has answered so far."""
        return (self.folder / "access.log").read_text().splitlines()

    def stop_server(self):
        self.stop(self.server)
        self.server = None

    def stop_all(self):
        self.stop(self.server)
        self.stop(self.nginx)

    @staticmethod
    def stop(process):
        if process:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def wait_for(url):
    for _ in range(600):
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"{url} never answered")


def files(folder):
    """The files of a folder by path, without those that a client writes for itself."""
    found = sorted(pathlib.Path(folder).rglob("*"))
    named = {path.relative_to(folder).as_posix(): path for path in found if path.is_file()}
    return {name: path.read_bytes() for name, path in named.items() if not name.startswith(".")}
