"""Makes a signed registry, and lets other programs verify its log.

drive.py PROGRAM TOOLS: the program under test, and the folder with the other programs.
"""

import base64
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

from ports import free_port

program, tools = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
spicy, litewitness, witnessctl = (
    tools / "usr/bin" / name for name in ("spicy-torchwood", "litewitness", "witnessctl")
)
NAME = "skills.example.org"


def run(*command, cwd, fails=False, **options):
    """Runs a command and returns its output. With `fails`, it has to fail."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, text=True, capture_output=True, **options)
    assert (done.returncode != 0) == fails, (command, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout if not fails else done.stderr


def sha256(data):
    return hashlib.sha256(data).digest()


def leaf_hash(leaf):
    return sha256(b"\0" + leaf)


def root(hashes):
    """The root of a Merkle tree (RFC 6962, section 2.1)."""
    if len(hashes) <= 1:
        return hashes[0] if hashes else sha256(b"")
    half = 1 << (len(hashes) - 1).bit_length() - 1
    return sha256(b"\1" + root(hashes[:half]) + root(hashes[half:]))


def inclusion(hashes, index):
    """The proof of a leaf (RFC 6962, section 2.1.1)."""
    if len(hashes) == 1:
        return []
    half = 1 << (len(hashes) - 1).bit_length() - 1
    if index < half:
        return inclusion(hashes[:half], index) + [root(hashes[half:])]
    return inclusion(hashes[half:], index - half) + [root(hashes[:half])]


def consistency(hashes, old, is_whole=True):
    """The proof that the first `old` leaves are a prefix (RFC 6962, section 2.1.2)."""
    if old == len(hashes):
        return [] if is_whole else [root(hashes)]
    half = 1 << (len(hashes) - 1).bit_length() - 1
    if old <= half:
        return consistency(hashes[:half], old, is_whole) + [root(hashes[half:])]
    return consistency(hashes[half:], old - half, False) + [root(hashes[:half])]


def text(hashes):
    return "".join(base64.b64encode(one).decode() + "\n" for one in hashes)


class Registry:
    """A signed registry with its server."""

    def __init__(self, folder):
        self.folder, self.rows = folder, 1
        self.vkey = run(program, "key", "new", "--name", NAME, cwd=folder).strip()
        self.start()

    def start(self):
        self.server = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0"], cwd=self.folder, stdout=subprocess.PIPE, text=True
        )
        for line in self.server.stdout:
            if found := re.search(r"listening on (http://\S+)", line):
                self.url = found[1] + "/api/v1/log"
                break

    def stop(self):
        self.server.send_signal(signal.SIGTERM)
        assert self.server.wait() == 0

    def add(self, numbers):
        """Publishes skills with these numbers, and waits until the tree has them."""
        skills = self.folder / f"skills-{numbers.start}"
        for number in numbers:
            (skills / f"skill-{number}").mkdir(parents=True)
            text = f"---\nname: skill-{number}\ndescription: Counts to {number}.\n---\n# Skill {number}\n"
            (skills / f"skill-{number}" / "SKILL.md").write_text(text)
        run(program, "import", skills, cwd=self.folder)
        # The first row is that of the namespace `global`.
        self.rows += len(numbers)
        while self.leaves()[0] < self.rows:
            pass

    def leaves(self):
        """The size and the leaves, as the Go libraries read and check them."""
        size, *leaves = run(tools / "read_log", self.url, self.vkey, cwd=self.folder).splitlines(keepends=True)
        return int(size), [leaf.encode() for leaf in leaves]

    def checkpoint(self):
        return urllib.request.urlopen(f"{self.url}/checkpoint").read().decode()


def check_rows(registry, leaves):
    """The leaves are those of the rows in the feed."""
    tree, expected = registry.folder / "public/api/v1/mirror", []
    for number in range(1, json.loads((tree / "head.json").read_text())["pages"] + 1):
        page = (tree / f"changes/{number}.json").read_text()
        at = page.index("[") + 1
        while page[at] == "{":
            row, end = json.JSONDecoder().raw_decode(page, at)
            digest = sha256(page[at:end].encode()).hex()
            expected.append(f"skillmirror.row/1 {row['revision']} {digest}\n".encode())
            at = end + (page[end] == ",")
    assert leaves == expected, "the leaves are the rows"


def check_proofs(registry, leaves):
    """`spicy-torchwood` verifies proofs, and refuses a changed byte."""
    hashes = [leaf_hash(leaf) for leaf in leaves]
    for index in (0, 1, 255, 256, len(leaves) - 1):
        leaf = registry.folder / "leaf"
        leaf.write_bytes(leaves[index])
        proof = f"index {index}\n{text(inclusion(hashes, index))}\n{registry.checkpoint()}"
        leaf.with_suffix(".spicy").write_text(proof)
        run(spicy, "-verify", registry.vkey, "leaf", cwd=registry.folder)
        leaf.write_bytes(leaves[index][:-2] + b"?\n")
        error = run(spicy, "-verify", registry.vkey, "leaf", cwd=registry.folder, fails=True)
        assert "could not verify inclusion" in error, error


def check_server_proof(registry, leaves):
    """`spicy-torchwood` verifies the proof that the server gives, and the row in it is that of the leaf."""
    skill = registry.url.replace("/log", "/skills/global/skill-3")
    url = f"{skill}/versions/{json.load(urllib.request.urlopen(skill + '/resolve'))['version']}"
    first, extra, proof = urllib.request.urlopen(f"{url}/proof").read().decode().split("\n", 2)
    assert first == "c2sp.org/tlog-proof@v1", first
    row = base64.b64decode(extra.removeprefix("extra "))
    leaf = f"skillmirror.row/1 {json.loads(row)['revision']} {sha256(row).hex()}\n".encode()
    assert leaf in leaves and json.loads(row)["slug"] == "skill-3", row
    (registry.folder / "row").write_bytes(leaf)
    (registry.folder / "row.spicy").write_text(proof)
    run(spicy, "-verify", registry.vkey, "row", cwd=registry.folder)


def check_own_client(registry):
    """The command proves rows of full and partial tiles, from the server and from files, as the log grows."""
    env = {**os.environ, "HOME": str(registry.folder), "XDG_CONFIG_HOME": str(registry.folder / "config")}
    command = lambda *words: run(program, *words, cwd=registry.folder, env=env)
    for address in (registry.url.removesuffix("/api/v1/log"), f"file://{registry.folder}/public"):
        command("trust", "add", address, "--vkey", registry.vkey)
        for number in (1, 255, 299):
            printed = command("install", f"skill-{number}", "--registry", address, "--dir", f"{number}", "--force")
            assert f"as {NAME} has signed it" in printed, printed
            command("verify", f"{number}", "--offline")
    registry.add(range(400, 410))
    command("install", "skill-405", "--registry", address, "--dir", "405")


def check_witness(registry, folder):
    """`litewitness` cosigns checkpoints as the log grows, and no other tree."""
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "witness", cwd=folder)
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", folder / "agent"], stdout=subprocess.DEVNULL)
    while not (folder / "agent").exists():
        pass
    run("ssh-add", "-q", "witness", cwd=folder, env={**os.environ, "SSH_AUTH_SOCK": str(folder / "agent")})
    fingerprint = run("ssh-keygen", "-l", "-f", "witness.pub", cwd=folder).split()[1]
    run(witnessctl, "add-log", "-db", "db", "-origin", NAME, cwd=folder)
    run(witnessctl, "add-key", "-db", "db", "-origin", NAME, "-key", registry.vkey, cwd=folder)
    # With port 0 it does not say which port it got.
    address = f"localhost:{free_port()}"
    witness = subprocess.Popen(
        [litewitness, "-db", "db", "-name", "witness.example", "-key", fingerprint, "-ssh-agent", "agent"]
        + ["-listen", address],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        next(line for line in witness.stderr if "msg=listening" in line)

        def ask(old, proof, checkpoint):
            body = f"old {old}\n{text(proof)}\n{checkpoint}"
            request = urllib.request.Request(f"http://{address}/add-checkpoint", data=body.encode())
            try:
                return 200, urllib.request.urlopen(request).read().decode()
            except urllib.error.HTTPError as error:
                return error.code, error.read().decode()

        old, leaves = registry.leaves()
        status, cosignature = ask(0, [], registry.checkpoint())
        assert status == 200 and cosignature.startswith("— witness.example "), cosignature
        registry.add(range(300, 320))
        _, leaves = registry.leaves()
        hashes = [leaf_hash(leaf) for leaf in leaves]
        status, cosignature = ask(old, consistency(hashes, old), registry.checkpoint())
        assert status == 200 and cosignature.startswith("— witness.example "), cosignature
        status, _ = ask(len(leaves), [], registry.checkpoint().replace(f"\n{len(leaves)}\n", f"\n{len(leaves) + 1}\n"))
        assert status == 403, "a changed checkpoint has no valid signature"
        check_cosigned(registry, address, witness_key(folder / "witness.pub"))
    finally:
        witness.kill()
        agent.kill()


def witness_key(file):
    """The vkey of a witness (C2SP tlog-cosignature), from its SSH key."""
    typed = b"\4" + base64.b64decode(file.read_text().split()[1])[-32:]
    name = "witness.example"
    key_id = sha256(f"{name}\n".encode() + typed)[:4].hex()
    return f"{name}+{key_id}+{base64.b64encode(typed).decode()}"


def check_cosigned(registry, address, key):
    """The server asks the witness, and other programs and mirrors demand what it answers."""
    registry.stop()
    (registry.folder / "config.toml").write_text(f'[signing]\nwitnesses = ["http://{address} {key}"]\n')
    registry.start()
    policy = registry.folder / "policy"
    policy.write_text(f"log {registry.vkey}\nwitness w {key}\ngroup g any w\nquorum g\n")
    for numbers in (range(320, 321), range(321, 330)):
        registry.add(numbers)
        while "\n— witness.example " not in registry.checkpoint():
            pass
        run(tools / "read_log", registry.url, registry.vkey, policy, cwd=registry.folder)
        mirror = ["generate", "--feed", "public", "--out", "mirror", "--policy", policy]
        run(program, *mirror, cwd=registry.folder)
    copied = (registry.folder / "mirror/api/v1/log/checkpoint").read_text()
    assert copied == registry.checkpoint(), "a mirror has the cosignatures"
    policy.write_text(policy.read_text().replace(key, strange_key()))
    error = run(program, *mirror, cwd=registry.folder, fails=True)
    assert "lacks cosignatures that the policy demands" in error, error
    error = run(tools / "read_log", registry.url, registry.vkey, policy, cwd=registry.folder, fails=True)
    assert "policy components satisfied" in error, error


def strange_key():
    """The key of a witness that nobody has asked."""
    typed = b"\4" + base64.b64decode("iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=")
    return f"others.example+{sha256(b'others.example' + bytes([10]) + typed)[:4].hex()}+{base64.b64encode(typed).decode()}"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        registry = Registry(folder)
        try:
            registry.add(range(1, 300))
            size, leaves = registry.leaves()
            assert len(leaves) == size > 256
            check_rows(registry, leaves)
            check_proofs(registry, leaves)
            check_server_proof(registry, leaves)
            check_own_client(registry)
            (folder / "w").mkdir()
            check_witness(registry, folder / "w")
        finally:
            registry.server.terminate()
            registry.server.wait()
    print(f"tests/transparency: torchwood's libraries, spicy-torchwood and litewitness agree on {size} leaves")


main()
