# shellcheck shell=bash disable=SC2034 # Others use the variables.
# The tests' environment, for scripts in the root of the repository.
target="${CARGO_TARGET_DIR:-$PWD/target}"
# What `tests/install` installs.
installed="$target/tests" modules="$PWD/tests/node_modules" python="$target/tests/python/bin/python"
# Debian has servers where only the PATH of root finds them.
PATH="$PATH:/usr/sbin"
# The folder with Ceph.
export STORES="$installed"
# The ports and stores that several rooms use.
export PYTHONPATH="$PWD/tests/stores"

# Clients in node that start many times are compiled once.
export NODE_COMPILE_CACHE="$installed/compiled"

# Most tests wait for processes and disks, so two for each processor take less time than one.
export RUST_TEST_THREADS="${RUST_TEST_THREADS:-$((2 * $(nproc)))}"
# The tests make and remove very many small files. In memory that takes less than half of the time.
# Set TMPDIR to have them on a disk.
in_memory=/dev/shm
options=$(findmnt -n -o OPTIONS --target "$in_memory" || echo noexec)
if [ -z "${TMPDIR:-}" ] && [[ $options != *noexec* ]] &&
    [ "$(df --output=avail -k "$in_memory" | tail -n 1)" -gt 4000000 ] &&
    [ "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)" -gt 8000000 ]; then
    export TMPDIR=$in_memory
fi
