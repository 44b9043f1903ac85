"""git itself. See matrix.py for what a row is."""

from packages import assert_is

# Its own clones show the files of a version; these options change how it asks for them.
OPTIONS = [
    (),
    ("--depth", "1"),
    ("--branch", "1.0.0"),
    ("--depth", "1", "--branch", "1.0.0"),
    ("--filter", "blob:none"),
]


def git_clone(home):
    """The command that we show, then all versions of the protocol."""
    home.run("sh", "-c", home.install_command("git"))
    assert_is(home.project / "hello", "hello", "1.0.0")
    for protocol in ("0", "1", "2"):
        for number, options in enumerate(OPTIONS):
            folder = home.project / f"clone-{protocol}-{number}"
            home.git("-c", f"protocol.version={protocol}", "clone", *options, home.url("hello"), folder)
            assert_is(folder, "hello", "1.0.0")
            assert home.git("-C", folder, "rev-parse", "HEAD").strip() == home.commits["1.0.0"]
            home.git("-C", folder, "fsck", "--full", "--strict")
    # The default of Git for Windows rewrites line ends.
    home.git("config", "--global", "core.autocrlf", "true")
    home.git("clone", "-c", "core.autocrlf=false", home.url("hello"), "exact")
    assert_is(home.project / "exact", "hello", "1.0.0")
    return "ok"


def git_ls_remote(home):
    for version in ("1.0.0", "1.1.0"):
        for protocol in ("0", "2"):
            listed = home.git("-c", f"protocol.version={protocol}", "ls-remote", home.url("hello")).splitlines()
            names = ("HEAD", "refs/heads/main", f"refs/tags/{version}")
            assert listed == [f"{home.commits[version]}\t{name}" for name in names], listed
        if version == "1.0.0":
            yield
    return "ok"


def git_fetch(home):
    """A new version, into clones of the old one."""
    clones = {"whole": ((), ()), "shallow": (("--depth", "1"), ("--depth", "1")), "mixed": ((), ("--depth", "1"))}
    for folder, (options, _) in clones.items():
        home.git("clone", *options, home.url("hello"), folder)
        # Nothing is new.
        assert home.git("-C", folder, "fetch") == ""
    yield
    for folder, (_, options) in clones.items():
        home.git("-C", folder, "fetch", *options)
        home.git("-C", folder, "reset", "--hard", "origin/main")
        assert_is(home.project / folder, "hello", "1.1.0")
        assert home.git("-C", folder, "rev-parse", "HEAD").strip() == home.commits["1.1.0"]
        assert home.git("-C", folder, "describe", "--tags").strip() == "1.1.0"
    return "ok"


def git_pull(home):
    """A version has no parents, so `git pull` needs to know that it replaces the one before."""
    for folder, options in (("whole", ()), ("shallow", ("--depth", "1")), ("changed", ())):
        home.git("clone", *options, home.url("hello"), folder)
    (home.project / "changed/own.md").write_text("My own.\n")
    home.git("-C", "changed", "add", ".")
    home.git("-C", "changed", "commit", "-m", "Mine")
    yield
    home.git("-C", "whole", "pull", fails=True, says="divergent branches")
    for folder, own in (("whole", ()), ("shallow", ()), ("changed", ["own.md"])):
        home.git("-C", folder, "pull", "--rebase")
        assert_is(home.project / folder, "hello", "1.1.0", also=own)
        assert home.git("-C", folder, "status", "--porcelain") == ""
    return "--rebase"


def git_submodule(home):
    """Other people clone the recorded commit, which only the latest version's repository has."""
    home.git("init", "mine")
    home.git("-C", "mine", "submodule", "add", home.url("hello"), "skills/hello")
    home.git("-C", "mine", "commit", "-m", "Greet people")
    home.git("clone", "--recurse-submodules", "mine", "before")
    assert_is(home.project / "before/skills/hello", "hello", "1.0.0")
    yield
    home.git("clone", "--recurse-submodules", "mine", "after", fails=True, says=home.commits["1.0.0"])
    home.git("-C", "mine", "submodule", "update", "--remote")
    assert_is(home.project / "mine/skills/hello", "hello", "1.1.0")
    return "latest only"


def git_unavailable(home):
    """One sentence says why, and what to do."""
    for slug in ("withdrawn", "removed"):
        home.git("clone", "--depth", "1", home.url(slug))
    yield
    for slug in ("missing", "withdrawn", "removed"):
        sentence = f"remote: {home.place.sentence(slug)}"
        for options in ((), ("--depth", "1")):
            home.git("clone", *options, home.url(slug), "none", fails=True, says=sentence)
        home.git("ls-remote", home.url(slug), fails=True, says=sentence)
        if slug != "missing":
            home.git("-C", slug, "fetch", "--depth", "1", fails=True, says=sentence)
            assert_is(home.project / slug, slug, "1.0.0")
    return "one sentence"


def git_wrong_address(home):
    """The address of a page, and one without the namespace."""
    for path in ("team/hello", "team/hello/", "hello.git"):
        home.git("clone", f"{home.place.url}/{path}", fails=True, says=["remote: There is no", "/{namespace}/{slug}.git"])
    return "one sentence"


def git_push(home):
    home.git("clone", home.url("hello"), "clone")
    says = "remote: A registry takes no pushes: publish a version instead" if home.place.is_program else ()
    home.git("-C", "clone", "push", "origin", "HEAD:refs/heads/other", fails=True, says=says)
    return "refused"


ROWS = [git_clone, git_ls_remote, git_fetch, git_pull, git_submodule, git_unavailable, git_wrong_address, git_push]
