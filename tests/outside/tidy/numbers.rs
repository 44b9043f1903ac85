//! Every number with a unit in the documentation is that of the code, or `numbers.txt` says what it is.

use std::collections::HashMap;
use std::path::Path;

use regex::Regex;

use super::assert_none;
use super::source::repository;

const TABLE: &str = include_str!("numbers.txt");

/// A line of the table.
struct Row<'a> {
    page: &'a str,
    /// The text of the page before the number, the number, and the text after it.
    text: [&'a str; 3],
    /// The file and the code before the number, unless no code has it.
    code: Option<(&'a str, &'a str)>,
}

fn rows() -> Vec<Row<'static>> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows = lines.map(|line| {
        let row = || {
            let (page, rest) = line.split_once(" | ")?;
            let (rest, last) = rest.rsplit_once(" | ")?;
            let (text, code) = match last.strip_prefix("= ") {
                Some(_) => (rest, None),
                None => rest.rsplit_once(" | ").map(|(text, file)| (text, Some((file, last))))?,
            };
            let (before, rest) = text.split_once('[')?;
            let (number, after) = rest.split_once(']')?;
            Some(Row { page, text: [before, number, after], code })
        };
        row().unwrap_or_else(|| panic!("numbers.txt: {line}"))
    });
    rows.collect()
}

/// A page, without blocks of code and without what was measured.
struct Page {
    name: String,
    lines: Vec<(usize, String)>,
}

fn pages() -> Vec<Page> {
    let sources = repository(&[".md"]).into_iter();
    let pages = sources.filter_map(|source| {
        let name = source
            .path
            .strip_prefix("docs/")
            .filter(|name| !name.starts_with("decisions/") && *name != "benchmarks.md")?;
        let (mut is_code, mut is_measured) = (false, false);
        let lines = (1..).zip(source.text.lines()).filter(|(_, line)| {
            is_code ^= line.starts_with("```");
            if line.starts_with("## ") {
                is_measured = *line == "## Sizing";
            }
            !is_code && !is_measured
        });
        Some(Page { name: name.to_owned(), lines: lines.map(|(n, line)| (n, line.to_owned())).collect() })
    });
    pages.collect()
}

/// The number that a text begins with, and what it is in bytes or seconds.
fn values(text: &str) -> Option<[f64; 2]> {
    let names = "a one two three four five six seven eight nine ten eleven twelve";
    let mut words = text.split(' ');
    let first = words.next()?;
    let number = match first {
        "fifteen" => 15.0,
        "twenty" => 20.0,
        "thirty" => 30.0,
        "sixty" => 60.0,
        first => match names.split(' ').position(|name| name == first) {
            Some(position) => position.max(1) as f64,
            None => first.replace(',', "").parse().ok()?,
        },
    };
    let factor: f64 = words
        .map(|word| match word {
            "KiB" => 1024.0,
            "MiB" => 1_048_576.0,
            "GiB" => 1_073_741_824.0,
            "minutes" => 60.0,
            "hours" => 3600.0,
            "days" => 86_400.0,
            "hundred" => 100.0,
            "thousand" => 1000.0,
            _ => 1.0,
        })
        .product();
    Some([number, number * factor])
}

/// The value of the product or shift of whole numbers that code begins with, of durations in seconds.
fn value_of_code(code: &str) -> Option<f64> {
    let start =
        Regex::new(r"^\s*(?:[\w:]+::from_(secs|millis)\()?(\d[\d_]*(?:\s*(?:\*|<<)\s*\d[\d_]*)*)").unwrap();
    let found = start.captures(code)?;
    let mut value = 1.0;
    for (position, part) in found[2].replace('_', "").split("<<").enumerate() {
        let product: f64 = part.split('*').map(|factor| factor.trim().parse::<f64>().unwrap()).product();
        value *= if position == 0 { product } else { product.exp2() };
    }
    Some(if found.get(1).is_some_and(|unit| unit.as_str() == "millis") { value / 1000.0 } else { value })
}

/// The number after `anchor` in a file: a setting, a constant, or other code.
fn number_in(file: &str, anchor: &str) -> Option<f64> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).ok()?;
    if file == "config.toml" {
        let (section, name) = anchor.split_once('.')?;
        let (_, after) = text.split_once(&format!("[{section}]\n"))?;
        let (_, value) = after.split_once(&format!("# {name} = "))?;
        return value_of_code(value);
    }
    let is_name = anchor.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if is_name {
        let item = Regex::new(&format!("const {anchor}: [^=]+= ([^;]+);")).unwrap();
        return value_of_code(&item.captures(&text)?[1]);
    }
    text.split(anchor).skip(1).find_map(value_of_code)
}

