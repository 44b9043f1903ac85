//! The changes that outdate documents.

use self::Cause::{
    Advisory, Author, Counters, NamespaceCreated, NamespaceUpdated, Person, Published, Removed, Tag, Yanked,
};

/// A change that outdates documents of a skill, of its versions and tags that changed, of its namespace, or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A version was published.
    Published,
    /// A version was yanked, or is offered again.
    Yanked,
    /// An advisory about a version was published or withdrawn, or a scanner judged the version.
    Advisory,
    /// A skill was removed or restored.
    Removed,
    /// A tag was set or removed.
    Tag,
    /// A skill has another author.
    Author,
    /// A person who published something has another name.
    Person,
    /// The counters of a skill changed.
    Counters,
    /// A namespace was created.
    NamespaceCreated,
    /// A namespace was described again, archived or reopened.
    NamespaceUpdated,
    /// A bundle changed, or the version of a skill in it.
    Bundle,
    /// There is another row, of any kind.
    Row,
}

impl Cause {
    /// What changes the versions of a skill.
    pub const VERSIONS: &'static [Self] = &[Published, Yanked, Removed];

    /// What changes records that show who published.
    pub const RECORDS: &'static [Self] = &[Published, Yanked, Advisory, Removed, Person];

    /// What changes how a skill is shown.
    pub const SKILL: &'static [Self] = &[Published, Yanked, Advisory, Removed, Tag, Author, Person, Counters];

    /// What changes lists of skills.
    pub const LISTS: &'static [Self] =
        &[Published, Yanked, Removed, Tag, Author, Person, Counters, NamespaceCreated, NamespaceUpdated];

    /// What may change the number of skills in a namespace, or its description. Some versions are first ones.
    pub const MEMBERS: &'static [Self] = &[Published, Removed, NamespaceCreated, NamespaceUpdated];
}
