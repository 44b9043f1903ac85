//! The rules that are expressions.

use super::codes;

/// An expression, and what its match means.
pub(super) struct TextRule {
    pub(super) code: &'static str,
    pub(super) expression: &'static str,
    pub(super) message: &'static str,
}

/// The message for a known installer.
pub(super) const KNOWN_INSTALLER: &str =
    "the installer of a well-known tool runs in a shell: it is what its makers publish that day";

const PIPE: &str =
    "a download runs in a shell, and its server may send something else each time: read it, and pin it";
const BASE64: &str = "base64 is decoded and run, so readers do not see what runs: write the command as text";
const DOWNLOAD: &str = "people are told to download a program and to run it: nothing here shows what it does";

macro_rules! fetch {
    // A command of curl or wget with an address or variable, up to the next command.
    () => {
        r"\b(?:curl|wget)\b(?:\\\r?\n|[^\n|;])*[.$](?:\\\r?\n|[^\n|;])*"
    };
}

macro_rules! shell {
    // A shell, or an interpreter that reads its program from the pipe.
    () => {
        concat!(
            r"(?:sudo(?:\s+-\w+)*\s+)?(?:/usr)?(?:/bin/)?(?:env\s+)?(?:(?:ba|z|da|k)?sh\b(?:$|[^\w./-])",
            r"|(?:python[0-9.]*|node|perl|ruby)(?:\s+-)?[ \t]*(?:$|[\r\n;&|\x22')`]))"
        )
    };
}

/// Rules for what readers see.
pub(super) const SHOWN: &[TextRule] = &[
    TextRule {
        code: codes::PIPE_TO_SHELL,
        expression: concat!(r"(?-u)(?i)", fetch!(), r"\|\s*", shell!()),
        message: PIPE,
    },
    TextRule {
        code: codes::PIPE_TO_SHELL,
        expression: r"(?-u)(?i)\b(?:(?:ba|z|da|k)?sh|source|eval|python[0-9.]*)\s+(?:-\w+\s+)*[\x22']?(?:<\(|\$\(|`)\s*(?:curl|wget)\b[^\n]*",
        message: PIPE,
    },
    TextRule {
        code: codes::PIPE_TO_SHELL,
        expression: concat!(
            r"(?-u)(?i)",
            fetch!(),
            r"(?:&&|;)\s*(?:chmod\s+\S+\s+\S+\s*(?:&&|;)\s*)?(?:sudo\s+)?(?:(?:ba|z)?sh\s+\S|python[0-9.]*\s+[^\s-]|\./)"
        ),
        message: PIPE,
    },
    TextRule {
        code: codes::PIPE_TO_SHELL,
        expression: r"(?-u)(?i)\b(?:iex|invoke-expression)\b[^\n|]*\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|downloadstring)\b[^\n]*",
        message: PIPE,
    },
    TextRule {
        code: codes::PIPE_TO_SHELL,
        expression: r"(?-u)(?i)\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b[^\n|]*\|\s*(?:iex|invoke-expression)\b",
        message: PIPE,
    },
    TextRule {
        code: codes::BASE64_TO_SHELL,
        expression: concat!(r"(?-u)(?i)\bbase64\s+(?:-d|--decode)\b[^\n|]*\|\s*", shell!()),
        message: BASE64,
    },
    TextRule {
        code: codes::BASE64_TO_SHELL,
        expression: r"(?-u)(?i)\b(?:(?:ba|z|da)?sh|eval)\s+(?:-c\s+)?[\x22']?(?:<\(|\$\(|`)[^\n]*\bbase64\s+(?:-d|--decode)\b",
        message: BASE64,
    },
    TextRule {
        code: codes::BASE64_TO_SHELL,
        expression: r"(?-u)(?i)\b(?:exec|eval|os\.system)\s*\(\s*(?:\w+[.(]\s*)*(?:b64decode|atob)\s*\(|\bpowershell[^\n]*\s-e(?:nc|ncodedcommand)?\s+[a-z0-9+/=]{40}",
        message: BASE64,
    },
    TextRule {
        code: codes::DOWNLOAD_AND_RUN,
        expression: r"(?-u)(?i)\bdownload(?:ing)?\b[^\n]*\.(?:zip|exe|dmg|pkg|msi|7z|rar)\b[^\n]*\b(?:run|execute|launch|open|start)\s+(?:the\s+|it\b|this\s+)",
        message: DOWNLOAD,
    },
    TextRule {
        code: codes::DOWNLOAD_AND_RUN,
        expression: r"(?-u)(?i)\b(?:extract|unzip|unpack)\b[^\n]{0,60}\b(?:with|using)\s+(?:the\s+)?pass(?:word|code)?\b",
        message: "an archive is unpacked with a password, so no scanner can read it",
    },
    TextRule {
        code: codes::PASTE_SITE,
        expression: r"(?-u)(?i)https?://(?:(?:www\.)?(?:pastebin\.com|glot\.io/snippets|rentry\.(?:co|org)|hastebin\.com|transfer\.sh|paste\.ee)/)\w",
        message: "a link leads to a site where anybody may paste and change text",
    },
    TextRule {
        code: codes::WRITES_AGENT_SETTINGS,
        expression: concat!(
            r"(?-u)(?i)(?:>>?|\btee\s(?:-a\s)?|\b(?:cp|mv|ln|install)\s[^\n;|]*\s)\s*[\x22']?(?:~/|\$HOME/|\$\{HOME\}/|\.{1,2}/|\.)?(?:[\w.-]+/)*",
            r"(?:\.claude/(?:settings(?:\.local)?\.json|CLAUDE\.md|hooks/)|\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv)\b",
            r"|AGENTS\.md|CLAUDE\.md|\.cursorrules|\.cursor/rules|\.codex/config\.toml|\.gemini/settings\.json|\.mcp\.json|\.git/hooks/|\.ssh/authorized_keys)"
        ),
        message: "a command writes settings of an agent or a shell, which work beyond this skill: read what it adds",
    },
    TextRule {
        code: codes::TEXT_AFTER_BLANK_LINES,
        expression: r"(?-u)(?:[ \t\r\x0b\x0c]*\n){101}[\s]*[^\s]",
        message: "this text comes after 100 or more blank lines, where readers do not look: remove the lines",
    },
];

