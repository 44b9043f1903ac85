//! Files that hold secrets by convention, judged by their paths.

/// Folders of programs that keep their credentials there.
const FOLDERS: &[&str] = &[".aws", ".gnupg", ".kube", ".ssh"];

/// Names of files with credentials.
const NAMES: &[&str] = &[
    ".dockercfg",
    ".git-credentials",
    ".htpasswd",
    ".my.cnf",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".s3cfg",
    ".vault-token",
    "_netrc",
    "application_default_credentials.json",
];

/// Names of private keys. Their public halves end in `.pub`.
const KEY_NAMES: &[&str] = &["id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "id_rsa"];

/// Extensions of binary key stores, whose content the scanner cannot read.
const KEY_STORES: &[&str] = &["jks", "kdbx", "keystore", "p12", "pfx", "ppk"];

/// Extensions of data. `credentials.md` is documentation, and `credentials.py` is a program.
const DATA: &[&str] = &[
    "bak",
    "cfg",
    "conf",
    "csv",
    "db",
    "enc",
    "ini",
    "json",
    "properties",
    "toml",
    "txt",
    "xml",
    "yaml",
    "yml",
];

/// Parts of names that say that the values are missing.
const TEMPLATES: &[&str] = &["dist", "example", "sample", "template"];

/// Describes what a file is, with an article, if it holds secrets by convention: `an
/// environment file`. Packages with such a file are refused, unless the publisher allows
/// its path. The path is relative to the skill's folder. Letter case does not matter.
pub fn secret_file(path: &str) -> Option<&'static str> {
    let path = path.to_ascii_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    if path.split('/').any(|piece| FOLDERS.contains(&piece)) {
        return Some("a file of a program's credentials");
    }
    let docker = name == "config.json" && folders.split('/').next_back() == Some(".docker");
    if docker || NAMES.contains(&name) {
        return Some("a file of a program's credentials");
    }
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if KEY_NAMES.contains(&name) || KEY_STORES.contains(&extension) {
        return Some("a private key");
    }
    if path.split('/').any(is_environment) {
        return Some("an environment file");
    }
    is_credentials(name, extension).then_some("a file with credentials")
}

/// Whether a name is `.env`, or `.env` and more: `.env.local`, `.env-prod`, `.env~`. Words
/// that only begin so (`.envrc`, `.environment`) have other meanings.
fn is_environment(piece: &str) -> bool {
    piece.strip_prefix(".env").is_some_and(|rest| is_separate(rest) && !is_template(rest))
}

/// Whether a name is `credentials`, or `credentials` and more with an extension of data.
fn is_credentials(name: &str, extension: &str) -> bool {
    let Some(rest) = name.trim_start_matches('.').strip_prefix("credentials") else { return false };
    let data = rest.is_empty() || rest == "~" || DATA.contains(&extension);
    data && is_separate(rest) && !is_template(rest)
}

/// Whether the text after a word does not go on with the same word.
fn is_separate(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphabetic())
}

fn is_template(rest: &str) -> bool {
    rest.split(|c: char| !c.is_alphanumeric()).any(|part| TEMPLATES.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_file_is_known_by_its_path() {
        for path in [
            ".env",
            "a/.ENV",
            ".env.local",
            ".env.production",
            ".env-prod",
            ".env~",
            ".env/settings",
            "keys/id_rsa",
            "id_ed25519",
            "release.keystore",
            "app.P12",
            ".npmrc",
            "a/b/.netrc",
            ".pypirc",
            "credentials",
            ".aws/credentials",
            ".aws/config",
            "x/.ssh/known_hosts",
            ".docker/config.json",
            "credentials.json",
            ".credentials.yaml",
            "credentials-prod.yml",
            "credentials.local.json",
            "application_default_credentials.json",
        ] {
            assert!(secret_file(path).is_some(), "{path}");
        }
    }

    #[test]
    fn template_documentation_and_source_are_no_secret_files() {
        for path in [
            ".env.example",
            ".env.sample",
            ".env.template",
            ".env.example.txt",
            ".env.production.example",
            ".envrc",
            "env",
            "my.env.md",
            ".environment.md",
            "credentials.md",
            "references/credentials.py",
            "credentials.example.json",
            "credentials/README.md",
            "credentialsProvider.json",
            "id_rsa.pub",
            "id_rsa.md",
            "aws/config",
            "ssh/README.md",
            "config.json",
            "key.pem",
        ] {
            assert_eq!(secret_file(path), None, "{path}");
        }
    }
}
