"""Commands that change a published skill, and commands for which this registry has another way."""

from rows import DONE, NONE
from rows.publishing import author, versions
from skills import files

ANOTHER_WAY = "another way"


def prepared(home, stem, *more_versions):
    """A home of ann, and the slug of a skill that she has published."""
    slug = f"tools--{stem}-{home.client.label}"
    for version in ("1.0.0", *more_versions):
        home.fixture.publish(slug, files(version), version)
    return author(home), slug


def exists(home, slug):
    return home.fixture.ask("GET", f"skills/{slug.replace('--', '/')}") is not None


def star(home, _):
    """Stars a skill twice, and takes the star back."""
    home, slug = prepared(home, "star")

    def is_starred():
        stars = home.fixture.ask("GET", "me/stars?size=100", person=home.fixture.ann)["items"]
        return slug in [skill["canonicalSlug"] for skill in stars]

    home.run("star", slug, "--yes", says="Starred")
    assert is_starred()
    home.run("star", slug, "--yes", says="already")
    home.run("unstar", slug, "--yes", says="Unstarred")
    assert not is_starred()
    return DONE


def delete(home, _):
    """Deletes a skill, which cannot be installed until it is undeleted."""
    home, slug = prepared(home, "delete")
    home.run("delete", slug, "--yes", says="OK.")
    home.run("install", slug, fails=True, says="Skill not found")
    home.run("undelete", slug, "--yes", says="OK.")
    home.run("install", slug)
    return DONE


def telemetry(home, _):
    """Installs with telemetry on, which the registry does not take."""
    home, slug = prepared(home, "telemetry")
    home.run("install", slug, CLAWHUB_DISABLE_TELEMETRY="")
    return DONE


def hide(home, _):
    """Other words for the same."""
    home, slug = prepared(home, "hide")
    home.run("hide", slug, "--yes", says="OK.")
    assert not exists(home, slug)
    home.run("unhide", slug, "--yes", says="OK.")
    assert exists(home, slug)
    return DONE


def delete_version(home, _):
    """Withdraws a version, and restores it."""
    if not home.client.since(0, 23):
        return NONE
    home, slug = prepared(home, "withdraw", "1.0.1")
    home.run("delete", slug, "--version", "1.0.0", "--yes", says="OK.")
    home.run("install", slug, "--version", "1.0.0", fails=True, says="yanked")
    home.run("undelete", slug, "--version", "1.0.0", "--yes", says="OK.")
    home.run("install", slug, "--version", "1.0.0")
    assert versions(home, slug) == ["1.0.1", "1.0.0"], slug
    return DONE


def skill_tag(home, _):
    """Moves a tag."""
    if not home.client.since(0, 23):
        return NONE
    home, slug = prepared(home, "tag")
    home.run("skill", "tag", slug, "1.0.0", "--tag", "stable", "--yes", says="Set stable")
    home.run("inspect", slug, "--tag", "stable", "--file", "SKILL.md", says="This is 1.0.0.")
    return DONE


def transfer(home, _):
    """Offers a skill and takes the offer back. Then others are rejected and accepted."""
    home, slug = prepared(home, "transfer")
    bob = home.fixture.home(home.client, home.place, home.fixture.bob)
    home.run("transfer", "request", slug, "@bob", "--message", "For you.", "--yes", says="Transfer requested")
    home.run("transfer", "list", "--outgoing", says=[slug, "@bob"])
    home.run("transfer", "cancel", slug, "--yes", says="Transfer cancelled")
    path = f"skills/{slug.replace('--', '/')}"
    home.fixture.ask("POST", f"{path}/transfer", {"to": "bob"}, home.fixture.ann)
    bob.run("transfer", "list", says=[slug, "@ann"])
    bob.run("transfer", "reject", slug, "--yes", says="Transfer rejected")
    home.fixture.ask("POST", f"{path}/transfer", {"to": "bob"}, home.fixture.ann)
    bob.run("transfer", "accept", slug, "--yes", says="Transfer accepted")
    assert home.fixture.ask("GET", path)["author"]["handle"] == "bob"
    return DONE


def rename_and_merge(home, _):
    home = author(home)
    home.refused("skill", "rename", "tools--a", "tools--b", "--yes", says="publish it under the new slug")
    home.refused("skill", "merge", "tools--a", "tools--b", "--yes", says="publish the content under the slug that stays")
    return ANOTHER_WAY


def scan_and_packages(home, _):
    """Scans, publishers, and packages of another kind."""
    home = author(home)
    home.refused("scan", "--slug", "tools--a", says="no scans")
    home.refused("publisher", "create", "acme", says="create a team namespace")
    home.refused("package", "inspect", "acme", says="publish a skill folder")
    return ANOTHER_WAY


ROWS = [star, delete, telemetry, hide, delete_version, skill_tag, transfer, rename_and_merge, scan_and_packages]
