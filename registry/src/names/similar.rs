//! Names that are like one that does not exist, for "did you mean".

use strsim::osa_distance;

/// The most names that are proposed.
const MAX_PROPOSED: usize = 3;

/// The longest name that is compared, in bytes. No longer name is valid.
const MAX_LENGTH: usize = 128;

/// The known names that are most like `name`, the best first: those with a typing error or two, and those
/// that begin with it.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let mut near: Vec<(usize, &str)> =
        known.into_iter().filter_map(|other| Some((unlikeness(&name, other)?, other))).collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(MAX_PROPOSED).map(|(_, other)| other).collect()
}

/// The end of a message: `: did you mean `a` or `b`?`. Empty if no name is proposed.
pub fn did_you_mean(proposed: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = proposed.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => format!(": did you mean {only}?"),
        [first @ .., last] => format!(": did you mean {} or {last}?", first.join(", ")),
    }
}

/// The distance of two names, 0 for equal ones. None if they are too different to be confused.
fn unlikeness(name: &str, other: &str) -> Option<usize> {
    if name.len() > MAX_LENGTH || other.len() > MAX_LENGTH {
        return None;
    }
    let other = other.to_lowercase();
    let allowed = match name.len().min(other.len()) {
        0..=2 => 0,
        3..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let errors = osa_distance(name, &other);
    if errors <= allowed {
        return Some(errors);
    }
    (name.len() >= 3 && other.starts_with(name)).then_some(MAX_LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names_come_first() {
        let known = ["pdf-forms", "pdf-form", "docx", "lint", "listen", "wait_timeout", "ab"];
        for (name, expected) in [
            ("pdf-froms", &["pdf-forms", "pdf-form"][..]),
            ("pdf", &["pdf-form", "pdf-forms"]),
            ("lnit", &["lint"]),
            ("LISTN", &["listen"]),
            ("wait_timout", &["wait_timeout"]),
            ("doc", &["docx"]),
            ("abc", &[]),
            ("kubernetes", &[]),
            ("", &[]),
        ] {
            assert_eq!(nearest(name, known), expected, "{name}");
        }
        assert!(nearest(&"a".repeat(1000), [&*"a".repeat(1001)]).is_empty());
    }

    #[test]
    fn proposals_are_a_question() {
        assert_eq!(did_you_mean(&[] as &[&str]), "");
        assert_eq!(did_you_mean(&["a"]), ": did you mean `a`?");
        assert_eq!(did_you_mean(&["a", "b", "c"]), ": did you mean `a`, `b` or `c`?");
    }
}
