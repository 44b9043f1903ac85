"""The skills of the matrix, and comparing what a client installed."""

import pathlib

# Names that clients sort, filter and decode in different ways.
FILES = {
    "SKILL.md": b"---\nname: hello\ndescription: Greets people by their name.\n---\n\nSay hello.\n",
    "LICENSE": b"No extension.\n",
    "docs-extra.md": b"# Extra\n",
    "docs/Zed.md": b"# Zed\n",
    "docs/_under.md": b"# Under\n",
    "docs/gr\u00fc\u00dfe b.md": "Gr\u00fc\u00dfe\n".encode(),
    "docs/empty.txt": b"",
    "images/logo.png": b"\x89PNG\r\n\x1a\n\0\xff",
    "run.ps1": b"echo hello\r\n",
    "run.sh": b"#!/bin/sh\necho hello\n",
}


def files(version):
    """The files of a version: each has its own text and its own image."""
    mark = f"This is {version}.\n".encode()
    return {**FILES, "SKILL.md": FILES["SKILL.md"] + mark, "images/logo.png": FILES["images/logo.png"] + mark}


def published_by(client, contents):
    """The files that a client publishes of a folder."""
    if client.since(0, 23):
        return contents
    # Text only.
    return {name: content for name, content in contents.items() if not name.endswith(".png")}


def many_files(count):
    """A skill of so many files, of 2 KiB each."""
    more = {f"reference/part-{number:02}.md": (f"Part {number}.\n" * 256).encode()[:2048] for number in range(1, count)}
    return {"SKILL.md": FILES["SKILL.md"], **more}


def write(folder, contents):
    """Writes files below a folder."""
    for name, content in contents.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def installed(folder):
    """The files that a client installed, without its own notes."""
    found = {}
    for path in pathlib.Path(folder).rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith((".clawhub/", ".skillmirror")):
            found[name] = path.read_bytes()
    return found


def assert_is(folder, version):
    """Asserts that a folder has a version byte for byte."""
    assert_files(folder, files(version))


def assert_files(folder, expected):
    """Asserts that a folder has these files byte for byte."""
    found = installed(folder)
    differing = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
    assert not differing, f"{folder} differs: {differing}"
