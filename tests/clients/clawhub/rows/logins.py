"""Logging in and out. The rows that read log in with `--token`."""

import browser
from rows import DONE, NONE


def login_browser(home, _):
    """Logs in with a page that the client opens in a browser on the same machine."""
    if home.client.since(0, 23):
        return NONE
    person = home.fixture.ann
    with home.start("login", "--label", "laptop", **by_site(home)) as client:
        (url,) = client.line_with("Opening browser: (.*)")
        page = browser.open_page(url)
        assert "laptop" in page.text, page
        browser.arrive(browser.allow(page, person))
        client.ends("Logged in as @ann")
    home.run("whoami", says="ann")
    return DONE


def login_device(home, _):
    """Logs in with a code that the person enters in any browser."""
    options = [] if home.client.since(0, 23) else ["--device"]
    with home.start("login", *options, **by_site(home)) as client:
        done = browser.allow(code_page(client), home.fixture.ann)
        assert "You are logged in" in done.text, done
        client.ends("Logged in as @ann")
    home.run("whoami", says="ann")
    return DONE


def login_cancelled(home, _):
    """The person refuses."""
    with home.start("login", "--device", **by_site(home)) as client:
        browser.submit(code_page(client), answer="deny")
        client.ends("Authorization denied by user.", fails=True)
    return DONE


def code_page(client):
    """The page that the registry shows for the code of a client."""
    (url,) = client.line_with(r"(http://\S+/cli/device)")
    (code,) = client.line_with("enter code: (.*)")
    page = browser.submit(browser.open_page(url), user_code=code)
    assert code in page.text, page
    return page


def by_site(home):
    """The variable for the site. Without it the client would ask its vendor's site where to log in."""
    return {"CLAWHUB_SITE": home.place.site}


def logout(home, _):
    """Forgets the token."""
    home = home.fixture.home(home.client, home.place, home.fixture.ann)
    home.run("logout", says="Logged out")
    home.run("whoami", fails=True, says="Not logged in")
    return DONE


ROWS = [login_browser, login_device, login_cancelled, logout]
