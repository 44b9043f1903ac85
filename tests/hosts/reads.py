"""Every public read: the requests for all files of a tree, and every form of query."""

from dataclasses import dataclass, field

BROWSER = {"Accept": "text/html,*/*;q=0.8"}


@dataclass(frozen=True)
class Read:
    """A request. `row` is the line of the table that it belongs to."""

    row: str
    path: str
    method: str = "GET"
    headers: dict = field(default_factory=dict, hash=False)
    body: bytes | None = None


# The lines of the table, in order.
FILES = "Files by their names"
PATHS = "Documents and packages without a suffix"
BARE = "Files without a suffix (log)"
PAGES = "Pages"
SLASH = "Redirect of a page without its slash"
LISTS = "Lists: `sort`, `page`, `namespace`"
OTHER_LISTS = "Lists of other sizes, deeper pages, orders of a namespace"
WORD = "Search for a frequent word"
SEARCH = "Search: other words, pages and sizes"
KEYWORD = "Lists by `keyword`"
TAG = "`resolve?tag=`, `resolve?slug=`"
VERSION = "`resolve?version=`, `resolve?slug=&version=`"
GIT = "`git clone`"
CLAWHUB = "ClawHub: `download`, skills, lists"
APM = "`apm`: versions and their packages"
OTHER_CLAWHUB = "ClawHub: search, `resolve`, versions, files"
MISSING = "404 for a missing document: problem document"
MISSING_PAGE = "404 for a missing page: the page"
REMOVED = "410 for a removed skill"
INVALID = "400 for an invalid query"
MARKDOWN = "Markdown of a skill by `Accept`"
IGNORED = "Unknown parameters are ignored"
HEAD = "HEAD"
POLICY = "Security headers of all of these"

ROWS = [
    FILES, PATHS, BARE, PAGES, SLASH, LISTS, OTHER_LISTS, WORD, SEARCH, KEYWORD, TAG, VERSION, GIT, CLAWHUB,
    OTHER_CLAWHUB, APM, MISSING, MISSING_PAGE, REMOVED, INVALID, MARKDOWN, IGNORED, HEAD, POLICY,
]  # fmt: skip


def is_sampled(file):
    """Whether to ask for a file. Of the many skills, of the searches for a word and of the counters a few are enough."""
    parts = file.replace(".json", "").replace(".git", "").replace("/", "-").split("-")
    if "counters" in parts:
        return file.endswith("0.json")
    numbers = [int(part) for part in parts if part.isdigit()]
    is_of_many = "_q" in parts or any(f"-{word}-" in f"-{'-'.join(parts)}-" for word in ("pdf", "mail", "chart", "table", "image", "audio"))
    return not is_of_many or not numbers or any(number % 100 == 7 for number in numbers)


def of_tree(public):
    """The requests for the files of a tree."""
    files = sorted(path.relative_to(public).as_posix() for path in public.rglob("*") if path.is_file())
    for file in filter(is_sampled, files):
        is_api = file.startswith(("api/", "clawhub/"))
        if file.endswith(".gz"):
            continue
        if ".git/" in file:
            query = "?service=git-upload-pack" if file.endswith("refs") else ""
            yield Read(GIT, f"/{file}{query}")
        elif file.startswith("api/v1/log/") or file.endswith("/proof"):
            yield Read(BARE, f"/{file}")
        else:
            yield Read(FILES, f"/{file}")
        if is_api and file.endswith((".json", ".zip")) and not served_as_file(file):
            yield Read(CLAWHUB if file.startswith("clawhub/") else PATHS, "/" + file.rsplit(".", 1)[0])
        if file.endswith("index.html"):
            page = "/" + file.removesuffix("index.html")
            yield Read(PAGES, page)
            if page != "/":
                yield Read(SLASH, page.rstrip("/"))


def served_as_file(file):
    """Whether requests name the file with its suffix only."""
    return file.startswith(("api/v1/mirror/", "api/v1/openapi", "api/search/"))


