"""Claude Code and `npx skills` at a closed registry: with a read key in a header, and without.

closed.py PROGRAM MODULES: the program under test, and the folder with the clients.
"""

import json
import os
import pathlib
import sys
import tempfile

import claude
import npx_skills
from drive import write_packages
from registry_site import Site, files

CLOSED = '[reads]\nrequire = "token"\nkey_in_path = true\n'


def know(client, name, url, key):
    """What Claude Code has when its settings name the marketplace with a header, as an administrator pastes it."""
    plugins = client.home / ".claude/plugins"
    plugins.mkdir(parents=True, exist_ok=True)
    source = {"source": "url", "url": url, "headers": {"Authorization": f"Bearer {key}"}}
    place = str(plugins / "marketplaces" / f"{name}.json")
    known = {name: {"source": source, "installLocation": place, "lastUpdated": "2026-11-27T00:00:00.000Z"}}
    (plugins / "known_marketplaces.json").write_text(json.dumps(known))


def main(program, modules):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        packages = folder / "packages"
        write_packages(packages)
        site = Site(program, folder, CLOSED)
        try:
            site.ask("namespaces", {"slug": "team"})
            site.publish(packages / "1.0.0/hello", "team", "1.0.0")
            site.serve(None)
            url, name = f"{site.url}/.claude-plugin/marketplace.json", claude.marketplace_name(site)
            stranger = claude.Claude(modules, folder / "stranger", site)
            refused = stranger.command("marketplace", "add", url)
            assert refused.code != 0 and "401" in refused.output, refused.output
            member = claude.Claude(modules, folder / "member", site)
            know(member, name, url, site.command("read-key", "new", "claude").strip())
            member.command("marketplace", "update", name).ok()
            member.command("install", f"team--hello@{name}").ok()
            assert files(member.cache(name, "team--hello", "1.0.0")) == files(packages / "1.0.0/hello")
            skills = npx_skills.Skills(modules, folder / "skills", site)
            refused = skills.add(f"{site.url}/team/hello")
            assert refused.code != 0 and not skills.installed("hello"), refused.output
            # It sends no header, but takes an address with a key in its path.
            key = site.command("read-key", "new", "skills").strip()
            skills.add(f"{site.url}/~{key}/team/hello").ok()
            assert skills.installed("hello") == files(packages / "1.0.0/hello")
        finally:
            site.stop_all()
    print("tests/clients/agents: Claude Code reads a closed registry with a key, and nobody without")


if __name__ == "__main__":
    main(*map(os.path.abspath, sys.argv[1:]))
