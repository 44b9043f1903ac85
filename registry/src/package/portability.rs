//! Finds the clients that refuse a package, by a table of clients and their rules.
//!
//! The rules belong to others and change. So the result is computed when it is shown, and never stored.

mod rules;

use serde_json::{Map, Value};

use super::FileRecord;
use crate::names::Slug;
use rules::{Broken, Rule};

/// A client, with the release whose rules the table has.
#[derive(Debug, PartialEq, Eq)]
pub struct Client {
    /// Its name, as people call it.
    pub name: &'static str,
    /// Its release, or the text that it implements.
    pub version: &'static str,
    rules: &'static [Rule],
}

/// Clients of the skills extension of MCP, which refuse a whole page for one skill that breaks a rule.
pub static MCP: Client = Client {
    name: "MCP clients",
    version: "SEP-2640",
    rules: &[
        Rule::EntryFile,
        Rule::NameIsValid,
        Rule::Description,
        Rule::Compatibility,
        Rule::Texts,
        Rule::Metadata,
        Rule::Files(MCP_FILES),
        Rule::Bytes(MCP_BYTES),
    ],
};

/// The most files of a skill that the skills extension of MCP lets servers serve.
pub const MCP_FILES: usize = 512;

/// The most bytes of all files of such a skill.
pub const MCP_BYTES: u64 = 16 << 20;

/// Clients that load the file whatever its front matter says.
const ANY: &[Rule] = &[Rule::EntryFile];

/// Clients that need a name and a description.
const NAMED: &[Rule] = &[Rule::EntryFile, Rule::NameIsText, Rule::Description];

/// All clients of the table.
pub static CLIENTS: [&Client; 10] = [
    &Client {
        name: "Agent Skills specification",
        version: "69ef37e",
        rules: &[
            Rule::EntryFile,
            Rule::Keys,
            Rule::NameIsSlug,
            Rule::Description,
            Rule::Compatibility,
            Rule::Texts,
            Rule::Metadata,
        ],
    },
    &Client {
        name: "Claude apps and Skills API",
        version: "November 2026",
        rules: &[
            Rule::EntryFile,
            Rule::Keys,
            Rule::NameIsValid,
            Rule::NameIsFree,
            Rule::Description,
            Rule::NoTags,
            Rule::Compatibility,
            Rule::Bytes(30_000_000),
        ],
    },
    &Client { name: "Claude Code", version: "2.1.330", rules: ANY },
    &Client {
        name: "Codex",
        version: "0.171.0",
        rules: &[Rule::EntryFile, Rule::NameLength, Rule::Description],
    },
    &Client {
        name: "Copilot CLI",
        version: "1.0.102",
        rules: &[Rule::EntryFile, Rule::NameIsText, Rule::NameLength, Rule::Description],
    },
    &Client { name: "Gemini CLI", version: "0.61.0", rules: NAMED },
    &Client { name: "OpenCode", version: "1.18.33", rules: NAMED },
    &Client {
        name: "npx skills",
        version: "1.7.4",
        rules: &[
            Rule::EntryFile,
            Rule::NameIsText,
            Rule::Description,
            Rule::Files(1_000),
            Rule::Bytes(50 << 20),
        ],
    },
    &MCP,
    &Client { name: "apm", version: "0.35.0", rules: ANY },
];

/// The most ways of breaking one rule that are told.
const MAX_REASONS: usize = 10;

/// The parts of a package that the rules are about.
#[derive(Debug, Clone, Copy)]
pub struct Portable<'a> {
    /// The front matter as JSON.
    pub front_matter: &'a Map<String, Value>,
    /// All files.
    pub files: &'a [FileRecord],
    /// The slug of the skill, for which its folder is named.
    pub slug: &'a Slug,
}

/// Something in a package that clients refuse.
#[derive(Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The key of front matter: `version`, `metadata.tags`. None for the whole package.
    pub key: Option<String>,
    /// The problem, without its remedy.
    pub why: String,
    /// What to do.
    pub remedy: String,
    /// The clients that refuse the package for it.
    pub clients: Vec<&'static Client>,
}

impl Client {
    /// Says why the client refuses a package. None if it loads it.
    pub fn refusal(&self, package: Portable<'_>) -> Option<String> {
        let broken = self.rules.iter().flat_map(|rule| rule.broken(package));
        // A front matter of 64 KiB may have thousands of keys.
        let mut why: Vec<String> = broken.map(|broken| broken.why).take(MAX_REASONS + 1).collect();
        if why.len() > MAX_REASONS {
            why[MAX_REASONS] = "and more".to_owned();
        }
        (!why.is_empty()).then(|| why.join("; "))
    }
}

impl Portable<'_> {
    /// The clients that refuse the package, each with the reason.
    pub fn refusals(self) -> impl Iterator<Item = (&'static Client, String)> {
        CLIENTS.into_iter().filter_map(move |client| Some((client, client.refusal(self)?)))
    }

    /// All that clients refuse, in the order of the table. What has one remedy is one obstacle, and says what most
    /// clients refuse.
    pub fn obstacles(self) -> Vec<Obstacle> {
        let mut rules: Vec<&Rule> = Vec::new();
        for rule in CLIENTS.iter().flat_map(|client| client.rules) {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        rules.sort_by_key(|rule| std::cmp::Reverse(rule.clients().len()));
        let mut obstacles: Vec<Obstacle> = Vec::new();
        for rule in rules {
            for Broken { key, why, remedy } in rule.broken(self).into_iter().take(MAX_REASONS) {
                let known = |other: &&mut Obstacle| other.key == key && other.remedy == remedy;
                match obstacles.iter_mut().find(known).filter(|_| key.is_some()) {
                    Some(known) => known.clients.extend(rule.clients()),
                    None => obstacles.push(Obstacle { key, why, remedy, clients: rule.clients() }),
                }
            }
        }
        for obstacle in &mut obstacles {
            let refusing = std::mem::take(&mut obstacle.clients);
            obstacle.clients = CLIENTS.into_iter().filter(|client| refusing.contains(client)).collect();
        }
        obstacles
    }
}

impl Rule {
    /// The clients that have the rule.
    fn clients(self) -> Vec<&'static Client> {
        CLIENTS.into_iter().filter(|client| client.rules.contains(&self)).collect()
    }
}

#[cfg(test)]
mod tests;
