"""What went wrong with answers of a store that a reader asked for again."""

# Headers that tell which part of a host or store answered.
TELLING = ("Server", "Content-Type", "Content-Length", "Transfer-Encoding", "Connection", "Retry-After", "x-amz-request-id")


class StoreErrors:
    """Counts by kind, and the first example of each. They are no failures: a retry follows."""

    def __init__(self):
        self.counts, self.examples = {}, {}

    def add(self, kind, example, count=1):
        self.counts[kind] = self.counts.get(kind, 0) + count
        self.examples.setdefault(kind, example)

    def add_answer(self, path, status, headers, body):
        told = ", ".join(f"{name}: {headers[name]}" for name in TELLING if name in headers)
        self.add(f"status {status}", f"{path} [{told}] {body[:200]!r}")

    def add_exception(self, path, failure, is_reused):
        connection = "a reused" if is_reused else "a new"
        self.add(f"{type(failure).__name__} on {connection} connection", f"{path} {str(failure)[:200]!r}")

    def summary(self):
        """A line for each kind. Empty without errors."""
        kinds = sorted(self.counts, key=lambda kind: (-self.counts[kind], kind))
        return "".join(f"\n    {self.counts[kind]} times {kind}, first: {self.examples[kind]}" for kind in kinds)
