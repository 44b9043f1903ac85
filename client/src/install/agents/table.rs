//! The table of agents and their folders.
//!
//! The source is the npm package `skills` 1.7.4 (`agents` in its `dist/cli.mjs`), November
//! 2026: all of its agents that also have a folder in the home folder. For OpenClaw, the
//! folder is that of a new installation.

use super::Agent;
use super::HomeFolder::{self, Config, Home, Variable};

/// All agents, sorted by name.
pub(super) const AGENTS: &[Agent] = &[
    agent("adal", ".adal/skills", Home(".adal/skills")),
    agent("aider-desk", ".aider-desk/skills", Home(".aider-desk/skills")),
    agent("amp", ".agents/skills", Config("agents/skills")),
    agent("antigravity", ".agents/skills", Home(".gemini/antigravity/skills")),
    agent("antigravity-cli", ".agents/skills", Home(".gemini/antigravity-cli/skills")),
    agent("astrbot", "data/skills", Home(".astrbot/data/skills")),
    agent("augment", ".augment/skills", Home(".augment/skills")),
    agent("autohand-code", ".autohand/skills", Variable("AUTOHAND_HOME", ".autohand")),
    agent("bob", ".bob/skills", Home(".bob/skills")),
    agent("claude-code", ".claude/skills", Variable("CLAUDE_CONFIG_DIR", ".claude")),
    agent("cline", ".agents/skills", Home(".agents/skills")),
    agent("codearts-agent", ".codeartsdoer/skills", Home(".codeartsdoer/skills")),
    agent("codebuddy", ".codebuddy/skills", Home(".codebuddy/skills")),
    agent("codemaker", ".codemaker/skills", Home(".codemaker/skills")),
    agent("codestudio", ".codestudio/skills", Home(".codestudio/skills")),
    agent("codex", ".agents/skills", Home(".agents/skills")),
    agent("command-code", ".commandcode/skills", Home(".commandcode/skills")),
    agent("continue", ".continue/skills", Home(".continue/skills")),
    agent("cortex", ".cortex/skills", Home(".snowflake/cortex/skills")),
    agent("crush", ".crush/skills", Home(".config/crush/skills")),
    agent("cursor", ".agents/skills", Home(".cursor/skills")),
    agent("deepagents", ".agents/skills", Home(".deepagents/agent/skills")),
    agent("devin", ".devin/skills", Config("devin/skills")),
    agent("dexto", ".agents/skills", Home(".agents/skills")),
    agent("droid", ".agents/skills", Home(".factory/skills")),
    agent("firebender", ".agents/skills", Home(".firebender/skills")),
    agent("forgecode", ".forge/skills", Home(".forge/skills")),
    agent("fx", ".agents/skills", Home(".agents/skills")),
    agent("gemini-cli", ".agents/skills", Home(".gemini/skills")),
    agent("github-copilot", ".agents/skills", Home(".copilot/skills")),
    agent("goose", ".goose/skills", Config("goose/skills")),
    agent("grok", ".grok/skills", Variable("GROK_HOME", ".grok")),
    agent("hermes-agent", ".hermes/skills", Variable("HERMES_HOME", ".hermes")),
    agent("iflow-cli", ".iflow/skills", Home(".iflow/skills")),
    agent("inference-sh", ".inferencesh/skills", Home(".inferencesh/skills")),
    agent("jazz", ".jazz/skills", Home(".jazz/skills")),
    agent("junie", ".junie/skills", Home(".junie/skills")),
    agent("kilo", ".agents/skills", Home(".kilo/skills")),
    agent("kimchi", ".kimchi/skills", Home(".config/kimchi/harness/skills")),
    agent("kimi-code-cli", ".agents/skills", Home(".agents/skills")),
    agent("kiro-cli", ".kiro/skills", Home(".kiro/skills")),
    agent("kode", ".kode/skills", Home(".kode/skills")),
    agent("lingma", ".lingma/skills", Home(".lingma/skills")),
    agent("loaf", ".agents/skills", Home(".agents/skills")),
    agent("mcpjam", ".mcpjam/skills", Home(".mcpjam/skills")),
    agent("minimax-code", ".minimax/skills", Home(".minimax/skills")),
    agent("mistral-vibe", ".vibe/skills", Variable("VIBE_HOME", ".vibe")),
    agent("moxby", ".moxby/skills", Home(".moxby/skills")),
    agent("mux", ".mux/skills", Home(".mux/skills")),
    agent("neovate", ".neovate/skills", Home(".neovate/skills")),
    agent("ona", ".ona/skills", Home(".ona/skills")),
    agent("openclaw", "skills", Home(".openclaw/skills")),
    agent("opencode", ".agents/skills", Config("opencode/skills")),
    agent("openhands", ".openhands/skills", Home(".openhands/skills")),
    agent("pi", ".agents/skills", Home(".agents/skills")),
    agent("pochi", ".pochi/skills", Home(".pochi/skills")),
    agent("posit-assistant", ".posit/assistant/skills", Home(".posit/assistant/skills")),
    agent("qoder", ".qoder/skills", Home(".qoder/skills")),
    agent("qoder-cn", ".qoder/skills", Home(".qoder-cn/skills")),
    agent("qwen-code", ".qwen/skills", Home(".qwen/skills")),
    agent("reasonix", ".reasonix/skills", Home(".reasonix/skills")),
    agent("replit", ".agents/skills", Config("agents/skills")),
    agent("roo", ".roo/skills", Home(".roo/skills")),
    agent("rovodev", ".rovodev/skills", Home(".rovodev/skills")),
    agent("sarvam-code", ".agents/skills", Home(".agents/skills")),
    agent("tabnine-cli", ".tabnine/agent/skills", Home(".tabnine/agent/skills")),
    agent("terramind", ".terramind/skills", Home(".terramind/skills")),
    agent("tinycloud", ".tinycloud/skills", Home(".tinycloud/skills")),
    agent("trae", ".trae/skills", Home(".trae/skills")),
    agent("trae-cn", ".trae/skills", Home(".trae-cn/skills")),
    agent("universal", ".agents/skills", Config("agents/skills")),
    agent("warp", ".agents/skills", Home(".agents/skills")),
    agent("windsurf", ".windsurf/skills", Home(".codeium/windsurf/skills")),
    agent("zcode", ".zcode/skills", Home(".zcode/skills")),
    agent("zed", ".agents/skills", Home(".agents/skills")),
    agent("zencoder", ".zencoder/skills", Home(".zencoder/skills")),
    agent("zenflow", ".zencoder/skills", Home(".zencoder/skills")),
];

const fn agent(name: &'static str, project_folder: &'static str, home: HomeFolder) -> Agent {
    Agent { name, project_folder, home }
}

/// Other names of agents.
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("claude", "claude-code"),
    ("copilot", "github-copilot"),
    ("gemini", "gemini-cli"),
    ("qwen", "qwen-code"),
];
