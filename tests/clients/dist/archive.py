"""Checks an archive of `dist/build --client`, and prints the names of the crates in its SBOM.

archive.py ARCHIVE: the SBOM is beside it.
"""

import json
import pathlib
import sys
import tarfile
import tomllib


def sbom(file):
    """Prints the crates. Each of them has a checksum, except those of the project itself."""
    sbom = json.loads(file.read_text())
    assert sbom["bomFormat"] == "CycloneDX" and sbom["metadata"]["component"]["name"] == "skillmirror-client"
    components = sbom["components"]
    refs = {component["bom-ref"] for component in components}
    assert all(set(needs["dependsOn"]) <= refs for needs in sbom["dependencies"])
    assert all("hashes" in component or component["name"].startswith("skillmirror-") for component in components)
    print("skillmirror", *(component["name"] for component in components), sep="\n")


def binstall(archive):
    """The patterns for `cargo binstall` name the archive of the full program, and the program in it."""
    patterns = tomllib.loads(pathlib.Path("Cargo.toml").read_text())["package"]["metadata"]["binstall"]
    name = archive.name.removesuffix(".tar.gz").removeprefix("skillmirror-client-")
    version, target = name.split("-", 1)
    values = {"name": "skillmirror", "bin": "skillmirror", "version": version, "target": target, "binary-ext": ""}

    def filled(pattern):
        for key, value in values.items():
            pattern = pattern.replace("{ %s }" % key, value)
        return pattern

    assert filled(patterns["pkg-url"]).endswith(f"/skillmirror-{name}.tar.gz"), patterns
    program = filled(patterns["bin-dir"]).replace("skillmirror-", "skillmirror-client-", 1)
    assert program in tarfile.open(archive).getnames(), patterns


def main():
    archive = pathlib.Path(sys.argv[1])
    sbom(archive.with_name(archive.name.removesuffix(".tar.gz") + ".cdx.json"))
    binstall(archive)


main()
