//! What the rules of a policy look at.

use registry::api::public::{AdvisoryNote, VersionRecord};
use registry::package::Level;
use registry::public::PublicProvenance;
use registry::time::Timestamp;

/// What a registry says about a version.
#[derive(Debug, Clone, Default)]
pub struct VersionFacts {
    /// When it was published. None if the registry has no record of it.
    pub published_at: Option<Timestamp>,
    /// The job that built it, or where it was taken from.
    pub provenance: Option<PublicProvenance>,
    /// The advisories that hold for it.
    pub advisories: Vec<AdvisoryNote<'static>>,
    /// The worst verdict, and its scanner. A scanner that found nothing has no level. None without a verdict.
    pub verdict: Option<(Option<Level>, String)>,
}

impl VersionFacts {
    /// What the record of a version says.
    pub(crate) fn new(record: &VersionRecord<'static>) -> Self {
        let verdicts = record.verdicts.iter().map(|verdict| &verdict.summary);
        Self {
            published_at: Some(record.published_at),
            provenance: record.provenance.as_deref().filter(|of| of.is_valid()).cloned(),
            advisories: record.advisories.clone(),
            verdict: verdicts.map(|of| (of.level, of.scanner.to_string())).max(),
        }
    }
}
