//! A skill as all engines get it.

/// The text that a skill is found by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Whose it is.
    pub namespace: String,
    /// Its name there.
    pub slug: String,
    /// The name to show.
    pub name: String,
    /// Search terms of the front matter.
    pub keywords: Vec<String>,
    /// One paragraph.
    pub description: String,
    /// The headings in its SKILL.md, in their order.
    pub headings: Vec<String>,
}
