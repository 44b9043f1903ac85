"""Starts the server, lets schemathesis ask it everything with a token and
without one, and fails unless each operation has answered well at least once.

    drive.py PROGRAM SCHEMATHESIS [EXAMPLES]

EXAMPLES is how many random requests an operation gets, besides the systematic ones.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from seeded import Server

HERE = Path(__file__).parent
SEED = "20260101"

# The users, their credentials, and the phases that they run.
RUNS = [
    ("admin", "token"),
    # Bob may do little of it, so systematic cases are enough.
    ("bob", "token", "--phases", "coverage"),
    # Each request has its own session, which that check removes.
    ("dora", "session", "--include-operation-id", "logOut", "--exclude-checks", "ignored_auth"),
    (None, None),
]

# Operations that need not answer 2xx, each with its reason.
EXCUSED = {
    "logTile": "a registry of so few rows has only partial tiles, whose path has one segment more",
    "logEpoch": "no backup was restored",
    "findForSkillsClient": "its results are whole URLs, and with port 0 the tree knows no public URL",
    "pollDeviceLogin": "nobody enters the code (tests/outside/client_login does)",
    "beginLink": "no provider is configured (tests/outside/sign_in has one)",
    "endLink": "no account is linked (the same)",
    "endSession": "each session would be the one that asks (tests/outside/sign_in ends others)",
    "addPublisher": "it needs a password or a session that has just begun (tests/outside/trusted sends one)",
    "removePublisher": "the same",
    "exchangeToken": "no issuer signs tokens for it (tests/outside/trusted has one)",
    "showAttestation": "no version has one (tests/outside/trusted publishes one)",
    "publishAdvisory": "made-up ranges fit no version (tests/outside/advisories publishes some)",
    "withdrawAdvisory": "so there is none",
    "listAdvisories": "so no skill has had one",
    "setBundle": "made-up members are no skills (tests/outside/bundles sets some)",
    "removeBundle": "so there is none",
    "listBundles": "the same",
    "showBundle": "the same",
}


def ask_everything(st, examples, registry, folder, caller, credential, *further):
    """Runs schemathesis as somebody, or as nobody; how often which status was the answer to what."""
    told = Path(folder) / f"answers-{caller}.json"
    world = {"url": registry.url, "tokens": registry.tokens, "caller": caller, "answers": str(told)}
    world["session"] = credential == "session"
    variables = {**os.environ, "SEEDED": json.dumps(world), "SCHEMATHESIS_HOOKS": "aims", "PYTHONPATH": str(HERE)}
    variables["PYTHONHASHSEED"] = "0"
    # A copy, because the address of the document itself is requested differently.
    command = [st, "--config-file", str(HERE / "schemathesis.toml"), "run", "openapi.json", "--url", registry.url]
    command += ["--seed", SEED, "--max-examples", examples, "--no-color", "--warnings", "off", *further]
    if credential == "token":
        command += ["--header", f"Authorization: Bearer {registry.tokens[caller]}"]
    failed = subprocess.run(command, cwd=folder, env=variables).returncode != 0
    return failed, json.loads(told.read_text())


def main(program, st, examples="8"):
    started, failed = time.monotonic(), False
    good = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="skillmirror-") as folder, Server(program, folder) as registry:
        document = registry.must("admin", "GET", "/api/v1/openapi.json")
        (Path(folder) / "openapi.json").write_text(json.dumps(document))
        operations = {o["operationId"]: o for path in document["paths"].values() for o in path.values()}
        for caller, credential, *further in RUNS:
            wrong, answers = ask_everything(st, examples, registry, folder, caller, credential, *further)
            failed = failed or wrong
            for operation, statuses in answers.items():
                fine = sum(count for status, count in statuses.items() if status.startswith("2"))
                good[operation] += fine
                if credential == "session" and not fine:
                    print(f"schemathesis: {operation} answered {statuses} to a session")
                    failed = True
                if not caller and fine and operations[operation]["security"]:
                    print(f"schemathesis: {operation} needs a credential and answered {statuses} without")
                    failed = True
        for operation in sorted(set(operations) - set(EXCUSED)):
            if not good[operation]:
                print(f"schemathesis: {operation} never answered 2xx")
                failed = True
    print(f"schemathesis: {len(operations)} operations, {time.monotonic() - started:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
