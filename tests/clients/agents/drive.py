"""Runs Claude Code and `npx skills` against a registry: the server, then nginx alone.

drive.py PROGRAM MODULES: the program under test, and the folder with the clients.
"""

import os
import pathlib
import shutil
import sys
import tempfile

import claude
import npx_skills
from registry_site import Site


def write_packages(folder):
    for version in ("1.0.0", "1.1.0"):
        for slug, verb in (("hello", "Greets"), ("other", "Counts")):
            package = folder / version / slug
            (package / "scripts").mkdir(parents=True)
            front = f"---\nname: {slug}\ndescription: {verb} people by name.\n---\n"
            (package / "SKILL.md").write_text(f"{front}\n# {slug}\n\nVersion {version}.\n")
            (package / "scripts/ü name.sh").write_bytes(b"#!/bin/sh\r\necho \xff\x00\n")


def rounds(site, modules, folder, packages):
    """Everything that version 1.0.0 alone shows. Returns the clients that updates go on with."""
    by_claude = claude.Claude(modules, folder / "claude", site)
    claude.installs_from_the_registry(site, by_claude, packages)
    claude.installs_from_a_namespace(site, by_claude, packages)
    claude.installs_from_a_bundle(site, claude.Claude(modules, folder / "bundle", site), packages)
    by_skills = npx_skills.Skills(modules, folder / "skills", site)
    npx_skills.installs_a_skill(site, by_skills, packages)
    npx_skills.is_up_to_date(site, by_skills)
    for number, check in enumerate(
        [npx_skills.installs_a_namespace, npx_skills.installs_a_bundle, npx_skills.installs_a_package, npx_skills.finds]
    ):
        check(site, npx_skills.Skills(modules, folder / f"skills-{number}", site), packages)
    npx_skills.is_refused(site, npx_skills.Skills(modules, folder / "refused", site))
    return by_claude, by_skills


def main(program, modules):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        packages = folder / "packages"
        write_packages(packages)
        site = Site(program, folder)
        try:
            site.ask("namespaces", {"slug": "team"})
            for slug in ("hello", "other"):
                site.publish(packages / "1.0.0" / slug, "team", "1.0.0")
            bundle = {"title": "Both", "members": ["hello", "other"]}
            site.ask("namespaces/team/bundles/both", bundle, "PUT")
            site.serve(None)
            from_server = rounds(site, modules, folder / "server", packages)
            # The same tree, as a file host has it, before and after an update.
            before, after = folder / "before", folder / "after"
            shutil.copytree(folder / "public", before)
            site.publish(packages / "1.1.0/hello", "team", "1.1.0")
            shutil.copytree(folder / "public", after)
            updates(site, from_server, packages)
            claude.is_valid(site, from_server[0], folder / "public")
            site.ask("skills/team/other", None, "DELETE")
            claude.is_valid(site, from_server[0], folder / "public")
            site.stop_server()
            site.serve(before)
            from_files = rounds(site, modules, folder / "files", packages)
            site.serve(after)
            updates(site, from_files, packages)
            wrong = folder / "wrong"
            shutil.copytree(after, wrong)
            site.serve(wrong)
            claude.refuses_a_wrong_digest(site, claude.Claude(modules, folder / "wrong-claude", site), wrong)
        finally:
            site.stop_all()
    print("tests/clients/agents: Claude Code and npx skills install, update and find on both hosts")


def updates(site, clients, packages):
    by_claude, by_skills = clients
    claude.updates(site, by_claude, packages)
    npx_skills.updates(site, by_skills, packages)
    npx_skills.is_up_to_date(site, by_skills)


if __name__ == "__main__":
    main(*map(os.path.abspath, sys.argv[1:]))
