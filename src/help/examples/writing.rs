//! Examples of the commands that write skills.

use super::Examples;

pub(super) const EXAMPLES: &[Examples] = &[
    (
        "init",
        &[
            ("Ask for the name and the rest, and write ./SKILL.md", "init"),
            ("Write pdf-forms/SKILL.md, and ask for the rest", "init pdf-forms"),
            ("Ask nothing", "init pdf-forms --yes --description \"Fills in PDF forms.\""),
        ],
    ),
    (
        "check",
        &[
            ("The skill in this folder", "check"),
            ("Another folder, or a zip, for programs", "check pdf-forms --format json"),
            ("For code scanning of GitHub and GitLab", "check pdf-forms --format sarif > check.sarif"),
        ],
    ),
    (
        "diff",
        &[
            ("What changed from one version to the next", "diff hello@1.0.0 hello@1.1.0"),
            ("What publishing this folder would change", "diff hello hello/"),
            ("Only the names of the files", "diff hello@1.0.0 hello@latest --name-only"),
        ],
    ),
    (
        "pack",
        &[
            ("Write the package that `publish` sends", "pack pdf-forms --out pdf-forms.zip"),
            ("The skill in this folder", "pack --out ../pdf-forms.zip"),
            ("Its sha256, for programs", "pack pdf-forms --out pdf-forms.zip --json"),
        ],
    ),
    (
        "publish",
        &[
            ("Ask the registry what would happen", "publish pdf-forms --dry-run"),
            ("Publish a folder for your team", "publish pdf-forms --namespace tools"),
            ("A version with a tag", "publish pdf-forms --version 1.2.0 --tags stable"),
        ],
    ),
];
