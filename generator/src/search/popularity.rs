//! How popular the few skills are that are popular at all.

use registry::public::{Counters, PublicCatalog, Sort};

/// Of each of the two lists, by downloads and by stars, so many skills count.
const MOST: usize = 256;

/// The class of a skill with these counters, 0 to 7. Numbers of downloads are
/// easily forged: it takes four times as many for the next class, and the last
/// one is soon reached.
fn class(counters: &Counters) -> u8 {
    let by_downloads = (counters.downloads / 4).checked_ilog(4).unwrap_or_default();
    let by_stars = (counters.stars / 2).checked_ilog2().unwrap_or_default();
    by_downloads.max(by_stars).min(7) as u8
}

/// The popular live skills with their classes, by id.
pub(super) fn popular(catalog: &PublicCatalog) -> Vec<(u64, u8)> {
    let all = [Sort::Downloads, Sort::Stars].map(|sort| catalog.list(None, sort, 0, usize::MAX));
    let live = all.into_iter().flat_map(|list| list.filter(|skill| catalog.is_live(skill)).take(MOST));
    let mut found: Vec<_> = live.map(|skill| (skill.id.0, class(&skill.counters))).collect();
    found.retain(|(_, class)| *class > 0);
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        let class = |downloads, stars| class(&Counters { downloads, stars, ..Counters::default() });
        assert_eq!([0, 15, 16, 64, 65_535, 65_536, u64::MAX].map(|n| class(n, 0)), [0, 0, 1, 2, 6, 7, 7]);
        assert_eq!([0, 3, 4, 8, 255, 256, u64::MAX].map(|n| class(0, n)), [0, 0, 1, 2, 6, 7, 7]);
        assert_eq!(class(16, 8), 2);
    }
}
