//! Examples of the commands that write trees and mirrors.

use super::Examples;

pub(super) const EXAMPLES: &[Examples] = &[
    (
        "generate",
        &[
            ("Write the tree again from the journal", "generate"),
            ("Into another folder", "generate --out /srv/preview"),
            (
                "A mirror of another registry, once",
                "generate --feed https://skills.example.org --public mirror",
            ),
        ],
    ),
    (
        "watch",
        &[
            ("Write what `serve --no-mirror` publishes", "watch"),
            ("Keep a mirror", "watch --feed https://skills.example.org --public mirror"),
            ("Only versions that are three days old", "watch --feed https://skills.example.org --min-age 3d"),
        ],
    ),
    (
        "snapshot",
        &[
            ("The tree as one file", "snapshot create --out skills.tar.zst"),
            ("Serve it elsewhere", "snapshot serve skills.tar.zst"),
            ("Make or update a mirror from it", "snapshot apply skills.tar.zst --to mirror"),
        ],
    ),
    (
        "snapshot create",
        &[
            ("Everything", "snapshot create --out skills.tar.zst"),
            ("Only one team", "snapshot create --out tools.tar.zst --namespace tools"),
        ],
    ),
    (
        "snapshot delta",
        &[("What the older one lacks", "snapshot delta may.tar.zst june.tar.zst --out delta.tar.zst")],
    ),
    ("snapshot verify", &[("Read and check all of it", "snapshot verify skills.tar.zst")]),
    ("snapshot serve", &[("On http://127.0.0.1:8080", "snapshot serve skills.tar.zst")]),
    ("snapshot apply", &[("Into a mirror", "snapshot apply skills.tar.zst --to mirror")]),
];
