"""Hosts that serve a tree, each with the configuration that the program prints."""

import http.server
import os
import pathlib
import shutil
import subprocess
import sys
import threading

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "stores"))

import s3_script
from azurite import Azurite
from ceph import WEBSITE, Ceph
from ports import free_port
from registry import end, wait_for

QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}


class Host:
    """A running host at `url`."""

    host = None  # Its host name, if that is no name of DNS.

    def __init__(self, folder, command, port, path="", environment=None):
        self.folder, self.log = folder, folder / "host.log"
        self.url = f"http://127.0.0.1:{port}{path}"
        self.files = None  # Another host that this one reads.
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [str(part) for part in command], stderr=log, cwd=folder, env=environment, **QUIET
            )
        wait_for(port, self.process, self.log)

    def stop(self):
        end(self.process)
        if self.files:
            self.files.stop()


def configuration(registry, name, *options):
    """What `skillmirror hosts` prints for a registry's tree."""
    return registry.run("hosts", name, "--server-name", "127.0.0.1", *options)


def nginx(registry, folder, *options, path="", port=None):
    port = port or free_port()
    server = configuration(registry, "nginx", *options)
    assert "listen 80;" in server
    server = server.replace("/run/skillmirror-tokens", str(folder / "tokens"))
    server = server.replace("/var/log/nginx/access.log", str(folder / "access.log"))
    server = server.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("    listen [::]:80;\n", "")
    return nginx_with(server, folder, port, path)


def nginx_with(server, folder, port, path=""):
    """nginx with the content of its `http` block."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"daemon off;\n{user}\npid {folder}/nginx.pid;\nerror_log stderr warn;\n"
        f"events {{ worker_connections 256; }}\nhttp {{\naccess_log off;\n{paths}\n{server}\n}}\n"
    )
    return Host(folder, ["nginx", "-e", "stderr", "-c", folder / "nginx.conf"], port, path)


def caddy(registry, folder, *options, path=""):
    port = free_port()
    text = configuration(registry, "caddy", *options)
    assert "\nhttp://127.0.0.1 {" in text
    text = text.replace("\nhttp://127.0.0.1 {", f"\nhttp://127.0.0.1:{port} {{")
    (folder / "Caddyfile").write_text("{\n    admin off\n}\n" + text)
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"]}
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile"]
    return Host(folder, command, port, path, environment)


def plain(registry, folder, path=""):
    """A host without any configuration."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", port, "--bind", "127.0.0.1", "--directory", registry.public]
    return Host(folder, command, port)


APACHE_MODULES = "mpm_event authz_core mime dir filter deflate headers rewrite alias proxy proxy_http"


def apache(registry, folder, *options, path=""):
    port = free_port()
    text = configuration(registry, "apache", *options)
    assert "<VirtualHost *:80>" in text
    modules = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n" for name in APACHE_MODULES.split())
    user = "User www-data\nGroup www-data\n" if os.geteuid() == 0 else ""
    (folder / "apache.conf").write_text(
        f"ServerRoot {folder}\nPidFile {folder}/apache.pid\nDefaultRuntimeDir {folder}\nMutex posixsem\n"
        f"ServerName 127.0.0.1\nListen 127.0.0.1:{port}\n{modules}{user}TypesConfig /dev/null\nErrorLog /dev/stderr\n"
        + text.replace("<VirtualHost *:80>", f"<VirtualHost 127.0.0.1:{port}>")
    )
    return Host(folder, ["apache2", "-f", folder / "apache.conf", "-D", "FOREGROUND"], port, path)


def worker(registry, folder, *options, path=""):
    """The Cloudflare worker in workerd. It reads the files of a host without any configuration."""
    (folder / "files").mkdir()
    files, port = plain(registry, folder / "files"), free_port()
    registry.run("hosts", "cloudflare", "--out", folder / "worker", *options)
    modules = sorted(path.relative_to(folder / "worker") for path in (folder / "worker").rglob("*.js"))
    # The first module is the worker.
    modules.sort(key=lambda module: module.name != "worker.js")
    embedded = "".join(f'(name = "{module}", esModule = embed "worker/{module}"),\n' for module in modules)
    origin = [option for before, option in zip(options, options[1:]) if before == "--origin"]
    variables = "".join(f', (name = "ORIGIN", text = "{url}")' for url in origin)
    services = ""
    if (folder / "worker/keys.js").exists():
        variables += ', (name = "READ_KEYS", kvNamespace = "keys")'
        services = f'(name = "keys", external = (address = "127.0.0.1:{key_store(registry)}", http = ())),'
    (folder / "workerd.capnp").write_text(
        f"""using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "files", external = (address = "{files.url.removeprefix("http://")}", http = ())),
    (name = "internet", network = (allow = ["private"])),
    {services}
  ],
  sockets = [(name = "http", address = "127.0.0.1:{port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [
{embedded}  ],
  compatibilityDate = "2026-11-01",
  bindings = [(name = "FILES", service = "files"), (name = "BASE_PATH", text = "{path}"){variables}],
);
"""
    )
    host = Host(folder, [os.environ["WORKERD"], "serve", folder / "workerd.capnp"], port, path)
    host.files = files
    return host


