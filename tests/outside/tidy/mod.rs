//! Rules of the repository, checked by reading it as text.
//!
//! Each rule names all offenders when it fails.

mod causes;
mod circles;
mod docs;
mod files;
mod floors;
mod language;
mod names;
mod numbers;
mod paths;
mod source;
mod statuses;
mod text;

use source::Source;

/// Fails when there are offenders, and lists them all.
#[track_caller]
fn assert_none(rule: &str, offenders: &[String]) {
    assert!(offenders.is_empty(), "{rule}:\n  {}", offenders.join("\n  "));
}

/// `path:line` of every line of `sources` that `is_offence` says is one, tests
/// and comments left out.
fn lines(sources: &[Source], is_offence: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        for (number, line) in source.code() {
            if is_offence(line) {
                found.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    found
}
