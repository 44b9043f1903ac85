"""The settings and arguments in the files for Kubernetes and compose are those of the program.

manifests.py PROGRAM: the program under test. It needs PyYAML.
"""

import os
import pathlib
import subprocess
import sys

import yaml

DEPLOY = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy"


def containers(file):
    """The arguments and variables of the containers of `file` that run the program."""
    if file.name == "compose.yaml":
        service = yaml.safe_load(file.read_text())["services"]["registry"]
        return [(["serve"], service["environment"])]
    objects = list(yaml.safe_load_all(file.read_text()))
    maps = {item["metadata"]["name"]: item["data"] for item in objects if item["kind"] == "ConfigMap"}
    found = []
    for item in objects:
        for container in item.get("spec", {}).get("template", {}).get("spec", {}).get("containers", []):
            if container["image"].startswith("skillmirror:"):
                variables = {}
                for source in container.get("envFrom", []):
                    variables |= maps.get(source.get("configMapRef", {}).get("name"), {})
                found.append((container["args"], variables))
    assert found, f"{file} has no container that runs the program"
    return found


def main():
    program = sys.argv[1]
    files = sorted(DEPLOY.glob("kubernetes/*.yaml")) + [DEPLOY / "container/compose.yaml"]
    for file in files:
        for args, variables in containers(file):
            env = {"PATH": os.environ["PATH"], **variables}
            # `hosts` reads all settings and opens no registry; `--help` still refuses unknown arguments.
            for command in (["hosts", "nginx"], [*args, "--help"]):
                said = subprocess.run([program, *command], cwd="/", env=env, capture_output=True, text=True)
                assert said.returncode == 0, f"{file}: {said.stderr}"
    print(f"tests/deploy/manifests.py: {len(files)} files have settings of this release")


main()
