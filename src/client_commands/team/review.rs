//! `skillmirror review`: submissions that wait for a decision.

mod shown;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use client::registry_choice::RegistryChoice;
use client::team::{ReviewDiff, SignedIn, diff_review, review_path};
use client::{ClientError, SkillReference};
use registry::api::private::ReviewRecord;
use registry::names::Namespace;
use registry::package::Level;
use registry::public::Id;
use serde_json::json;

use super::cells::{day, one_line, person};
use super::list_page::ListPage;
use super::report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::client_commands::{Report, page_of};
use crate::output::{escape_line, narrowing_table};

/// List, compare and decide submissions
#[derive(Subcommand)]
#[command(after_help = "
    review list tools        # What waits for a decision
    review diff tools 17     # What would change
    review approve tools 17  # Publish it
")]
pub enum Command {
    /// List the submissions of a namespace, those that wait for a decision by default
    #[command(after_help = "review list tools --status rejected  # What was rejected")]
    List(ListArguments),
    /// Show a submission with everything that an approval makes public
    #[command(after_help = "review show tools 17  # By the id that `review list` shows")]
    Show(ReviewArguments),
    /// Compare a submission with the latest version of the skill
    ///
    /// Text files are compared line by line. Other files are shown by size and digest. Control
    /// characters and invisible characters are escaped.
    #[command(after_help = "review diff tools 17  # Line by line, with the latest version")]
    Diff(ReviewArguments),
    /// Approve a submission. It becomes public
    ///
    /// Admins and owners of the namespace approve, and the moderators of the registry; in `global` only
    /// they. Nobody approves their own submission.
    #[command(after_help = "review approve tools 17  # It becomes public")]
    Approve(ApproveArguments),
    /// Reject a submission, and say why
    ///
    /// The submitter sees the comment with `skillmirror me`. The version number stays free.
    #[command(after_help = "
        review reject tools 17 --comment \"Add a test\"  # The reason is for the submitter
    ")]
    Reject(RejectArguments),
    /// Take back what you submitted yourself
    ///
    /// Reviewers see it as withdrawn, and its version number is free again. `skillmirror me` shows the ids
    /// of your submissions.
    #[command(after_help = "review withdraw tools 17  # What you submitted waits no more")]
    Withdraw(WithdrawArguments),
}

/// Which submissions to list.
#[derive(Args)]
pub struct ListArguments {
    /// The namespace
    #[arg(value_name = "NAMESPACE")]
    namespace: Namespace,
    /// Only those with this status
    #[arg(long, value_name = "STATUS", default_value = "pending",
          value_parser = ["pending", "approved", "rejected", "withdrawn", "all"])]
    status: String,
    #[command(flatten)]
    page: ListPage,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A submission.
