//! Finds the keys of YAML and their values as they are written, also where YAML is invalid.

use super::front_matter::key_of;

/// A key with its value as it is written.
#[derive(Debug)]
pub(super) struct Entry<'t> {
    /// The line of the key, from 0.
    pub line: usize,
    /// The column of the value, from 1.
    pub column: u64,
    /// Bytes before the key: white space, and the mark of an item.
    pub indent: usize,
    pub key: &'t str,
    /// The value on the line of the key. One in quotes or brackets goes on over the lines below that are indented
    /// further.
    pub value: &'t str,
    /// The lines below a plain value that are indented further.
    pub below: Vec<&'t str>,
}

/// All keys with their values, on every level, outside of longer texts.
pub(super) fn entries(yaml: &str) -> Vec<Entry<'_>> {
    let lines: Vec<&str> = yaml.split_inclusive('\n').collect();
    let mut found = Vec::new();
    let (mut line, mut start) = (0, 0);
    while let Some(whole) = lines.get(line) {
        let text = whole.trim_end();
        // The item of a list begins with its first key.
        let inner = text.trim_start_matches(['-', ' ', '\t']);
        let indent = text.len() - inner.len();
        let below = || {
            let goes_on = |next: &&&str| next.trim().is_empty() || indent_of(next) > indent;
            lines.get(line + 1..).unwrap_or_default().iter().take_while(goes_on).copied()
        };
        let mut taken = 1;
        if let Some((key, value)) = key_of(inner) {
            let before = text.len() - value.len();
            let column = text.get(..before).map_or(1, |before| before.chars().count() as u64 + 1);
            let mut entry = Entry { line, column, indent, key, value, below: Vec::new() };
            if entry.is_block() {
                taken += below().count();
            } else if value.starts_with(['"', '\'', '[', '{']) {
                // The end may be in the column of the key.
                let end = lines.get(line + 1 + below().count()).filter(|next| next.starts_with([']', '}']));
                let length: usize = below().chain(end.copied()).map(str::len).sum();
                let value_start = start + before;
                entry.value = yaml.get(value_start..start + whole.len() + length).unwrap_or(value);
                let rest = entry.rest().map_or(0, str::len);
                let own = entry.value.get(..entry.value.len() - rest).unwrap_or_default();
                taken += own.trim_end().matches('\n').count();
            } else if entry.is_plain() {
                entry.below = below().collect();
            }
            found.push(entry);
        }
        start += lines.iter().skip(line).take(taken).map(|line| line.len()).sum::<usize>();
        line += taken;
    }
    found
}

/// White space before a line, in bytes.
pub(super) fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

impl<'t> Entry<'t> {
    /// Whether the value is the mark of a text on the lines below: `|`, `>-`.
    pub(super) fn is_block(&self) -> bool {
        let mut chars = self.value.split(" #").next().unwrap_or_default().trim_end().chars();
        matches!(chars.next(), Some('|' | '>')) && chars.all(|c| matches!(c, '+' | '-' | '0'..='9'))
    }

    /// Whether the value is plain: a text without quotes, brackets and marks.
    pub(super) fn is_plain(&self) -> bool {
        let marks = ['"', '\'', '[', '{', '|', '>', '*', '&', '!', '#', '@', '`', '%'];
        !self.value.is_empty() && !self.value.starts_with(marks)
    }

    /// The text after a value in quotes or brackets. None if they are not closed.
    pub(super) fn rest(&self) -> Option<&'t str> {
        match self.value.chars().next()? {
            '"' | '\'' => after_quotes(self.value),
            _ => after_brackets(self.value),
        }
    }
}

fn after_quotes(text: &str) -> Option<&str> {
    let mut chars = text.char_indices().peekable();
    let (_, quote) = chars.next()?;
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        // An escape, or two single quotes for one.
        let is_pair = if quote == '"' { c == '\\' } else { c == quote && next == Some(quote) };
        if is_pair {
            chars.next();
        } else if c == quote {
            return text.get(at + 1..);
        }
    }
    None
}

fn after_brackets(text: &str) -> Option<&str> {
    let mut open = 0_usize;
    let (mut rest, mut before) = (text, ' ');
    while let Some(c) = rest.chars().next() {
        // Elsewhere it is an apostrophe.
        if matches!(c, '"' | '\'') && matches!(before, ' ' | '[' | '{' | ',' | ':' | '\n') {
            (rest, before) = (after_quotes(rest)?, c);
            continue;
        }
        (rest, before) = (rest.get(c.len_utf8()..)?, c);
        match c {
            '[' | '{' => open += 1,
            ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return Some(rest);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_with_their_values() {
        let yaml = "a: b\n  c\n# d: e\ntext: |\n  not: a key\n\nlist: [x,\n  y: 1\n]\nmap:\n  in: \"q\n    r: s\"\n  - k: 'it''s' # t\nend: 1\n";
        let found: Vec<_> = entries(yaml).iter().map(|entry| (entry.line, entry.key, entry.column)).collect();
        assert_eq!(
            found,
            [
                (0, "a", 4),
                (3, "text", 7),
                (6, "list", 7),
                (9, "map", 5),
                (10, "in", 7),
                (12, "k", 8),
                (13, "end", 6)
            ]
        );
        let all = entries(yaml);
        assert_eq!((all[0].below.as_slice(), all[2].rest()), (&["  c\n"][..], Some("\n")));
        assert_eq!(all[5].rest(), Some(" # t\n"));
        assert_eq!(entries("a: [x\nb: 1\n").len(), 2);
        assert!(entries("a: [x\nb: 1\n")[0].rest().is_none());
    }
}
