//! Tables: columns without lines between them, one style for all commands.
//!
//! On a terminal that is too narrow, a table first loses the columns that say least. Then its widest
//! column is cut or wrapped. Elsewhere each row is one line, however long, for programs that read
//! lines.

use std::fmt::Display;

use console::{Alignment, measure_text_width, pad_str, style, truncate_str};

use super::terminal_width;

/// Columns between two columns of a table.
const GAP: usize = 2;
/// Other columns are left out before a column that is cut or wrapped gets narrower than this.
const MIN_FLEXIBLE: usize = 24;

/// A table.
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    least_first: Vec<String>,
    cuts: bool,
}

/// A table with these headings and rows.
pub fn borderless<H: Display, R: IntoIterator<Item: Display>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    let row = |row: R| row.into_iter().map(|cell| cell.to_string()).collect();
    Table {
        header: header.into_iter().map(|cell| cell.to_string()).collect(),
        rows: rows.into_iter().map(row).collect(),
        least_first: Vec::new(),
        cuts: false,
    }
}

impl Table {
    /// The columns that a narrow terminal does without, the first one first.
    pub fn least_first(mut self, headings: &[&str]) -> Self {
        self.least_first = headings.iter().map(ToString::to_string).collect();
        self
    }

    /// Cuts the last column to the width of the terminal, instead of wrapping the widest one.
    pub fn cut_last(mut self) -> Self {
        self.cuts = true;
        self
    }

    /// Removes a column.
    fn remove(&mut self, heading: &str) {
        let Some(at) = self.header.iter().position(|known| known == heading) else { return };
        self.header.remove(at);
        self.rows.iter_mut().filter(|row| at < row.len()).for_each(|row| {
            row.remove(at);
        });
    }

    /// The width of each column.
    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.header.len()];
        for row in std::iter::once(&self.header).chain(&self.rows) {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(measure_text_width(cell));
            }
        }
        widths
    }

    /// Whether a column has only numbers, so that it is aligned to the right.
    fn has_numbers(&self, column: usize) -> bool {
        let is_number = |cell: &str| !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit());
        let mut cells = self.rows.iter().filter_map(|row| row.get(column).map(String::as_str));
        cells.clone().any(is_number) && cells.all(|cell| cell == "-" || is_number(cell))
    }

    /// The column that may be narrower than its cells.
    fn flexible(&self, widths: &[usize]) -> Option<usize> {
        let widest = widths.iter().enumerate().max_by_key(|(_, width)| **width).map(|(at, _)| at);
        if self.cuts { widths.len().checked_sub(1) } else { widest }
    }

    /// The lines, for a terminal of this width if there is one.
    fn lines(mut self, terminal: Option<usize>) -> String {
        let mut widths = self.widths();
        if let Some(terminal) = terminal {
            let most = |widths: &[usize]| widths.iter().map(|width| width + GAP).sum::<usize>() - GAP;
            for heading in std::mem::take(&mut self.least_first) {
                let flexible = self.flexible(&widths).map_or(0, |at| widths[at]);
                if most(&widths) - flexible.saturating_sub(MIN_FLEXIBLE) <= terminal {
                    break;
                }
                self.remove(&heading);
                widths = self.widths();
            }
            let excess = most(&widths).saturating_sub(terminal);
            if let Some(at) = self.flexible(&widths) {
                widths[at] = widths[at].saturating_sub(excess).max(1);
            }
        }
        let is_number: Vec<bool> = (0..self.header.len()).map(|column| self.has_numbers(column)).collect();
        let mut text = String::new();
        for (at, row) in std::iter::once(&self.header).chain(&self.rows).enumerate() {
            let cells: Vec<Vec<String>> =
                row.iter().zip(&widths).map(|(cell, width)| self.fitted(cell, *width)).collect();
            for line in 0..cells.iter().map(Vec::len).max().unwrap_or_default() {
                let mut whole = String::new();
                for ((cell, width), is_number) in cells.iter().zip(&widths).zip(&is_number) {
                    let side = if *is_number { Alignment::Right } else { Alignment::Left };
                    let cell = cell.get(line).map_or("", String::as_str);
                    whole += &pad_str(cell, *width, side, None);
                    whole += &" ".repeat(GAP);
                }
                let whole = whole.trim_end();
                match at {
                    0 => text += &style(whole).bold().to_string(),
                    _ => text += whole,
                }
                text.push('\n');
            }
        }
        text
    }

    /// The lines of a cell that has `width` columns.
    fn fitted(&self, cell: &str, width: usize) -> Vec<String> {
        if measure_text_width(cell) <= width {
            return vec![cell.to_owned()];
        }
        if self.cuts { vec![truncate_str(cell, width, "…").into_owned()] } else { wrapped(cell, width) }
    }
}

/// The lines of a table, as the terminal on standard output needs them.
pub fn table_text(table: Table) -> String {
    table.lines(terminal_width().map(usize::from))
}

/// The lines of a table that a narrow terminal shows without the columns of `least`, the first one
/// first.
pub fn narrowing_table<const N: usize>(
    header: [&str; N],
    least: &[&str],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    table_text(borderless(header, rows).least_first(least))
}

/// Wraps a text at spaces, and inside of words that are longer than a line.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let (mut lines, mut line, mut column) = (Vec::new(), String::new(), 0);
    for word in text.split(' ') {
        let length = measure_text_width(word);
        let gap = usize::from(!line.is_empty());
        if column + gap + length > width && !line.is_empty() {
            lines.push(std::mem::take(&mut line));
            column = 0;
        } else if gap > 0 {
            line.push(' ');
            column += 1;
        }
        if length <= width {
            line += word;
            column += length;
            continue;
        }
        for c in word.chars() {
            let length = measure_text_width(c.encode_utf8(&mut [0; 4]));
            if column + length > width && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
                column = 0;
            }
            line.push(c);
            column += length;
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let rows = [
            ["hello", "1.2.0", "12", "Greets people by their name"],
            ["@tools/lint", "1.0.0", "7", "Finds mistakes"],
        ];
        borderless(["SKILL", "VERSION", "STARS", "DESCRIPTION"], rows).least_first(&["STARS", "VERSION"])
    }

    #[test]
    fn wide_table_has_all_columns() {
        let expected = "SKILL        VERSION  STARS  DESCRIPTION\n\
                        hello        1.2.0       12  Greets people by their name\n\
                        @tools/lint  1.0.0        7  Finds mistakes\n";
        assert_eq!(table().lines(None), expected);
        assert_eq!(table().lines(Some(80)), expected);
    }

    #[test]
    fn narrow_table_loses_the_columns_that_say_least() {
        let shown = table().lines(Some(50));
        assert_eq!(shown.lines().next(), Some("SKILL        VERSION  DESCRIPTION"));
        let shown = table().lines(Some(40));
        assert_eq!(shown.lines().next(), Some("SKILL        DESCRIPTION"));
    }

    #[test]
    fn widest_column_is_wrapped_or_cut_last() {
        let shown = table().lines(Some(30));
        let expected = "SKILL        DESCRIPTION\n\
                        hello        Greets people by\n\
                        \x20            their name\n\
                        @tools/lint  Finds mistakes\n";
        assert_eq!(shown, expected);
        let shown = table().cut_last().lines(Some(30));
        assert_eq!(shown.lines().nth(1), Some("hello        Greets people by…"));
    }

    #[test]
    fn long_word_is_broken() {
        assert_eq!(wrapped("ab 東京東京 c", 4), ["ab", "東京", "東京", "c"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}
