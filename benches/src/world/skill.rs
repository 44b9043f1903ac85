//! One skill of a world: its names and its packages.

use registry::names::Version;
use registry::package::{Limits, LooseFile, Package, ReadOptions, Strictness};

use super::prose::Prose;
use crate::Failure;

/// Teams of a world; with `global` these are its namespaces.
pub const TEAMS: usize = 10;

/// How much a package holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Files, SKILL.md counted; at least 1.
    pub files: usize,
    /// Bytes of all files together; at least 1,000 for the SKILL.md.
    pub bytes: usize,
}

/// The median package of a corpus of 605 from public registries, fetched in
/// November 2026: 3 files, 12,693 bytes (5,106 as a zip). Each is the median by
/// itself.
pub const MEDIAN: Shape = Shape { files: 3, bytes: 12_693 };

/// The packages of worlds: the mean number of files of that corpus (6.98) with the median's bytes.
pub(super) const USUAL: Shape = Shape { files: 7, bytes: 12_693 };

/// The packages of a world that keeps only its rows. They have as many files, so their rows are as long, but fewer
/// bytes, so that making them takes less time.
pub(super) const BRIEF: Shape = Shape { files: 7, bytes: 1_800 };

/// The files beside SKILL.md, again and again with a number.
const PLACES: [&str; 6] = [
    "README.md",
    "references/guide.md",
    "references/format.md",
    "scripts/run.py",
    "examples/first.md",
    "assets/template.txt",
];

/// The name of a skill: two words, and a number that makes it its own.
pub fn slug(skill: usize) -> String {
    let mut prose = Prose::of(skill as u64);
    format!("{}-{}-{skill}", prose.word(), prose.word())
}

/// The namespace of a skill: every eleventh is `global`.
pub fn namespace(skill: usize) -> String {
    match skill % (TEAMS + 1) {
        0 => "global".to_owned(),
        team => self::team(team),
    }
}

/// The name of a team, from 1.
pub fn team(team: usize) -> String {
    format!("team-{team:02}")
}

/// The version of that number, from 0.
pub fn version(number: usize) -> String {
    format!("1.{number}.0")
}

/// The package of `slug` in `version`. No two packages are equal.
///
/// Errors: the shape is out of the limits that every package has.
pub fn package(slug: &str, version: &Version, seed: u64, shape: Shape) -> Result<Package, Failure> {
    let others = shape.files.saturating_sub(1);
    // Half for the instructions, as in the corpus, the rest for the other files.
    let each = (shape.bytes / 2).checked_div(others).unwrap_or(0);
    let mut files = vec![skill_md(slug, version, seed, shape.bytes - each * others)];
    for number in 0..others {
        let place = PLACES.get(number % PLACES.len()).copied().unwrap_or("README.md");
        let path = if number < PLACES.len() { place.to_owned() } else { format!("more/{number}/{place}") };
        let content = Prose::of(seed ^ ((number as u64 + 1) << 48)).paragraphs(each).into_bytes();
        files.push(LooseFile { executable: place.ends_with(".py"), path, content });
    }
    let options = ReadOptions {
        source_name: None,
        strictness: Strictness::Strict,
        limits: &Limits::default(),
        allowed_files: &[],
    };
    Package::from_files(files, &options).map_err(|why| format!("{slug}: {why}").into())
}

fn skill_md(slug: &str, version: &Version, seed: u64, bytes: usize) -> LooseFile {
    let mut prose = Prose::of(seed);
    let keywords = [prose.word(), prose.word(), prose.word()].join(", ");
    let title = slug.replace('-', " ");
    let head = format!(
        "---\nname: {slug}\ndescription: {}\nversion: {version}\nlicense: MIT\nmetadata:\n  title: {title}\n  keywords: [{keywords}]\n---\n\n# {title}\n\n",
        prose.sentence(150)
    );
    let body = prose.paragraphs(bytes.saturating_sub(head.len()));
    LooseFile { path: "SKILL.md".to_owned(), executable: false, content: (head + &body).into_bytes() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_package_has_the_shape_that_was_asked_for() {
        let version = "1.2.0".parse().unwrap();
        for shape in [MEDIAN, USUAL, Shape { files: 1, bytes: 2_000 }, Shape { files: 20, bytes: 40_000 }] {
            let package = package("chart-note-7", &version, 7, shape).unwrap();
            assert_eq!((package.files.len(), package.unpacked_size()), (shape.files, shape.bytes as u64));
            assert_eq!(package.warnings, []);
        }
    }

    #[test]
    fn the_median_packs_as_the_corpus_does() {
        let archive =
            package("chart-note-7", &"1.0.0".parse().unwrap(), 7, MEDIAN).unwrap().archive().unwrap();
        assert!((4_000..6_500).contains(&archive.len()), "{}", archive.len());
    }
}
