"""Asks a host, and compares its answers with those of the server."""

import hashlib
import http.client
import urllib.parse
from dataclasses import dataclass

import reads

# Sent with the same value by each host, unless the body is a problem.
POLICY = ["Content-Security-Policy", "Referrer-Policy", "X-Content-Type-Options", "Access-Control-Allow-Origin"]


@dataclass(frozen=True)
class Answer:
    status: int
    sha256: str
    type: str
    cache: str
    location: str
    policy: tuple

    def has_policy_of(self, server):
        """Whether all headers of the server's policy have the same value here."""
        return all(theirs in ("", ours) for theirs, ours in zip(server.policy, self.policy))

    def difference(self, host):
        """What is different in the answer of a host: a word for the table. None if it is equal."""
        if host.status != self.status:
            return str(host.status)
        if 300 <= self.status < 400:
            return "location" if host.location != self.location else None
        if host.type != self.type:
            return "type"
        # A problem names its request, and hosts have other words for it.
        is_page = self.type.startswith("text/html")
        if (self.status < 400 or is_page) and host.sha256 != self.sha256:
            return "body"
        # git reads two files that change together, so hosts let no cache keep them.
        if self.status < 400 and "x-git" not in self.type and host.cache != self.cache:
            return "cache"
        return None


def ask(url, all_reads, name=None):
    """The answer to each read, through one connection as long as it stays open. `name` is the
    host name to ask for, if it is no name of DNS."""
    address = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    answers = {}
    for read in all_reads:
        try:
            answers[read] = answer(connection, read, address.path, name)
        except (http.client.RemoteDisconnected, ConnectionError):
            # An idle connection was closed.
            connection.close()
            answers[read] = answer(connection, read, address.path, name)
        if read.method == "HEAD":
            # Ceph sends a body with the error page, which is no answer to the next request.
            connection.close()
    connection.close()
    return answers


def answer(connection, read, base, name):
    headers = {"Accept": "*/*", **read.headers, **({"Host": name} if name else {})}
    connection.request(read.method, base + read.path, read.body, headers)
    response = connection.getresponse()
    body = response.read()

    def value(name):
        return response.getheader(name) or ""

    digest = hashlib.sha256(body).hexdigest()
    policy = tuple(value(name) for name in POLICY)
    location = urllib.parse.urlsplit(urllib.parse.urljoin(base + read.path, value("Location")))
    location = value("Location") and location._replace(scheme="", netloc="").geturl().removeprefix(base)
    return Answer(response.status, digest, value("Content-Type"), value("Cache-Control"), location, policy)


def compare(expected, found):
    """For each line of the table, the set of differences of a host, and examples of each."""
    lines = {row: set() for row in reads.ROWS}
    examples = {}
    for read, answer in expected.items():
        difference = answer.difference(found[read])
        lines[read.row].add(difference or "yes")
        if answer.status < 300 and not difference:
            lines[reads.POLICY].add("yes" if found[read].has_policy_of(answer) else "no")
        if difference:
            examples.setdefault((read.row, difference), (read, answer, found[read]))
    return lines, examples


def table(hosts):
    """The table in Markdown. `hosts` has the lines of each host by its name."""
    names = list(hosts)
    rows = [["Read", *names], ["---"] * (len(names) + 1)]
    for row in reads.ROWS:
        rows.append([row, *(cell(hosts[name][row]) for name in names)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def cell(differences):
    """`yes`, or what the host answers instead. If only some reads differ, both."""
    if not differences:
        return "no"
    return ", ".join(sorted(differences, key=lambda word: (word != "yes", word)))
