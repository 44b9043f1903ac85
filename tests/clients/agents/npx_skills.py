"""`npx skills`: indexes, single packages, updates, search."""

import re

from client import Client
from registry_site import files


class Skills(Client):
    def command(self, *arguments, **variables):
        program = self.modules / "skills/bin/cli.mjs"
        return self.run(str(self.node()), str(program), *arguments, **variables)

    def add(self, source):
        return self.command("add", source, "--agent", "claude-code", "--yes")

    def installed(self, slug):
        return files(self.project / ".claude/skills" / slug)


def installs_a_skill(site, skills, packages):
    skills.add(f"{site.url}/team/hello").ok()
    assert skills.installed("hello") == files(packages / "1.0.0/hello")


def installs_a_namespace(site, skills, packages):
    skills.add(f"{site.url}/team").ok()
    for slug in ("hello", "other"):
        assert skills.installed(slug) == files(packages / "1.0.0" / slug)


def installs_a_bundle(site, skills, packages):
    skills.add(f"{site.url}/team/+both").ok()
    for slug in ("hello", "other"):
        assert skills.installed(slug) == files(packages / "1.0.0" / slug)


def installs_a_package(site, skills, packages):
    skills.add(f"{site.url}/api/v1/skills/team/other/versions/1.0.0/download.zip").ok()
    assert skills.installed("other") == files(packages / "1.0.0/other")


def updates(site, skills, packages):
    skills.command("update", "--project", "--yes").ok()
    assert skills.installed("hello") == files(packages / "1.1.0/hello")


def is_up_to_date(site, skills):
    """In a project, the client does not say so: it reads the index, and then no package."""
    before = site.requests()
    skills.command("update", "--project", "--yes").ok()
    asked = site.requests()[len(before):]
    assert any("/.well-known/agent-skills/index.json" in line for line in asked), asked
    assert not any(".zip" in line for line in asked), asked


def finds(site, skills, packages):
    """What `find` prints as the source can be added."""
    output = skills.command("find", "greets", SKILLS_API_URL=site.url).ok()
    [source] = re.findall(rf"{re.escape(site.url)}/team/hello\S*", output)
    assert source.endswith("#@hello"), output
    skills.add(source).ok()
    assert skills.installed("hello") == files(packages / "1.0.0/hello")


def is_refused(site, skills):
    missing = skills.add(f"{site.url}/team/missing")
    assert missing.code != 0, missing.output
