"""An object gateway of Ceph: a monitor, a store in memory, and the gateway, all on loopback.

`tests/install` has unpacked the programs.
"""

import os
import pathlib
import subprocess
import sys

import s3
from ports import free_port
from processes import until

KEY, SECRET = "AKOFTHETESTS", "SECRETOFTHETESTS"
CLUSTER, OSD = "11111111-2222-3333-4444-555555555555", "aaaaaaaa-2222-3333-4444-555555555555"

# Hosts of this name get the pages of a bucket, as a website.
WEBSITE = "web.localhost"

SETTINGS = """[global]
keyring = {folder}/keyring
fsid = {cluster}
mon_host = [v2:127.0.0.1:{v2}/0,v1:127.0.0.1:{v1}/0]
mon_initial_members = a
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
mon_allow_pool_size_one = true
osd_crush_chooseleaf_type = 0
osd_objectstore = memstore
memstore_device_bytes = 4294967296
run_dir = {folder}
admin_socket = {folder}/$name.asok
pid_file = {folder}/$name.pid
log_file = /dev/null
mon_data = {folder}/mon
mon_data_avail_crit = 0
mon_data_avail_warn = 0
osd_data = {folder}/osd
osd_class_dir = {lib}/rados-classes
plugin_dir = {lib}/ceph
erasure_code_dir = {lib}/ceph/erasure-code
osd_class_load_list = *
osd_class_default_list = *
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
[client.admin]
rgw_frontends = beast endpoint={address}:{port} tcp_nodelay=1
rgw_enable_apis = s3, s3website
rgw_enable_static_website = true
rgw_dns_name = s3.localhost
rgw_dns_s3website_name = {website}
rgw_enable_gc_threads = false
rgw_enable_lc_threads = false
rgw_enable_quota_threads = false
rgw_run_sync_thread = false
"""


class Ceph:
    """A running gateway with the bucket `skills`, which everyone may read."""

    bucket = "skills"
    environment = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET}

    def __init__(self, installed, folder, address="127.0.0.1"):
        self.root, self.folder, self.processes = installed / "ceph", folder, []
        self.address, self.port = address, free_port()
        self.endpoint = f"http://{address}:{self.port}"
        # The website, and its name: it is no name of DNS.
        self.url, self.host = self.endpoint, f"{self.bucket}.{WEBSITE}"
        folder.mkdir(parents=True, exist_ok=True)
        try:
            self.start()
        except BaseException:
            self.stop()
            raise

    def settings(self, prefix=""):
        """The settings of a registry that writes to the bucket."""
        target = f"s3://{self.bucket}" + (f"/{prefix}" if prefix else "")
        return f'target = "{target}"\ntarget_endpoint = "{self.endpoint}"\ntarget_region = "default"\n'

    def start(self):
        folder, lib = self.folder, self.root / "usr/lib/x86_64-linux-gnu"
        if not lib.exists():
            lib = next(path for path in (self.root / "usr/lib").glob("*-linux-gnu"))
        (folder / "mon").mkdir()
        (folder / "osd").mkdir()
        ports = {"v1": free_port(), "v2": free_port(), "port": self.port}
        text = SETTINGS.format(folder=folder, cluster=CLUSTER, lib=lib, website=WEBSITE, address=self.address, **ports)
        (folder / "ceph.conf").write_text(text)
        paths = (lib, lib / "ceph", self.root / "lib" / lib.name)
        python = self.root / "usr/lib/python3/dist-packages"
        self.variables = {
            "PATH": f"{self.root}/usr/bin:/usr/bin:/bin", "LD_LIBRARY_PATH": ":".join(map(str, paths)),
            "PYTHONPATH": str(python), "HOME": str(folder),
        }  # fmt: skip
        everything = ("--cap", "mon", "allow *", "--cap", "osd", "allow *", "--cap", "mgr", "allow *")
        self.run("ceph-authtool", "--create-keyring", "keyring", "--gen-key", "-n", "mon.", "--cap", "mon", "allow *")
        self.run("ceph-authtool", "keyring", "--gen-key", "-n", "client.admin", *everything)
        of_osd = ("--cap", "mon", "allow profile osd", "--cap", "osd", "allow *")
        self.run("ceph-authtool", "keyring", "--gen-key", "-n", "osd.0", *of_osd)
        addresses = f"[v2:127.0.0.1:{ports['v2']},v1:127.0.0.1:{ports['v1']}]"
        self.run("monmaptool", "--create", "--clobber", "--fsid", CLUSTER, "--addv", "a", addresses, "monmap")
        self.run("ceph-mon", "-c", "ceph.conf", "--mkfs", "-i", "a", "--monmap", "monmap", "--keyring", "keyring")
        self.spawn("ceph-mon", "-i", "a")
        until("the monitor takes the store", self.add_osd)
        self.run("ceph-osd", "-c", "ceph.conf", "-i", "0", "--mkfs", "--osd-uuid", OSD)
        self.spawn("ceph-osd", "-i", "0")
        self.spawn("radosgw", "-n", "client.admin")
        until("the gateway answers", lambda: s3.status(self.endpoint) == 200)
        self.run(
            "radosgw-admin", "-c", "ceph.conf", "-n", "client.admin", "user", "create", "--uid=tests",
            "--display-name=tests", f"--access-key={KEY}", f"--secret-key={SECRET}",
        )  # fmt: skip
        self.make_bucket()

    def add_osd(self):
        """Whether the monitor knows the store now. It may still be starting."""
        # Debian's interpreter has the modules of this program.
        command = ["/usr/bin/python3", self.root / "usr/bin/ceph", "-c", "ceph.conf", "--connect-timeout", "10"]
        options = {"cwd": self.folder, "env": self.variables, "capture_output": True, "timeout": 20}
        try:
            return subprocess.run([*map(str, command), "osd", "new", OSD], **options).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def make_bucket(self):
        """As `skillmirror hosts s3` says: a website that everyone may read and list."""
        resource = f"arn:aws:s3:::{self.bucket}"
        policy = (
            '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*",'
            f'"Action":["s3:GetObject","s3:ListBucket"],"Resource":["{resource}","{resource}/*"]}}]}}'
        )
        website = (
            '<WebsiteConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
            "<IndexDocument><Suffix>index.html</Suffix></IndexDocument>"
            "<ErrorDocument><Key>404.html</Key></ErrorDocument></WebsiteConfiguration>"
        )
        for query, body in (("", ""), ("policy=", policy), ("website=", website)):
            s3.ask(self.endpoint, (KEY, SECRET), "PUT", f"/{self.bucket}", query, body.encode())

    def objects(self):
        """The keys of all objects, with their sizes."""
        return s3.listed(self.endpoint, (KEY, SECRET), self.bucket)

    def run(self, *command):
        done = subprocess.run(
            list(map(str, command)), cwd=self.folder, env=self.variables, capture_output=True, text=True, timeout=120
        )
        if done.returncode:
            sys.exit(f"tests/stores: {command[0]}: {done.stdout}{done.stderr}")

    def spawn(self, program, *arguments):
        log = (self.folder / f"{program}.log").open("w")
        command = [program, "-c", "ceph.conf", *arguments, "-f"]
        self.processes.append(
            subprocess.Popen(command, cwd=self.folder, env=self.variables, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        )

    def stop(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()


def main():
    """ceph.py INSTALLED FOLDER: runs a gateway until its input ends. Benchmarks use it."""
    ceph = Ceph(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    try:
        print(ceph.endpoint, KEY, SECRET, flush=True)
        os.read(0, 1)
    finally:
        ceph.stop()


if __name__ == "__main__":
    main()
