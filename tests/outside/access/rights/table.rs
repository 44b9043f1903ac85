//! The table, read.

/// The statuses of `table.txt`, one for each of these.
pub const PEOPLE: [&str; 8] =
    ["nobody", "outsider", "member", "admin", "owner", "author", "moderator", "platform admin"];

/// The expected response of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// This status.
    Status(u16),
    /// 201, and it waits for review.
    Pending,
    /// There can be no such request.
    Never,
}

/// The scope that a token needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// No credential.
    Nothing,
    /// To be valid.
    Validity,
    /// This scope.
    Scope(&'static str),
}

/// A line of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    pub method: &'static str,
    pub path: &'static str,
    /// The object of the request, if it matters.
    pub case: &'static str,
    pub cells: [Expected; 8],
    pub needs: Needs,
}

impl Row {
    /// The expected response to a token of the platform admin with the only scope `scope`.
    pub fn with_scope(&self, scope: &str) -> Expected {
        match self.needs {
            Needs::Scope(needed) if needed != scope && self.cells[7] != Expected::Never => {
                Expected::Status(403)
            }
            _ => self.cells[7],
        }
    }
}

/// All lines, in their order.
pub fn rows() -> Vec<Row> {
    let lines = include_str!("table.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(row).collect()
}

fn row(line: &'static str) -> Row {
    let pieces: Vec<&str> = line.split('|').map(str::trim).collect();
    let [request, case, cells, scope] = pieces[..] else { panic!("a line has four parts: {line}") };
    let (method, path) = request.split_once(' ').expect("a method and a path");
    let cells: Vec<Expected> = cells.split_whitespace().map(expected).collect();
    let needs = match scope {
        "public" => Needs::Nothing,
        "any" => Needs::Validity,
        scope => Needs::Scope(scope),
    };
    let cells = cells.try_into().unwrap_or_else(|cells| panic!("eight statuses: {cells:?} of {line}"));
    Row { method, path, case, cells, needs }
}

fn expected(text: &str) -> Expected {
    match (text, text.strip_suffix('p')) {
        ("--", _) => Expected::Never,
        (_, Some("201")) => Expected::Pending,
        _ => Expected::Status(text.parse().unwrap_or_else(|_| panic!("a status: {text}"))),
    }
}