#[test]
fn numbers_of_the_docs_are_those_of_the_code() {
    let pages: HashMap<_, _> = pages().into_iter().map(|page| (page.name, page.lines)).collect();
    let mut wrong = Vec::new();
    for Row { page, text, .. } in rows() {
        let text = text.concat();
        if !pages[page].iter().any(|(_, line)| line.contains(&text)) {
            wrong.push(format!("docs/{page} has no longer: {text}"));
        }
    }
    for Row { page, text, code } in rows() {
        let Some((file, anchor)) = code else { continue };
        let said = values(text[1]).unwrap_or_else(|| panic!("no number: {}", text[1]));
        match number_in(file, anchor) {
            None => wrong.push(format!("{file} has no number after: {anchor}")),
            Some(is) if said.contains(&is) => {}
            Some(is) => {
                wrong.push(format!("docs/{page} says {}, but {anchor} in {file} is {is}", text.concat()))
            }
        }
    }
    assert_none("tests/outside/tidy/numbers.txt fits documentation and code", &wrong);
}

/// Numbers with a unit. Numbers in words count if they have a unit of time or are large.
fn numbers() -> Regex {
    let units = "bytes?|KiB|MiB|GiB|KB|MB|GB|ms|seconds?|minutes?|hours?|days?|years?|characters?|code points?|files?\
                 |folders?|entries|requests?|connections?|skills?|versions?|packages?|pages?|items?|rows?|results?\
                 |words?|tags?|texts?|warnings?|sessions?|tokens?|levels|values|parts|names|times|leaves|hashes\
                 |submissions|documents|downloads|stars";
    let words = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|sixty";
    let number = r"[1-9]\d*(?:,\d{3})*(?:\.\d+)?";
    let large = r"\b(?:a|one|two|three|five|ten|sixty) (?:hundred|thousand)\b";
    let time = "(?:seconds?|minutes?|hours?|days?|months?|years?)";
    Regex::new(&format!(r"{number} (?:{units})\b|\b(?:{words}) {time}\b|{large}")).unwrap()
}

#[test]
fn numbers_of_the_docs_are_in_the_table() {
    let (rows, numbers) = (rows(), numbers());
    let mut missing = Vec::new();
    for page in pages() {
        for (number, line) in &page.lines {
            let mut covered = Vec::new();
            for Row { text, .. } in rows.iter().filter(|row| row.page == page.name) {
                for (start, _) in line.match_indices(&text.concat()) {
                    let start = start + text[0].len();
                    covered.push(start..start + text[1].len());
                }
            }
            for found in numbers.find_iter(line) {
                let is_part =
                    line[..found.start()].ends_with(|c: char| c.is_alphanumeric() || ".,/`-".contains(c));
                let is_covered = covered.iter().any(|of| of.start <= found.start() && found.end() <= of.end);
                if !(is_part || is_covered || is_default(line, found.start(), found.as_str())) {
                    missing.push(format!("docs/{}:{number}: {}", page.name, found.as_str()));
                }
            }
        }
    }
    assert_none("tests/outside/tidy/numbers.txt says where the code has this number", &missing);
}

/// Whether a number repeats the default before it in the table of settings: `1048576 (1 MiB)`.
fn is_default(line: &str, start: usize, number: &str) -> bool {
    let default =
        line[..start].strip_suffix(" (").and_then(|before| before.rsplit(' ').next()?.parse::<f64>().ok());
    default.is_some_and(|default| values(number).is_some_and(|values| values[1] == default))
}

#[test]
fn numbers_are_read() {
    assert_eq!(values("64 KiB"), Some([64.0, 65_536.0]));
    assert_eq!(values("ten minutes"), Some([10.0, 600.0]));
    assert_eq!(values("a hundred"), Some([1.0, 100.0]));
    assert_eq!(value_of_code("Duration::from_secs(30 * 86_400);"), Some(2_592_000.0));
    assert_eq!(value_of_code("std::time::Duration::from_millis(300)"), Some(0.3));
    assert_eq!(value_of_code("512 << 10"), Some(524_288.0));
    assert_eq!(value_of_code("usize,"), None);
    assert!(is_default("| 65536 (64 KiB) |", 9, "64 KiB") && !is_default("| 65537 (64 KiB) |", 9, "64 KiB"));
    let found = |text| numbers().find(text).map(|found| found.as_str().to_owned());
    assert_eq!(found("at most 1,024 characters").as_deref(), Some("1,024 characters"));
    assert_eq!(found("after ten minutes").as_deref(), Some("ten minutes"));
    assert_eq!(found("answers 503 and two pages"), None);
}
