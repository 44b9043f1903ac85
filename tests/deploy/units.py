"""The units of systemd and the rotation of logs, as far as they can be tried without systemd running.

units.py PROGRAM: the program under test.
"""

import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

DEPLOY = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy"
SERVICE = DEPLOY / "systemd/skillmirror.service"
BACKUP = DEPLOY / "systemd/skillmirror-backup.service"

# The most that `systemd-analyze security` may find, in tenths: 10.0 is no protection at all.
MOST_EXPOSED = 20

# How long anything may take, in seconds.
PATIENCE = 60


def until(what, look):
    """Waits for a result that is not empty, and returns it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if result := look():
            return result
        time.sleep(0.05)
    sys.exit(f"tests/deploy: it never came to be that {what}")


def analyze(program, scratch):
    """systemd reads the units without a complaint, and finds the services well protected."""
    units = scratch / "units"
    shutil.copytree(DEPLOY / "systemd", units)
    service = units / SERVICE.name
    service.write_text(service.read_text().replace("/usr/local/bin/skillmirror", str(program)))
    files = sorted(str(unit) for unit in units.iterdir() if unit.suffix != ".toml")
    said = subprocess.run(["systemd-analyze", "verify", "--man=no", *files], capture_output=True, text=True)
    assert said.returncode == 0 and not said.stderr, said.stderr
    for unit in (SERVICE, BACKUP):
        command = ["systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED}", str(unit)]
        said = subprocess.run(command, capture_output=True, text=True)
        exposure = said.stdout.strip().splitlines()[-1]
        assert said.returncode == 0, exposure
        print(f"tests/deploy: {exposure}")


def plain(scratch):
    """Nothing of the developer's."""
    return {"HOME": str(scratch), "PATH": os.environ["PATH"]}


def settings(scratch):
    """The settings of the units, with their folders moved to a folder of the test, and free ports."""
    text = (DEPLOY / "systemd/config.toml").read_text()
    text = re.sub(r"/var/(lib|log)/skillmirror", str(scratch / "var"), text).replace("127.0.0.1:9100", "127.0.0.1:0")
    file = scratch / "config.toml"
    file.write_text(f'listen = "127.0.0.1:0"\n{text}')
    return file


def allowed_calls():
    """The system calls that the service allows."""
    allowed, denied = set(), set()
    for line in re.findall(r"^SystemCallFilter=(.*)$", SERVICE.read_text(), re.MULTILINE):
        for group in line.lstrip("~").split():
            (denied if line.startswith("~") else allowed).update(calls_of(group))
    return allowed - (denied - calls_of("@default"))


def calls_of(group):
    listed = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True)
    words = [line.strip() for line in listed.stdout.splitlines()[1:]]
    calls = {word for word in words if re.fullmatch(r"[a-z0-9_]+", word)}
    return calls.union(*(calls_of(word) for word in words if word.startswith("@")))


def serve(program, scratch):
    """Runs the service under strace: it makes no call that the unit forbids. Rotates its log."""
    config = settings(scratch)
    (scratch / "var").mkdir()
    calls, output = scratch / "calls", scratch / "output"
    command = ["strace", "--quiet=all", "-f", "-c", "-S", "name", "-U", "name", "-o", calls]
    command += [program, "serve", "--config", config]
    with output.open("wb") as out:
        process = subprocess.Popen(command, cwd=scratch, env=plain(scratch), stdout=out, stderr=subprocess.STDOUT)
    try:
        found = until("the server listens", lambda: re.search(r"listening on (\S+)", output.read_text()))
        url = found[1]
        server = int(subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, check=True).stdout)
        use(program, scratch, url)
        rotate(scratch, server, url)
        os.kill(server, signal.SIGHUP)
        until("the settings are read", lambda: "read the settings again" in output.read_text())
        os.kill(server, signal.SIGTERM)
        assert process.wait(PATIENCE) == 0, output.read_text()
    finally:
        process.kill()
    made = set(re.findall(r"^([a-z0-9_]+)$", calls.read_text(), re.MULTILINE))
    # As root, SQLite gives its files to the owner of the database.
    as_root = {"fchown"} if os.geteuid() == 0 else set()
    forbidden = made - allowed_calls() - as_root - {"syscall", "total"}
    assert "fsync" in made and not forbidden, f"the unit forbids {sorted(forbidden)}, of {sorted(made)}"


def use(program, scratch, url):
    """Publishes a skill and reads it."""
    skill = scratch / "hello"
    skill.mkdir()
    (skill / "SKILL.md").write_text("---\nname: hello\ndescription: Says hello.\n---\nHello.\n")
    token = (scratch / "var/data/admin-token").read_bytes()
    quiet = {"env": plain(scratch), "check": True, "stdout": subprocess.DEVNULL}
    subprocess.run([program, "login", "--registry", url, "--token-stdin"], input=token, **quiet)
    subprocess.run([program, "publish", skill, "--registry", url, "--version", "1.0.0"], **quiet)
    subprocess.run([program, "search", "hello", "--registry", url], **quiet)


def rotate(scratch, server, url):
    """logrotate renames the access log, and the server goes on in a new one."""
    log = scratch / "var/access.log"
    rules = (DEPLOY / "logrotate/skillmirror").read_text()
    rules = rules.replace("/var/log/skillmirror/access.log", str(log))
    rules = rules.replace("systemctl kill --signal=USR1 --kill-who=main skillmirror.service", f"kill -USR1 {server}")
    rules = re.sub(r"create 0640 .*", "create 0640", rules)
    file = scratch / "logrotate"
    file.write_text(rules)
    file.chmod(0o644)
    log.parent.chmod(0o750)
    # An empty log is not rotated, and the server writes after it has answered.
    until("the publication is in the log", lambda: log.exists() and "/api/v1/publish" in log.read_text())
    subprocess.run(["logrotate", "--force", "--state", scratch / "rotated", file], check=True)
    assert "/api/v1/publish" in (scratch / "var/access.log.1").read_text()

    def goes_on():
        urllib.request.urlopen(f"{url}/api/v1/skills", timeout=PATIENCE).close()
        return log.exists() and log.read_text()

    until("the server writes to the new log", goes_on)


def back_up(program, scratch):
    """The command of the backup keeps as many as it says, and each can be restored."""
    text = BACKUP.read_text().replace("\\\n", "")
    command = re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)[1].replace("%%", "%")
    backups = scratch / "backups"
    backups.mkdir()
    for day in range(1, 4):
        (backups / f"skills-2026010{day}T000000Z.zip").touch()
    command = command.replace("/etc/skillmirror/config.toml", str(scratch / "config.toml"))
    variables = {"KEEP": "2", "PATH": f"{program.parent}:{os.environ['PATH']}"}
    subprocess.run(shlex.split(command), cwd=backups, env=variables, check=True, stdout=subprocess.DEVNULL)
    kept = sorted(file.name for file in backups.iterdir())
    assert len(kept) == 2 and kept[0] == "skills-20260103T000000Z.zip", kept
    restored = [program, "journal", "restore", kept[1], "--data", "data", "--public", "public"]
    subprocess.run(restored, cwd=backups, check=True, stdout=subprocess.DEVNULL)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="deploy-") as scratch:
        scratch = pathlib.Path(scratch)
        analyze(program, scratch)
        serve(program, scratch)
        back_up(program, scratch)
    print("tests/deploy: the units, the container files and the Kubernetes files are right")


main()
