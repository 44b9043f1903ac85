"""Lets Prometheus scrape a registry and a mirror.

scrape.py PROGRAM: the program under test.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from ports import free_port

HERE = pathlib.Path(__file__).resolve().parent
DEPLOY = HERE.parent.parent / "deploy"

# How long anything may take, in seconds.
PATIENCE = 60

SETTINGS = "listen = 0\n[metrics]\nlisten = 0\n[mirror]\nfeed_interval = 1\n"

# A bucket that nobody answers for.
BUCKET = 'target = "s3://skills"\ntarget_endpoint = "http://127.0.0.1:9"\ntarget_region = "eu"\n'
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none"}


@contextlib.contextmanager
def running(command, folder, ready):
    """Runs a command in a folder until the block ends. Its output contains `ready` by then."""
    folder.mkdir(exist_ok=True)
    output = folder / "output"
    with output.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT)
    try:
        until(f"{command[0]} says `{ready}`", lambda: ready in output.read_text())
        yield output.read_text()
    finally:
        process.terminate()
        process.wait(PATIENCE)


def until(what, look):
    """Waits for a result that is not empty, and returns it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if result := look():
            return result
        time.sleep(0.05)
    sys.exit(f"tests/monitoring: it never came to be that {what}")


def address(output):
    """The host and port of the metrics."""
    return re.search(r"metrics are at http://([^/]+)/metrics", output)[1]


class Prometheus:
    """A Prometheus that scrapes these targets each second."""

    def __init__(self, folder, targets):
        self.folder, self.port = folder, free_port()
        folder.mkdir()
        shutil.copy(DEPLOY / "prometheus/alerts.yml", folder)
        settings = (DEPLOY / "prometheus/prometheus.yml").read_text().replace("15s", "1s")
        assert '["127.0.0.1:9100"]' in settings
        (folder / "prometheus.yml").write_text(settings.replace('["127.0.0.1:9100"]', json.dumps(targets)))

    def command(self):
        return [
            "prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=tsdb",
            f"--web.listen-address=127.0.0.1:{self.port}",
        ]  # fmt: skip

    def ask(self, query):
        """The results of a query."""
        query = urllib.parse.urlencode({"query": query})
        url = f"http://127.0.0.1:{self.port}/api/v1/query?{query}"
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
                return json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as refused:
            sys.exit(f"tests/monitoring: Prometheus refuses {query}: {refused.read().decode()}")


def named_metrics():
    """The metrics that alerts and dashboard name."""
    files = [DEPLOY / "prometheus/alerts.yml", DEPLOY / "grafana/skillmirror.json"]
    texts = [file.read_text() for file in files]
    return {name for text in texts for name in re.findall(r"\bskillmirror_[a-z_]+\b", text)}


def queries():
    """The queries of the dashboard, as Grafana would send them."""
    board = json.loads((DEPLOY / "grafana/skillmirror.json").read_text())
    found = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return [query.replace("$__rate_interval", "1m").replace("$instance", ".*") for query in found]


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="monitoring-") as scratch, contextlib.ExitStack() as processes:
        scratch = pathlib.Path(scratch)
        os.environ.update(CREDENTIALS)
        for name, further in (("registry", BUCKET), ("mirror", "")):
            (scratch / name).mkdir()
            (scratch / name / "config.toml").write_text(SETTINGS + further)
        rules = scratch / "rules"
        rules.mkdir()
        for file in (DEPLOY / "prometheus/alerts.yml", HERE / "alerts_test.yml"):
            shutil.copy(file, rules)
        subprocess.run(["promtool", "test", "rules", "alerts_test.yml"], cwd=rules, check=True)

        serving = processes.enter_context(running([program, "serve"], scratch / "registry", "listening on"))
        url = re.search(r"listening on (\S+)", serving)[1]
        follow = [program, "watch", "--feed", url]
        watching = processes.enter_context(running(follow, scratch / "mirror", "updating the static tree"))
        skill = scratch / "hello"
        skill.mkdir()
        (skill / "SKILL.md").write_text("---\nname: hello\ndescription: Says hello.\n---\nHello.\n")
        token = (scratch / "registry/data/admin-token").read_text().strip()
        publish = [program, "publish", skill, "--registry", url, "--version", "1.0.0"]
        environment = {"HOME": str(scratch)}
        login = [program, "login", "--registry", url, "--token-stdin"]
        subprocess.run(login, input=token.encode(), env=environment, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(publish, env=environment, check=True, stdout=subprocess.DEVNULL)

        targets = [address(serving), address(watching)]
        prometheus = Prometheus(scratch / "prometheus", targets)
        ready = "Server is ready to receive web requests"
        processes.enter_context(running(prometheus.command(), prometheus.folder, ready))
        until("both are scraped", lambda: len(prometheus.ask("up == 1")) == 2)
        published = 'skillmirror_requests_total{route="/api/v1/publish",status="201"} == 1'
        until("the publication is counted", lambda: prometheus.ask(published))
        until("the bucket is missed", lambda: prometheus.ask("skillmirror_target_failing == 1"))
        until("the mirror has it", lambda: prometheus.ask("skillmirror_mirror_revision >= 2"))
        # A scrape that takes longer than a second hides all series until the next one.
        unknown = named_metrics()
        until(
            "there is every metric that alerts and dashboard name",
            lambda: not unknown.difference_update({name for name in unknown if prometheus.ask(name)}) and not unknown,
        )
        for query in queries():
            prometheus.ask(query)
    print(f"tests/monitoring: Prometheus scrapes a registry and a mirror, with {len(named_metrics())} metrics in use")


main()
