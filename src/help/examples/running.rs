//! Examples of the commands that run a registry.

use super::Examples;

pub(super) const EXAMPLES: &[Examples] = &[
    (
        "serve",
        &[
            ("Try it: http://127.0.0.1:8080, with ./data and ./public", "serve"),
            ("Another port, and the settings of a file", "serve --listen 9000 --config registry.toml"),
            ("In production", "serve --data /var/lib/skillmirror --public /srv/skills"),
        ],
    ),
    (
        "user",
        &[
            ("Add an account", "user add ann --name \"Ann Lee\""),
            ("Make a moderator", "user add bob --role moderator"),
            ("All accounts", "user list"),
        ],
    ),
    (
        "user add",
        &[
            ("An account with a display name", "user add ann --name \"Ann Lee\""),
            ("A platform admin", "user add root --role admin"),
            ("With a password for the pages", "user add ann --password-stdin < password"),
        ],
    ),
    ("user set-password", &[("A new password", "user set-password ann < password")]),
    (
        "user list",
        &[
            ("All accounts of another data folder", "user list --data /var/lib/skillmirror"),
            ("For programs", "user list --json"),
        ],
    ),
    ("user disable", &[("Nothing of ann's works any more", "user disable ann")]),
    ("user enable", &[("It works again", "user enable ann")]),
    (
        "token",
        &[
            ("A token of your own, at the registry of your login", "token create ci --scopes read,publish"),
            ("Your tokens", "token list"),
            ("As an operator: a token for ann, in ./data", "token issue ann --name laptop"),
        ],
    ),
    (
        "token create",
        &[
            ("With all your rights", "token create laptop"),
            ("For a build, for 30 days", "token create ci --scopes read,publish --expires 30d"),
        ],
    ),
    (
        "token issue",
        &[
            ("It reads, and ends after 90 days", "token issue ann --name laptop"),
            ("That publishes, into a file", "token issue ann --name ci --scopes read,publish > token"),
        ],
    ),
    (
        "token list",
        &[("Your own tokens", "token list"), ("As an operator: those of all", "token list --data data")],
    ),
    ("token revoke", &[("By the id that `token list` shows", "token revoke 17")]),
    (
        "import",
        &[
            ("All skills below a folder", "import skills"),
            (
                "Into a namespace, and repair what can be repaired",
                "import old/*.zip --namespace tools --tolerant",
            ),
            ("Create the registry first", "import skills --init --data /var/lib/skillmirror"),
        ],
    ),
    (
        "hosts",
        &[
            (
                "A configuration of nginx for the tree",
                "hosts nginx --root /srv/skills --server-name skills.example.org",
            ),
            ("Caddy with https, before a server", "hosts caddy --tls --origin http://127.0.0.1:8080"),
            ("A worker, as a folder of files", "hosts cloudflare --out worker"),
        ],
    ),
    (
        "audit",
        &[
            ("What happened in the last week", "audit --since 7d"),
            ("What ann did", "audit --user ann"),
            ("One skill, for programs", "audit --skill @tools/lint --json"),
        ],
    ),
    (
        "downloads",
        &[
            ("All skills, the most downloaded first", "downloads"),
            ("One skill by version and day", "downloads @tools/lint"),
            ("For programs", "downloads --json"),
        ],
    ),
    (
        "count-downloads",
        &[
            ("Count the logs of nginx", "count-downloads /var/log/nginx/access.log"),
            ("Also rotated ones; none is counted twice", "count-downloads access.log access.log.1.gz"),
            ("For programs", "count-downloads access.log --json"),
        ],
    ),
    (
        "gc",
        &[
            ("Remove packages that no version uses", "gc"),
            ("Of another data folder", "gc --data /var/lib/skillmirror"),
            ("With the settings of a file", "gc --config registry.toml"),
        ],
    ),
    (
        "journal",
        &[
            ("Check everything", "journal check"),
            ("Back up while the server runs", "journal backup skills.backup"),
            ("Restore, and stay newer than a mirror", "journal restore skills.backup --seen /srv/mirror"),
        ],
    ),
    (
        "journal check",
        &[
            ("Of another data folder", "journal check --data /var/lib/skillmirror"),
            ("For a monitor", "journal check --json"),
        ],
    ),
    (
        "journal backup",
        &[
            ("Everything, in one file", "journal backup skills.backup"),
            ("Without passwords and counts", "journal backup skills.backup --journal-only"),
        ],
    ),
    (
        "journal redact",
        &[("A version that must not exist", "journal redact @tools/lint@1.0.0 --reason \"a leaked key\"")],
    ),
    (
        "journal copy",
        &[("From a folder into a database", "journal copy --from data --to postgres://ann@db/skills")],
    ),
    ("journal restore", &[("Into ./data", "journal restore skills.backup")]),
    (
        "key",
        &[
            ("Make a key that signs the history", "key new --name skills.example.org"),
            ("All keys", "key list"),
            ("What clients need to trust it", "key show"),
        ],
    ),
    ("key new", &[("The log is named after the host", "key new --name skills.example.org")]),
    (
        "key list",
        &[
            ("All keys", "key list"),
            ("With the folder that the settings name", "key list --config registry.toml"),
        ],
    ),
    ("key show", &[("For `minisign -P`", "key show --minisign")]),
    ("key retire", &[("By the id that `key list` shows", "key retire c4042f35")]),
    (
        "upgrade",
        &[
            ("What starting this release would do", "upgrade --check"),
            ("With other folders", "upgrade --check --data /var/lib/skillmirror --public /srv/skills"),
            ("With the settings of a file", "upgrade --check --config registry.toml"),
        ],
    ),
];
