//! Black-box tests: the real program, driven over HTTP and through files.
