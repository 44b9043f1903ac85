//! Classes of popularity, which only a few skills have.

use registry::public::{Counters, PublicCatalog, Sort};

/// Number of skills that count of each of the two lists, by downloads and by stars.
const MAX_OF_EACH: usize = 256;

/// The class of a skill, 0 to 7. Downloads are easily forged, so the next class takes four
/// times as many, and the last class is reached soon.
fn class(counters: &Counters) -> u8 {
    let by_downloads = (counters.downloads / 4).checked_ilog(4).unwrap_or_default();
    let by_stars = (counters.stars / 2).checked_ilog2().unwrap_or_default();
    by_downloads.max(by_stars).min(7) as u8
}

/// The popular live skills with their classes, by id.
pub fn popular(catalog: &PublicCatalog) -> Vec<(u64, u8)> {
    let lists = [Sort::Downloads, Sort::Stars].map(|sort| catalog.list(None, sort, 0, usize::MAX));
    let live =
        lists.into_iter().flat_map(|list| list.filter(|skill| catalog.is_live(skill)).take(MAX_OF_EACH));
    let mut popular: Vec<_> = live.map(|skill| (skill.id.0, class(&skill.counters))).collect();
    popular.retain(|(_, class)| *class > 0);
    popular.sort_unstable();
    popular.dedup();
    popular
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_grows_slowly_with_downloads_and_stars() {
        let class = |downloads, stars| class(&Counters { downloads, stars, ..Counters::default() });
        assert_eq!([0, 15, 16, 64, 65_535, 65_536, u64::MAX].map(|n| class(n, 0)), [0, 0, 1, 2, 6, 7, 7]);
        assert_eq!([0, 3, 4, 8, 255, 256, u64::MAX].map(|n| class(0, n)), [0, 0, 1, 2, 6, 7, 7]);
        assert_eq!(class(16, 8), 2);
    }
}
