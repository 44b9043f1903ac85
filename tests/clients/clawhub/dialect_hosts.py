"""The registry of the matrix: the server with its second listener, and nginx over its tree."""

from hosts import Nginx, Server, free_port


class DialectServer(Server):
    """A server whose second listener is at `root`."""

    def __init__(self, program, folder, settings=""):
        second = free_port()
        super().__init__(program, folder, f'[clawhub]\nlisten = "127.0.0.1:{second}"\n{settings}')
        self.root = f"http://127.0.0.1:{second}"


class DialectNginx(Nginx):
    """nginx with the dialect below `/clawhub`, and at the root of a second address."""

    def __init__(self, server, folder):
        ports = free_port(), free_port()
        self.root = f"http://127.0.0.1:{ports[1]}"
        super().__init__(server, folder, ports, "--clawhub-url", self.root)
