"""Places of a registry: the server, and nginx with the configuration that the program prints."""

import os
import pathlib
import signal
import subprocess
import time
import urllib.error
import urllib.request

from ports import free_port


class Program:
    """Our program as a server, in a folder of its own: `serve`, or `snapshot serve`."""

    def __init__(self, program, folder, url):
        self.program, self.folder, self.url = program, pathlib.Path(folder), url
        self.log = self.folder / "serve.log"
        self.process = None

    def start(self, *arguments):
        with self.log.open("a") as log:
            self.process = subprocess.Popen([self.program, *arguments], cwd=self.folder, stdout=log, stderr=log)
        try:
            wait_for(f"{self.url}/api/v1/mirror/head.json")
        except AssertionError:
            self.stop()
            raise

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)
            self.process = None

    def command(self, *arguments, token=None, typed=None):
        """Runs our own program, with a home of its own and the input `typed`. Returns what it prints."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "CLI_REGISTRY": self.url}
        if token:
            login = [self.program, "login", "--token", token, "--yes"]
            subprocess.run(login, cwd=self.folder, env=environment, check=True, capture_output=True)
        command = [self.program, *map(str, arguments)]
        done = subprocess.run(command, cwd=self.folder, env=environment, input=typed, capture_output=True, text=True)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout


class Server(Program):
    """A running `skillmirror serve` with a fixed port, so that its URL stays when it starts again.
    `settings` are further lines of its configuration."""

    def __init__(self, program, folder, settings=""):
        self.port = free_port()
        super().__init__(program, folder, f"http://127.0.0.1:{self.port}")
        (self.folder / "config.toml").write_text(f'listen = "127.0.0.1:{self.port}"\n{settings}')

    def start(self):
        super().start("serve")


class Nginx:
    """nginx over the tree of a server, at `url`. `options` are further ones of `skillmirror hosts`."""

    def __init__(self, server, folder, *options):
        folder.mkdir()
        port = free_port()
        self.url, self.log = f"http://127.0.0.1:{port}", folder / "error.log"
        servers = server.command("hosts", "nginx", "--server-name", "127.0.0.1", *options)
        servers = servers.replace("    listen [::]:80;\n", "")
        servers = servers.replace("listen 80;", f"listen 127.0.0.1:{port};")
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
        user = "user root;" if os.geteuid() == 0 else ""
        config = f"""daemon off;
{user}
pid {folder}/nginx.pid;
error_log {self.log} warn;
events {{ worker_connections 64; }}
http {{
access_log off;
{paths}
{servers}
}}
"""
        (folder / "nginx.conf").write_text(config)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(["nginx", "-c", folder / "nginx.conf"], **quiet)
        wait_for(f"{self.url}/api/v1/mirror/head.json")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def wait_for(url):
    """Waits until something answers with success."""
    for _ in range(600):
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError as error:
            if error.code == 401:  # A closed registry.
                return
            time.sleep(0.1)
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"{url} never answered")
