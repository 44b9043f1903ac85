"""The clients at a closed registry: with their token, and without.

closed.py PROGRAM MODULES: the program under test, and the folder with the clients.
"""

import pathlib
import sys
import tempfile

from clients import CLIENTS
from fixture import Fixture


def main(program, modules):
    with tempfile.TemporaryDirectory(prefix="clawhub-") as scratch:
        fixture = Fixture(program, modules, pathlib.Path(scratch), "closed", '[reads]\nrequire = "token"\n')
        try:
            contents = {"SKILL.md": b"---\nname: zebrafish\ndescription: Counts zebrafish.\n---\n"}
            fixture.publish("tools--zebrafish", contents)
            for client in CLIENTS:
                stranger = fixture.home(client, fixture.place())
                stranger.refused("search", "zebrafish", says="log in")
                stranger.refused("install", "tools--zebrafish", says="log in")
                assert not stranger.installed("tools--zebrafish").exists(), client.name
                member = fixture.home(client, fixture.place(), fixture.ann)
                member.run("search", "zebrafish", says="zebrafish")
                member.run("inspect", "tools--zebrafish", says="Counts zebrafish.")
                member.run("install", "tools--zebrafish")
                assert (member.installed("tools--zebrafish") / "SKILL.md").read_bytes() == contents["SKILL.md"], client.name
        finally:
            fixture.server.stop()
    print("tests/clients/clawhub: closed registries answer those who have logged in")


main(*(pathlib.Path(path).resolve() for path in sys.argv[1:3]))
