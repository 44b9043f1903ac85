//! A skill as all engines get it.

/// The text that a skill is found by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// The namespace of the skill.
    pub namespace: String,
    /// The name in the namespace.
    pub slug: String,
    /// The name to show.
    pub name: String,
    /// Search terms of the front matter.
    pub keywords: Vec<String>,
    /// The description, as one paragraph.
    pub description: String,
    /// The headings in its SKILL.md, in their order.
    pub headings: Vec<String>,
    /// The words that its SKILL.md has most often, as a publication finds them.
    pub body_words: Vec<String>,
    /// The text of its SKILL.md, for engines outside this program.
    pub prose: String,
}
