"""Ports for programs that cannot choose one themselves and say which."""

import random
import socket

# The system gives programs that listen on port 0 one of its ephemeral ports, and other rooms run at the same time.
# Below the first of those, nothing else takes the port before the program that it is meant for does.
EPHEMERAL = "/proc/sys/net/ipv4/ip_local_port_range"
LOWEST = 10_000


def free_port():
    """A port of the loopback address where nobody listens."""
    with open(EPHEMERAL) as limits:
        highest = int(limits.read().split()[0])
    while True:
        port = random.randrange(LOWEST, highest)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
