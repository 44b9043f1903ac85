//! The table of rights in the documentation.

use std::fmt::Write;

use super::table::{Expected, Needs, Row, rows};

const BEGIN: &str = "<!-- rights -->";
const END: &str = "<!-- /rights -->";

const EXPLAINED: &str = "\
This table shows which status each kind of caller gets; the tests try every cell.
The columns are: nobody (no credential), an outsider, a **mem**ber, **adm**in and
**own**er of the team, the skill's **aut**hor (a member of its team, if it is in
one), a **mod**erator and an admin of the **pla**tform; then the scope that a token
needs. `·` is 401, `–` is 403, `201p` is 201 with `pending_review`, and an empty
cell cannot happen. A session has all scopes; a token without the scope gets 403. A
credential that has expired, was revoked or belongs to a disabled account gets 401
everywhere, public reads included. `…` stands for
`/api/v1/skills/{namespace}/{slug}`. A team is active unless the case says otherwise.
";

/// The documentation with the current table, and as it is.
pub fn page() -> (String, String) {
    let there = std::fs::read_to_string(path()).expect("the documentation");
    let (before, rest) = there.split_once(BEGIN).expect("a mark where the table begins");
    let (_, after) = rest.split_once(END).expect("a mark where the table ends");
    (format!("{before}{BEGIN}\n{}{END}{after}", section(&rows())), there)
}

/// Where it is.
pub fn path() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/api.md")
}

fn section(rows: &[Row]) -> String {
    let mut text = format!("{EXPLAINED}\n");
    let header = "| Request | Case | nobody | out | mem | adm | own | aut | mod | pla | Scope |";
    writeln!(text, "{header}\n|---|---|---|---|---|---|---|---|---|---|---|").expect("a text");
    let is_read = |row: &&Row| row.needs == Needs::Nothing && row.method == "GET";
    let (public, others): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(is_read);
    writeln!(text, "| every public read, `/healthz`, `/readyz` | {}", cells(public[0])).expect("a text");
    let mut last = String::new();
    for row in others {
        let request =
            format!("{} {}", row.method, row.path.replace("/api/v1/skills/{namespace}/{slug}", "…"));
        // A request is named once, and then its cases.
        let shown = if request == last { String::new() } else { format!("`{request}`") };
        writeln!(text, "| {shown} | {}", cells(row)).expect("a text");
        last = request;
    }
    text
}

fn cells(row: &Row) -> String {
    let mut text = format!("{} |", row.case);
    for cell in row.cells {
        let shown = match cell {
            Expected::Status(401) => "·".to_owned(),
            Expected::Status(403) => "–".to_owned(),
            Expected::Status(status) => status.to_string(),
            Expected::Pending => "201p".to_owned(),
            Expected::Never => String::new(),
        };
        write!(text, " {shown} |").expect("a text");
    }
    let scope = match row.needs {
        Needs::Nothing => "none, nor a credential",
        Needs::Validity => "any",
        Needs::Scope(scope) => scope,
    };
    text + &format!(" {scope} |")
}
