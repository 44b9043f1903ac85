//! The text of `skillmirror review show`.

use std::fmt::Write;

use client::SkillReference;
use registry::api::private::{ReviewDetail, ReviewTag, Unanswered};
use registry::package::Level;
use registry::public::OWN_SCANNER;

use crate::client_commands::file_list;
use crate::client_commands::team::cells::{day, one_line, person};
use crate::output::escape_line;

/// A review with everything that an approval makes public.
pub fn text(detail: &ReviewDetail<'_>) -> String {
    let ReviewDetail {
        review,
        changelog,
        provenance,
        tags,
        files,
        metadata,
        warnings,
        looks_like,
        findings,
        unanswered,
    } = detail;
    let name = SkillReference::argument(&review.coordinate());
    let mut text = format!("{name} {}\n", review.version);
    let description = metadata.get("description").and_then(|text| text.as_str()).unwrap_or_default();
    text += &format!("{}\n\n", one_line(description));
    let mut field = |label: &str, value: String| {
        let _ = writeln!(text, "{label:<11} {value}");
    };
    field("review", format!("{}, {}", review.id, review.kind.as_str()));
    field("status", review.status.as_str().to_owned());
    field("submitted", format!("{} by {}", day(review.submitted_at), person(&review.submitted_by)));
    if let Some(by) = &review.decided_by {
        field("decided by", person(by));
    }
    if let Some(comment) = &review.comment {
        field("comment", one_line(comment));
    }
    if let Some(of) = provenance {
        field(of.verb(), escape_line(of.summary()));
    }
    if !changelog.is_empty() {
        field("changelog", one_line(changelog));
    }
    if !tags.is_empty() {
        field("tags", tags.iter().map(tag).collect::<Vec<_>>().join(", "));
    }
    if !looks_like.is_empty() {
        field("looks like", escape_line(looks_like.join(", ")));
    }
    if !review.disabled_accounts.is_empty() {
        let names: Vec<&str> = review.disabled_accounts.iter().map(|handle| handle.as_str()).collect();
        field("disabled", names.join(", "));
    }
    field("sha256", review.sha256.to_string());
    if !warnings.is_empty() {
        text += "\nwarnings\n";
        for warning in &**warnings {
            let _ = writeln!(text, "  {}", escape_line(warning));
        }
    }
    let verdicts: Vec<_> = review.verdicts.iter().filter(|verdict| verdict.summary.is_told()).collect();
    if !verdicts.is_empty() || !unanswered.is_empty() {
        text += "\nverdicts\n";
    }
    for verdict in verdicts {
        let _ = writeln!(text, "  {}", escape_line(&verdict.summary));
        let found = findings.iter().filter(|found| found.scanner == verdict.summary.scanner);
        // Findings of the own rules are among the warnings.
        for found in found.filter(|found| &*found.scanner != OWN_SCANNER) {
            let level = found.finding.level.map_or("", Level::as_str);
            let _ = writeln!(
                text,
                "    {level}: {} [{}]",
                escape_line(&found.finding),
                escape_line(&found.finding.code)
            );
        }
    }
    for Unanswered { scanner, why } in unanswered {
        let why =
            why.as_ref().map_or("has not answered yet".to_owned(), |why| format!("did not answer: it {why}"));
        let _ = writeln!(text, "  {}", escape_line(format!("{scanner} {why}")));
    }
    text += "\nfiles\n";
    text + &file_list::with_sizes(files.iter().map(|file| (file.path.as_str(), file.size)))
}

/// A tag, and where it points now.
fn tag(tag: &ReviewTag<'_>) -> String {
    match &tag.current_version {
        Some(version) => format!("{} (now {version})", tag.name),
        None => format!("{} (new)", tag.name),
    }
}
