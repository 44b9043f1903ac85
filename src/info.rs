//! `skillmirror info`: what there is to know about a skill.

use std::fmt::Write;

use clap::Args;
use client::records::{List, SkillRecord, VersionRecord};
use client::resolving::describe;
use client::{ClientError, SkillReference};
use indicatif::HumanBytes;

use crate::chosen_registry::{ChosenRegistry, ClientOptions};
use crate::client_command::Report;
use crate::terminal::line;

/// How many versions are listed.
const LISTED: usize = 10;

/// What is asked for.
#[derive(Args)]
pub struct Arguments {
    /// hello, @namespace/hello or namespace--hello
    #[arg(value_name = "SKILL")]
    skill: String,
    #[command(flatten)]
    pub options: ClientOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Report, ClientError> {
    let reference: SkillReference = arguments.skill.parse()?;
    let chosen = arguments.options.choose()?;
    let described = describe(&chosen.source(), &reference).map_err(|why| chosen.explain(why))?;
    let text = text(&described.skill, &described.versions, &chosen);
    Ok(Report { text, json: described.json })
}

/// All of it for people.
fn text(skill: &SkillRecord, versions: &List<VersionRecord>, chosen: &ChosenRegistry) -> String {
    let argument = SkillReference::argument(&skill.canonical_slug);
    let mut text = format!("{} ({})\n", line(&skill.name), skill.canonical_slug.scoped());
    for paragraph in skill.description.lines() {
        let _ = writeln!(text, "{}", line(paragraph));
    }
    text.push('\n');
    let latest = versions.items.iter().find(|known| skill.version.as_ref() == Some(&known.version));
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<10} {value}");
    };
    match latest {
        Some(latest) => row("version", format!("{} ({})", latest.version, about(latest))),
        None => row("version", "none: all versions are yanked".to_owned()),
    }
    row("author", format!("{} ({})", line(&skill.author.display_name), line(&skill.author.handle)));
    row("licence", skill.license.as_ref().map_or("not said".to_owned(), line));
    if let Some(homepage) = &skill.homepage {
        row("homepage", line(homepage));
    }
    if !skill.tags.is_empty() {
        let tags: Vec<String> =
            skill.tags.iter().map(|(tag, version)| format!("{tag} is {version}")).collect();
        row("tags", tags.join(", "));
    }
    row("stars", skill.star_count.to_string());
    row(
        "rating",
        match skill.rating_average {
            Some(average) => format!("{average} of 5, by {}", skill.rating_count),
            None => "none yet".to_owned(),
        },
    );
    row("downloads", skill.download_count.to_string());
    let page = &skill.canonical_slug;
    row("page", format!("{}/{}/{}/", chosen.site(), page.namespace, page.slug));
    row("install", format!("skillmirror install {argument}{}", chosen.argument()));
    text += "\nversions\n";
    for version in versions.items.iter().take(LISTED) {
        let _ = writeln!(text, "  {:<12} {}", version.version.to_string(), about(version));
    }
    let older = versions.items.len().saturating_sub(LISTED);
    if older > 0 {
        let _ = writeln!(text, "  and {older} before: --json has all of them");
    }
    text
}

/// When a version came, how large it is, and whether it is to be used.
fn about(version: &VersionRecord) -> String {
    let day = version.published_at.get(..10).unwrap_or(&version.published_at);
    let yanked = match (&version.yank_reason, version.is_yanked()) {
        (_, false) => String::new(),
        (None, true) => ", yanked".to_owned(),
        (Some(why), true) => format!(", yanked: {}", line(why)),
    };
    format!("{}, {}{yanked}", line(day), HumanBytes(version.package_size))
}
