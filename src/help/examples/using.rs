//! Examples of the commands that find and install skills.

use super::Examples;

pub(super) const EXAMPLES: &[Examples] = &[
    (
        "search",
        &[
            ("Skills about PDF forms, at the registry of your login", "search pdf forms"),
            ("Only those of the team `tools`", "search lint --namespace tools"),
            (
                "The most recently updated skills of another registry",
                "search --registry https://skills.example.org",
            ),
        ],
    ),
    (
        "info",
        &[
            ("A skill with its last versions", "info hello"),
            ("The files of one version of a team's skill", "info @tools/lint@1.2.0 --files"),
            ("Everything, for programs", "info hello --json"),
        ],
    ),
    (
        "resolve",
        &[
            ("The version that people get now, its package and sha256", "resolve hello"),
            ("The version that a tag points to", "resolve @tools/lint@stable"),
            (
                "For programs, at another registry",
                "resolve hello --json --registry https://skills.example.org",
            ),
        ],
    ),
    (
        "install",
        &[
            ("The latest version, into ./skills/hello", "install hello"),
            ("Below 2.0.0, for two agents in this project", "install hello@1 --agent claude,codex"),
            (
                "A version and a tag, in all your projects",
                "install a@1.2.0 @tools/b@stable --agent claude --global",
            ),
            ("What skills.lock records; fail if that would change", "install --locked"),
        ],
    ),
    (
        "list",
        &[
            ("What is installed in this project", "list"),
            (
                "What Claude Code has in this project, compared with the registry",
                "list --agent claude --verify",
            ),
            ("For programs", "list --dir my/skills --json"),
        ],
    ),
    (
        "update",
        &[
            ("All that has newer versions", "update"),
            ("Only these, and only say what would change", "update hello lint -n"),
            ("In the folder of Claude Code", "update --agent claude"),
        ],
    ),
    (
        "outdated",
        &[
            ("What has newer versions. The exit code is 1 if any has", "outdated"),
            ("In the folder of Claude Code", "outdated --agent claude"),
            ("For programs", "outdated --json"),
        ],
    ),
    (
        "uninstall",
        &[
            ("Remove it from all folders of this project", "uninstall hello"),
            ("Remove two from Claude Code in this project", "uninstall hello @tools/lint --agent claude"),
            ("Remove it though its files were changed", "uninstall hello --force"),
        ],
    ),
    (
        "verify",
        &[
            ("Installed skills, without a network", "verify skills --offline"),
            ("A package with its proof", "verify hello.zip --proof hello.proof"),
            ("As an operator: compare the tree with the journal", "verify"),
        ],
    ),
    (
        "trust",
        &[
            ("Ask the registry for its key, show it, and trust it", "trust add https://skills.example.org"),
            ("What is trusted", "trust list"),
            ("Forget a registry's key", "trust remove https://skills.example.org"),
        ],
    ),
    (
        "trust add",
        &[
            ("Ask the registry for its key, show it, and trust it", "trust add https://skills.example.org"),
            ("The same without a question", "trust add https://skills.example.org --yes"),
            ("Also demand witnesses", "trust add https://skills.example.org --policy witnesses.txt"),
        ],
    ),
    ("trust list", &[("For programs", "trust list --json")]),
    ("trust remove", &[("Forget a registry's key", "trust remove https://skills.example.org")]),
    (
        "agents",
        &[
            ("Where skills go, for each agent", "agents"),
            ("Only these", "agents claude codex"),
            ("For programs", "agents --json"),
        ],
    ),
    (
        "mcp",
        &[
            ("Let an agent read the skills of the registry of your login", "mcp"),
            ("Also let it install, into this folder only", "mcp --allow-install .claude/skills"),
            ("Read a snapshot instead of a registry", "mcp --snapshot skills.tar.zst"),
        ],
    ),
    (
        "completions",
        &[
            ("Bash, in ~/.local/share/bash-completion/completions", "completions bash > skillmirror"),
            ("Fish, in ~/.config/fish/completions", "completions fish > skillmirror.fish"),
            ("Zsh, in a folder of $fpath", "completions zsh > _skillmirror"),
        ],
    ),
    (
        "man",
        &[
            ("Read the manual", "man | man -l -"),
            ("The page of one command", "man install | man -l -"),
            ("Write all pages, for a package", "man --out man/man1"),
        ],
    ),
];
