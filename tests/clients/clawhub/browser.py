"""A browser that shows the registry's pages for logins, and what a person does there."""

import dataclasses
import html.parser
import json
import urllib.error
import urllib.parse
import urllib.request

from fixture import PASSWORD


@dataclasses.dataclass(frozen=True)
class Page:
    """A page, or the address that it sends the browser to."""

    url: str
    text: str
    goes_to: str = ""


class Form(html.parser.HTMLParser):
    """The form of a page: where it goes, and the fields that it has already."""

    def __init__(self, text):
        super().__init__()
        self.action, self.fields = None, {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form" and attributes.get("method") == "post":
            self.action = attributes["action"]
        elif tag == "input" and attributes.get("type") == "hidden":
            self.fields[attributes["name"]] = attributes["value"]


class StayHere(urllib.request.HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(self, *_):
        return None


def open_page(url, data=None, headers=()):
    request = urllib.request.Request(url, data, dict(headers))
    try:
        with urllib.request.build_opener(StayHere).open(request, timeout=60) as answer:
            return Page(url, answer.read().decode())
    except urllib.error.HTTPError as answer:
        return Page(url, answer.read().decode(), answer.headers.get("Location", ""))


def submit(page, **entered):
    """Sends the form of a page with what a person has entered."""
    form = Form(page.text)
    assert form.action, page.text
    address = urllib.parse.urlsplit(page.url)
    origin = {"Origin": f"{address.scheme}://{address.netloc}"}
    data = urllib.parse.urlencode({**form.fields, **entered}).encode()
    return open_page(urllib.parse.urljoin(page.url, form.action), data, origin)


def allow(page, person):
    """Lets the client of a page log in."""
    return submit(page, answer="allow", handle=person.handle, password=PASSWORD)


def arrive(page):
    """Goes where a page leads, which is a page of the client: its script sends the fragment to the client."""
    address = urllib.parse.urlsplit(page.goes_to)
    callback = open_page(urllib.parse.urlunsplit(address._replace(fragment="")))
    assert "location.hash" in callback.text, callback
    found = dict(urllib.parse.parse_qsl(address.fragment))
    fields = {name: found.get(name) for name in ("token", "registry", "state")}
    url = urllib.parse.urljoin(page.goes_to, "/token")
    open_page(url, json.dumps(fields).encode(), {"Content-Type": "application/json"})
