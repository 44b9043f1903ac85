//! Examples of the commands that need a login.

use super::Examples;

pub(super) const EXAMPLES: &[Examples] = &[
    (
        "login",
        &[
            ("Ask for a token, and save it", "login --registry https://skills.example.org"),
            ("In a script", "login --registry https://skills.example.org --token-stdin < t"),
            ("Use this registry from now on", "login --registry https://skills.example.org --default"),
        ],
    ),
    (
        "logout",
        &[
            ("Forget the token of your registry", "logout"),
            ("Also revoke it there", "logout --revoke"),
            ("Another registry's", "logout --registry https://skills.example.org"),
        ],
    ),
    (
        "whoami",
        &[
            ("Who you are at your registry", "whoami"),
            ("At another one", "whoami --registry https://skills.example.org"),
            ("For programs", "whoami --json"),
        ],
    ),
    (
        "me",
        &[
            ("Your account, your skills and your submissions", "me"),
            ("At another registry", "me --registry https://skills.example.org"),
            ("For programs", "me --json"),
        ],
    ),
    (
        "namespace",
        &[
            ("Create a namespace whose versions are reviewed", "namespace create tools --review-required"),
            ("Who is in it", "namespace members tools"),
            ("All namespaces of the registry", "namespace list"),
        ],
    ),
    ("namespace list", &[("All namespaces", "namespace list")]),
    ("namespace create", &[("A team", "namespace create tools --display-name \"Tools team\"")]),
    ("namespace set", &[("Nothing is published any more", "namespace set tools --status frozen")]),
    ("namespace members", &[("Everyone and their role", "namespace members tools")]),
    (
        "member",
        &[
            ("Add a member", "member add tools bob"),
            ("Make the member an admin", "member role tools bob admin"),
            ("Leave", "member leave tools"),
        ],
    ),
    ("member add", &[("As an admin", "member add tools bob --role admin")]),
    ("member role", &[("A member becomes an admin", "member role tools bob admin")]),
    ("member remove", &[("Bob can publish no more", "member remove tools bob")]),
    ("member leave", &[("You can publish no more", "member leave tools")]),
    ("member invite", &[("Bob is asked to be an owner", "member invite tools bob")]),
    ("member invitations", &[("Those that you sent or got", "member invitations")]),
    ("member accept", &[("You become an owner", "member accept tools")]),
    ("member decline", &[("You do not", "member decline tools")]),
    ("member withdraw", &[("Bob can accept it no more", "member withdraw tools bob")]),
    (
        "review",
        &[
            ("What waits for a decision", "review list tools"),
            ("What would change", "review diff tools 17"),
            ("Publish it", "review approve tools 17"),
        ],
    ),
    ("review list", &[("What was rejected", "review list tools --status rejected")]),
    ("review show", &[("By the id that `review list` shows", "review show tools 17")]),
    ("review diff", &[("Line by line, with the latest version", "review diff tools 17")]),
    ("review approve", &[("It becomes public", "review approve tools 17")]),
    (
        "review reject",
        &[("The reason is for the submitter", "review reject tools 17 --comment \"Add a test\"")],
    ),
    ("review withdraw", &[("What you submitted waits no more", "review withdraw tools 17")]),
    (
        "tag",
        &[
            ("Point `stable` to a version", "tag set hello@1.2.0 stable"),
            ("All tags", "tag list hello"),
            ("Remove one", "tag remove hello stable"),
        ],
    ),
    ("tag set", &[("Point `stable` to a version", "tag set hello@1.2.0 stable")]),
    ("tag remove", &[("Remove `stable`", "tag remove hello stable")]),
    ("tag list", &[("All tags of a skill", "tag list hello")]),
    (
        "yank",
        &[
            ("Nobody installs it by accident any more", "yank hello@1.2.0"),
            ("With a reason that everybody sees", "yank hello@1.2.0 --reason \"deletes files\""),
            ("Of a team", "yank @tools/lint@1.0.0"),
        ],
    ),
    (
        "unyank",
        &[
            ("Offer it again", "unyank hello@1.2.0"),
            ("Of a team", "unyank @tools/lint@1.0.0"),
            ("For programs", "unyank hello@1.2.0 --json"),
        ],
    ),
    (
        "delete",
        &[
            ("Remove a skill with all its versions", "delete hello"),
            ("Without a question", "delete @tools/lint -y"),
            ("For programs", "delete hello --yes --json"),
        ],
    ),
    (
        "restore",
        &[
            ("As it was", "restore hello"),
            ("Of a team", "restore @tools/lint"),
            ("For programs", "restore hello --json"),
        ],
    ),
    (
        "transfer",
        &[
            ("Offer a skill to bob", "transfer offer hello bob"),
            ("As bob: accept it", "transfer accept hello"),
            ("As the author: take the offer back", "transfer withdraw hello"),
        ],
    ),
    ("transfer offer", &[("With a note for bob", "transfer offer hello bob --message \"It is yours\"")]),
    ("transfer accept", &[("You become the author", "transfer accept hello")]),
    ("transfer withdraw", &[("Bob can accept it no more", "transfer withdraw hello")]),
    ("transfer list", &[("What you offered, or were offered", "transfer list")]),
    (
        "promote",
        &[
            ("Ask for a copy for everyone", "promote @tools/lint"),
            ("Of a version", "promote @tools/lint@1.0.0"),
            ("With a note for the reviewers", "promote @tools/lint --comment \"Asked for by many\""),
        ],
    ),
    (
        "star",
        &[
            ("Star a skill", "star hello"),
            ("Of a team", "star @tools/lint"),
            ("For programs", "star hello --json"),
        ],
    ),
    (
        "unstar",
        &[
            ("Take your star back", "unstar hello"),
            ("Of a team", "unstar @tools/lint"),
            ("For programs", "unstar hello --json"),
        ],
    ),
    (
        "rate",
        &[
            ("1 is bad, 5 is good", "rate hello 5"),
            ("Of a team", "rate @tools/lint 3"),
            ("For programs", "rate hello 5 --json"),
        ],
    ),
];
