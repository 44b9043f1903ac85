//! The folders where agents look for skills.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

mod table;

use crate::ClientError;
use crate::user_path::folder_of_variable;
use table::{AGENTS, ALIASES};

/// An agent: a program that uses skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    name: &'static str,
    /// The folder of skills, relative to the folder of a project.
    pub project_folder: &'static str,
    home: HomeFolder,
}

/// The folder of skills for all projects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HomeFolder {
    /// Relative to the home folder.
    Home(&'static str),
    /// Relative to `XDG_CONFIG_HOME`, by default `~/.config`.
    Config(&'static str),
    /// `skills` in the folder that this variable names, by default in this folder in the home
    /// folder.
    Variable(&'static str, &'static str),
}

/// All agents, sorted by name.
pub fn all_agents() -> impl Iterator<Item = Agent> {
    AGENTS.iter().copied()
}

impl Agent {
    /// The name, such as `claude-code`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The folders of all agents in a project. Several agents may have the same.
    pub fn project_folders() -> impl Iterator<Item = &'static str> {
        AGENTS.iter().map(|agent| agent.project_folder)
    }

    /// Other names, such as `claude`.
    pub fn aliases(&self) -> impl Iterator<Item = &'static str> {
        ALIASES.iter().filter(|(_, name)| *name == self.name).map(|(alias, _)| *alias)
    }

    /// The folder of skills for all projects: in `home`, or where the agent's variable says.
    /// `variable` reads an environment variable; an empty one counts as not set.
    ///
    /// Errors: a variable that names no folder, or a relative one.
    pub fn global_folder(
        &self,
        home: &Path,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<PathBuf, ClientError> {
        let set = |name| folder_of_variable(name, variable(name), home).map_err(ClientError::Environment);
        Ok(match self.home {
            HomeFolder::Home(below) => home.join(below),
            HomeFolder::Config(below) => {
                set("XDG_CONFIG_HOME")?.unwrap_or_else(|| home.join(".config")).join(below)
            }
            HomeFolder::Variable(name, below) => {
                set(name)?.unwrap_or_else(|| home.join(below)).join("skills")
            }
        })
    }
}

impl FromStr for Agent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = ALIASES.iter().find(|(alias, _)| *alias == text).map_or(text, |(_, name)| name);
        let found = AGENTS.iter().find(|agent| agent.name == name).copied();
        found.ok_or_else(|| {
            let (unknown, known) = (text.escape_debug(), names());
            format!("unknown agent `{unknown}`: use --dir with its folder, or one of {known}")
        })
    }
}

/// All names and aliases, sorted.
fn names() -> String {
    let aliases = ALIASES.iter().map(|(alias, _)| *alias);
    let mut names: Vec<&str> = AGENTS.iter().map(|agent| agent.name).chain(aliases).collect();
    names.sort_unstable();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn global(name: &str, set: &[(&str, &str)]) -> PathBuf {
        let variable =
            |asked: &str| set.iter().find(|(name, _)| *name == asked).map(|(_, value)| value.into());
        name.parse::<Agent>().unwrap().global_folder(Path::new("/users/zoe"), variable).unwrap()
    }

    #[test]
    fn global_folder_depends_on_variables() {
        assert_eq!(global("claude-code", &[]), Path::new("/users/zoe/.claude/skills"));
        assert_eq!(global("claude", &[("CLAUDE_CONFIG_DIR", "/x")]), Path::new("/x/skills"));
        assert_eq!(global("claude", &[("CLAUDE_CONFIG_DIR", "~/c")]), Path::new("/users/zoe/c/skills"));
        assert_eq!(global("claude", &[("CLAUDE_CONFIG_DIR", "")]), Path::new("/users/zoe/.claude/skills"));
        assert_eq!(global("codex", &[]), Path::new("/users/zoe/.agents/skills"));
        assert_eq!(global("goose", &[]), Path::new("/users/zoe/.config/goose/skills"));
        assert_eq!(global("goose", &[("XDG_CONFIG_HOME", "/c")]), Path::new("/c/goose/skills"));
    }

    #[test]
    fn agent_names_are_sorted_and_parse() {
        assert!(AGENTS.is_sorted_by(|a, b| a.name < b.name));
        for agent in AGENTS {
            assert_eq!(agent.name.parse(), Ok(*agent));
            let is_inside = |path: &str| !path.starts_with('/') && !path.contains("..");
            let below = match agent.home {
                HomeFolder::Home(below) | HomeFolder::Config(below) | HomeFolder::Variable(_, below) => below,
            };
            assert!(is_inside(agent.project_folder) && is_inside(below), "{}", agent.name);
        }
        for (alias, name) in ALIASES {
            assert_eq!(alias.parse::<Agent>().unwrap().name, *name);
        }
        let why = "nonsense".parse::<Agent>().unwrap_err();
        assert!(
            why.contains("`nonsense`") && why.contains("claude-code") && why.contains("windsurf"),
            "{why}"
        );
    }
}
