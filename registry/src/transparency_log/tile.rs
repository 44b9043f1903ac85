//! Addresses of the tiles of the transparency log, as C2SP tlog-tiles has them
//! (<https://c2sp.org/tlog-tiles>).

use std::fmt;

use super::TILE_WIDTH;

/// A tile of the transparency log, or a bundle of its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogTile {
    /// The level of the tile; None for a bundle of entries.
    pub level: Option<u8>,
    /// The number of the tile in its level, from 0.
    pub number: u64,
    /// The number of hashes or entries: 1 to 256. Below 256 the tile is partial.
    pub width: u64,
}

/// The highest level of tiles in a tree of 2^64 leaves.
const MAX_LEVEL: u8 = 7;

impl LogTile {
    /// Whether it never changes.
    pub fn is_full(&self) -> bool {
        self.width == TILE_WIDTH
    }

    /// Whether the tree of a log of `size` leaves has it. A writer removes outgrown partial tiles
    /// after the head is written.
    pub fn is_in(&self, size: u64) -> bool {
        let hashes = size >> (u32::from(self.level.unwrap_or(0)) * 8);
        hashes.checked_sub(self.number.saturating_mul(TILE_WIDTH)).map(|left| left.min(TILE_WIDTH))
            == Some(self.width)
    }

    /// The tiles and bundles of a log of `size` leaves that a log of `before` leaves does not have.
    pub fn new_ones(before: u64, size: u64) -> impl Iterator<Item = Self> {
        let levels = [None].into_iter().chain((0..=MAX_LEVEL).map(Some));
        levels.flat_map(move |level| {
            let shift = u32::from(level.unwrap_or(0)) * 8;
            let (before, size) = (before >> shift, size >> shift);
            let tiles = before / TILE_WIDTH..size.div_ceil(TILE_WIDTH);
            tiles.filter(move |_| before < size).map(move |number| {
                let width = (size - number * TILE_WIDTH).min(TILE_WIDTH);
                Self { level, number, width }
            })
        })
    }

    /// The partial tiles and bundles of a log of `size` leaves.
    pub fn partial_ones(size: u64) -> impl Iterator<Item = Self> {
        let levels = [None].into_iter().chain((0..=MAX_LEVEL).map(Some));
        let last = levels.map(move |level| {
            let hashes = size >> (u32::from(level.unwrap_or(0)) * 8);
            Self { level, number: hashes / TILE_WIDTH, width: hashes % TILE_WIDTH }
        });
        last.filter(|tile| tile.width > 0)
    }

    /// Parses a path below `tile/`: the level or `entries`, and what follows.
    pub fn parse(segments: &[&str]) -> Option<Self> {
        let [kind, rest @ ..] = segments else { return None };
        let level = match *kind {
            "entries" => None,
            level => Some(level.parse().ok().filter(|level| *level <= MAX_LEVEL)?),
        };
        let (rest, width) = match rest {
            [rest @ .., last, width] if last.ends_with(".p") => {
                let width = width.parse().ok().filter(|width| (1..TILE_WIDTH).contains(width))?;
                ([rest, &[last.strip_suffix(".p")?]].concat(), width)
            }
            rest => (rest.to_vec(), TILE_WIDTH),
        };
        // At most 2^64 leaves, three digits at a time.
        if rest.is_empty() || rest.len() > 7 {
            return None;
        }
        let mut number: u64 = 0;
        for group in rest {
            let digits: u64 = group.trim_start_matches('x').parse().ok().filter(|digits| *digits < 1000)?;
            number = number.checked_mul(1000)?.checked_add(digits)?;
        }
        let tile = Self { level, number, width };
        // A tile has only one spelling.
        (tile.to_string() == segments.join("/")).then_some(tile)
    }
}

impl fmt::Display for LogTile {
    /// The path below `tile/`, such as `0/x001/067.p/5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            None => f.write_str("entries/")?,
            Some(level) => write!(f, "{level}/")?,
        }
        let mut groups = vec![self.number % 1000];
        let mut rest = self.number / 1000;
        while rest > 0 {
            groups.push(rest % 1000);
            rest /= 1000;
        }
        for (index, group) in groups.iter().enumerate().rev() {
            let (before, after) = if index > 0 { ("x", "/") } else { ("", "") };
            write!(f, "{before}{group:03}{after}")?;
        }
        if self.is_full() { Ok(()) } else { write!(f, ".p/{}", self.width) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_specification() {
        let tile = |level, number, width| LogTile { level, number, width };
        for (tile, path) in [
            (tile(Some(0), 67, 256), "0/067"),
            (tile(Some(2), 1_234_067, 256), "2/x001/x234/067"),
            (tile(None, 1_234_067, 8), "entries/x001/x234/067.p/8"),
            (tile(Some(7), 0, 255), "7/000.p/255"),
        ] {
            assert_eq!(tile.to_string(), path);
            assert_eq!(LogTile::parse(&path.split('/').collect::<Vec<_>>()), Some(tile));
        }
        let foreign = [
            "0",
            "0/",
            "0/67",
            "0/0067",
            "0/x000/067",
            "8/067",
            "-1/067",
            "0/067.p/0",
            "0/067.p/256",
            "0/067.p/08",
            "0/067.p",
            "0/x067",
            "data/067",
            "0/x999/x999/x999/x999/x999/x999/x999/999",
            "0/1000",
        ];
        for path in foreign {
            assert_eq!(LogTile::parse(&path.split('/').collect::<Vec<_>>()), None, "{path}");
        }
    }

    #[test]
    fn new_ones_are_the_tiles_that_a_larger_log_has() {
        let paths = |before, size| {
            LogTile::new_ones(before, size).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(paths(0, 0), "");
        assert_eq!(paths(0, 1), "entries/000.p/1 0/000.p/1");
        assert_eq!(paths(1, 1), "");
        assert_eq!(paths(255, 256), "entries/000 0/000 1/000.p/1");
        assert_eq!(paths(256, 257), "entries/001.p/1 0/001.p/1");
        assert_eq!(
            paths(200, 520),
            "entries/000 entries/001 entries/002.p/8 0/000 0/001 0/002.p/8 1/000.p/2"
        );
        assert_eq!(LogTile::new_ones(0, 65_536).last().unwrap().to_string(), "2/000.p/1");
    }

    #[test]
    fn is_in_agrees_with_the_list_of_tiles() {
        for size in [0, 1, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537, 70_000] {
            let tiles: Vec<_> = LogTile::new_ones(0, size).collect();
            assert!(tiles.iter().all(|tile| tile.is_in(size)), "{size}");
            let partial: Vec<_> = tiles.iter().filter(|tile| !tile.is_full()).copied().collect();
            assert_eq!(LogTile::partial_ones(size).collect::<Vec<_>>(), partial, "{size}");
            for before in [1, 100, 256, 300, 65_536] {
                for tile in LogTile::new_ones(0, before) {
                    assert_eq!(tile.is_in(size), tiles.contains(&tile), "{tile} in {size}");
                }
            }
        }
    }
}
