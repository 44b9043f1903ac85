//! What documents need to exist.

/// What a document needs to exist, besides its subject. `existing.rs` says when it has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// Only servers answer it, though it has a path.
    Server,
    /// A public URL, because it shows whole URLs.
    PublicUrl,
    /// A public URL, and in a namespace a live skill.
    Marketplace,
    /// A public URL, and a listed namespace with this initial and with skills.
    Sitemap,
    /// 1 to 50 live skills in the namespace.
    AgentSkills,
    /// A namespace with bundles.
    Bundles,
    /// A bundle with a skill that has a fitting version.
    BundleSkills,
    /// Settings with git, and a package that fits a pack.
    Repository,
    /// Being a current piece of the search index.
    Piece,
    /// Being a page of its list, or of the feed, before the end.
    Page,
    /// Being a tile of the log.
    Tile,
    /// A signature on the log.
    Checkpoint,
    /// A signature on the epoch.
    Statement,
    /// Being one of the files that the pages of this site load.
    Asset,
    /// A text of the operator about the site.
    About,
    /// Being an advisory, or the list of a skill that has had one.
    Advisory,
    /// A version with an attestation.
    Attestation,
}
