//! Random numbers and texts that are the same in every run.

/// A small generator (xorshift64*), whose numbers do not depend on the version of a library.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let at = self.below(from.len());
        &from[at]
    }

    /// One of some words, an earlier one more often.
    pub fn common<'a>(&mut self, words: &'a [String]) -> &'a str {
        let end = self.below(words.len()) + 1;
        let end = self.below(end) + 1;
        &words[self.below(end)]
    }

    /// A word of two to four syllables.
    pub fn word(&mut self) -> String {
        const STARTS: [&str; 14] = ["b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "st", "tr"];
        const ENDS: [&str; 12] = ["a", "e", "i", "o", "u", "er", "an", "il", "on", "at", "es", "ing"];
        let syllables = 2 + self.below(3);
        (0..syllables).map(|_| [*self.pick(&STARTS), *self.pick(&ENDS)].concat()).collect()
    }

    /// A sentence of `length` words, of which earlier ones are more common.
    pub fn sentence(&mut self, words: &[String], length: usize) -> String {
        (0..length).map(|_| self.common(words)).collect::<Vec<_>>().join(" ")
    }
}
