//! Examples of commands of which operators have more, in a build without the commands of operators.

use super::Examples;

pub(super) const EXAMPLES: &[Examples] = &[
    (
        "verify",
        &[
            ("Installed skills, without a network", "verify skills --offline"),
            ("A package with its proof", "verify hello.zip --proof hello.proof"),
            ("Several installed skills", "verify skills/hello skills/lint"),
        ],
    ),
    (
        "mcp",
        &[
            ("Let an agent read the skills of the registry of your login", "mcp"),
            ("Also let it install, into this folder only", "mcp --allow-install .claude/skills"),
            ("Read the tree of a registry in a folder", "mcp --registry file:///srv/skills"),
        ],
    ),
    (
        "token",
        &[
            ("A token of your own, at the registry of your login", "token create ci --scopes read,publish"),
            ("Your tokens", "token list"),
            ("End one", "token revoke 17"),
        ],
    ),
    (
        "token create",
        &[
            ("With all your rights", "token create laptop"),
            ("For a build, for 30 days", "token create ci --scopes read,publish --expires 30d"),
        ],
    ),
    ("token list", &[("Your own tokens", "token list")]),
    ("token revoke", &[("By the id that `token list` shows", "token revoke 17")]),
];
