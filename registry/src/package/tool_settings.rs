//! Files that change how tools work, or make them run commands, as soon as they are in a
//! project: settings of agents and editors, and hooks.

use std::collections::BTreeMap;

use super::finding::{Finding, Findings};
use super::finding_codes;

/// Names of files, in any folder, and what they configure.
const FILES: &[(&str, &str)] = &[
    (".aider.conf.yml", "an agent"),
    (".bash_profile", "a shell"),
    (".bashrc", "a shell"),
    (".clinerules", "an agent"),
    (".cursorrules", "an agent"),
    (".devcontainer.json", "a development container"),
    (".envrc", "the environment"),
    (".gitconfig", "git"),
    (".lefthook.yml", "hooks"),
    (".mcp.json", "MCP servers"),
    (".mise.toml", "the environment"),
    (".pre-commit-config.yaml", "hooks"),
    (".profile", "a shell"),
    (".windsurfrules", "an agent"),
    (".zprofile", "a shell"),
    (".zshenv", "a shell"),
    (".zshrc", "a shell"),
    ("claude_desktop_config.json", "MCP servers"),
    ("hooks.json", "hooks"),
    ("lefthook.yml", "hooks"),
    ("mcp.json", "MCP servers"),
    ("mise.toml", "the environment"),
    ("opencode.json", "an agent"),
];

/// Names of folders, in any folder, and what the files in them configure.
const FOLDERS: &[(&str, &str)] = &[
    (".claude", "an agent"),
    (".claude-plugin", "a plugin"),
    (".codex", "an agent"),
    (".continue", "an agent"),
    (".cursor", "an agent"),
    (".devcontainer", "a development container"),
    (".gemini", "an agent"),
    (".githooks", "hooks"),
    (".github", "workflows"),
    (".husky", "hooks"),
    (".idea", "an editor"),
    (".kiro", "an agent"),
    (".opencode", "an agent"),
    (".roo", "an agent"),
    (".vscode", "an editor"),
    (".windsurf", "an agent"),
    (".zed", "an editor"),
];

/// Warns about each such file or folder. `paths` are those of all files.
pub(super) fn check<'p>(paths: impl Iterator<Item = &'p str>, findings: &mut Findings) {
    let found: BTreeMap<&str, &str> = paths.filter_map(find).collect();
    for (path, what) in found {
        let why = format!(
            "this package configures tools ({what}), which may then run commands: read it before use"
        );
        findings.warn(Finding::new(finding_codes::CONFIGURES_TOOLS, why).in_file(path));
    }
}

/// The file or folder of a path that configures a tool, and what that is.
fn find(path: &str) -> Option<(&str, &'static str)> {
    let mut start = 0;
    for piece in path.split('/') {
        let end = start + piece.len();
        let is_folder = end < path.len();
        let known = if is_folder { FOLDERS } else { FILES };
        let named = known.iter().find(|(name, _)| piece.eq_ignore_ascii_case(name)).map(|(_, what)| *what);
        // Elsewhere such a folder is source code.
        let hooks = is_folder && start == 0 && piece.eq_ignore_ascii_case("hooks");
        if let Some(what) = named.or(hooks.then_some("hooks")) {
            return Some((path.get(..end)?, what));
        }
        start = end + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_tools_are_found_by_their_paths() {
        for (path, found) in [
            (".mcp.json", ".mcp.json"),
            ("a/.MCP.json", "a/.MCP.json"),
            (".envrc", ".envrc"),
            (".claude/settings.json", ".claude"),
            ("x/.claude/hooks/start.sh", "x/.claude"),
            (".claude-plugin/plugin.json", ".claude-plugin"),
            ("hooks/pre-commit", "hooks"),
            ("plugin/hooks.json", "plugin/hooks.json"),
            (".vscode/tasks.json", ".vscode"),
            (".github/workflows/ci.yml", ".github"),
        ] {
            assert_eq!(find(path).map(|(path, _)| path), Some(found), "{path}");
        }
    }

    #[test]
    fn other_paths_configure_no_tool() {
        for path in [
            "SKILL.md",
            "src/hooks/useState.ts",
            "hooks",
            "hook.md",
            "references/webhooks.md",
            ".claude",
            "claude/settings.json",
            "mcp.json.md",
            "scripts/mcp.py",
        ] {
            assert_eq!(find(path), None, "{path}");
        }
    }
}
