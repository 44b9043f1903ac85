"""Commands that publish, and installing what was published."""

import time

from clients import CLIENTS
from rows import DONE
from skills import assert_files, files, many_files, published_by, write

# No client publishes these.
LEFT_OUT = {".env": b"TOKEN=secret\n", "node_modules/x.js": b"\n", ".git/HEAD": b"ref\n"}


def publish(home, _):
    """Publishes a new skill, which our own client installs."""
    slug, contents = published(home.fixture, home.client)
    project = home.project / "ours"
    install = ["install", slug, "--dir", project]
    home.fixture.server.command(*install)
    assert_files(project / slug.split("--")[1], contents)
    again = home.fixture.server.command(*install)
    assert "is already installed" in again, again
    return f"{len(contents)} files"


def published(fixture, client):
    """The slug and the files of a skill that a client publishes as ann, once."""
    slug = f"tools--hello-{client.label}"

    def make():
        home = fixture.home(client, fixture.place(), fixture.ann)
        contents = files("1.0.0")
        publish_folder(home, contents | LEFT_OUT, slug, "1.0.0")
        return slug, published_by(client, contents)

    return fixture.once((client, slug), make)


def publish_folder(home, contents, slug, version, *options):
    """Publishes files. 0.23 finds the version by itself: 1.0.0, or the latest with a higher patch."""
    folder = write(home.fixture.packages() / "hello", contents)
    number = [] if home.client.since(0, 23) else ["--version", version]
    home.run("publish", str(folder), "--slug", slug, *number, *options, says=f"Published {slug}@{version} (")


def install_published(home, _):
    """Installs what each client has published, and finds that all of it is up to date."""
    for client in CLIENTS:
        slug, contents = published(home.fixture, client)
        home.run("install", slug)
        assert_files(home.installed(slug), contents)
    output = home.run("update", "--all", lacks="local changes")
    assert output.count("up to date") == len(CLIENTS), output
    return f"{len(CLIENTS)} of {len(CLIENTS)}"


def publish_unchanged(home, _):
    """Publishes the same files again, which makes no second version."""
    slug, _ = published(home.fixture, home.client)
    home = author(home)
    folder = write(home.fixture.packages() / "hello", files("1.0.0"))
    if home.client.since(0, 23):
        home.run("publish", str(folder), "--slug", slug, says=f"{slug}@1.0.0 is already published")
    else:
        home.run("publish", str(folder), "--slug", slug, "--version", "1.0.0", says=f"Published {slug}@1.0.0 (")
    assert versions(home, slug) == ["1.0.0"], slug
    return DONE


def author(home):
    """A home of the same client that ann has logged in."""
    return home.fixture.home(home.client, home.place, home.fixture.ann)


def versions(home, slug):
    namespace, name = slug.split("--")
    listed = home.fixture.ask("GET", f"skills/{namespace}/{name}/versions")
    return [item["version"] for item in listed["items"]]


def publish_version(home, _):
    """Publishes a new version with a tag, to which `update` goes."""
    slug = f"tools--next-{home.client.label}"
    home = author(home)
    home.fixture.publish(slug, published_by(home.client, files("1.0.0")))
    home.run("install", slug)
    tags = ["--tags", "latest,beta", "--changelog", "It greets louder."]
    publish_folder(home, files("1.0.1"), slug, "1.0.1", *tags)
    home.run("update", slug, says="1.0.1")
    assert_files(home.installed(slug), published_by(home.client, files("1.0.1")))
    home.run("inspect", slug, "--versions", says=["beta=1.0.1", "latest=1.0.1", "It greets louder.", "1.0.0"])
    home.run("explore", "--limit", "200", says=[slug, "v1.0.1"])
    return DONE


def publish_50_files(home, _):
    """Publishes a large skill. The table shows how long it took."""
    slug = f"tools--large-{home.client.label}"
    home = author(home)
    contents = many_files(50)
    begun = time.monotonic()
    publish_folder(home, contents, slug, "1.0.0")
    took = time.monotonic() - begun
    namespace, name = slug.split("--")
    listed = home.fixture.ask("GET", f"skills/{namespace}/{name}/versions/1.0.0/files")
    assert {item["path"] for item in listed["items"]} == contents.keys(), listed
    return f"{took:.1f} s"


def publish_for_review(home, _):
    """Publishes into `global`, where a person's skills wait for a review."""
    slug = f"waits-{home.client.label}"
    home = author(home)
    folder = write(home.fixture.packages() / "hello", files("1.0.0"))
    says = f"Published {slug}@1.0.0 ("
    if home.client.since(0, 23):
        says = f"Update submitted for {slug}@1.0.0; pending"
    home.run("publish", str(folder), "--slug", slug, "--version", "1.0.0", says=says)
    assert home.fixture.ask("GET", f"skills/global/{slug}") is None
    return "pending" if home.client.since(0, 23) else "not said"


def sync(home, _):
    """Publishes the new and changed skills of a folder into `global`."""
    home = home.fixture.home(home.client, home.place, home.fixture.admin)
    folder = home.fixture.packages()
    first, second = (f"sync-{name}-{home.client.label}" for name in ("a", "b"))
    for slug in (first, second):
        write(folder / slug, files(slug))
    command = ["sync", "--root", str(folder), "--all"]
    home.run(*command, says=[f"{first}@1.0.0", f"{second}@1.0.0"])
    write(folder / first, files("changed"))
    home.run(*command, says=f"Published {first}@1.0.1", lacks=f"Published {second}")
    home.run(*command, says=["Nothing to sync", f"{first}@1.0.1", f"{second}@1.0.0"])
    return DONE


ROWS = [
    publish, install_published, publish_unchanged, publish_version, publish_50_files, publish_for_review, sync,
]
