//! Which agent looks for skills where.
//!
//! The facts are those of the npm package `skills` 1.7.4 (`agents` in its
//! `dist/cli.mjs`), as of November 2026: all of its agents that have a folder in the
//! home folder too. Of OpenClaw's folders it is the one that a new installation has.

use super::Agent;
use super::Home::{self, Config, Home as InHome, Variable};

/// All agents, by name.
pub(super) const AGENTS: &[Agent] = &[
    agent("adal", ".adal/skills", InHome(".adal/skills")),
    agent("aider-desk", ".aider-desk/skills", InHome(".aider-desk/skills")),
    agent("amp", ".agents/skills", Config("agents/skills")),
    agent("antigravity", ".agents/skills", InHome(".gemini/antigravity/skills")),
    agent("antigravity-cli", ".agents/skills", InHome(".gemini/antigravity-cli/skills")),
    agent("astrbot", "data/skills", InHome(".astrbot/data/skills")),
    agent("augment", ".augment/skills", InHome(".augment/skills")),
    agent("autohand-code", ".autohand/skills", Variable("AUTOHAND_HOME", ".autohand")),
    agent("bob", ".bob/skills", InHome(".bob/skills")),
    agent("claude-code", ".claude/skills", Variable("CLAUDE_CONFIG_DIR", ".claude")),
    agent("cline", ".agents/skills", InHome(".agents/skills")),
    agent("codearts-agent", ".codeartsdoer/skills", InHome(".codeartsdoer/skills")),
    agent("codebuddy", ".codebuddy/skills", InHome(".codebuddy/skills")),
    agent("codemaker", ".codemaker/skills", InHome(".codemaker/skills")),
    agent("codestudio", ".codestudio/skills", InHome(".codestudio/skills")),
    agent("codex", ".agents/skills", InHome(".agents/skills")),
    agent("command-code", ".commandcode/skills", InHome(".commandcode/skills")),
    agent("continue", ".continue/skills", InHome(".continue/skills")),
    agent("cortex", ".cortex/skills", InHome(".snowflake/cortex/skills")),
    agent("crush", ".crush/skills", InHome(".config/crush/skills")),
    agent("cursor", ".agents/skills", InHome(".cursor/skills")),
    agent("deepagents", ".agents/skills", InHome(".deepagents/agent/skills")),
    agent("devin", ".devin/skills", Config("devin/skills")),
    agent("dexto", ".agents/skills", InHome(".agents/skills")),
    agent("droid", ".agents/skills", InHome(".factory/skills")),
    agent("firebender", ".agents/skills", InHome(".firebender/skills")),
    agent("forgecode", ".forge/skills", InHome(".forge/skills")),
    agent("fx", ".agents/skills", InHome(".agents/skills")),
    agent("gemini-cli", ".agents/skills", InHome(".gemini/skills")),
    agent("github-copilot", ".agents/skills", InHome(".copilot/skills")),
    agent("goose", ".goose/skills", Config("goose/skills")),
    agent("grok", ".grok/skills", Variable("GROK_HOME", ".grok")),
    agent("hermes-agent", ".hermes/skills", Variable("HERMES_HOME", ".hermes")),
    agent("iflow-cli", ".iflow/skills", InHome(".iflow/skills")),
    agent("inference-sh", ".inferencesh/skills", InHome(".inferencesh/skills")),
    agent("jazz", ".jazz/skills", InHome(".jazz/skills")),
    agent("junie", ".junie/skills", InHome(".junie/skills")),
    agent("kilo", ".agents/skills", InHome(".kilo/skills")),
    agent("kimchi", ".kimchi/skills", InHome(".config/kimchi/harness/skills")),
    agent("kimi-code-cli", ".agents/skills", InHome(".agents/skills")),
    agent("kiro-cli", ".kiro/skills", InHome(".kiro/skills")),
    agent("kode", ".kode/skills", InHome(".kode/skills")),
    agent("lingma", ".lingma/skills", InHome(".lingma/skills")),
    agent("loaf", ".agents/skills", InHome(".agents/skills")),
    agent("mcpjam", ".mcpjam/skills", InHome(".mcpjam/skills")),
    agent("minimax-code", ".minimax/skills", InHome(".minimax/skills")),
    agent("mistral-vibe", ".vibe/skills", Variable("VIBE_HOME", ".vibe")),
    agent("moxby", ".moxby/skills", InHome(".moxby/skills")),
    agent("mux", ".mux/skills", InHome(".mux/skills")),
    agent("neovate", ".neovate/skills", InHome(".neovate/skills")),
    agent("ona", ".ona/skills", InHome(".ona/skills")),
    agent("openclaw", "skills", InHome(".openclaw/skills")),
    agent("opencode", ".agents/skills", Config("opencode/skills")),
    agent("openhands", ".openhands/skills", InHome(".openhands/skills")),
    agent("pi", ".agents/skills", InHome(".agents/skills")),
    agent("pochi", ".pochi/skills", InHome(".pochi/skills")),
    agent("posit-assistant", ".posit/assistant/skills", InHome(".posit/assistant/skills")),
    agent("qoder", ".qoder/skills", InHome(".qoder/skills")),
    agent("qoder-cn", ".qoder/skills", InHome(".qoder-cn/skills")),
    agent("qwen-code", ".qwen/skills", InHome(".qwen/skills")),
    agent("reasonix", ".reasonix/skills", InHome(".reasonix/skills")),
    agent("replit", ".agents/skills", Config("agents/skills")),
    agent("roo", ".roo/skills", InHome(".roo/skills")),
    agent("rovodev", ".rovodev/skills", InHome(".rovodev/skills")),
    agent("sarvam-code", ".agents/skills", InHome(".agents/skills")),
    agent("tabnine-cli", ".tabnine/agent/skills", InHome(".tabnine/agent/skills")),
    agent("terramind", ".terramind/skills", InHome(".terramind/skills")),
    agent("tinycloud", ".tinycloud/skills", InHome(".tinycloud/skills")),
    agent("trae", ".trae/skills", InHome(".trae/skills")),
    agent("trae-cn", ".trae/skills", InHome(".trae-cn/skills")),
    agent("universal", ".agents/skills", Config("agents/skills")),
    agent("warp", ".agents/skills", InHome(".agents/skills")),
    agent("windsurf", ".windsurf/skills", InHome(".codeium/windsurf/skills")),
    agent("zcode", ".zcode/skills", InHome(".zcode/skills")),
    agent("zed", ".agents/skills", InHome(".agents/skills")),
    agent("zencoder", ".zencoder/skills", InHome(".zencoder/skills")),
    agent("zenflow", ".zencoder/skills", InHome(".zencoder/skills")),
];

const fn agent(name: &'static str, project: &'static str, home: Home) -> Agent {
    Agent { name, project, home }
}

/// Other names that people have for them.
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("claude", "claude-code"),
    ("copilot", "github-copilot"),
    ("gemini", "gemini-cli"),
    ("qwen", "qwen-code"),
];
