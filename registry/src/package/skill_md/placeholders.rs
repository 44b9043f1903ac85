//! The texts of a new SKILL.md, which its author replaces.

/// The description of a skill that nobody has described yet.
pub const DESCRIPTION: &str = "Says what this skill does, and when an agent should use it.";

/// The first paragraph of a new text.
pub const STEPS: &str = "Say here what the agent should do, step by step.";

/// The second paragraph of a new text.
pub const FILES: &str = "Longer texts, scripts and data can be files beside this one: name them here.";

/// The lines of a text, from 0, that are still as they were written first.
pub(super) fn lines(body: &str) -> impl Iterator<Item = u64> {
    (0..)
        .zip(body.lines())
        .filter(|(_, line)| [STEPS, FILES].contains(&line.trim()))
        .map(|(number, _)| number)
}
