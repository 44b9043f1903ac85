"""Hooks: generated requests often aim at what is there.

Three times in four what is generated gets names of the seeded registry in all
places where it is meant to be valid. What would spoil the other requests
(removing a skill, ending a token) gets things of its own, made or mended just
before.
"""

import atexit
import collections
import json
import os
import random

import requests
import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.core.parameters import ParameterLocation

from seeded import PASSWORD, Registry, package

WORLD = json.loads(os.environ["SEEDED"])
ADMIN, CALLER, HAS_SESSION = "admin", WORLD["caller"], WORLD["session"]
registry = Registry(WORLD["url"], WORLD["tokens"])
chance = random.Random(7)
aimed_cases = set()
answers = collections.defaultdict(collections.Counter)
serial = iter(range(1, 1_000_000))
# Platform admins may revoke those of everybody.
USED_TOKENS = {registry.must(person, "GET", "/api/v1/auth/me")["token"]["id"] for person in WORLD["tokens"] if person != "idle"}

SKILL = {"namespace": "tools", "slug": "hello"}
SKILLS = [
    {**SKILL, "version": "1.0.0"},
    {**SKILL, "version": "1.1.0"},
    {**SKILL, "version": "2.0.0-rc.1"},
    {"namespace": "global", "slug": "hello", "version": "1.0.0"},
    {"namespace": "tools", "slug": "yanked", "version": "1.0.0"},
    {"namespace": "tools", "slug": "removed", "version": "1.0.0"},
]


def operation_of(case):
    return case.operation.definition.raw["operationId"]


def own_session():
    """The cookie of a session that nobody else has."""
    body = {"handle": CALLER, "password": PASSWORD}
    return requests.post(registry.url + "/api/v1/auth/login", json=body, timeout=60).cookies.get_dict()


def as_admin(method, path, **about):
    return registry.ask(ADMIN, method, path, **about)


def review():
    """A publication that waits."""
    waiting = registry.publish("bob", "tools", f"fresh-{CALLER}", f"1.0.{next(serial)}")
    return {"slug": "tools", "id": waiting["reviewId"]}


def own_review():
    """A publication of the caller that waits."""
    waiting = registry.publish(CALLER, "global", f"own-{CALLER}", f"1.0.{next(serial)}")
    return {"slug": "global", "id": waiting["reviewId"]}


def seen_review():
    reviews = registry.must(ADMIN, "GET", "/api/v1/namespaces/tools/reviews?status=all&size=100")
    return {"slug": "tools", "id": chance.choice(reviews["items"])["id"]}


def skill_to_promote():
    slug = f"rising-{CALLER}-{next(serial)}"
    return {"slug": "tools", "skillId": registry.publish(ADMIN, "tools", slug, "1.0.0")["skillId"]}


def token_to_end():
    made = registry.must(CALLER, "POST", "/api/v1/tokens", json={"name": f"short-lived {next(serial)}"})
    return {"id": made["id"]}


def offered():
    """A skill that is offered to the caller."""
    path = "/api/v1/skills/tools/given"
    if registry.must(ADMIN, "GET", path)["author"]["handle"] != "ann":
        registry.must(ADMIN, "POST", f"{path}/transfer", json={"to": "ann"})
        registry.must("ann", "POST", f"{path}/transfer/accept")
    if not is_member(CALLER):
        registry.must("ann", "POST", "/api/v1/namespaces/tools/members", json={"userId": CALLER, "role": "member"})
    registry.must("ann", "POST", f"{path}/transfer", json={"to": CALLER})
    return {"namespace": "tools", "slug": "given"}


def is_member(person):
    members = registry.must("ann", "GET", "/api/v1/namespaces/tools/members?size=100")["items"]
    return any(member["handle"] == person for member in members)


def offer_to_end():
    as_admin("POST", "/api/v1/skills/tools/offered/transfer", json={"to": "bob"})
    return {"namespace": "tools", "slug": "offered"}


