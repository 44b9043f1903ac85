//! Kinds of queries for a known skill.

/// What a user remembers of the skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// One word of the name.
    NameWord,
    /// All words of the shown name, in their order.
    WholeName,
    /// Two words of the name.
    TwoNameWords,
    /// One word of the description.
    Word,
    /// Two words of the description.
    TwoWords,
    /// Three words of the description.
    ThreeWords,
    /// A word of the name, and one of the description that is not in the name.
    NameAndWord,
    /// The first three to five letters of a word of the name that has at least
    /// two more.
    Prefix,
    /// A word of the name or description, and such a prefix of another.
    WordAndPrefix,
    /// One mistake in a word of the name of at least five letters.
    NameTypo,
    /// Two words of the description, a mistake in one of at least five letters.
    WordTypo,
    /// Two words of the description with other English endings.
    Folded,
    /// Three words of the description, and one that no skill need have.
    Missing,
    /// A word of the name, and two neighbours of it or of the description written as one word.
    Compound,
    /// A word of the name or description replaced by a synonym, and another word of the description.
    Synonym,
    /// Five words of the description in a sentence.
    Sentence,
    /// A part of a Chinese, Japanese or Korean description of eight to twenty characters.
    Dense,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::NameWord,
        Self::WholeName,
        Self::TwoNameWords,
        Self::Word,
        Self::TwoWords,
        Self::ThreeWords,
        Self::NameAndWord,
        Self::Prefix,
        Self::WordAndPrefix,
        Self::NameTypo,
        Self::WordTypo,
        Self::Folded,
        Self::Missing,
        Self::Compound,
        Self::Synonym,
        Self::Sentence,
        Self::Dense,
    ];

    /// The title of the class.
    pub fn title(self) -> &'static str {
        match self {
            Self::NameWord => "a word of the name",
            Self::WholeName => "the whole name",
            Self::TwoNameWords => "two words of the name",
            Self::Word => "a word of the description",
            Self::TwoWords => "two words of the description",
            Self::ThreeWords => "three words of the description",
            Self::NameAndWord => "a word of the name, one of the description",
            Self::Prefix => "the first letters of a word of the name",
            Self::WordAndPrefix => "a word, then the first letters of one of the name",
            Self::NameTypo => "a word of the name, mistyped",
            Self::WordTypo => "two words of the description, one mistyped",
            Self::Folded => "two words of the description, with other endings",
            Self::Missing => "three words of the description, and a wrong one",
            Self::Compound => "a word of the name, and two words written as one",
            Self::Synonym => "two words, one replaced by a synonym",
            Self::Sentence => "five words of the description in a sentence",
            Self::Dense => "a part of a Chinese, Japanese or Korean description",
        }
    }
}
