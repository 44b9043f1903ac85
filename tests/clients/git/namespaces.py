"""A namespace as one repository: git, and clients that read marketplaces of plugins. See matrix.py for what a row is."""

import json

from packages import assert_is, files

# What the first state of a place has in the namespace, and the second.
BEFORE, AFTER = ("hello", "removed", "withdrawn"), ("hello",)


def url(home):
    return f"{home.place.url}/team.git"


def marketplace(home, address=None):
    """The marketplace in a new clone."""
    clones = home.project / "marketplaces"
    clones.mkdir(exist_ok=True)
    folder = clones / str(len(list(clones.iterdir())))
    home.git("clone", "--depth", "1", address or url(home), folder)
    return json.loads((folder / ".claude-plugin/marketplace.json").read_text())


def assert_clone(folder, slugs, version):
    """Asserts that a clone has these skills and no others."""
    named = {path.parent.name for path in folder.glob("plugins/*/skills/*/SKILL.md")}
    assert named == set(slugs), named
    assert_is(folder / "plugins/hello/skills/hello", "hello", version)
    listed = json.loads((folder / ".claude-plugin/marketplace.json").read_text())
    assert [plugin["name"] for plugin in listed["plugins"]] == sorted(slugs), listed


def assert_installed(folder, version):
    """Asserts that a folder has `hello` once, with all of its files."""
    texts = [path.read_bytes() for path in folder.rglob("hello/SKILL.md")]
    assert files("hello", version)["SKILL.md"][0] in texts, (folder, texts)
    for found in folder.rglob("hello/SKILL.md"):
        if found.read_bytes() == files("hello", version)["SKILL.md"][0]:
            assert_is(found.parent, "hello", version)


def namespace_git(home):
    for protocol in ("0", "2"):
        for number, options in enumerate(((), ("--depth", "1"), ("--filter", "blob:none"))):
            folder = home.project / f"clone-{protocol}-{number}"
            home.git("-c", f"protocol.version={protocol}", "clone", *options, url(home), folder)
            assert_clone(folder, BEFORE, "1.0.0")
            home.git("-C", folder, "fsck", "--full", "--strict")
    yield
    home.git("-C", "clone-0-0", "pull", fails=True, says="divergent branches")
    home.git("-C", "clone-0-0", "pull", "--rebase")
    for folder, options in (("clone-2-0", ()), ("clone-2-1", ("--depth", "1"))):
        home.git("-C", folder, "fetch", *options)
        home.git("-C", folder, "reset", "--hard", "origin/main")
    for folder in ("clone-0-0", "clone-2-0", "clone-2-1"):
        assert_clone(home.project / folder, AFTER, "1.1.0")
    assert marketplace(home)["renames"] == {"removed": None}
    home.git("clone", f"{home.place.url}/none.git", fails=True, says="remote: There is no")
    return "--rebase"


def namespace_skills(home):
    """For Codex, because `update` writes to the folder that several agents share, wherever `add` wrote."""
    home.skills("add", url(home), "--skill", "hello", "--agent", "codex", "--yes")
    assert_is(home.project / ".agents/skills/hello", "hello", "1.0.0")
    home.skills("add", url(home), "--list", says=["hello", "withdrawn"])
    yield
    home.skills("update", "--project", "--yes", says="Updated hello")
    assert_is(home.project / ".agents/skills/hello", "hello", "1.1.0")
    return "ok"


def claude(home, program, address=None):
    """A marketplace from git. A version of before archives needs it."""
    name = marketplace(home, address)["name"]
    plugin = lambda *arguments, **expected: home.run(program, "plugin", *arguments, **expected)
    plugin("marketplace", "add", address or url(home))
    plugin("install", f"hello@{name}")
    cache = home.folder / ".claude/plugins/cache" / name / "hello"
    assert_is(cache / "1.0.0/skills/hello", "hello", "1.0.0")
    plugin("install", f"removed@{name}")
    yield
    plugin("marketplace", "update", name)
    plugin("update", f"hello@{name}")
    assert_is(cache / "1.1.0/skills/hello", "hello", "1.1.0")
    return "ok"


def namespace_claude(home):
    [program] = home.modules.glob("@anthropic-ai/claude-code-linux-*/claude")
    return (yield from claude(home, program))


def namespace_claude_2_1_119(home):
    [program] = home.modules.glob("claude-code-2.1.119/node_modules/@anthropic-ai/claude-code-linux-*/claude")
    return (yield from claude(home, program))


def of_git(home, program, folder, install, upgrade, update, address=None):
    """A client that clones the marketplace into a folder of the home. The names of its commands differ."""
    name = marketplace(home, address)["name"]
    plugin = lambda *arguments, **expected: home.run(program, "plugin", *arguments, **expected)
    plugin("marketplace", "add", address or url(home))
    plugin(install, f"hello@{name}")
    assert_installed(home.folder / folder, "1.0.0")
    yield
    plugin("marketplace", upgrade, name)
    plugin(update, f"hello@{name}")
    assert_installed(home.folder / folder, "1.1.0")
    return "ok"


def namespace_codex(home):
    [program] = home.modules.glob("@openai/codex-linux-*/vendor/*/bin/codex")
    return (yield from of_git(home, program, ".codex", "add", "upgrade", "add"))


def namespace_copilot(home):
    [program] = home.modules.glob("@github/copilot-linux-*/copilot")
    return (yield from of_git(home, program, ".copilot", "install", "update", "update"))


ROWS = [
    namespace_git, namespace_skills, namespace_claude, namespace_claude_2_1_119, namespace_codex, namespace_copilot,
]
