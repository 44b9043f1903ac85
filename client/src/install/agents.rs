//! Where the agents on a machine look for skills.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

mod table;

use table::{AGENTS, ALIASES};

/// A program that uses skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    name: &'static str,
    /// Relative to the folder of a project.
    project: &'static str,
    home: Globally,
}

/// Where an agent has the skills of all projects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Globally {
    /// Below the home folder.
    Home(&'static str),
    /// Below the folder of configurations: `XDG_CONFIG_HOME`, else `.config` in
    /// the home folder.
    Config(&'static str),
    /// `skills` in the folder that this variable names, else in this one below the
    /// home folder.
    Variable(&'static str, &'static str),
}

/// For whom a skill is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The project in the current folder.
    Project,
    /// All projects of whoever is logged in.
    Global,
}

/// There is no such agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no agent `{name}` in the list: give --dir with its folder, or one of {}", names())]
pub struct UnknownAgent {
    name: String,
}

impl Agent {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its folder of skills: relative to the current folder for [`Reach::Project`],
    /// below `home` (or where the agent's variable says) for [`Reach::Global`].
    /// `variable` reads the environment; an empty value is none.
    pub fn folder(&self, reach: Reach, home: &Path, variable: &dyn Fn(&str) -> Option<OsString>) -> PathBuf {
        if reach == Reach::Project {
            return PathBuf::from(self.project);
        }
        let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        match self.home {
            Globally::Home(below) => home.join(below),
            Globally::Config(below) => {
                set("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config")).join(below)
            }
            Globally::Variable(name, below) => set(name).unwrap_or_else(|| home.join(below)).join("skills"),
        }
    }
}

impl FromStr for Agent {
    type Err = UnknownAgent;

    fn from_str(text: &str) -> Result<Self, UnknownAgent> {
        let name = ALIASES.iter().find(|(alias, _)| *alias == text).map_or(text, |(_, name)| name);
        let found = AGENTS.iter().find(|agent| agent.name == name).copied();
        found.ok_or_else(|| UnknownAgent { name: text.escape_debug().to_string() })
    }
}

/// All names in a list.
fn names() -> String {
    let aliases = ALIASES.iter().map(|(alias, _)| *alias);
    let mut names: Vec<&str> = AGENTS.iter().map(|agent| agent.name).chain(aliases).collect();
    names.sort_unstable();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str, reach: Reach, set: &[(&str, &str)]) -> PathBuf {
        let variable =
            |asked: &str| set.iter().find(|(name, _)| *name == asked).map(|(_, value)| value.into());
        name.parse::<Agent>().unwrap().folder(reach, Path::new("/users/zoe"), &variable)
    }

    #[test]
    fn folders_of_agents() {
        let global = |name, set| folder(name, Reach::Global, set);
        assert_eq!(folder("claude", Reach::Project, &[]), Path::new(".claude/skills"));
        assert_eq!(global("claude-code", &[]), Path::new("/users/zoe/.claude/skills"));
        assert_eq!(global("claude", &[("CLAUDE_CONFIG_DIR", "/x")]), Path::new("/x/skills"));
        assert_eq!(global("claude", &[("CLAUDE_CONFIG_DIR", "")]), Path::new("/users/zoe/.claude/skills"));
        assert_eq!(global("codex", &[]), Path::new("/users/zoe/.agents/skills"));
        assert_eq!(global("goose", &[]), Path::new("/users/zoe/.config/goose/skills"));
        assert_eq!(global("goose", &[("XDG_CONFIG_HOME", "/c")]), Path::new("/c/goose/skills"));
    }

    #[test]
    fn every_name_is_one_agents() {
        assert!(AGENTS.is_sorted_by(|a, b| a.name < b.name));
        for agent in AGENTS {
            assert_eq!(agent.name.parse(), Ok(*agent));
            let is_inside = |path: &str| !path.starts_with('/') && !path.contains("..");
            let below = match agent.home {
                Globally::Home(below) | Globally::Config(below) | Globally::Variable(_, below) => below,
            };
            assert!(is_inside(agent.project) && is_inside(below), "{}", agent.name);
        }
        for (alias, name) in ALIASES {
            assert_eq!(alias.parse::<Agent>().unwrap().name(), *name);
        }
        let why = "nonsense".parse::<Agent>().unwrap_err().to_string();
        assert!(
            why.contains("`nonsense`") && why.contains("claude-code") && why.contains("windsurf"),
            "{why}"
        );
    }
}
