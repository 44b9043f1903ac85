"""The recipes for CI: their files are valid by the schemas of their makers, and their steps do what docs/ci.md says.

ci.py PROGRAM MODULES: the program under test, and the packages of npm. It needs PyYAML and check-jsonschema. No runner of
GitHub or GitLab runs here, so the scripts of the files run in the shell that those would start.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import urllib.request

import yaml

from registry import Registry, write_skill

DEPLOY = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy"
ACTION = yaml.safe_load((DEPLOY / "github-action/action.yml").read_text())
SPECIFICATION, COMPONENT = yaml.safe_load_all((DEPLOY / "gitlab-component/templates/skills.yml").read_text())


def valid(scratch):
    """Checks each file by the schema that its maker has published."""
    template = scratch / "gitlab.yml"
    template.write_text(yaml.safe_dump(COMPONENT))
    files = {
        "vendor.github-actions": [DEPLOY / "github-action/action.yml"],
        "vendor.github-workflows": [DEPLOY / f"github-action/{name}.yml" for name in ("publish", "update")],
        "vendor.gitlab-ci": [template],
        "vendor.renovate": [DEPLOY / "renovate/skills.json"],
    }
    judge = pathlib.Path(sys.executable).parent / "check-jsonschema"
    for schema, paths in files.items():
        subprocess.run([judge, "--quiet", "--builtin-schema", schema, *paths], check=True)
    # The workflow and the documented block name inputs that exist.
    [used] = [step["with"] for step in workflow("publish")["steps"] if "github-action" in step.get("uses", "")]
    assert used.keys() <= ACTION["inputs"].keys(), used
    assert {"registry", "namespace", "image", "skills"} <= SPECIFICATION["spec"]["inputs"].keys()


def workflow(name):
    [job] = yaml.safe_load((DEPLOY / f"github-action/{name}.yml").read_text())["jobs"].values()
    return job


def step(steps, name):
    return next(step["run"] for step in steps if step.get("name") == name)


class Runner:
    """Runs scripts in a checkout, with `skillmirror` on the PATH."""

    def __init__(self, registry, checkout):
        self.registry, self.checkout = registry, checkout
        self.commands = registry.folder / "commands"
        self.commands.mkdir()
        (self.commands / "skillmirror").symlink_to(pathlib.Path(registry.program).resolve())
        self.environment = {
            "PATH": f"{self.commands}:{os.environ['PATH']}",
            "HOME": str(registry.folder / "runner"),
            "RUNNER_TEMP": str(registry.folder),
            "CLI_REGISTRY": registry.url,
            "SKILLMIRROR_TOKEN": registry.token,
            "NAMESPACE": "team",
            "SKILLS": "skills",
            "SARIF": "skillmirror.sarif",
        }

    def run(self, shell, script, fails=False, **more):
        done = subprocess.run(
            [*shell, "-c", script], cwd=self.checkout, env=self.environment | more, capture_output=True, text=True
        )
        assert (done.returncode != 0) == fails, (script, done.stdout, done.stderr)
        return done.stdout + done.stderr


def publishes(registry, runner, shell, check, publish, skill):
    """Checks and publishes a folder of skills: twice the same, then with an error in one, then with a conflict."""
    folder = runner.checkout / "skills"
    assert "has a SKILL.md" in runner.run(shell, check, fails=True)
    for slug in (skill, f"{skill}-two"):
        write_skill(folder / slug, slug, f"Does {slug}.")
    runner.run(shell, check)
    assert json.loads((runner.checkout / "skillmirror.sarif").read_text())["version"] == "2.1.0"
    first = runner.run(shell, publish)
    assert f"published @team/{skill} 1.0.0" in first and f"published @team/{skill}-two 1.0.0" in first, first
    again = runner.run(shell, publish)
    assert again.count("nothing was changed") == 2, again
    (folder / skill / "data.txt").write_text("new")
    assert f"published @team/{skill} 1.0.1" in runner.run(shell, publish)
    # One that fails stops no other.
    text = (folder / skill / "SKILL.md").read_text()
    (folder / skill / "SKILL.md").write_text(text.replace("---\n\n", "metadata:\n  version: 1.0.0\n---\n\n", 1))
    (folder / f"{skill}-two/data.txt").write_text("new")
    both = runner.run(shell, publish, fails=True)
    assert f"published @team/{skill}-two 1.0.1" in both and "1.0.0" in both, both
    (folder / skill / "SKILL.md").write_text("---\nname: Bad\n---\n")
    assert "[description_missing]" in runner.run(shell, check, fails=True)
    found = json.loads((runner.checkout / "skillmirror.sarif").read_text())["runs"][0]["results"]
    places = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in found}
    assert f"skills/{skill}/SKILL.md" in places, found
    versions = json.loads(registry.ask("GET", f"skills/team/{skill}/versions"))["items"]
    assert [item["version"] for item in versions] == ["1.0.1", "1.0.0"], versions


def updates(registry, runner):
    """The weekly job commits new versions to a branch, and opens a pull request once."""
    git = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org"]

    def command(*arguments):
        subprocess.run(arguments, cwd=runner.checkout, env=runner.environment, check=True, capture_output=True)

    command("skillmirror", "install", "@team/weekly@1")
    origin = registry.folder / "origin.git"
    command("git", "init", "--quiet", "--bare", str(origin))
    command("git", "init", "--quiet", "--initial-branch=main")
    command("git", "remote", "add", "origin", str(origin))
    command("git", "add", "--all")
    command(*git, "commit", "--quiet", "--message=First")
    (runner.commands / "gh").write_text(f'#!/bin/sh\necho "$@" >>{registry.folder}/gh\n')
    (runner.commands / "gh").chmod(0o755)
    update, propose = (step(workflow("update")["steps"], name) for name in ("Update", "Open a pull request"))
    bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]
    runner.run(bash, update)
    runner.run(bash, propose)
    assert not (registry.folder / "gh").exists()
    registry.publish("team", "weekly", "1.1.0", "Comes every Monday.")
    runner.run(bash, update)
    runner.run(bash, propose)
    assert (registry.folder / "gh").read_text().startswith("pr create"), (registry.folder / "gh").read_text()
    assert "1.1.0" in (registry.folder / "outdated").read_text()
    changed = subprocess.run(
        ["git", "-C", origin, "diff", "--name-only", "update-skills~", "update-skills"], capture_output=True, text=True
    )
    assert "skills.lock" in changed.stdout.split(), changed


def is_found_by_renovate(registry, scratch, modules):
    """Renovate's queries find the skills of a skills.toml, and their versions at the registry."""
    configuration = json.loads((DEPLOY / "renovate/skills.json").read_text())
    project = tomllib.loads(
        '[skills]\nlone = "1.0.0"\n"@team/weekly" = "~1.0"\nlint = { version = "1", as = "check" }\n'
        'fmt = { version = "1.2.0", registry = "https://other.example.org" }\n'
    )
    [manager] = configuration["customManagers"]
    [source] = configuration["customDatasources"].values()

    def evaluated(query, document):
        script = "const [module, query, text] = process.argv.slice(1);" \
            "const value = await (await import(module)).default(query).evaluate(JSON.parse(text));" \
            "console.log(JSON.stringify(value));"
        command = ["node", "--input-type=module", "-e", script, f"{modules}/jsonata/jsonata.js", query, json.dumps(document)]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    found = evaluated(manager["matchStrings"][0], project)
    names = [(entry["packageName"], entry["currentValue"]) for entry in found]
    assert names == [("global/lone", "1.0.0"), ("team/weekly", "~1.0"), ("global/lint", "1")], found
    url = source["defaultRegistryUrlTemplate"].replace("https://skills.example.org", registry.url)
    with urllib.request.urlopen(url.replace("{{{packageName}}}", "team/weekly"), timeout=60) as answer:
        versions = evaluated(source["transformTemplates"][0], json.load(answer))["releases"]
    assert [(one["version"], one["isDeprecated"]) for one in versions] == [("1.1.0", False), ("1.0.0", False)], versions


def main():
    program, modules = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        valid(scratch)
        registry = Registry(program, scratch)
        registry.start()
        try:
            registry.run("login", "--registry", registry.url, "--token-stdin", input=registry.token)
            registry.ask("POST", "namespaces", {"slug": "team"})
            registry.publish("team", "weekly", "1.0.0", "Comes each week.")
            scripts = [step["run"] for step in ACTION["runs"]["steps"][1:]]
            runner = None
            for shell, (check, publish), skill in [
                (["bash", "--noprofile", "--norc", "-eo", "pipefail"], scripts, "github"),
                (["sh", "-e"], [COMPONENT[job]["script"][0] for job in ("check-skills", "publish-skills")], "gitlab"),
            ]:
                checkout = scratch / skill
                checkout.mkdir()
                runner = runner or Runner(registry, checkout)
                runner.checkout = checkout
                publishes(registry, runner, shell, check, publish, skill)
            runner.checkout = scratch / "project"
            runner.checkout.mkdir()
            updates(registry, runner)
            is_found_by_renovate(registry, scratch, modules)
        finally:
            registry.stop()
    print("tests/deploy/ci.py: the recipes of GitHub, GitLab and Renovate hold")


main()