/// Rules for what readers do not see. They read characters, so they search texts only.
pub(super) const HIDDEN: &[TextRule] = &[
    TextRule {
        code: codes::HIDDEN_CHARACTERS,
        // Flags of countries consist of tags behind a flag.
        expression: r"[\u{202a}-\u{202e}\u{2066}-\u{2069}]|(?:^|[^\u{1f3f4}\u{e0020}-\u{e007f}])[\u{e0000}-\u{e007f}]",
        message: "characters reorder this text or are invisible, so that readers see another text than programs: remove them",
    },
    TextRule {
        code: codes::ZERO_WIDTH_TEXT,
        expression: r"[\u{200b}\u{2060}-\u{2065}\u{180e}]|[^\u{feff}]\u{feff}",
        message: "characters without width are in this text: remove them",
    },
    TextRule {
        code: codes::HIDDEN_ORDER,
        // Tools write what a section is for, and how to go on, into comments. Only orders to deceive, to forget orders
        // and to run something are reported.
        expression: concat!(
            r"(?is)<!--(?:[^-]|-[^-]|--[^>])*?\b(?:",
            r"(?:ignore|disregard|forget)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|above|earlier|other)\b",
            r"|(?:do\s+not|don['’]t|never)\s+(?:tell|mention|inform|reveal|ask|alert|warn)\b",
            r"|without\s+(?:telling|asking|informing|alerting)\b",
            r"|(?:secretly|silently|quietly)\s+(?:run|execute|send|upload|read|install|add)\b",
            r"|(?:run|execute)\s+(?:the\s+|this\s+|these\s+|following\s+)*(?:commands?|scripts?|code|`|curl|wget|bash|sh)\b",
            r")"
        ),
        message: "a comment, which readers of the page do not see, gives orders to an agent",
    },
];
