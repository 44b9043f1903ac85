//! `skillmirror search`: what there is.

use clap::{Args, value_parser};
use client::search::{Results, Search, SearchResult, search};
use client::{ClientError, SkillReference};
use console::{Term, measure_text_width, pad_str, truncate_str};
use registry::names::Namespace;

use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::escape_line;

/// What is looked for.
#[derive(Args)]
pub struct Arguments {
    /// Words of the name or the description; none (""): the newest skills
    #[arg(required = true, value_name = "WORD")]
    query: Vec<String>,
    /// How many skills to show, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u8).range(1..=100))]
    limit: u8,
    /// Only in this namespace
    #[arg(long, value_name = "NS")]
    namespace: Option<Namespace>,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Report, ClientError> {
    let chosen = arguments.options.choose()?;
    let asked = Search {
        query: arguments.query.join(" "),
        namespace: arguments.namespace.clone(),
        limit: arguments.limit,
    };
    let found = search(&chosen.source(), &asked).map_err(|why| chosen.explain(why))?;
    let text = if found.results.is_empty() {
        format!("nothing at {} fits \"{}\"\n", chosen.address, escape_line(&asked.query))
    } else {
        lines(&found, width())
    };
    let json = serde_json::to_value(&found).unwrap_or_default();
    Ok(Report { text, json })
}

/// How wide the terminal is, where there is one.
fn width() -> Option<usize> {
    let terminal = Term::stdout();
    let size = terminal.size_checked().filter(|_| terminal.is_term());
    // A terminal that says 0 does not know.
    size.map(|(_, width)| width.into()).filter(|width| *width > 0)
}

/// A line for each skill, cut to `width`.
fn lines(found: &Results, width: Option<usize>) -> String {
    let mut rows = vec![["SKILL", "VERSION", "STARS", "DOWNLOADS", "DESCRIPTION"].map(str::to_owned)];
    rows.extend(found.results.iter().map(row));
    let mut widths = [0; 4];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(measure_text_width(cell));
        }
    }
    let mut text = String::new();
    for row in &rows {
        let mut shown = String::new();
        for (at, (cell, width)) in row.iter().zip(widths).enumerate() {
            // Numbers stand below each other.
            let side = if at < 2 { console::Alignment::Left } else { console::Alignment::Right };
            shown += &pad_str(cell, width, side, None);
            shown += "  ";
        }
        shown += &row[4];
        match width {
            Some(width) => text += &truncate_str(&shown, width, "…"),
            None => text += &shown,
        }
        text.push('\n');
    }
    let shown = found.results.len() as u64;
    if found.total > shown {
        text += &format!("{shown} of {} skills: --limit shows more of them\n", found.total);
    }
    text
}

fn row(found: &SearchResult) -> [String; 5] {
    [
        SkillReference::argument(&found.slug),
        found.version.as_ref().map_or("-".to_owned(), ToString::to_string),
        found.star_count.to_string(),
        found.download_count.to_string(),
        one_line(&found.description),
    ]
}

/// A text in one line.
fn one_line(text: &str) -> String {
    escape_line(text.split_whitespace().collect::<Vec<_>>().join(" "))
}
