//! Commands that run the installer of a well-known tool, which many honest packages have.

/// Installers of well-known tools, by the address they are downloaded from.
const INSTALLERS: &[&str] = &[
    "https://astral.sh/",
    "https://bun.sh/",
    "https://claude.ai/",
    "https://deb.nodesource.com/",
    "https://deno.land/",
    "https://foundry.paradigm.xyz",
    "https://get.docker.com",
    "https://get.pnpm.io/",
    "https://install.python-poetry.org",
    "https://nixos.org/",
    "https://ollama.com/",
    "https://raw.githubusercontent.com/Homebrew/",
    "https://raw.githubusercontent.com/nvm-sh/",
    "https://sh.rustup.rs",
    "https://tailscale.com/",
];

/// Commands that download.
const FETCHES: &[&str] = &["curl", "wget", "iwr", "irm", "invoke-webrequest", "invoke-restmethod"];

/// Characters that end a command of a shell, or begin one.
const ENDS: &[char] = &['|', ';', '&', '(', ')', '`', '<', '>', '\n'];

/// Whether all that a command downloads are known installers.
pub(super) fn is_known_installer(command: &[u8]) -> bool {
    let command = String::from_utf8_lossy(command).replace("\\\r\n", " ").replace("\\\n", " ");
    let mut is_known = false;
    for part in command.split(ENDS) {
        let words: Vec<&str> = part.split_whitespace().map(|word| word.trim_matches(['\'', '"'])).collect();
        if words.iter().any(|word| word.contains("://") && !is_installer(word)) {
            return false;
        }
        let Some(at) = words.iter().position(|word| is_fetch(word)) else { continue };
        let said = words.get(at + 1..).unwrap_or_default();
        // The value of `--proto`, which the installer of Rust asks for.
        let is_harmless = |word: &&str| is_option(word) || **word == *"=https";
        let mut others = said.iter().filter(|word| !is_harmless(word));
        match (others.next(), others.next()) {
            (Some(address), None) if is_installer(address) => is_known = true,
            // The name of the tool in a sentence before the command.
            _ if !said.iter().any(|word| word.contains(['.', '/', '$'])) => {}
            _ => return false,
        }
    }
    is_known
}

fn is_fetch(word: &str) -> bool {
    let name = if word.contains("://") { word } else { word.rsplit('/').next().unwrap_or(word) };
    FETCHES.iter().any(|fetch| name.eq_ignore_ascii_case(fetch))
}

/// Whether a word is an option that has no address in it.
fn is_option(word: &str) -> bool {
    let is_plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    word.starts_with('-') && is_plain(word.strip_prefix("--tlsv1.").unwrap_or(word))
}

/// Whether a word is the address of a known installer, written in the one way that every program reads alike.
fn is_installer(word: &str) -> bool {
    let is_plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || b":/._-~+?=".contains(&b));
    is_plain
        && !word.contains("..")
        && INSTALLERS.iter().any(|known| {
            let rest = word.strip_prefix(known);
            rest.is_some_and(|rest| known.ends_with('/') || rest.is_empty() || rest.starts_with(['/', '?']))
        })
}
