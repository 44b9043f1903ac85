"""Claude Code: marketplaces, installation, updates, a wrong digest."""

import json
import pathlib

from client import Client
from registry_site import files


class Claude(Client):
    def command(self, *arguments):
        # The package for this machine has the program.
        [program] = self.modules.glob("@anthropic-ai/claude-code-linux-*/claude")
        return self.run(str(program), "plugin", *arguments)

    def cache(self, marketplace, plugin, version):
        return self.home / ".claude/plugins/cache" / marketplace / plugin / version


def marketplace_name(site):
    return "".join(c if c.isalnum() else "-" for c in f"{site.address}-{site.port}")


def installs_from_the_registry(site, claude, packages):
    name = marketplace_name(site)
    claude.command("marketplace", "add", f"{site.url}/.claude-plugin/marketplace.json").ok()
    claude.command("install", f"team--hello@{name}").ok()
    assert files(claude.cache(name, "team--hello", "1.0.0")) == files(packages / "1.0.0/hello")


def installs_from_a_namespace(site, claude, packages):
    claude.command("marketplace", "add", f"{site.url}/team/.claude-plugin/marketplace.json").ok()
    name = f"{marketplace_name(site)}--team"
    claude.command("install", f"other@{name}").ok()
    assert files(claude.cache(name, "other", "1.0.0")) == files(packages / "1.0.0/other")


def installs_from_a_bundle(site, claude, packages):
    claude.command("marketplace", "add", f"{site.url}/team/+both/.claude-plugin/marketplace.json").ok()
    name = f"{marketplace_name(site)}--team--both"
    claude.command("install", f"other@{name}").ok()
    assert files(claude.cache(name, "other", "1.0.0")) == files(packages / "1.0.0/other")


def updates(site, claude, packages):
    name = marketplace_name(site)
    claude.command("marketplace", "update", name).ok()
    claude.command("update", f"team--hello@{name}").ok()
    assert files(claude.cache(name, "team--hello", "1.1.0")) == files(packages / "1.1.0/hello")


def is_valid(site, claude, tree: pathlib.Path):
    """The client's own check of a marketplace has nothing to say."""
    said = claude.command("validate", str(tree / ".claude-plugin/marketplace.json"))
    assert said.code == 0 and "warning" not in said.output, said.output


def refuses_a_wrong_digest(site, claude, tree: pathlib.Path):
    """Damages a copy of the tree. The site must serve it."""
    index = tree / ".claude-plugin/marketplace.json"
    marketplace = json.loads(index.read_bytes())
    for plugin in marketplace["plugins"]:
        plugin["source"]["sha256"] = "0" * 64
    index.write_text(json.dumps(marketplace))
    claude.command("marketplace", "add", f"{site.url}/.claude-plugin/marketplace.json").ok()
    refused = claude.command("install", f"team--hello@{marketplace_name(site)}")
    assert refused.code != 0 and "integrity check failed" in refused.output, refused.output
