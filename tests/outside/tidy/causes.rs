//! Messages of errors leave out the error's source: `registry::with_causes` joins the two.

use std::sync::LazyLock;

use regex::Regex;

use super::assert_none;
use super::source::rust;

/// A field that is the error's source, with its name unless it is a tuple field.
static SOURCE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"#\[(?:source|from)\]\s*(?:pub )?(?:([a-z_]+): )?").unwrap());

#[test]
fn messages_do_not_repeat_the_source() {
    let mut offenders = Vec::new();
    for source in rust("") {
        offenders.extend(repeats(&source.code_text()).map(|message| format!("{}: {message}", source.path)));
    }
    assert_none("messages of errors leave out what #[source] or #[from] says", &offenders);
}

/// The messages that contain a field which is the error's source.
fn repeats(code: &str) -> impl Iterator<Item = &str> {
    code.split("#[error(").skip(1).filter_map(|variant| {
        let (message, fields) = variant.split_once(")]")?;
        let repeats = SOURCE.captures_iter(fields).any(|field| {
            let name = field.get(1).map_or("0", |name| name.as_str());
            [format!("{{{name}}}"), format!("{{{name}:"), format!(".{name}")]
                .iter()
                .any(|used| message.contains(used))
        });
        repeats.then_some(message)
    })
}

#[test]
fn message_with_its_source_is_found() {
    let both = "#[error(\"no: {0}\")]\nA(#[source] Cause),\n#[error(\"{n} of {why:#}\")]\nB { n: u8, #[source]\n why: X },";
    assert_eq!(repeats(both).count(), 2);
    let fine = "#[error(\"no {0}\")]\nA(u8),\n#[error(\"no {path}\")]\nB { path: u8, #[source] why: X },\n\
                #[error(transparent)]\nC(#[from] io::Error),";
    assert_eq!(repeats(fine).count(), 0);
}