def doomed():
    as_admin("POST", "/api/v1/skills/tools/doomed/restore")
    return {"namespace": "tools", "slug": "doomed"}


def removed():
    as_admin("DELETE", "/api/v1/skills/tools/doomed")
    return {"namespace": "tools", "slug": "doomed"}


def tag_to_remove():
    as_admin("PUT", "/api/v1/skills/tools/hello/tags/short-lived", json={"version": "1.0.0"})
    return {**SKILL, "tagName": "short-lived"}


def member_to_remove():
    as_admin("POST", "/api/v1/namespaces/tools/members", json={"userId": "carl", "role": "member"})
    return {"slug": "tools", "userId": "carl"}


def place_for_dora():
    as_admin("DELETE", "/api/v1/namespaces/tools/members/dora")
    return {"slug": "tools"}


def invitation_to_end():
    as_admin("POST", "/api/v1/namespaces/tools/invitations", json={"userId": "dora"})
    return {"slug": "tools", "userId": "dora"}


def invitation_of_the_caller():
    as_admin("PUT", "/api/v1/namespaces/quiet", json={"status": "active"})
    # Another owner, so that the caller can leave.
    as_admin("POST", "/api/v1/namespaces/quiet/members", json={"userId": "ann", "role": "owner"})
    as_admin("DELETE", f"/api/v1/namespaces/quiet/members/{CALLER}")
    as_admin("POST", "/api/v1/namespaces/quiet/invitations", json={"userId": CALLER})
    return {"slug": "quiet", "userId": CALLER}


# The targets of writing operations.
TARGETS = {
    "approve": review,
    "reject": review,
    "withdraw": own_review,
    "showReview": seen_review,
    "downloadReview": seen_review,
    "promote": skill_to_promote,
    "revokeToken": token_to_end,
    "offerSkill": lambda: {"namespace": "tools", "slug": "offered"},
    "withdrawOffer": offer_to_end,
    "acceptSkill": offered,
    "removeSkill": doomed,
    "restoreSkill": removed,
    "yank": lambda: {"namespace": "tools", "slug": "yanked", "version": "1.0.0"},
    "unyank": lambda: {"namespace": "tools", "slug": "yanked", "version": "1.0.0"},
    "star": lambda: SKILL,
    "unstar": lambda: SKILL,
    "rate": lambda: SKILL,
    "setTag": lambda: {**SKILL, "tagName": chance.choice(["stable", f"tag-{chance.randrange(100)}"])},
    "removeTag": tag_to_remove,
    "removeMember": member_to_remove,
    "addMember": place_for_dora,
    "changeRole": lambda: {"slug": "tools", "userId": "erin"},
    "inviteOwner": lambda: {"slug": "tools"},
    "endInvitation": invitation_to_end,
    "acceptInvitation": invitation_of_the_caller,
    "updateNamespace": lambda: {"slug": "quiet"},
    "showUser": lambda: {"userId": "erin"},
    "listTokensOf": lambda: {"userId": "erin"},
    "disableUser": lambda: {"userId": "idle"},
    "enableUser": lambda: {"userId": "idle"},
}

# The targets of reading operations.
BODIES = {
    "promote": lambda: {"comment": "Everybody needs it."},
    "offerSkill": lambda: {"to": "bob"},
    "inviteOwner": lambda: {"userId": "dora"},
    "setTag": lambda: {"version": chance.choice(["1.0.0", "1.1.0", "v1"])},
    "addMember": lambda: {"userId": "dora", "role": chance.choice(["member", "admin"])},
    "changeMe": lambda: {"displayName": f"Somebody {next(serial)}"},
    "logIn": lambda: {"handle": "dora", "password": PASSWORD},
    "mcp": lambda: {"jsonrpc": "2.0", "id": next(serial), "method": chance.choice(["ping", "tools/list"])},
    "createToken": lambda: {"name": f"made {next(serial)}", "scopes": chance.sample(["read", "social"], 1)},
}

