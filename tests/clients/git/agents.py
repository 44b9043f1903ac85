"""Agents' clients that clone. See matrix.py for what a row is."""

import json

from packages import assert_is


def gemini_install(home):
    """The command that we show. It asks whether to go on."""
    home.run("sh", "-c", home.install_command("Gemini CLI"), typed="y\n", says="Successfully installed skill: hello")
    assert_is(home.folder / ".gemini/skills/hello", "hello", "1.0.0")
    home.gemini("list", says=["hello [Enabled]", "Greets people by name"])
    home.gemini("install", home.url("hello"), "--consent", "--scope", "workspace")
    assert_is(home.project / ".gemini/skills/hello", "hello", "1.0.0")
    return "ok"


def agents_folder(home):
    """The folder where several agents look. Gemini CLI says that it does."""
    folder = home.folder / ".agents/skills/hello"
    home.git("clone", home.url("hello"), folder)
    home.gemini("list", says=["hello [Enabled]", folder])
    home.skills("add", home.url("hello"), "--agent", "codex", "--yes")
    assert_is(home.project / ".agents/skills/hello", "hello", "1.0.0")
    yield
    home.git("-C", folder, "pull", "--rebase")
    assert_is(folder, "hello", "1.1.0")
    return "ok"


def gemini_update(home):
    """There is no other command than installing again."""
    home.gemini("install", home.url("hello"), "--consent")
    yield
    home.gemini("install", home.url("hello"), "--consent", says="Overwriting")
    assert_is(home.folder / ".gemini/skills/hello", "hello", "1.1.0")
    home.gemini("uninstall", "hello", says="Successfully uninstalled")
    return "install again"


def gemini_unavailable(home):
    yield
    for slug in ("missing", "withdrawn", "removed"):
        home.gemini("install", home.url(slug), "--consent", fails=True, says=f"remote: {home.place.sentence(slug)}")
    return "one sentence"


def skills_add(home):
    home.skills("add", home.url("hello"), "--agent", "claude-code", "--yes")
    assert_is(home.project / ".claude/skills/hello", "hello", "1.0.0")
    home.skills("list", says=["hello", home.url("hello")])
    home.skills("add", home.url("hello"), "--list", says="Greets people by name")
    return "ok"


def skills_update(home):
    """In a project, and for a person."""
    home.skills("add", home.url("hello"), "--agent", "claude-code", "--yes")
    home.skills("add", home.url("hello"), "--agent", "claude-code", "--yes", "--global")
    folders = {"--project": home.project, "--global": home.folder}
    for option in folders:
        home.skills("update", option, "--yes", says="are up to date")
    yield
    for option, folder in folders.items():
        home.skills("update", option, "--yes", says="Updated hello")
        assert_is(folder / ".claude/skills/hello", "hello", "1.1.0")
        home.skills("update", option, "--yes", says="are up to date")
    return "ok"


def skills_tag(home):
    """The repository has the tag of the latest version alone."""
    home.skills("add", f"{home.url('hello')}#1.0.0", "--agent", "claude-code", "--yes")
    yield
    home.skills("add", f"{home.url('hello')}#1.0.0", "--yes", fails=True, says="Remote branch 1.0.0 not found")
    assert_is(home.project / ".claude/skills/hello", "hello", "1.0.0")
    return "latest only"


def skills_unavailable(home):
    yield
    for slug in ("missing", "withdrawn", "removed"):
        home.skills("add", home.url(slug), "--yes", fails=True, says=home.place.sentence(slug))
    return "one sentence"


def claude_plugin(home):
    """A marketplace of one's own names the repository. That of the registry names packages."""
    market = home.folder / "market/.claude-plugin/marketplace.json"
    market.parent.mkdir(parents=True)
    plugin = {"strict": False, "skills": ["./"]}
    slugs = ("hello", "missing")
    plugins = [{"name": slug, "source": {"source": "url", "url": home.url(slug)}, **plugin} for slug in slugs]
    market.write_text(json.dumps({"name": "mine", "owner": {"name": "Me"}, "plugins": plugins}))
    home.claude("marketplace", "add", home.folder / "market")
    home.claude("install", "hello@mine")
    cache = home.folder / ".claude/plugins/cache/mine/hello"
    assert_is(cache / home.commits["1.0.0"][:12], "hello", "1.0.0")
    home.claude("update", "hello@mine", says="already at the latest version")
    home.claude("install", "missing@mine", fails=True, says=f"remote: {home.place.sentence('missing')}")
    yield
    home.claude("update", "hello@mine", says="updated")
    assert_is(cache / home.commits["1.1.0"][:12], "hello", "1.1.0")
    return "ok"


def claude_marketplace(home):
    """A skill is no marketplace."""
    home.claude("marketplace", "add", home.url("hello"), fails=True, says="Marketplace file not found")
    return "no"


ROWS = [
    agents_folder, gemini_install, gemini_update, gemini_unavailable, skills_add, skills_update, skills_tag,
    skills_unavailable, claude_plugin, claude_marketplace,
]
