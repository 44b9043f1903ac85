//! The memory of an index.

use generator::search::SharedIndex;
use generator::settings::TreeSettings;

use super::Skill;
use super::catalog::catalog;
use crate::Failure;
use crate::process::memory;
use crate::table::{Bound, Row};

/// The most bytes for each skill.
const MAX_BYTES: f64 = 3072.0;

/// Builds two indices of one catalog and measures the growth of the process with the second. Memory
/// that the first build left free is reused by then, so it does not distort the result.
pub(super) fn row(skills: &[Skill]) -> Result<Row, Failure> {
    let catalog = catalog(skills)?;
    let own = std::process::id();
    let [first, second] = [(); 2].map(|()| SharedIndex::new(TreeSettings::default().precompute));
    drop(first.current(&catalog));
    let before = memory(own)?;
    drop(second.current(&catalog));
    let more = memory(own)?.saturating_sub(before);
    let what = format!("memory of the index for each of {} skills", skills.len());
    Ok(Row::of(what, more as f64 / skills.len().max(1) as f64, "bytes").bound(Bound::Most(MAX_BYTES)))
}
