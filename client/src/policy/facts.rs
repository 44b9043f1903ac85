//! What the rules of a policy look at.

use registry::api::public::{AdvisoryNote, VersionDetail, VersionRecord};
use registry::public::PublicProvenance;
use registry::time::Timestamp;
use serde::{Deserialize, Serialize};

/// How bad the verdict of a scanner is, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictLevel {
    /// It found nothing.
    None,
    /// It found something that people should know.
    Note,
    /// A person should look at it.
    Warning,
    /// It should not be used.
    Error,
}

impl VerdictLevel {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A record that has a version's fields, and the verdicts about it. Registries without scanners have no verdicts.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Judged<T> {
    #[serde(default)]
    pub verdicts: Vec<Verdict>,
    #[serde(flatten)]
    pub record: T,
}

/// The verdict of a scanner.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Verdict {
    scanner: String,
    level: String,
}

/// What a registry says about a version.
#[derive(Debug, Clone, Default)]
pub struct VersionFacts {
    /// When it was published. None if the registry has no record of it.
    pub published_at: Option<Timestamp>,
    /// The job that built it.
    pub provenance: Option<PublicProvenance>,
    /// The advisories that hold for it.
    pub advisories: Vec<AdvisoryNote<'static>>,
    /// The worst verdict, and its scanner. None without a verdict.
    pub verdict: Option<(VerdictLevel, String)>,
}

impl VersionFacts {
    /// What the document of a version says.
    pub(crate) fn of_detail(judged: &Judged<VersionDetail<'static>>) -> Self {
        Self::new(&judged.record.record, &judged.verdicts)
    }

    pub(super) fn new(record: &VersionRecord<'static>, verdicts: &[Verdict]) -> Self {
        let level = |verdict: &Verdict| {
            let level = VerdictLevel::deserialize(serde_json::Value::from(&*verdict.level));
            // A level of a later release is taken for the worst.
            (level.unwrap_or(VerdictLevel::Error), verdict.scanner.clone())
        };
        Self {
            published_at: Some(record.published_at),
            provenance: record.provenance.as_deref().filter(|of| of.is_valid()).cloned(),
            advisories: record.advisories.clone(),
            verdict: verdicts.iter().map(level).max(),
        }
    }
}
