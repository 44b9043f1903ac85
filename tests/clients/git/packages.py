"""The skills of the matrix, and comparing what a client installed."""

import pathlib

# The files of every version, and whether they are executable.
FILES = {
    "LICENSE": (b"No extension.\n", False),
    "docs/gr\u00fc\u00dfe b.md": ("Gr\u00fc\u00dfe\r\n".encode(), False),
    "docs/empty.txt": (b"", False),
    "images/logo.png": (b"\x89PNG\r\n\x1a\n\0\xff" * 9000, False),
    "scripts/run.sh": (b"#!/bin/sh\r\necho \xff\0\n", True),
    "scripts/the same.sh": (b"#!/bin/sh\r\necho \xff\0\n", False),
}

# What clients add to the files that they install.
NOTES = (".git", ".in_use")


def files(slug, version):
    """The files of a version. `withdrawn` has only one."""
    front = f"---\nname: {slug}\ndescription: Greets people by name, as {slug}.\n---\n"
    others = {} if slug == "withdrawn" else FILES
    return {**others, "SKILL.md": (f"{front}\n# {slug}\n\nThis is {version}.\n".encode(), False)}


def write(folder, slug, version):
    """Writes a version into a folder."""
    for name, (content, is_executable) in files(slug, version).items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o755 if is_executable else 0o644)
    return folder


def assert_is(folder, slug, version, also=()):
    """Asserts that a folder has a version, byte for byte, and the files `also`."""
    folder = pathlib.Path(folder)
    paths = [path for path in folder.rglob("*") if path.is_file()]
    named = {path.relative_to(folder).as_posix(): path for path in paths}
    named = {name: path for name, path in named.items() if name.split("/")[0] not in NOTES}
    found = {name: (path.read_bytes(), bool(path.stat().st_mode & 0o100)) for name, path in named.items()}
    expected = files(slug, version)
    differing = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
    assert differing == sorted(also), f"{folder} is not {slug} {version}: {differing}"
