//! Problems as one line of text, for clients that print the body of an error as it is.

use std::fmt::Write;

use hyper::header::{CONTENT_TYPE, HeaderValue};

use super::{Code, ErrorEntry, Problem};
use crate::Response;
use crate::response_headers::request_id::RequestId;

/// The text that clients of the ClawHub dialect compare with: they publish a skill as a new one only
/// after this answer.
const NO_SKILL: &str = "Skill not found";

/// How many of several errors a line names.
const MAX_ERRORS: usize = 5;

/// The longest line, in characters.
const MAX_LENGTH: usize = 600;

impl Problem {
    /// 404 for a skill, in the words of the ClawHub dialect.
    pub fn no_such_skill() -> Self {
        Self::not_found(NO_SKILL)
    }

    /// The response of the ClawHub dialect: one line of text instead of JSON. A removed skill is
    /// 404, because its clients know no 410.
    pub fn into_line(self, id: &RequestId) -> Response {
        let line = one_line(&self.sentence(id));
        let problem = if self.code() == Code::Gone { Self::no_such_skill() } else { self };
        let mut response = problem.into_response(id);
        *response.body_mut() = Response::new(line.into()).into_body();
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        response
    }

    fn sentence(&self, id: &RequestId) -> String {
        match (self.code(), self.errors()) {
            (Code::Gone, _) => NO_SKILL.to_owned(),
            (Code::Unauthenticated, _) => {
                "The token is missing, invalid, revoked or expired: log in again with the client's login command."
                    .to_owned()
            }
            (Code::Internal, _) => format!("{} The id is {id}.", self.detail()),
            (code, errors @ [_, _, ..]) => format!("{}: {}", code.title(), several(errors)),
            _ => self.detail().to_owned(),
        }
    }
}

fn several(errors: &[ErrorEntry]) -> String {
    let mut text = String::new();
    for (i, error) in errors.iter().take(MAX_ERRORS).enumerate() {
        text += if i > 0 { "; " } else { "" };
        if let Some(Some(path)) = &error.path {
            text += path;
            text += ": ";
        }
        text += &error.message;
    }
    if let Some(more @ 1..) = errors.len().checked_sub(MAX_ERRORS) {
        // Writing to a string cannot fail.
        let _ = write!(text, "; and {more} more");
    }
    text + "."
}

/// A text without control characters, and not longer than `MAX_LENGTH`.
fn one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut line: String = text.chars().map(plain).take(MAX_LENGTH).collect();
    if line.len() < text.len() && text.chars().nth(MAX_LENGTH).is_some() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(problem: Problem) -> String {
        one_line(&problem.sentence(&RequestId::random()))
    }

    #[test]
    fn removed_skill_is_not_found() {
        let response = Problem::gone("Removed: team--x.").into_line(&RequestId::random());
        assert_eq!(response.status(), Code::NotFound.status());
        assert_eq!(line(Problem::gone("Removed: team--x.")), "Skill not found");
    }

    #[test]
    fn several_errors_are_one_line() {
        let entry = |i: usize| ErrorEntry {
            path: Some(Some(format!("a{i}.md"))),
            ..ErrorEntry::field("x", "files", "it is\ntoo large")
        };
        let problem = Problem::invalid_package("listed in `errors`", (0..7).map(entry).collect());
        let text = line(problem);
        assert!(text.starts_with("Invalid package: a0.md: it is too large; a1.md: "), "{text}");
        assert!(text.ends_with("; and 2 more."), "{text}");
    }

    #[test]
    fn long_text_is_cut() {
        let text = line(Problem::invalid("ä".repeat(2000)));
        assert_eq!(text.chars().count(), MAX_LENGTH + 1);
        assert!(text.ends_with('…'));
        assert_eq!(line(Problem::invalid("ä".repeat(MAX_LENGTH))).chars().count(), MAX_LENGTH);
    }
}
