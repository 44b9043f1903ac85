//! `skillmirror info`: shows a skill and its versions.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;
use client::registry_choice::RegistryChoice;
use client::skills::info::{SkillInfo, add_files, skill_info};
use client::team::waiting::explain_waiting;
use client::{ClientError, Requirement, SkillReference, advisory_line};
use generator::install_commands::install_commands;
use indicatif::HumanBytes;
use registry::api::public::VersionRecord;
use registry::names::{Coordinate, PublicUrl, Version};
use registry::public::Counters;

use super::registry_options::SkillArguments;
use super::team::bundle;
use super::team::cells::day;
use super::{Report, file_list, page_of};
use crate::output::{escape_line, one_line};

/// The most versions that are listed.
const MAX_LISTED: usize = 10;

/// Show a skill and its versions
#[derive(Args)]
#[command(after_help = "
    info hello                      # A skill with its last versions
    info @tools/lint@1.2.0 --files  # The files of one version of a team's skill
    info +team/frontend             # A bundle
    info hello --json               # Everything, for programs
")]
pub struct Arguments {
    #[command(flatten)]
    skill: SkillArguments,
    /// List the files of the shown version
    #[arg(long)]
    files: bool,
}

impl Arguments {
    /// Runs the command.
    pub fn run(&self) -> ExitCode {
        if let Ok(name) = self.skill.skill.parse() {
            return self.skill.options.run(|chosen| bundle::show(&name, chosen));
        }
        self.skill.run(|reference, chosen| self.report(reference, chosen))
    }

    fn report(&self, reference: &SkillReference, chosen: &RegistryChoice) -> Result<Report, ClientError> {
        let source = chosen.source()?;
        let found = skill_info(&source, reference);
        let mut info = found.map_err(|why| explain_waiting(chosen, reference, why))?;
        if self.files {
            add_files(&source, &mut info)?;
        }
        Ok(Report { text: text(&info, chosen), json: info.json })
    }
}

/// The whole text for people.
fn text(info: &SkillInfo, chosen: &RegistryChoice) -> String {
    let (SkillInfo { requested, .. }, skill) = (info, &info.skill.summary);
    let versions = info.versions.as_deref().unwrap_or_default();
    let name = &*skill.canonical_slug;
    let argument = SkillReference::argument(name);
    let mut text = match escape_line(&skill.name) {
        // A skill without a title has its slug as its name.
        title if title == argument => format!("{title}\n"),
        title => format!("{title} ({argument})\n"),
    };
    // Lines of its own could look like those of this program.
    text += &format!(
        "{}
",
        one_line(&skill.description)
    );
    let is_yanked =
        |version: &Version| versions.iter().any(|known| *known.version == *version && known.is_yanked());
    let reference = SkillReference {
        coordinate: name.clone(),
        // A yanked version is shown, but cannot be installed.
        requirement: requested.clone().filter(|version| !is_yanked(version)).map(Requirement::Exact),
    };
    let _ = writeln!(text, "\n{:<10} skillmirror install {reference}{}", "install", chosen.argument());
    for (label, value) in fields(info, versions) {
        let _ = writeln!(text, "{label:<10} {value}");
    }
    let _ = writeln!(text, "{:<10} {}", "page", page_of(name, chosen));
    if let Some(files) = &info.files {
        text += "\nfiles\n";
        text += &file_list::with_sizes(files.iter().map(|file| (file.path.as_str(), file.size)));
    }
    match &info.versions {
        Some(_) => text += &version_list(versions),
        None => text += "\nthe registry has no list of versions\n",
    }
    // Last: most readers have found their command at the beginning.
    if skill.version.is_some() {
        text += &other_clients(name, chosen);
    }
    text
}

