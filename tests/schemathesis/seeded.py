"""A registry with something of everything in it."""

import io
import subprocess
import zipfile
from pathlib import Path

import requests

# Members of `tools`, which ann owns: bob's publications there wait for review.
PEOPLE = ["ann", "bob", "carl", "dora", "erin", "idle"]
# Readable by everyone.
PASSWORD = "correct horse battery"

# No rate limit: one client sends all requests.
CONFIGURATION = "[limits]\nwrites_per_minute = 10000000\npending_per_person = 10000000\ntokens_per_person = 10000000\nskills_per_person = 10000000\nversions_per_skill = 10000000\nnamespaces_per_person = 10000000\n"


def package(name, text):
    """The zip of a skill."""
    page = f"---\nname: {name}\ndescription: Says {text}. Use it for tests.\n---\n\nSay {text}.\n"
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("SKILL.md", page)
        archive.writestr("scripts/say.sh", f"echo {text}\n")
    return zipped.getvalue()


class Registry:
    """A running server, and how to speak to it as somebody."""

    def __init__(self, url, tokens):
        self.url, self.tokens, self.session = url, tokens, requests.Session()
        self.published = 0

    def ask(self, who, method, path, **about):
        """Sends a request as somebody, whatever the answer is."""
        headers = {"Authorization": f"Bearer {self.tokens[who]}"}
        return self.session.request(method, self.url + path, headers=headers, timeout=60, **about)

    def must(self, who, method, path, **about):
        """The same, where it must work; its JSON, where there is some."""
        answer = self.ask(who, method, path, **about)
        assert answer.ok, f"{method} {path} as {who}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def publish(self, who, namespace, slug, version, **fields):
        """Publishes other content each time."""
        self.published += 1
        form = {"namespace": namespace, "version": version, **fields}
        zipped = package(slug, f"{slug} {version} {self.published}")
        return self.must(who, "POST", "/api/v1/publish", data=form, files={"file": (f"{slug}.zip", zipped)})


class Server:
    """The program with folders of its own, until it is left."""

    def __init__(self, program, folder):
        self.program, self.folder = Path(program).resolve(), Path(folder)
        (self.folder / "config.toml").write_text(CONFIGURATION)

    def command(self, *arguments):
        places = ["--config", "config.toml", "--data", "data", "--public", "public"]
        return [str(self.program), *arguments, *places]

    def said(self, *arguments, **about):
        command = self.command(*arguments)
        done = subprocess.run(command, cwd=self.folder, check=True, capture_output=True, text=True, **about)
        return done.stdout.strip()

    def __enter__(self):
        self.said("key", "new", "--name", "skills.example.org")
        serve = self.command("serve", "--listen", "127.0.0.1:0")
        log = (self.folder / "serve.log").open("w")
        self.process = subprocess.Popen(serve, cwd=self.folder, stdout=subprocess.PIPE, stderr=log, text=True)
        for line in self.process.stdout:
            address = [word for word in line.split() if word.startswith("http://")]
            if "listening on" in line and address:
                return self.seeded(address[0].rstrip("/"))
        raise SystemExit("the server never listened: " + (self.folder / "serve.log").read_text())

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)

    def seeded(self, url):
        tokens = {"admin": (self.folder / "data/admin-token").read_text().strip()}
        for person in PEOPLE:
            self.said("user", "add", person, "--password-stdin", input=PASSWORD + "\n")
            tokens[person] = self.said("token", "issue", person, "--name", "tests",
                                       "--scopes", "read,publish,social,manage,tokens").split()[-1]
        registry = Registry(url, tokens)
        seed(registry)
        return registry


def seed(registry):
    """Makes one of everything that can be asked for."""
    must, publish = registry.must, registry.publish
    must("ann", "POST", "/api/v1/namespaces", json={"slug": "tools", "reviewRequired": True})
    must("admin", "POST", "/api/v1/namespaces", json={"slug": "quiet"})
    for person in ["bob", "carl", "erin"]:
        must("ann", "POST", "/api/v1/namespaces/tools/members", json={"userId": person, "role": "member"})

    publish("ann", "tools", "hello", "1.0.0")
    publish("ann", "tools", "hello", "1.1.0", tags="stable", changelog="Louder.")
    publish("ann", "tools", "hello", "2.0.0-rc.1")
    publish("admin", "global", "hello", "1.0.0")
    for slug in ["yanked", "doomed", "given", "offered", "removed"]:
        publish("ann", "tools", slug, "1.0.0")
    publish("ann", "tools", "yanked", "1.1.0")
    must("ann", "POST", "/api/v1/skills/tools/yanked/versions/1.0.0/yank", json={"reason": "It shouts."})
    must("ann", "DELETE", "/api/v1/skills/tools/removed")
    for person in ["bob", "admin"]:
        must(person, "POST", "/api/v1/skills/tools/hello/star")
    must("bob", "POST", "/api/v1/skills/tools/hello/rating", json={"score": 4})
    must("ann", "POST", "/api/v1/skills/tools/offered/transfer", json={"to": "bob", "message": "Yours?"})

    reviews = "/api/v1/namespaces/tools/reviews"
    publish("bob", "tools", "waiting", "1.0.0")
    approved = publish("bob", "tools", "approved", "1.0.0")
    must("ann", "POST", f"{reviews}/{approved['reviewId']}/approve")
    rejected = publish("bob", "tools", "rejected", "1.0.0")
    must("ann", "POST", f"{reviews}/{rejected['reviewId']}/reject", json={"comment": "No."})
    for _ in range(2):
        publish("bob", "tools", "withdrawn", "1.0.0")
    publish("dora", "global", "wish", "1.0.0")
    skill = must("ann", "GET", "/api/v1/skills/tools/yanked")
    must("ann", "POST", f"/api/v1/namespaces/tools/skills/{skill['id']}/promote", json={})
