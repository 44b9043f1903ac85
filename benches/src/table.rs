//! The table that a part prints, in Markdown.

use std::fmt::{Display, Formatter, Result};

/// The limit of a measurement.
#[derive(Debug, Clone, Copy)]
pub enum Bound {
    /// No limit. The row is for information.
    None,
    /// The measured number, in its own unit, is to be at most this.
    Most(f64),
    /// The ratio is to be at most this.
    Ratio(f64),
}

/// One measured number.
#[derive(Debug, Clone)]
pub struct Row {
    what: String,
    measured: f64,
    unit: &'static str,
    beside: Option<(&'static str, f64)>,
    bound: Bound,
}

impl Row {
    /// A number of what `what` says, in `unit`.
    pub fn of(what: impl Into<String>, measured: f64, unit: &'static str) -> Self {
        Self { what: what.into(), measured, unit, beside: None, bound: Bound::None }
    }

    /// The compared number, in the same unit.
    pub fn beside(mut self, name: &'static str, number: f64) -> Self {
        self.beside = Some((name, number));
        self
    }

    /// The limit.
    pub fn bound(mut self, bound: Bound) -> Self {
        self.bound = bound;
        self
    }

    fn ratio(&self) -> Option<f64> {
        self.beside.filter(|(_, number)| *number > 0.0).map(|(_, number)| self.measured / number)
    }

    /// Whether it is within its limit. `None` without a limit.
    fn held(&self) -> Option<bool> {
        match self.bound {
            Bound::None => None,
            Bound::Most(most) => Some(self.measured <= most),
            Bound::Ratio(most) => Some(self.ratio().is_some_and(|ratio| ratio <= most)),
        }
    }
}

impl Display for Row {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { what, measured, unit, .. } = self;
        let beside =
            self.beside.map_or("–".to_owned(), |(name, number)| format!("{} ({name})", shown(number)));
        let ratio = self.ratio().map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
        let bound = match self.bound {
            Bound::None => "–".to_owned(),
            Bound::Most(most) => format!("≤ {} {unit}", shown(most)),
            Bound::Ratio(most) => format!("ratio ≤ {most}"),
        };
        let held = self.held().map_or("–", |held| if held { "yes" } else { "**no**" });
        write!(f, "| {what} | {} {unit} | {beside} | {ratio} | {bound} | {held} |", shown(*measured))
    }
}

/// The rows under their header.
pub fn table(rows: &[Row]) -> String {
    let mut text =
        String::from("| | Skillmirror | baseline | ratio | target | met |\n|---|---|---|---|---|---|\n");
    for row in rows {
        text.push_str(&format!("{row}\n"));
    }
    text
}

/// Three digits that count, and no more behind the point than they need.
fn shown(number: f64) -> String {
    match number.abs() {
        n if n == n.trunc() || n >= 100.0 => format!("{number:.0}"),
        n if n >= 10.0 => format!("{number:.1}"),
        n if n >= 1.0 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_whether_it_holds() {
        let row = Row::of("publish", 2.5, "ms").beside("bare", 1.0).bound(Bound::Ratio(4.0));
        assert_eq!(row.to_string(), "| publish | 2.50 ms | 1 (bare) | 2.50 | ratio ≤ 4 | yes |");
        let row = Row::of("start", 6.25, "s").bound(Bound::Most(5.0));
        assert_eq!(row.to_string(), "| start | 6.25 s | – | – | ≤ 5 s | **no** |");
        let row = Row::of("read", 1.0, "µs").beside("nginx", 0.0).bound(Bound::Ratio(1.0));
        assert!(row.to_string().ends_with("| **no** |"), "nothing to compare with holds nothing");
    }
}