#[derive(Args)]
pub struct ReviewArguments {
    #[command(flatten)]
    review: Review,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A submission to approve.
#[derive(Args)]
pub struct ApproveArguments {
    #[command(flatten)]
    review: Review,
    /// A note for the submitter
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// Approve it although the account of the submitter or author is disabled
    #[arg(long)]
    accept_disabled: bool,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A submission to reject.
#[derive(Args)]
pub struct RejectArguments {
    #[command(flatten)]
    review: Review,
    /// The reason, for the submitter
    #[arg(long, value_name = "TEXT", alias = "reason")]
    comment: String,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A submission to take back.
#[derive(Args)]
pub struct WithdrawArguments {
    /// The namespace
    #[arg(value_name = "NAMESPACE")]
    namespace: Namespace,
    /// The id of the submission, as `publish` and `me` show it
    #[arg(value_name = "ID")]
    id: Id,
    #[command(flatten)]
    options: RegistryOptions,
}

/// The namespace and the id of a review.
#[derive(Args)]
struct Review {
    /// The namespace
    #[arg(value_name = "NAMESPACE")]
    namespace: Namespace,
    /// The id of the submission, as `review list` shows it
    #[arg(value_name = "ID")]
    id: Id,
}

/// Runs the command.
pub fn run(command: &Command) -> ExitCode {
    match command {
        Command::List(arguments) => arguments.options.run(|chosen| list(arguments, chosen)),
        Command::Show(arguments) => arguments.options.run(|chosen| show(&arguments.review, chosen)),
        Command::Diff(arguments) => arguments.options.run(|chosen| diff(&arguments.review, chosen)),
        Command::Approve(arguments) => arguments.options.run(|chosen| approve(arguments, chosen)),
        Command::Reject(arguments) => arguments.options.run(|chosen| reject(arguments, chosen)),
        Command::Withdraw(arguments) => arguments.options.run(|chosen| withdraw(arguments, chosen)),
    }
}

fn list(arguments: &ListArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let ListArguments { namespace, status, page, .. } = arguments;
    let none = match status.as_str() {
        "all" => format!("nothing was submitted to @{namespace}"),
        "pending" => format!("nothing waits for a review in @{namespace}"),
        status => format!("no submission to @{namespace} is {status}"),
    };
    report(
        chosen,
        |of| of.list(&format!("/api/v1/namespaces/{namespace}/reviews?status={status}"), page.request()),
        |found| page.text(found, &none, table),
    )
}

/// The table of some reviews.
fn table(reviews: &[ReviewRecord<'_>]) -> String {
    let row = |review: &ReviewRecord<'_>| {
        [
            review.id.to_string(),
            SkillReference::argument(&review.coordinate()),
            review.version.to_string(),
            review.status.as_str().to_owned(),
            person(&review.submitted_by),
            day(review.submitted_at),
            review.kind.as_str().to_owned(),
            one_line(review.comment.as_deref().unwrap_or_default()),
        ]
    };
    let header = ["ID", "SKILL", "VERSION", "STATUS", "BY", "SUBMITTED", "KIND", "COMMENT"];
    narrowing_table(header, &["KIND", "SUBMITTED", "BY", "COMMENT"], reviews.iter().map(row))
}

fn show(review: &Review, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    report(chosen, |of| of.get(&review_path(&review.namespace, review.id)), shown::text)
}

fn diff(review: &Review, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let of = SignedIn::at(chosen)?;
    let found = diff_review(&of, &chosen.source()?, (&review.namespace, review.id), &mut |_, _| {})?;
    let ReviewDiff { review, latest, diff } = found;
    let (skill, id) = (SkillReference::argument(&review.coordinate()), review.id);
    let before = match &latest {
        Some(version) => format!("{version}, the latest version"),
        None => "nothing (it has no latest version)".to_owned(),
    };
    let (version, summary) = (&review.version, diff.summary());
    let text =
        format!("review {id} of {skill} {version}, compared with {before}: {summary}\n{}", diff.text());
    let json = json!({
        "id": id, "namespace": review.namespace, "slug": review.slug, "latest": latest,
        "version": review.version, "files": diff.files,
    });
    Ok(Report { text, json })
}

fn approve(arguments: &ApproveArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let ApproveArguments { review: Review { namespace, id }, comment, accept_disabled, .. } = arguments;
    let body = json!({"comment": comment, "acceptDisabled": accept_disabled.then_some(true)});
    let request = |of: &SignedIn| {
        let approved = of.post(&format!("{}/approve", review_path(namespace, *id)), body);
        approved.map_err(|why| match why {
            // The registry names the field of its API.
            ClientError::Problem(problem) if problem.mentions("`acceptDisabled`") => ClientError::Problem(
                problem.with_advice(Some("The option for that is --accept-disabled.".to_owned())),
            ),
            other => other,
        })
    };
    report(chosen, request, |approved: &ReviewRecord<'_>| {
        let skill = approved.coordinate();
        let name = SkillReference::argument(&skill);
        let page = page_of(&skill, chosen);
        let found = approved.verdicts.iter().filter(|verdict| verdict.summary.level >= Some(Level::Warning));
        let found: String =
            found.map(|found| format!("in spite of  {}\n", escape_line(&found.summary))).collect();
        format!("approved review {id}: {name} {} is public\n{found}page  {page}\n", approved.version)
    })
}

fn reject(arguments: &RejectArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let RejectArguments { review: Review { namespace, id }, comment, .. } = arguments;
    report(
        chosen,
        |of| of.post(&format!("{}/reject", review_path(namespace, *id)), json!({"comment": comment})),
        |rejected: &ReviewRecord<'_>| {
            let name = SkillReference::argument(&rejected.coordinate());
            format!(
                "rejected review {id}: {name} {} stays unpublished, and {} sees your comment\n",
                rejected.version,
                person(&rejected.submitted_by)
            )
        },
    )
}

fn withdraw(arguments: &WithdrawArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let WithdrawArguments { namespace, id, .. } = arguments;
    report(
        chosen,
        |of| of.post(&format!("{}/withdraw", review_path(namespace, *id)), json!({})),
        |withdrawn: &ReviewRecord<'_>| {
            let name = SkillReference::argument(&withdrawn.coordinate());
            format!("withdrew review {id}: {name} {} stays unpublished\n", withdrawn.version)
        },
    )
}
