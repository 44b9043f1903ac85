//! The languages of scripts.

/// Languages of scripts, by the suffixes of files.
const LANGUAGES: &[(&str, &[&str])] = &[
    ("Batch", &["bat", "cmd"]),
    ("Go", &["go"]),
    ("JavaScript", &["js", "mjs", "cjs"]),
    ("Lua", &["lua"]),
    ("Perl", &["pl"]),
    ("PHP", &["php"]),
    ("PowerShell", &["ps1"]),
    ("Python", &["py"]),
    ("R", &["r"]),
    ("Ruby", &["rb"]),
    ("Shell", &["sh", "bash", "zsh", "fish"]),
    ("TypeScript", &["ts", "mts", "cts"]),
];

/// The language of a script, by the suffix of its file. None for other files.
pub fn script_language(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let suffix = name.rsplit_once('.').map_or("", |(_, suffix)| suffix).to_ascii_lowercase();
    let known = LANGUAGES.iter().find(|(_, suffixes)| suffixes.contains(&&*suffix));
    known.map(|(language, _)| *language)
}