# Values that only the operation's own requests may use, so that other requests find
# their targets: the parameter and its values.
PROTECTED = {
    "removeSkill": ("slug", {"hello", "yanked", "given", "offered"}),
    "restoreSkill": ("slug", {"removed"}),
    "yank": ("slug", {"hello"}),
    "revokeToken": ("id", USED_TOKENS),
    "removeMember": ("userId", {"ann", "bob", "erin", "admin"}),
    "unyank": ("slug", {"hello"}),
    "changeRole": ("userId", {"ann", "bob"}),
    "updateNamespace": ("slug", {"global", "tools"}),
    "disableUser": ("userId", set(WORLD["tokens"]) - {"idle"}),
}


def of_skill(names):
    """Something to read, as far as the path names it."""
    some = chance.choice(SKILLS)
    return {name: some[name] for name in names if name in some}


def aimed(operation, names):
    if CALLER and operation in TARGETS and (operation in PROTECTED or chance.random() < 0.8):
        return TARGETS[operation]()
    if operation == "downloadSlug":
        return {"slug": "tools--hello", "version": chance.choice(["1.0.0", "1.1.0", "stable", "latest"])}
    if operation == "mirrorChanges":
        return {"page": "1.json"}
    if operation == "searchPiece":
        return {"piece": f"{last_piece()}.bin"}
    if operation == "mirrorCounters":
        return {"shard": f"{chance.randrange(256):02x}.json"}
    if "namespace" in names:
        return of_skill(names)
    return {"slug": chance.choice(["tools", "global"])} if names == {"slug"} else {}


def last_piece():
    """The name of the last piece that the manifest of the search index leads to: it ends with that."""
    manifest = requests.get(registry.url + "/api/v1/search/_index/manifest.bin", timeout=60)
    return manifest.content[-8:].hex()


def publication():
    """The form of something new."""
    slug = chance.choice(["printed", "sung"])
    text = f"{slug} {next(serial)}"
    form = {"file": package(slug, text), "namespace": chance.choice(["tools", "global"])}
    if chance.random() < 0.5:
        form["dryRun"] = chance.choice(["true", "false"])
    return form


def aim_at_path(case, operation):
    names = set(case.path_parameters or {})
    some = aimed(operation, names)
    for name in names & set(some):
        case.path_parameters[name] = some[name]


def aim_at_rest(case, operation):
    if operation == "publish":
        case.body = publication()
    elif operation in BODIES:
        case.body = BODIES[operation]()
    elif operation == "resolveSlug":
        case.query = {"slug": "tools--hello", "version": chance.choice(["1.0.0", "stable", "latest"])}
    elif operation == "showFile":
        case.query = {"path": "SKILL.md"}
    elif operation == "search":
        case.query = chance.choice([{}, {"q": "says"}, {"q": "hello", "limit": "3"}])
    elif operation == "resolve":
        case.query = chance.choice([{}, {"version": "1.0.0"}, {"tag": "latest"}])


def protect(case, operation):
    name, values = PROTECTED.get(operation, (None, set()))
    if name and (case.path_parameters or {}).get(name) in values and CALLER:
        case.path_parameters.update(TARGETS[operation]())


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = operation_of(case)
    is_valid = case.meta.generation.mode.is_positive
    if chance.random() < 0.75:
        if is_valid:
            aim_at_rest(case, operation)
            aimed_cases.add(case.id)
        if not case.meta.is_negative_at(ParameterLocation.PATH):
            aim_at_path(case, operation)
    protect(case, operation)
    if HAS_SESSION:
        case.cookies = own_session()
        case.headers["Origin"] = registry.url


@schemathesis.hook
def after_call(context, case, response):
    if response.request.method == case.operation.method.upper():
        answers[operation_of(case)][response.status_code] += 1


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """A form with a zip in it is right, though its bytes are no text to a schema."""
    is_publication = operation_of(case) == "publish" and case.id in aimed_cases
    return not (is_publication and isinstance(failure, AcceptedNegativeData))


@atexit.register
def write_down():
    with open(WORLD["answers"], "w") as file:
        json.dump(answers, file)
