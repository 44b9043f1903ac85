//! The target `cost`: short inputs that become large packages. The target measures their
//! time, and tests run the seeds without a clock.

use registry::package::{Limits, LooseFile, Package, ReadOptions, Strictness, Unpacked};

/// Reads a package in which a pattern is repeated up to `size` bytes: as the content of a
/// file, as the front matter or the text of SKILL.md, as paths, or as a zip. The first byte
/// chooses. The second one is the length of a beginning that is not repeated.
pub fn hold(bytes: &[u8], size: usize) {
    let [what, head, rest @ ..] = bytes else { return };
    let (head, pattern) = rest.split_at(usize::from(*head).min(rest.len()));
    if pattern.is_empty() {
        return;
    }
    let content: Vec<u8> = head.iter().chain(pattern.iter().cycle()).take(size).copied().collect();
    match what % 7 {
        0 => read(vec![skill_md(), file("a", content)]),
        1 => read(vec![file("SKILL.md", [SKILL, &content].concat())]),
        2 => read(vec![file(
            "SKILL.md",
            [b"---\n", &content[..content.len().min(60 << 10)], b"\n---\nText\n"].concat(),
        )]),
        // A zip of this size has no more entries.
        3 => read(paths(&content, pattern.len().max(8), 10_000)),
        4 => read(paths(&content, 60 << 10, 1_000)),
        5 => read(vec![file("SKILL.md", content)]),
        _ => {
            let _ = Unpacked::from_zip(&content, &Limits::default());
        }
    }
}

const SKILL: &[u8] = b"---\nname: a-skill\ndescription: Does things.\n---\n";

fn skill_md() -> LooseFile {
    file("SKILL.md", SKILL.to_vec())
}

fn file(path: &str, content: Vec<u8>) -> LooseFile {
    LooseFile { path: path.to_owned(), executable: false, content }
}

/// Empty files, whose paths together are `text`.
fn paths(text: &[u8], length: usize, most: usize) -> Vec<LooseFile> {
    let path = |bytes: &[u8]| file(&String::from_utf8_lossy(bytes), Vec::new());
    text.chunks(length).take(most).map(path).chain([skill_md()]).collect()
}

/// Reads the files. Any result is fine. Tolerant reading does everything that strict reading
/// does, and repairs.
fn read(files: Vec<LooseFile>) {
    let (limits, strictness) = (Limits::default(), Strictness::Tolerant);
    let options =
        ReadOptions { source_name: Some("a-skill"), strictness, limits: &limits, allowed_files: &[] };
    let _ = Package::from_files(files, &options);
}
