"""Waiting for processes."""

import sys
import time

# How long anything may take, in seconds.
PATIENCE = 120


def until(what, look):
    """Waits for a result that is not empty, and returns it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if result := look():
            return result
        time.sleep(0.05)
    sys.exit(f"tests/stores: it never came to be that {what}")
