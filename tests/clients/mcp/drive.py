"""Lets the judges loose on `skillmirror mcp` and on `/mcp` of a server.

drive.py PROGRAM MODULES: the program under test, and the folder with the judges from npm.
"""

import asyncio
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

import fast_client
from registry import Registry

# The scenarios that any server passes. The others call tools and read resources and prompts that a
# server has for the suite alone (`test_…`), or need logging, completions, subscriptions, sessions.
SCENARIOS = ["server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection"]


class Node:
    """Programs from npm."""

    def __init__(self, modules, folder):
        modules = pathlib.Path(modules)
        machine = {"x86_64": "x64", "aarch64": "arm64"}[platform.machine()]
        self.node = modules / f"node-linux-{machine}/bin/node"
        scope = modules / "@modelcontextprotocol"
        self.conformance = scope / "conformance/dist/index.js"
        self.inspector = scope / "inspector/clients/launcher/build/index.js"
        self.folder = folder

    def run(self, script, *arguments):
        """Standard output, if the exit code is 0."""
        environment = {**os.environ, "HOME": str(self.folder), "NO_COLOR": "1"}
        command = [self.node, script, *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, (arguments, done.returncode, done.stdout, done.stderr)
        return done.stdout


def conforms(node, endpoint):
    for scenario in SCENARIOS:
        said = node.run(node.conformance, "server", "--url", endpoint, "--scenario", scenario)
        assert " 0 failed, 0 warnings" in said, said


def passes_inspection(node, target):
    """The inspector's own checks of skills (each digest, each front matter) and of the tools' schemas."""
    inspect = lambda *arguments: node.run(node.inspector, "--cli", *target, *arguments)
    reports = inspect("--method", "skills/list", "--verify").splitlines()
    assert len(reports) == 72, reports
    assert all(json.loads(report)["outcome"] == "verified" for report in reports), reports
    inspect("--method", "tools/list", "--strict")
    uri = "skill://global/hello/SKILL.md"
    report = json.loads(inspect("--method", "skills/get", "--uri", uri, "--verify"))
    assert report["ok"], report
    read = json.loads(inspect("--method", "resources/read", "--uri", uri))
    assert read["contents"][0]["text"].startswith("---\nname: hello\n"), read
    call = ("--method", "tools/call", "--tool-name", "search_skills", "--tool-arg", "query=greets")
    found = json.loads(inspect(*call))
    assert found["structuredContent"]["results"][0]["skill"] == "@global/hello", found


def main(program, modules):
    with tempfile.TemporaryDirectory(prefix="skillmirror-") as folder:
        folder = pathlib.Path(folder)
        node = Node(modules, folder)
        registry = Registry(program, folder)
        try:
            conforms(node, registry.endpoint)
            passes_inspection(node, [registry.endpoint, "--transport", "http"])
            passes_inspection(node, [program, "mcp", *registry.ways["server"]])
            asyncio.run(fast_client.reads_everything(fast_client.over_http(registry.endpoint)))
            asyncio.run(fast_client.uses_tools(fast_client.over_http(registry.endpoint)))
            for arguments in registry.ways.values():
                started = lambda *more: fast_client.over_stdio(program, [*arguments, *more], folder)
                asyncio.run(fast_client.reads_everything(started()))
                asyncio.run(fast_client.uses_tools(started()))
            skills = folder / "installed"
            may_install = [*registry.ways["file host"], "--allow-install", str(skills)]
            asyncio.run(fast_client.installs(fast_client.over_stdio(program, may_install, folder), skills))
        finally:
            registry.stop()
    print(f"tests/clients/mcp: fastmcp, the inspector, and {len(SCENARIOS)} scenarios of the conformance suite agree")


if __name__ == "__main__":
    main(*sys.argv[1:])
