//! Addresses of documents for agents and for clients that others made. Each is where its readers
//! look for it, outside of the API, and a request names the file.

use registry::names::{Coordinate, Namespace};

use super::Document;

/// The file that Claude Code reads, in the root or in the folder of a namespace.
const MARKETPLACE: &str = ".claude-plugin/marketplace.json";

/// The file that `npx skills` reads, in the folder of a namespace or skill. There is none in the
/// root: readers of an index download every skill in it, and they refuse addresses of single
/// packages on a host that has one there.
const AGENT_SKILLS: &str = ".well-known/agent-skills/index.json";

/// The Markdown of a skill, beside its page.
const MARKDOWN: &str = "index.md";

/// The text for agents (llmstxt.org).
const LLMS_TXT: &str = "llms.txt";

/// The file of a document, if it is one of these.
pub(super) fn file(document: &Document) -> Option<String> {
    Some(match document {
        Document::Marketplace(None) => MARKETPLACE.into(),
        Document::Marketplace(Some(namespace)) => format!("{namespace}/{MARKETPLACE}"),
        Document::AgentSkills(namespace) => format!("{namespace}/{AGENT_SKILLS}"),
        Document::AgentSkill(Coordinate { namespace, slug }) => {
            format!("{namespace}/{slug}/{AGENT_SKILLS}")
        }
        Document::SkillMarkdown(Coordinate { namespace, slug }) => format!("{namespace}/{slug}/{MARKDOWN}"),
        Document::LlmsTxt => LLMS_TXT.into(),
        _ => return None,
    })
}

/// The document at a path, without the leading slash.
pub(super) fn at(relative: &str) -> Option<Document> {
    match relative {
        LLMS_TXT => return Some(Document::LlmsTxt),
        MARKETPLACE => return Some(Document::Marketplace(None)),
        _ => {}
    }
    let (namespace, rest) = relative.split_once('/')?;
    let namespace: Namespace = namespace.parse().ok()?;
    match rest {
        MARKETPLACE => return Some(Document::Marketplace(Some(namespace))),
        AGENT_SKILLS => return Some(Document::AgentSkills(namespace)),
        _ => {}
    }
    let (slug, rest) = rest.split_once('/')?;
    let coordinate = Coordinate::new(namespace, slug.parse().ok()?);
    match rest {
        AGENT_SKILLS => Some(Document::AgentSkill(coordinate)),
        MARKDOWN => Some(Document::SkillMarkdown(coordinate)),
        _ => None,
    }
}
