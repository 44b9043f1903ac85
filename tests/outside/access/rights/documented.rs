//! The tables of rights in the documentation.

use std::fmt::Write;

use super::table::{Expected, Needs, Row, rows};

const BEGIN: &str = "<!-- rights -->";
const END: &str = "<!-- /rights -->";

/// The documentation with the current tables, and as it is.
pub fn page() -> (String, String) {
    let there = std::fs::read_to_string(path()).expect("the documentation");
    let (before, rest) = there.split_once(BEGIN).expect("a mark where the tables begin");
    let (_, after) = rest.split_once(END).expect("a mark where the tables end");
    (format!("{before}{BEGIN}\n{}{END}{after}", section(&rows())), there)
}

/// Where it is.
pub fn path() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/api/rights.md")
}

/// A table of the requests with one status for everyone signed in, and one of the others. Neither has
/// requests that need no credential, or cases of a frozen team: the page has a sentence about each.
fn section(rows: &[Row]) -> String {
    let shown_rows = rows.iter().filter(|row| row.needs != Needs::Nothing && !row.case.contains("frozen"));
    let (same, different): (Vec<&Row>, Vec<&Row>) =
        shown_rows.partition(|row| row.cells[2..].iter().all(|cell| *cell == row.cells[1]));
    let mut text = String::from("| Request and scope | Case | Status |\n|---|---|---|\n");
    add_lines(&mut text, &same, |row| shown(row.cells[1]));
    text.push_str("\n| Request and scope | Case | out | mem | adm | own | aut | mod | pla |\n");
    text.push_str("|---|---|---|---|---|---|---|---|---|\n");
    add_lines(&mut text, &different, |row| {
        row.cells[1..].iter().copied().map(shown).collect::<Vec<_>>().join(" | ")
    });
    text
}

/// Adds the lines of a table. A request is named once, and then its cases. Requests with the same lines
/// share them.
fn add_lines(text: &mut String, rows: &[&Row], cells: impl Fn(&Row) -> String) {
    let mut groups: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for cases in rows.chunk_by(|a, b| (a.method, a.path) == (b.method, b.path)) {
        let path = cases[0].path.replace("/api/v1/skills/{namespace}/{slug}", "S");
        let path = path.replace("/api/v1/namespaces/{slug}", "N");
        let request = format!("`{} {path}` {}", cases[0].method, scope(cases[0].needs));
        let line = |row: &&Row| format!("{} | {}", row.case, cells(row));
        let lines: Vec<String> = cases.iter().map(line).collect();
        match groups.last_mut().filter(|(_, last)| *last == lines) {
            Some((requests, _)) => requests.push(request),
            None => groups.push((vec![request], lines)),
        }
    }
    for (requests, lines) in groups {
        let mut named = requests.join(", ");
        for line in lines {
            writeln!(text, "| {} | {line} |", std::mem::take(&mut named)).expect("a text");
        }
    }
}

fn shown(cell: Expected) -> String {
    match cell {
        Expected::Status(403) => "–".to_owned(),
        Expected::Status(status) => status.to_string(),
        Expected::Pending => "201p".to_owned(),
        Expected::Never => String::new(),
    }
}

fn scope(needs: Needs) -> &'static str {
    match needs {
        Needs::Nothing | Needs::Validity => "any",
        Needs::Scope(scope) => scope,
    }
}
