# shellcheck shell=bash
# Each room's `run` sources this, in the root of the repository: it installs what the tests need, and says where that is.
tests/install
# Debian has servers where only the PATH of root finds them.
PATH="$PATH:/usr/sbin"
installed="${CARGO_TARGET_DIR:-$PWD/target}/tests"
# shellcheck disable=SC2034 # The rooms use these.
{
    modules="$PWD/tests/node_modules"
    python="$installed/python/bin/python"
    program="$(tests/program)"
}
# Where Ceph is.
export STORES="$installed"
