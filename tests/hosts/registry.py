"""A real registry with everything that the public can read, and its server."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

from ports import free_port

MANY = 260  # More rows than a tile of the log has.


def wait_for(port, process, log):
    """Waits until something accepts connections."""
    for _ in range(1200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise AssertionError(f"{process.args[0]} does not listen: {log.read_text()[-4000:]}")


def end(process):
    process.send_signal(signal.SIGTERM)
    process.wait(60)


class Registry:
    """A registry in a folder. `public_url` is where its readers find it."""

    def __init__(self, program, folder, public_url=None, settings=""):
        self.program, self.folder, self.port = program, folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.public = folder / "public"
        self.public_url = public_url or self.url
        (folder / "config.toml").write_text(f"{self.config()}{settings}")
        self.process = None

    def config(self):
        """The settings of every registry. Further settings of `mirror` can follow."""
        # Downloads change the tree only when a test wants it, and answers wait for a tree on a slow machine.
        mirror = "git = true\ncounter_interval = 86400\nwait_timeout = 60\n"
        return f'listen = "127.0.0.1:{self.port}"\npublic_url = "{self.public_url}"\n[mirror]\n{mirror}'

    def run(self, *arguments, input=None, cwd=None, more=None, fails=False):
        """Runs the program, with a home of its own. Returns what it printed."""
        environment = {"HOME": str(self.folder), "PATH": os.environ["PATH"], "NO_COLOR": "1", **(more or {})}
        options = {"cwd": cwd or self.folder, "env": environment, "input": input, "timeout": 300}
        command = [str(self.program), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, **options)
        assert (done.returncode != 0) == fails, (arguments, done.stdout, done.stderr)
        return done.stdout + (done.stderr if fails else "")

    def start(self, more=None):
        """Starts the server, with variables of the environment, and waits until it is ready."""
        log, environment = self.folder / "serve.log", {**os.environ, **(more or {})}
        with log.open("a") as out:
            self.process = subprocess.Popen(
                [self.program, "serve"], cwd=self.folder, env=environment, stdout=out, stderr=out
            )
        wait_for(self.port, self.process, log)
        for _ in range(1200):
            try:
                self.ready()
                break
            except OSError:
                time.sleep(0.05)
        self.token = (self.folder / "data/admin-token").read_text().strip()

    def ready(self):
        """What the server says about its state."""
        with urllib.request.urlopen(f"{self.url}/readyz", timeout=60) as answer:
            return json.load(answer)

    def stop(self):
        if self.process:
            end(self.process)
            self.process = None

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process = None

    def ask(self, method, path, body=None):
        """A request to the API. Waits for the whole tree."""
        headers = {"Authorization": f"Bearer {self.token}", "Prefer": "wait"}
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(f"{self.url}/api/v1/{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=120) as response:
            return response.read()

    def publish(self, namespace, slug, version, text, *options):
        folder = write_skill(self.folder / "packages" / f"{slug}-{version}" / slug, slug, text)
        self.run("publish", folder, "--namespace", namespace, "--version", version, *options)


def write_skill(folder, slug, text):
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {slug}\ndescription: {text}\n---\n\n# {slug}\n\n{text}\n")
    (folder / "data.txt").write_text(f"{slug}\n" * 50)
    return folder


def fill(registry):
    """Publishes skills in two namespaces, with tags, and yanked and removed versions."""
    registry.run("key", "new", "--name", "hosts.example.org")
    words = ["pdf", "mail", "chart", "table", "image", "audio"]
    many = registry.folder / "many"
    for number in range(MANY):
        word, other = words[number % 6], words[number // 6 % 6]
        write_skill(many / f"{word}-{number}", f"{word}-{number}", f"Reads {word} and writes {other} files.")
    registry.run("import", many, "--init")
    registry.start()
    registry.run("login", "--registry", registry.url, "--token-stdin", input=registry.token)
    registry.ask("POST", "namespaces", {"slug": "tools"})
    for version in ("1.0.0", "1.1.0", "2.0.0", "1.2.0-rc.1"):
        registry.publish("tools", "hello", version, f"Greets people by name ({version}).")
    registry.publish("tools", "gone", "1.0.0", "Is removed.")
    registry.publish("tools", "all-yanked", "1.0.0", "Has no version left.")
    registry.ask("PUT", "skills/tools/hello/tags/stable", {"version": "1.0.0"})
    registry.ask("POST", "skills/tools/hello/versions/2.0.0/yank", {"reason": "It greets nobody."})
    registry.ask("POST", "skills/tools/all-yanked/versions/1.0.0/yank", {"reason": "It is wrong."})
    registry.ask("DELETE", "skills/tools/gone")
