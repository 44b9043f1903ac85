"""What the registry refuses. Each refusal is one sentence in one line that says what to do."""

from rows import DONE
from rows.publishing import author, published
from skills import files, write


def try_publish(home, contents, slug, says, version="1.0.0"):
    folder = write(home.fixture.packages() / "hello", contents)
    return home.refused("publish", str(folder), "--slug", slug, "--version", version, says=says)


def wrong_token(home, _):
    """The token was revoked after the login."""
    home = author(home)
    token = home.fixture.ann.token
    for path in home.folder.glob(".config/*/config.json"):
        path.write_text(path.read_text().replace(token, token[:-4] + "AAAA"))
    try_publish(home, files("1.0.0"), "tools--refused", ["token", "log in again"])
    return DONE


def foreign_namespace(home, _):
    try_publish(author(home), files("1.0.0"), "others--refused", ["not a member of the namespace `others`", "ask"])
    return DONE


def taken_version(home, _):
    slug, _ = published(home.fixture, home.client)
    try_publish(author(home), files("other"), slug, ["1.0.0", "raise the version"])
    return DONE


def invalid_skill_md(home, _):
    contents = {"SKILL.md": b"---\nname: hello\n---\n\nSay hello.\n"}
    try_publish(author(home), contents, "tools--refused", ["SKILL.md", "description"])
    return DONE


def too_large(home, _):
    contents = files("1.0.0") | {"docs/large.md": b"large\n" * 20_000}
    try_publish(author(home), contents, "tools--refused", ["docs/large.md", "65536 bytes", "leave it out"])
    return DONE


ROWS = [wrong_token, foreign_namespace, taken_version, invalid_skill_md, too_large]
