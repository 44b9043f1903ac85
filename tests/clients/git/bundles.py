"""A bundle as one repository, installed by real clients. See matrix.py for what a row is."""

from namespaces import claude, of_git
from packages import assert_is


def url(home):
    return f"{home.place.url}/team/+tools.git"


def bundle_git(home):
    folder = home.project / "clone"
    home.git("clone", "--depth", "1", url(home), folder)
    assert_is(folder / "plugins/hello/skills/hello", "hello", "1.0.0")
    yield
    home.git("-C", folder, "fetch", "--depth", "1")
    home.git("-C", folder, "reset", "--hard", "origin/main")
    assert_is(folder / "plugins/hello/skills/hello", "hello", "1.1.0")
    return "ok"


def bundle_skills(home):
    home.skills("add", url(home), "--skill", "hello", "--agent", "codex", "--yes")
    assert_is(home.project / ".agents/skills/hello", "hello", "1.0.0")
    return "ok"


def bundle_claude(home):
    [program] = home.modules.glob("@anthropic-ai/claude-code-linux-*/claude")
    return (yield from claude(home, program, url(home)))


def bundle_codex(home):
    [program] = home.modules.glob("@openai/codex-linux-*/vendor/*/bin/codex")
    return (yield from of_git(home, program, ".codex", "add", "upgrade", "add", url(home)))


def bundle_ours(home):
    home.run("skillmirror", "install", "+team/tools", "--registry", home.place.url)
    assert_is(home.project / "skills/hello", "hello", "1.0.0")
    return "ok"


ROWS = [bundle_git, bundle_skills, bundle_claude, bundle_codex, bundle_ours]
