//! What the command asks of a registry from outside: it finds, resolves,
//! installs and publishes skills, of a write server, a static host or a folder.
