"""Readers hammer the folder, a bucket and a cache in front of it, while skills change and the server is killed.

hammer.py PROGRAM [--changes N] [--kills N]: the program under test. The bucket is in a gateway of
Ceph, and nginx is the host of the folder and the cache (`proxy_cache`).
"""

import argparse
import pathlib
import random
import tempfile
import threading
import time

from hosts import STORES, Ceph, nginx, nginx_with
from ports import free_port
from readers import Reader, Searcher
from registry import Registry
from writer import Writer

# How long the bucket may take after the last change, in seconds.
PATIENCE = 600

# The lifetime of documents that change, in seconds.
LIFETIME = 60

# Nobody is told to wait.
LIMITS = "[limits]\nwrites_per_minute = 1000000\n"

CACHE = """proxy_cache_path {folder}/cache keys_zone=tree:10m;
access_log off;
server {{
    listen 127.0.0.1:{port};
    location / {{
        proxy_pass {url};
        proxy_http_version 1.1;
        proxy_set_header Host {host};
        proxy_cache tree;
        proxy_cache_revalidate on;
    }}
}}
"""


def cache(store, folder):
    """nginx with a cache in front of a bucket."""
    port = free_port()
    text = CACHE.format(folder=folder, port=port, url=store.url, host=store.host)
    return nginx_with(text, folder, port)


class Killer(threading.Thread):
    """Kills the server now and then, and starts it again."""

    def __init__(self, registry, store, kills, writer):
        super().__init__()
        self.registry, self.store, self.kills, self.writer = registry, store, kills, writer
        self.done = 0

    def run(self):
        step = self.writer.changes / (self.kills + 1)
        for kill in range(1, self.kills + 1):
            # At a random moment between two numbers of changes.
            self.writer.reached(step * (kill - random.random() / 2))
            time.sleep(random.random() / 5)
            self.registry.kill()
            self.registry.start(self.store.environment)
            self.writer.server_is_back()
            self.done += 1


def settle(registry, store):
    """Waits until the bucket has the last change."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        ready = registry.ready()
        target = ready["target"]
        if target["revision"] == ready["revision"] == ready["mirrorRevision"] and target["waiting"] == 0:
            return
        time.sleep(0.1)
    raise AssertionError(f"the bucket is behind: {ready}")


def compare(registry, hosts):
    """Each file is the same at each host. A cache may be as old as it is allowed to be."""
    files = sorted(path for path in registry.public.rglob("*") if path.is_file() and path.suffix != ".gz")
    for name, host in hosts.items():
        end = time.monotonic() + LIFETIME + 30
        reader = Reader(name, host)
        left = files
        while left:
            left = [file for file in left if reader.bytes(f"/{file.relative_to(registry.public)}") != file.read_bytes()]
            if name != "cache" or time.monotonic() > end:
                break
            time.sleep(1 if left else 0)
        assert not left, f"{name}: {len(left)} of {len(files)} files differ, for example {left[0]}"
    return len(files)


def hammer(program, scratch, changes, kills):
    store = Ceph(STORES, scratch / "store")
    registry = Registry(program, scratch / "registry", settings=f"{store.settings()}{LIMITS}")
    started = time.monotonic()
    running = [store]
    try:
        registry.start(store.environment)
        folder = nginx(registry, scratch / "folder")
        hosts = {"folder": folder, "bucket": store, "cache": cache(store, scratch / "cache")}
        running += [hosts["folder"], hosts["cache"]]
        writer = Writer(registry, changes)
        settle(registry, store)
        readers = [Reader(name, host, writer) for name, host in hosts.items() for _ in range(2)]
        searchers = [Searcher(host, scratch) for host in hosts.values()]
        killer = Killer(registry, store, kills, writer)
        for thread in (*readers, killer, writer):
            thread.start()
        writer.join()
        killer.join()
        # A thread that fails prints why, and nothing else notices.
        assert (writer.done, killer.done) == (changes, kills), f"only {writer.done} changes and {killer.done} kills"
        settle(registry, store)
        for reader in (*readers, *searchers):
            reader.end()
        print(f"hammer: {changes} changes and {kills} kills in {time.monotonic() - started:.0f} s")
        for reader in (*readers, *searchers):
            print(f"hammer: {reader.summary()}")
        failures = [failure for reader in (*readers, *searchers) for failure in reader.failures]
        assert not failures, failures[:5]
        print(f"hammer: {compare(registry, hosts)} files are the same at {', '.join(hosts)}")
        registry.run("verify", more=store.environment)
    finally:
        registry.stop()
        for host in running:
            host.stop()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program", type=pathlib.Path)
    arguments.add_argument("--changes", type=int, default=80)
    arguments.add_argument("--kills", type=int, default=4)
    arguments = arguments.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        scratch.chmod(0o755)
        for name in ("registry", "folder", "cache"):
            (scratch / name).mkdir()
        hammer(arguments.program.resolve(), scratch, arguments.changes, arguments.kills)


if __name__ == "__main__":
    main()
