"""Runs a command with a gateway of Ceph, whose address and credentials are in the environment.

gateway.py COMMAND…
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "stores"))

from ceph import Ceph


def main():
    with tempfile.TemporaryDirectory() as scratch:
        store = Ceph(pathlib.Path(os.environ["STORES"]), pathlib.Path(scratch) / "store")
        try:
            variables = {**os.environ, **store.environment, "TEST_STORE_ENDPOINT": store.endpoint}
            return subprocess.run(sys.argv[1:], env=variables).returncode
        finally:
            store.stop()


sys.exit(main())