/// The highest versions.
fn version_list(versions: &[VersionRecord<'_>]) -> String {
    let mut text = "\nversions\n".to_owned();
    for version in versions.iter().take(MAX_LISTED) {
        let _ = writeln!(text, "  {:<12} {}", version.version.to_string(), summary(version));
    }
    let lower = versions.len().saturating_sub(MAX_LISTED);
    if lower > 0 {
        let _ = writeln!(text, "  and {lower} lower: --json shows all of them");
    }
    text
}

/// The install commands of other clients, if the registry has an address that they can read.
fn other_clients(name: &Coordinate, chosen: &RegistryChoice) -> String {
    let site = chosen.browser_address().to_string();
    let Ok(url) = site.parse::<PublicUrl>() else { return String::new() };
    let mut text = "\nother clients\n".to_owned();
    for other in install_commands(name, Some(&url), None).into_iter().skip(1) {
        let command = other.for_site(&site);
        let said = [command.as_deref(), other.condition].into_iter().flatten().collect::<Vec<_>>();
        let _ = writeln!(text, "  {:<12} {}", other.client, said.join("  # "));
    }
    text
}

/// The labels and values of a skill.
fn fields(info: &SkillInfo, versions: &[VersionRecord<'_>]) -> Vec<(&'static str, String)> {
    let (SkillInfo { skill: detail, requested, .. }, skill) = (info, &info.skill.summary);
    let version = |version: &Version| match versions.iter().find(|known| *known.version == *version) {
        Some(known) => format!("{version} ({})", summary(known)),
        None => version.to_string(),
    };
    let latest = skill.version.as_deref().map_or("none: all versions are yanked".to_owned(), version);
    let mut fields = match requested {
        None => vec![("version", latest)],
        Some(requested) => vec![("version", version(requested)), ("latest", latest)],
    };
    let author = format!("{} ({})", skill.author.display_name, skill.author.handle);
    fields.push(("author", escape_line(author)));
    fields.push(("license", escape_line(detail.license.as_deref().unwrap_or("not specified"))));
    fields.extend(detail.homepage.as_ref().map(|homepage| ("homepage", escape_line(homepage))));
    if !skill.keywords.is_empty() {
        fields.push(("keywords", escape_line(skill.keywords.join(", "))));
    }
    let shown = versions.iter().find(|known| Some(&*known.version) == info.shown_version());
    if let Some(of) = shown.and_then(|shown| shown.provenance.as_deref()) {
        fields.push((of.verb(), escape_line(of.summary())));
    }
    for note in shown.map(|shown| shown.advisories.as_slice()).unwrap_or_default() {
        fields.push(("advisory", escape_line(advisory_line(note))));
    }
    let requires = shown.map(|shown| &*shown.requires).unwrap_or_default();
    if !requires.is_empty() {
        let all = requires.iter().map(|one| {
            let requirement = Some(one.requirement.clone()).filter(|one| *one != Requirement::Latest);
            SkillReference { coordinate: one.coordinate(), requirement }.to_string()
        });
        fields.push(("requires", all.collect::<Vec<_>>().join(", ")));
    }
    let verdicts = shown.iter().flat_map(|shown| &shown.verdicts);
    for verdict in verdicts.filter(|verdict| verdict.summary.is_told()) {
        fields.push(("verdict", escape_line(&verdict.summary)));
    }
    fields.extend(shown.map(|shown| ("files", file_count(shown.file_count, shown.unpacked_size))));
    if !skill.tags.is_empty() {
        let tags: Vec<String> =
            skill.tags.iter().map(|(tag, version)| format!("{tag} = {version}")).collect();
        fields.push(("tags", tags.join(", ")));
    }
    fields.push(("stars", skill.counters.stars.to_string()));
    fields.push(("rating", rating(skill.counters)));
    fields.push(("downloads", skill.counters.downloads.to_string()));
    fields
}

/// The number of files and their size.
fn file_count(count: u64, size: u64) -> String {
    let files = if count == 1 { "file" } else { "files" };
    format!("{count} {files}, {}", HumanBytes(size))
}

/// The mean rating.
fn rating(counters: Counters) -> String {
    match counters.rating_average {
        Some(average) => format!("{average} of 5, by {}", counters.ratings),
        None => "none yet".to_owned(),
    }
}

/// The day, size and state of a version.
fn summary(version: &VersionRecord<'_>) -> String {
    let day = day(version.published_at);
    let yanked = match (version.is_yanked(), &version.yank_reason) {
        (false, _) => String::new(),
        (true, None) => ", yanked".to_owned(),
        (true, Some(why)) => format!(", yanked: {why}"),
    };
    let advisory = if version.advisories.is_empty() { "" } else { ", has an advisory" };
    escape_line(format!("{day}, {}{advisory}{yanked}", HumanBytes(version.package_size)))
}