def queries():
    """Requests with queries, and requests that fail."""
    skill, find = "/api/v1/skills/tools/hello", "/clawhub/api/v1"
    named = {
        LISTS: [
            "/api/v1/skills?page=1",
            "/api/v1/skills?page=2&size=20",
            "/api/v1/skills?size=20&page=2",
            *(f"/api/v1/skills?sort={sort}" for sort in ("updated", "created", "downloads", "stars", "rating", "name")),
            "/api/v1/skills?page=1&sort=stars&size=20",
            "/api/v1/skills?namespace=tools",
            "/api/v1/skills?namespace=global&page=2",
            "/api/v1/namespaces?page=1",
            "/api/v1/namespaces?size=20&page=1",
        ],
        OTHER_LISTS: [
            "/api/v1/skills?size=7",
            "/api/v1/skills?page=2&size=100",
            "/api/v1/skills?page=12",
            "/api/v1/skills?sort=stars&page=5",
            "/api/v1/skills?namespace=tools&sort=name",
            "/api/v1/namespaces?size=1&page=2",
        ],
        WORD: [
            "/api/v1/search?q=pdf",
            "/api/v1/search?limit=20&q=writes&page=1",
            "/api/search?q=pdf&limit=20",
            "/api/search?q=mail",
        ],
        SEARCH: [
            "/api/v1/search?q=read+pdf+files",
            "/api/v1/search?q=pdf&page=2",
            "/api/v1/search?q=pdf&limit=3",
            "/api/v1/search?q=PDF",
            "/api/v1/search?q=p%64f",
            "/api/v1/search?q=gretes",
            "/api/v1/search?q=nothingatall",
            "/api/search?q=pdf&limit=5",
            "/api/search?q=read+mail",
            "/api/search?q=hello&owner=tools",
        ],
        KEYWORD: [
            "/api/v1/skills?keyword=pdf",
            "/api/v1/skills?keyword=writes+mail&size=5&page=2",
            "/api/v1/skills?keyword=greets&namespace=tools",
        ],
        TAG: [
            f"{skill}/resolve?tag=stable",
            "/api/v1/resolve?slug=tools--hello",
            "/api/v1/resolve?slug=pdf-0",
        ],
        VERSION: [
            f"{skill}/resolve?version=1.0.0",
            f"{skill}/resolve?tag=latest",
            "/api/v1/resolve?slug=tools--hello&version=1.0.0",
            "/api/v1/resolve?slug=tools--hello&version=stable",
        ],
        CLAWHUB: [
            f"{find}/skills/tools--hello",
            f"{find}/download?slug=tools--hello&version=1.0.0",
            f"{find}/skills?limit=25",
        ],
        APM: [
            "/api/apm/v1/packages/tools/hello/versions",
            "/api/apm/v1/packages/tools/hello/versions/1.0.0/download",
            "/api/apm/v1/packages/tools/hello/versions/2.0.0/download",
        ],
        OTHER_CLAWHUB: [
            f"{find}/search?q=pdf",
            f"{find}/skills/tools--hello/versions",
            f"{find}/skills/tools--hello/versions/1.0.0",
            f"{find}/resolve?slug=tools--hello&hash=00",
            f"{find}/skills/tools--hello/file?path=SKILL.md",
        ],
        MISSING: [
            "/api/v1/none",
            "/api/v1/skills/tools/none",
            "/api/v1/skills/tools/hello/versions/9.9.9",
            "/api/v1/skills/tools/hello/versions/9.9.9/download",
            "/api/v1/skills/tools/hello/resolve?tag=none",
            "/api/v1/search/_index/0000000000000000.bin",
            "/.well-known/none",
        ],
        REMOVED: ["/api/v1/skills/tools/gone", "/api/v1/skills/tools/gone/versions/1.0.0/download"],
        INVALID: [
            "/api/v1/skills?sort=colour",
            "/api/v1/skills?page=0",
            f"{skill}/resolve?tag=",
            f"{skill}/resolve?version=1.0.0&tag=stable",
            "/api/v1/resolve",
        ],
        IGNORED: ["/api/v1/skills/tools/hello?utm=1", "/api/v1/skills.json?sort=name", "/?utm=1", "/llms.txt?x"],
    }
    for row, paths in named.items():
        yield from (Read(row, path) for path in paths)
    for path in ("/nobody/", "/tools/none/", "/a/b/c", "/x.php?y"):
        yield Read(MISSING_PAGE, path, headers=BROWSER)
    yield Read(MARKDOWN, "/tools/hello/", headers={"Accept": "text/markdown"})
    for path in ("/", "/api/v1/skills", f"{skill}/download", "/api/v1/skills?sort=name"):
        yield Read(HEAD, path, "HEAD")
    yield from clones()


def one_of_each(asked):
    """A few reads of each line of the table."""
    of_row = {row: [read for read in asked if read.row == row] for row in ROWS}
    return [read for found in of_row.values() for read in found[:2] + found[-1:]]


def line(text):
    return f"{len(text) + 4:04x}{text}".encode()


def clones():
    """What git sends for a clone, with the whole history and with a part of it."""
    path, want = "/tools/hello.git/git-upload-pack", "want {commit} ofs-delta\n"
    headers = {"Content-Type": "application/x-git-upload-pack-request"}
    whole = line(want) + b"0000" + line("done\n")
    cut = line(want) + line("deepen 1") + b"0000" + line("done\n")
    begun = line(want) + line("deepen 1") + b"0000"
    for body in (whole, cut, begun):
        yield Read(GIT, path, "POST", headers, body)
