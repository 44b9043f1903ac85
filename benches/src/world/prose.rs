//! Text that is the same for the same seed and packs about as well as prose.

/// The words of sentences. None of them matches a secret rule.
const WORDS: [&str; 64] = [
    "agent", "answer", "archive", "article", "branch", "browser", "budget", "calendar", "change", "chart",
    "check", "client", "column", "command", "comment", "contract", "customer", "data", "deploy", "design",
    "diagram", "document", "draft", "email", "error", "example", "export", "folder", "format", "graph",
    "history", "image", "import", "index", "invoice", "language", "layout", "letter", "library", "market",
    "meeting", "message", "model", "network", "note", "order", "package", "page", "plan", "project", "query",
    "record", "release", "report", "review", "schedule", "search", "server", "sheet", "story", "summary",
    "table", "test", "workflow",
];

/// Words that join them.
const JOINTS: [&str; 16] = [
    "and", "for", "from", "into", "of", "with", "about", "the", "a", "each", "before", "after", "then",
    "when", "without", "through",
];

/// A stream of words (splitmix64: equal seeds give equal text everywhere).
pub struct Prose(u64);

impl Prose {
    /// The text of a seed.
    pub fn of(seed: u64) -> Self {
        Self(seed)
    }

    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `end`, without it; `end` is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % end.max(1) as u64) as usize
    }

    /// One noun.
    pub fn word(&mut self) -> &'static str {
        WORDS.get(self.below(WORDS.len())).copied().unwrap_or("skill")
    }

    /// A sentence of at least `bytes` bytes and at most a word more.
    pub fn sentence(&mut self, bytes: usize) -> String {
        let mut text = String::from("Use");
        while text.len() + 1 < bytes {
            let joint = JOINTS.get(self.below(JOINTS.len())).copied().unwrap_or("and");
            for word in [joint, self.word()] {
                text.push(' ');
                text.push_str(word);
            }
        }
        text.push('.');
        text
    }

    /// Paragraphs of exactly `bytes` bytes together.
    pub fn paragraphs(&mut self, bytes: usize) -> String {
        let mut text = String::with_capacity(bytes + 128);
        while text.len() < bytes {
            let length = 40 + self.below(120);
            text.push_str(&self.sentence(length));
            text.push_str(if self.below(4) == 0 { "\n\n" } else { " " });
        }
        text.truncate(bytes);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_text_and_lengths_are_kept() {
        assert_eq!(Prose::of(7).paragraphs(999), Prose::of(7).paragraphs(999));
        assert_ne!(Prose::of(7).paragraphs(999), Prose::of(8).paragraphs(999));
        assert_eq!(Prose::of(1).paragraphs(4321).len(), 4321);
        assert!((150..180).contains(&Prose::of(2).sentence(150).len()));
    }
}
