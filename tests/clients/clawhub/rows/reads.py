"""Commands that read."""

from rows import DONE, FILES, NONE
from skills import assert_is

NEEDS_SERVER = "server"


def login(home, host):
    """Saves a token, and asks whose it is."""
    if host == FILES:
        # Nobody can be logged in there.
        home.run("login", "--token", "x", fails=True, says="CLAWHUB_REGISTRY")
        return NEEDS_SERVER
    home.run("login", "--token", "wrong", fails=True, says="log in again")
    home.run("login", "--token", home.fixture.ann.token, says="ann")
    home.run("whoami", says="ann")
    return DONE


def search(home, host):
    if host == FILES:
        home.run("search", "hello", fails=True, says="set CLAWHUB_REGISTRY")
        return NEEDS_SERVER
    home.run("search", "greets people", says=["tools--hello", "1.1.0"])
    home.run("search", "hello", "--limit", "1", says="tools--hello", lacks="other")
    return DONE


def search_exact(home, host):
    if not home.client.since(0, 23):
        return NONE
    if host == FILES:
        home.run("search", "hello", "--exact", fails=True, says="set CLAWHUB_REGISTRY")
        return NEEDS_SERVER
    home.run("search", "hello", "--exact", says="tools--hello", lacks="other")
    return DONE


def search_prefix(home, host):
    if not home.client.since(0, 23):
        return NONE
    if host == FILES:
        home.run("search", "tools--", "--prefix", fails=True, says="--prefix")
        return NEEDS_SERVER
    home.run("search", "tools--h", "--prefix", says="tools--hello", lacks="other")
    home.run("search", "tools--", "--prefix", "--limit", "1", says="Next cursor: tools--hello")
    home.run("search", "tools--", "--prefix", "--cursor", "tools--hello", says="tools--other", lacks="tools--hello")
    return DONE


def explore(home, host):
    home.run("explore", says=["tools--hello", "v1.1.0", "other"])
    home.run("explore", "--sort", "rating", "--limit", "30", says="tools--hello")
    if host == FILES:
        home.run("explore", "--limit", "1", fails=True, says="--limit")
        return "25 skills"
    home.run("explore", "--limit", "1", says="tools--other", lacks="tools--hello")
    return DONE


def explore_by_site(home, host):
    """Finds the registry by the URL of its site."""
    home.run("explore", says="tools--hello", CLAWHUB_REGISTRY="", CLAWHUB_SITE=home.place.site)
    return DONE


def inspect(home, host):
    home.run("inspect", "tools--hello", says=["tools--hello", "Greets people", "1.1.0", "ann", "stable=1.0.0"])
    if host == FILES:
        home.run("inspect", "tools--hello", "--versions", fails=True, says="set CLAWHUB_REGISTRY")
        return "summary"
    lists = home.run("inspect", "tools--hello", "--versions", "--files", says=["docs/gr\u00fc\u00dfe b.md", "1.0.0"], lacks="2.0.0")
    assert "images/logo.png" in lists, lists
    home.run("inspect", "tools--hello", "--tag", "stable", "--file", "SKILL.md", says="This is 1.0.0.")
    home.run("inspect", "tools--hello", "--file", "nothing.md", fails=True, says="no file nothing.md")
    return DONE


def verify(home, host):
    if host == FILES:
        home.run("skill", "verify", "tools--hello", fails=True, says="set CLAWHUB_REGISTRY")
        return NEEDS_SERVER
    home.run("skill", "verify", "tools--hello", says='"decision": "pass"')
    home.run("skill", "verify", "tools--hello", "--version", "2.0.0", fails=True, says="yanked")
    return DONE


def install(home, host):
    home.run("install", "tools--hello", says="tools--hello")
    assert_is(home.installed(), "1.1.0")
    home.run("install", "tools--nothing", fails=True, says="Skill not found")
    return DONE


def install_version(home, host):
    home.run("install", "tools--hello", "--version", "1.0.0", "--force")
    assert_is(home.installed(), "1.0.0")
    home.run("install", "tools--other", "--version", "9.9.9", fails=True, lacks="schema")
    return DONE


def install_owner(home, host):
    """Installs by `@owner/slug`."""
    if not home.client.since(0, 23):
        return NONE
    home.run("install", "@Ann/tools--hello")
    assert_is(home.project / "skills/@ann/tools--hello", "1.1.0")
    home.run("update", "@ann/tools--hello", says="up to date")
    if host == FILES:
        # Files cannot compare the owner.
        home.run("install", "@bob/tools--hello")
        return "any owner"
    home.run("install", "@bob/tools--hello", fails=True, says="Skill not found")
    return DONE


def update_unchanged(home, host):
    """Says that the latest version is up to date."""
    home.run("install", "tools--hello", "--force")
    home.run("update", "tools--hello", says=["up to date", "1.1.0"])
    return DONE


def update_outdated(home, host):
    """Replaces an older version by the latest."""
    home.run("install", "tools--hello", "--version", "1.0.0", "--force")
    home.run("update", "tools--hello", says="1.1.0")
    assert_is(home.installed(), "1.1.0")
    return DONE


def update_changed(home, host):
    """Keeps what its owner has changed."""
    home.run("install", "tools--hello", "--version", "1.0.0", "--force")
    (home.installed() / "SKILL.md").write_text("My own.\n")
    home.run("update", "tools--hello", says="local changes")
    assert (home.installed() / "SKILL.md").read_text() == "My own.\n"
    home.run("update", "tools--hello", "--force")
    assert_is(home.installed(), "1.1.0")
    return DONE


ROWS = [
    login, search, search_exact, search_prefix, explore, explore_by_site, inspect, verify, install, install_version,
    install_owner, update_unchanged, update_outdated, update_changed,
]
