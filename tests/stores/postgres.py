"""Debian's PostgreSQL, started for a test or benchmark alone, as a user of its own."""

import os
import pathlib
import pwd
import subprocess
import sys


class Database:
    """A server with the database `skills`. Clients on this machine use a socket in its folder; with `listen`,
    an address of this machine, those on other machines use that."""

    def __init__(self, folder, listen=None):
        self.folder, self.listen = folder, listen
        folder.mkdir()
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        os.chmod(folder.parent, 0o711)
        if os.geteuid() == 0:
            subprocess.run(["chown", self.user, folder], check=True)
        self.programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        self.run("initdb", "-D", "data", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C")
        if listen:
            with (folder / "data/pg_hba.conf").open("a") as rules:
                rules.write("host all all samenet trust\n")
        self.control("start")
        self.run("createdb", "-h", folder, "-U", "postgres", "skills")
        self.address = f"postgres://postgres@{str(folder).replace('/', '%2F')}/skills"
        self.address_elsewhere = f"postgres://postgres@{listen}/skills?sslmode=disable"

    def run(self, program, *arguments):
        command = [self.programs / program, *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", self.user, "--", *command]
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def control(self, *what):
        options = f"-c listen_addresses={self.listen or ''} -c max_connections=100 -k {self.folder}"
        self.run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, *what)

    def restart(self):
        """As after a crash."""
        self.control("restart", "-m", "immediate")

    def stop(self):
        self.control("stop", "-m", "fast")


def main():
    """postgres.py FOLDER: runs a server until its input ends. Benchmarks use it."""
    database = Database(pathlib.Path(sys.argv[1]))
    try:
        print(database.programs, flush=True)
        os.read(0, 1)
    finally:
        database.stop()


if __name__ == "__main__":
    main()
