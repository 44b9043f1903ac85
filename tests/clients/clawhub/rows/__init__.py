"""The rows of the tables. Each function is one; its columns are clients.

A function gets the client's home and the kind of host, and returns what the table shows. To add rows,
add functions to the `ROWS` of a module, or a module, and name it in matrix.py.
"""

NONE = "-"
DONE = "ok"

# The hosts: the server, and nginx with the server stopped.
SERVER, FILES = "server", "files"
