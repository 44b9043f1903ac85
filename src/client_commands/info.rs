//! `skillmirror info`: what there is to know about a skill.

use std::fmt::Write;

use clap::Args;
use client::info::{SkillInfo, skill_info};
use client::records::{SkillRecord, VersionRecord};
use client::{ClientError, SkillReference};
use generator::address::Pointer;
use indicatif::HumanBytes;
use registry::names::Version;

use crate::client_commands::Report;
use crate::client_commands::registry_options::{ChosenRegistry, RegistryOptions};
use crate::output::escape_line;

/// How many versions are listed.
const LISTED: usize = 10;

/// What is asked for.
#[derive(Args)]
pub struct Arguments {
    /// hello, @namespace/hello or namespace--hello, perhaps with @VERSION or @TAG behind
    #[arg(value_name = "SKILL")]
    skill: String,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Report, ClientError> {
    let reference: SkillReference = arguments.skill.parse()?;
    let chosen = arguments.options.choose()?;
    let described = skill_info(&chosen.source(), &reference).map_err(|why| chosen.explain(why))?;
    Ok(Report { text: text(&described, &chosen), json: described.json })
}

/// All of it for people.
fn text(described: &SkillInfo, chosen: &ChosenRegistry) -> String {
    let SkillInfo { skill, versions, asked, .. } = described;
    let versions: &[VersionRecord] = versions.as_ref().map_or(&[], |list| &list.items);
    let is_yanked =
        |version: &Version| versions.iter().any(|known| known.version == *version && known.is_yanked());
    let argument = SkillReference {
        coordinate: skill.canonical_slug.clone(),
        // What is yanked is shown, and not installed.
        pointer: asked.clone().filter(|asked| !is_yanked(asked)).map(Pointer::Version),
    };
    let mut text =
        format!("{} ({})\n", escape_line(&skill.name), SkillReference::argument(&skill.canonical_slug));
    for paragraph in skill.description.lines() {
        let _ = writeln!(text, "{}", escape_line(paragraph));
    }
    text.push('\n');
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<10} {value}");
    };
    let version = |version: &Version| match versions.iter().find(|known| known.version == *version) {
        Some(known) => format!("{version} ({})", about(known)),
        None => version.to_string(),
    };
    match (asked, &skill.version) {
        (None, Some(latest)) => row("version", version(latest)),
        (None, None) => row("version", "none: all versions are yanked".to_owned()),
        (Some(asked), latest) => {
            row("version", version(asked));
            row("latest", latest.as_ref().map_or("none: all versions are yanked".to_owned(), version));
        }
    }
    row(
        "author",
        format!("{} ({})", escape_line(&skill.author.display_name), escape_line(&skill.author.handle)),
    );
    row("licence", skill.license.as_ref().map_or("not said".to_owned(), escape_line));
    if let Some(homepage) = &skill.homepage {
        row("homepage", escape_line(homepage));
    }
    if !skill.tags.is_empty() {
        let tags: Vec<String> =
            skill.tags.iter().map(|(tag, version)| format!("{tag} is {version}")).collect();
        row("tags", tags.join(", "));
    }
    row("stars", skill.star_count.to_string());
    row("rating", rating(skill));
    row("downloads", skill.download_count.to_string());
    let page = &skill.canonical_slug;
    row("page", format!("{}/{}/{}/", chosen.site(), page.namespace, page.slug));
    row("install", format!("skillmirror install {argument}{}", chosen.argument()));
    if described.versions.is_none() {
        return text + "\nthe registry has no list of its versions\n";
    }
    text += "\nversions\n";
    for version in versions.iter().take(LISTED) {
        let _ = writeln!(text, "  {:<12} {}", version.version.to_string(), about(version));
    }
    let older = versions.len().saturating_sub(LISTED);
    if older > 0 {
        let _ = writeln!(text, "  and {older} before: --json has all of them");
    }
    text
}

/// What its users think of it. A number that is no rating is not shown: it may be endless.
fn rating(skill: &SkillRecord) -> String {
    match skill.rating_average {
        Some(average) if (1.0..=5.0).contains(&average) => {
            // No more places than matter, and none that say nothing.
            format!("{} of 5, by {}", (average * 100.0).round() / 100.0, skill.rating_count)
        }
        Some(_) => "the registry says something that is none".to_owned(),
        None => "none yet".to_owned(),
    }
}

/// When a version came, how large it is, and whether it is to be used.
fn about(version: &VersionRecord) -> String {
    let day = version.published_at.get(..10).unwrap_or(&version.published_at);
    let yanked = match (&version.yank_reason, version.is_yanked()) {
        (_, false) => String::new(),
        (None, true) => ", yanked".to_owned(),
        (Some(why), true) => format!(", yanked: {}", escape_line(why)),
    };
    format!("{}, {}{yanked}", escape_line(day), HumanBytes(version.package_size))
}