def key_store(registry):
    """The port of a store of keys, as workerd asks it: the records of the read keys by their ids."""

    class Records(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            record = registry.public.with_suffix(".state") / "read-keys" / (self.path[1:].split("?")[0] + ".json")
            found = record.read_bytes() if record.exists() else b""
            self.send_response(200 if found else 404)
            self.send_header("Content-Length", str(len(found)))
            self.end_headers()
            self.wfile.write(found)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Records)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def cloudfront(registry, folder, path=""):
    """The function in node, in front of the files."""
    port = free_port()
    (folder / "function.js").write_text(configuration(registry, "cloudfront"))
    simulation = pathlib.Path(__file__).with_name("cloudfront.mjs")
    keys = registry.public.with_suffix(".state") / "read-keys"
    return Host(folder, ["node", simulation, folder / "function.js", registry.public, port, keys], port)


def pages(registry, folder, path=""):
    """The program of Cloudflare Pages for developers, which applies the same `_headers` and `_redirects`."""
    tree, port = folder / "tree", free_port()
    shutil.copytree(registry.public, tree, copy_function=os.link)
    registry.run("hosts", "pages", "--out", tree)
    environment = {
        "HOME": str(folder), "PATH": os.environ["PATH"], "CI": "true", "MINIFLARE_WORKERD_PATH": os.environ["WORKERD"],
        # Nothing is asked of the internet.
        "CLOUDFLARE_CF_FETCH_ENABLED": "false", "WRANGLER_SEND_METRICS": "false", "WRANGLER_HIDE_BANNER": "true",
    }  # fmt: skip
    listen = ["--ip", "127.0.0.1", "--port", port, "--inspector-port", free_port(), "--compatibility-date", "2026-11-01"]
    return Host(folder, ["node", os.environ["WRANGLER"], "pages", "dev", tree, *listen], port, path, environment)


STORES = pathlib.Path(os.environ.get("STORES", ""))


class Bucket:
    """A bucket of a running gateway of Ceph, as a website."""

    def __init__(self, gateway, name):
        self.gateway, self.name = gateway, name
        self.url, self.host = gateway.url, f"{name}.{WEBSITE}"

    def stop(self):
        """The gateway goes on."""


def follow(store, registry, folder):
    """Fills a store with the tree of the registry, as `mirror.target` does."""
    config = folder / "bucket.toml"
    config.write_text(f"{registry.config()}{store.settings()}")
    registry.run("generate", "--config", config, more=store.environment)


def azurite(registry, folder, path=""):
    """A container in the blob store of Azure."""
    store = Azurite(folder)
    try:
        follow(store, registry, folder)
    except BaseException:
        store.stop()
        raise
    return store


# Hosts that can serve the tree below a path.
BELOW_A_PATH = {"nginx": nginx, "Caddy": caddy, "Apache": apache, "Cloudflare": worker}


def all_hosts(gateway):
    """How each host is started, by the names of the columns. Two are buckets in a gateway of Ceph."""

    def followed(registry, folder, path=""):
        follow(gateway, registry, folder)
        return Bucket(gateway, gateway.bucket)

    def scripted(registry, folder, path=""):
        s3_script.make_bucket(gateway)
        s3_script.run(registry, gateway, folder)
        return Bucket(gateway, s3_script.BUCKET)

    return {
        **BELOW_A_PATH, "CloudFront": cloudfront, "Cloudflare Pages": pages, "bucket (S3)": followed,
        "bucket (`hosts s3`)": scripted, "bucket (Azure)": azurite, "files only": plain,
    }  # fmt: skip
