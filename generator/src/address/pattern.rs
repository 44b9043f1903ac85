//! Paths with places for values, such as `{namespace}/{slug}/index.md`.

/// A path, cut at its slashes and at its places.
pub(super) struct Pattern {
    /// The texts before the first place and after the last: most paths differ in these.
    ends: (&'static str, &'static str),
    segments: Vec<Segment>,
    /// Whether the last place may have slashes.
    is_open: bool,
}

/// A segment of a path: a text, and places with a text after each.
struct Segment {
    before: &'static str,
    after: Vec<&'static str>,
}

/// The most places of a path.
const MAX_VALUES: usize = 4;

/// The values of a path in the places of a pattern.
#[derive(Default)]
pub(super) struct Values<'a> {
    texts: [&'a str; MAX_VALUES],
    count: usize,
}

impl<'a> Values<'a> {
    pub(super) fn as_slice(&self) -> &[&'a str] {
        &self.texts[..self.count]
    }

    /// `None` if there are too many.
    fn push(&mut self, text: &'a str) -> Option<()> {
        *self.texts.get_mut(self.count)? = text;
        self.count += 1;
        Some(())
    }
}

impl Pattern {
    pub(super) fn new(path: &'static str) -> Self {
        let segment = |text: &'static str| {
            let mut texts = text.split('{');
            let before = texts.next().unwrap_or_default();
            let after = texts.map(|text| text.split_once('}').map_or("", |(_, after)| after)).collect();
            Segment { before, after }
        };
        let ends = path.split_once('{').zip(path.rsplit_once('}'));
        Self {
            ends: ends.map_or((path, ""), |((before, _), (_, after))| (before, after)),
            segments: path.split('/').map(segment).collect(),
            is_open: path.contains("{*"),
        }
    }

    /// How many segments a path of this pattern has; `None` if any number from its own on.
    pub(super) fn length(&self) -> Option<usize> {
        (!self.is_open).then_some(self.segments.len())
    }

    /// The values of a path. `None` if the path is not of this pattern.
    pub(super) fn values<'a>(&self, path: &'a str) -> Option<Values<'a>> {
        if !(path.starts_with(self.ends.0) && path.ends_with(self.ends.1)) {
            return None;
        }
        let mut values = Values::default();
        let mut rest = Some(path);
        for (index, segment) in self.segments.iter().enumerate() {
            let is_last = self.is_open && index + 1 == self.segments.len();
            let (text, next) = match rest?.split_once('/') {
                Some((text, next)) if !is_last => (text, Some(next)),
                _ => (rest?, None),
            };
            segment.read(text, &mut values)?;
            rest = next;
        }
        rest.is_none().then_some(values)
    }
}

impl Segment {
    fn read<'a>(&self, text: &'a str, values: &mut Values<'a>) -> Option<()> {
        let mut rest = text.strip_prefix(self.before)?;
        let Some((last, others)) = self.after.split_last() else { return rest.is_empty().then_some(()) };
        for after in others {
            let (value, next) = rest.split_once(after)?;
            values.push(value)?;
            rest = next;
        }
        values.push(rest.strip_suffix(last)?)
    }
}

/// The path of a pattern with a value in each place.
pub(super) fn fill(pattern: &str, write: impl Fn(&str, &mut String)) -> String {
    let mut path = String::with_capacity(pattern.len() + 32);
    let mut texts = pattern.split('{');
    path.push_str(texts.next().unwrap_or_default());
    for text in texts {
        let (name, after) = text.split_once('}').unwrap_or((text, ""));
        write(name.trim_start_matches('*'), &mut path);
        path.push_str(after);
    }
    path
}
