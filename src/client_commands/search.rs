//! `skillmirror search`: searches a registry for skills.

use std::iter;

use clap::{Args, value_parser};
use client::registry_choice::RegistryChoice;
use client::skills::search::{Results, SearchRequest, SearchResult, search, search_all};
use client::{ClientError, RegistryAddress, SkillReference, Source};
use console::truncate_str;
use generator::search::UnknownWord;
use registry::names::Namespace;

use super::Report;
use super::registry_options::RegistryOptions;
use crate::output::{borderless, escape_line, one_line, table_text};

/// The most words that no skill has and that are named.
const MAX_UNKNOWN: usize = 3;

/// The largest `--limit`.
const MAX_LIMIT: u8 = 100;
/// How much of a query a message repeats, in columns.
const MAX_QUOTED: usize = 100;

/// Search a registry for skills
#[derive(Args)]
#[command(after_help = "
    search pdf forms                              # Skills about PDF forms, at the registry of your login
    search lint --namespace tools                 # Only those of the team `tools`
    search lint --also https://skills.example.org/-/acme  # Also in a private namespace
    search --registry https://skills.example.org  # The most recently updated skills of another registry
")]
pub struct Arguments {
    /// Words of the name, keywords, description or headings [default: none, for the skills that were
    /// updated last]
    #[arg(value_name = "WORD")]
    query: Vec<String>,
    /// How many skills to show, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u8).range(1..=i64::from(MAX_LIMIT)))]
    limit: u8,
    /// Search only this namespace
    #[arg(long, value_name = "NS")]
    namespace: Option<Namespace>,
    /// Search this registry as well, for example a private namespace. Can be repeated
    #[arg(long, value_name = "ADDRESS")]
    also: Vec<RegistryAddress>,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let request = SearchRequest {
        query: arguments.query.join(" "),
        namespace: arguments.namespace.clone(),
        limit: arguments.limit,
    };
    let first = chosen.source()?;
    let found = match arguments.also.is_empty() {
        true => search(&first, &request)?,
        false => {
            let others = arguments.also.iter().cloned().map(Source::open);
            search_all(&iter::once(first).chain(others).collect::<Vec<_>>(), &request)?
        }
    };
    let query = escape_line(&request.query);
    let quoted = truncate_str(&query, MAX_QUOTED, "…");
    let place = request.namespace.as_ref().map_or(String::new(), |namespace| format!(" in @{namespace}"));
    let text = match (found.results.is_empty(), request.is_blank()) {
        (true, true) => format!("no skills{place} at {}\n", chosen.address),
        (true, false) => format!("no skill{place} at {} matches \"{quoted}\"\n", chosen.address),
        (false, true) if !query.is_empty() => {
            lines(&found)
                + &format!("\"{quoted}\" has no letters or digits: these skills were updated last\n")
        }
        (false, _) => lines(&found) + &near(&found) + &unknown(&found),
    };
    let json = serde_json::to_value(&found).unwrap_or_default();
    Ok(Report { text, json })
}

/// One line for each skill, cut to the width of the terminal.
fn lines(found: &Results) -> String {
    let header = ["SKILL", "VERSION", "STARS", "DOWNLOADS", "DESCRIPTION"];
    let least = ["STARS", "DOWNLOADS", "VERSION"];
    let mut text = match found.results.iter().any(|found| found.registry.is_some()) {
        false => table_text(borderless(header, found.results.iter().map(row)).least_first(&least).cut_last()),
        true => {
            let [skill, version, stars, downloads, description] = header;
            let header = [skill, "REGISTRY", version, stars, downloads, description];
            let rows = found.results.iter().map(|found| {
                let [skill, version, stars, downloads, description] = row(found);
                [skill, found.registry.clone().unwrap_or_default(), version, stars, downloads, description]
            });
            table_text(borderless(header, rows).least_first(&least).cut_last())
        }
    };
    let shown = found.results.len() as u64;
    if found.total > shown {
        let advice =
            if found.limit < MAX_LIMIT.into() { "--limit shows more" } else { "the best ones are shown" };
        text += &format!("{shown} of {} skills: {advice}\n", found.total);
    }
    text
}

/// A line if skills were found by meaning alone.
fn near(found: &Results) -> String {
    match found.near {
        0 => String::new(),
        near => format!("{near} of {} were found by meaning alone\n", found.total),
    }
}

/// A line for each word that no skill has.
fn unknown(found: &Results) -> String {
    let closest = |instead: &String| format!("; the closest is \"{}\"", escape_line(instead));
    let line = |unknown: &UnknownWord| {
        let instead = unknown.instead.as_ref().map(closest).unwrap_or_default();
        format!("no skill has the word \"{}\"{instead}\n", escape_line(&unknown.word))
    };
    found.unknown.iter().take(MAX_UNKNOWN).map(line).collect()
}

fn row(found: &SearchResult) -> [String; 5] {
    [
        SkillReference::argument(&found.slug),
        found.version.as_ref().map_or("-".to_owned(), ToString::to_string),
        known(found.star_count),
        known(found.download_count),
        one_line(&found.description),
    ]
}

fn known(count: Option<u64>) -> String {
    count.map_or("-".to_owned(), |count| count.to_string())
}
