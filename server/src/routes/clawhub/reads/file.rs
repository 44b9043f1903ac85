//! One file of a version.

use generator::address::Pointer;
use registry::names::TagName;

use super::super::super::prelude::*;
use super::question::{Answer, Question, no_such_version};
use crate::reads::version_file;

/// `?path=` and `version=` or `tag=`: the bytes of a file.
pub(super) fn show(question: &Question<'_>) -> Result<Answer, Problem> {
    let skill = question.skill()?;
    let pointer = question.pointer()?.unwrap_or_else(|| Pointer::Tag(TagName::latest()));
    let Some(path) = question.parameter("path") else {
        return Err(Problem::missing_field("path", "say which file you want"));
    };
    question
        .reader
        .read(|context| context.catalog.skill(&skill).map(drop).ok_or_else(Problem::no_such_skill))?;
    let file = version_file::read(question.reader, &skill, &pointer, &path)?;
    file.map(Answer::File).ok_or_else(|| no_such_version(&pointer.to_string()))
}
