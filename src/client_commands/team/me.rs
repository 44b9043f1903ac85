//! `skillmirror me`: your account, your skills, and what became of your submissions.

use clap::Args;
use client::registry_choice::RegistryChoice;
use client::team::waiting::waiting_reviews;
use client::team::{PageRequest, SignedIn};
use client::{ClientError, SkillReference};
use registry::api::private::{Account, InvitationRecord, OwnSkill, ReviewRecord, TransferRecord, Whoami};
use serde_json::json;

use super::cells::{day, one_line, person};
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::narrowing_table;

/// Show your account, your skills and your submissions
///
/// Shows what became of what you submitted for review, with the comments of reviewers.
#[derive(Args)]
#[command(after_help = "
    me                                        # Your account, your skills and your submissions
    me --registry https://skills.example.org  # At another registry
    me --json                                 # For programs
")]
pub struct Arguments {
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Runs the command.
pub fn run(_: &Arguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let of = SignedIn::at(chosen)?;
    let page = PageRequest::first();
    let account = of.get::<Account>("/api/v1/auth/me")?;
    let skills = of.list::<OwnSkill<'_>>("/api/v1/me/skills", page)?;
    let reviews = of.list::<ReviewRecord<'_>>("/api/v1/me/reviews", page)?;
    let invitations = of.list::<InvitationRecord>("/api/v1/me/invitations", page)?;
    let transfers = of.list::<TransferRecord>("/api/v1/me/transfers", page)?;

    let me = &account.record;
    let mut text = introduction(me, chosen);
    text.push('\n');
    text += &match skills.record.items.as_slice() {
        [] => "you have published no skill yet: `skillmirror publish DIR` publishes one\n".to_owned(),
        all => skill_table(all) + &more(all.len(), skills.record.total, "skills"),
    };
    let submitted = &reviews.record;
    if !submitted.items.is_empty() {
        text += "\nyour submissions\n";
        text += &submission_table(&submitted.items);
        text += &more(submitted.items.len(), submitted.total, "submissions");
    }
    let open: Vec<String> = invitations
        .record
        .items
        .iter()
        .filter(|invitation| invitation.to.handle == me.id)
        .map(invitation)
        .chain(transfers.record.items.iter().filter(|offer| offer.to.handle == me.id).map(transfer))
        .collect();
    if !open.is_empty() {
        text += &format!("\nfor you to accept\n{}", open.concat());
    }
    let waiting = waiting_reviews(&of, me)?;
    if !waiting.is_empty() {
        text += "\nfor you to review\n";
        text.extend(waiting.iter().map(|(namespace, count)| {
            format!("{count} in @{namespace}: `skillmirror review list {namespace}`\n")
        }));
    }
    let waiting = waiting.iter().map(|(namespace, count)| json!({"namespace": namespace, "count": count}));
    let json = json!({
        "account": account.json, "skills": skills.json, "reviews": reviews.json,
        "invitations": invitations.json, "transfers": transfers.json,
        "toReview": waiting.collect::<Vec<_>>(),
    });
    Ok(Report { text, json })
}

/// Who the caller is, and where.
fn introduction(me: &Account, chosen: &RegistryChoice) -> String {
    let Account { whoami: Whoami { handle, display_name, role }, namespaces, .. } = me;
    let own: Vec<String> =
        namespaces.iter().map(|own| format!("@{} ({})", own.slug, own.role.as_str())).collect();
    let teams = if own.is_empty() { "no namespaces".to_owned() } else { own.join(", ") };
    let (display_name, role) = (one_line(display_name), role.as_str());
    format!("{handle} ({display_name}), {role}, at {}\n{teams}\n", chosen.address)
}

fn skill_table(skills: &[OwnSkill<'_>]) -> String {
    let row = |OwnSkill { summary: skill, counts }: &OwnSkill<'_>| {
        [
            SkillReference::argument(&skill.canonical_slug),
            skill.version.as_ref().map_or("-".to_owned(), ToString::to_string),
            counts.published.to_string(),
            counts.pending_review.to_string(),
            counts.rejected.to_string(),
            counts.yanked.to_string(),
            skill.counters.stars.to_string(),
            skill.counters.downloads.to_string(),
        ]
    };
    let header = ["SKILL", "VERSION", "PUBLISHED", "WAITING", "REJECTED", "YANKED", "STARS", "DOWNLOADS"];
    narrowing_table(
        header,
        &["DOWNLOADS", "STARS", "YANKED", "REJECTED", "PUBLISHED"],
        skills.iter().map(row),
    )
}

/// The caller's submissions. The reason of a decision is shown on narrow terminals, too.
fn submission_table(submissions: &[ReviewRecord<'_>]) -> String {
    let row = |review: &ReviewRecord<'_>| {
        [
            review.id.to_string(),
            SkillReference::argument(&review.coordinate()),
            review.version.to_string(),
            review.status.as_str().to_owned(),
            day(review.submitted_at),
            review.kind.as_str().to_owned(),
            one_line(review.comment.as_deref().unwrap_or_default()),
        ]
    };
    let header = ["ID", "SKILL", "VERSION", "STATUS", "SUBMITTED", "KIND", "COMMENT"];
    narrowing_table(header, &["KIND", "SUBMITTED", "ID"], submissions.iter().map(row))
}

/// A line about items that are not shown. Empty if all are.
fn more(shown: usize, total: usize, what: &str) -> String {
    if total > shown { format!("{shown} of {total} {what}\n") } else { String::new() }
}

fn invitation(invitation: &InvitationRecord) -> String {
    let InvitationRecord { namespace, from, expires_at, .. } = invitation;
    format!(
        "{} invites you to own @{namespace}, until {}: `skillmirror member accept {namespace}`\n",
        person(from),
        day(*expires_at)
    )
}

fn transfer(offer: &TransferRecord) -> String {
    let name = SkillReference::argument(&offer.coordinate());
    format!(
        "{} offers you {name}, until {}: `skillmirror transfer accept {name}`\n",
        person(&offer.from),
        day(offer.expires_at)
    )
}
