//! The formats of metrics, and which one a request wants.

use hyper::HeaderMap;
use hyper::header::ACCEPT;

use crate::reads::representation::{Alternative, quality_values};

/// A format that readers of metrics ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Prometheus' text format 0.0.4, which every reader knows.
    Text,
    /// OpenMetrics 0.0.1, which differs from 1.0.0 by its name only.
    EarlyOpenMetrics,
    /// OpenMetrics 1.0.0.
    OpenMetrics,
}

impl Format {
    /// All formats. The first is the default.
    const ALL: [Self; 3] = [Self::Text, Self::OpenMetrics, Self::EarlyOpenMetrics];

    /// The format that a request prefers. Of equal weights, the one that it names first counts. A request
    /// that accepts nothing that is here gets the default, because a scrape without an answer helps nobody.
    pub fn preferred(request: &HeaderMap) -> Self {
        let mut best: Option<(Self, u16)> = None;
        for alternative in quality_values(request, ACCEPT) {
            let Some(weight) = alternative.weight.filter(|weight| *weight > 0) else { continue };
            let wanted = Self::ALL.into_iter().find(|format| format.is_wanted(&alternative));
            if let Some(format) = wanted
                && best.is_none_or(|(_, most)| weight > most)
            {
                best = Some((format, weight));
            }
        }
        best.map_or(Self::Text, |(format, _)| format)
    }

    /// Media type and version.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Text => ("text/plain", "0.0.4"),
            Self::EarlyOpenMetrics => ("application/openmetrics-text", "0.0.1"),
            Self::OpenMetrics => ("application/openmetrics-text", "1.0.0"),
        }
    }

    fn is_wanted(self, alternative: &Alternative<'_>) -> bool {
        let (kind, version) = self.names();
        let group = kind.split('/').next().unwrap_or_default();
        let is_kind = match alternative.value.strip_suffix("/*") {
            Some(range) => range == "*" || range.eq_ignore_ascii_case(group),
            None => alternative.value.eq_ignore_ascii_case(kind),
        };
        is_kind && alternative.parameter("version").is_none_or(|named| named == version)
    }

    /// The value of `Content-Type`.
    pub fn content_type(self) -> String {
        let (kind, version) = self.names();
        format!("{kind}; version={version}; charset=utf-8")
    }

    /// Converts a text from OpenMetrics 1.0.0. In the text format a counter is described under the name
    /// of its value, and there are no units and no end.
    pub fn of_open_metrics(self, text: String) -> String {
        if self != Self::Text {
            return text;
        }
        let counters: Vec<_> = text
            .lines()
            .filter_map(|line| line.strip_prefix("# TYPE ")?.strip_suffix(" counter"))
            .map(str::to_owned)
            .collect();
        let mut converted = String::with_capacity(text.len());
        for line in text.lines().filter(|line| !line.starts_with("# UNIT ") && *line != "# EOF") {
            match described(line).filter(|(_, name, _)| counters.iter().any(|counter| counter == name)) {
                Some((keyword, name, rest)) => {
                    converted.extend([keyword, name, "_total ", rest]);
                }
                None => converted.push_str(line),
            }
            converted.push('\n');
        }
        converted
    }
}

/// The keyword, the name and the rest of a line that describes a metric.
fn described(line: &str) -> Option<(&'static str, &str, &str)> {
    ["# HELP ", "# TYPE "].into_iter().find_map(|keyword| {
        let (name, rest) = line.strip_prefix(keyword)?.split_once(' ')?;
        Some((keyword, name, rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_is_chosen_by_weight_and_order() {
        use Format::{EarlyOpenMetrics, OpenMetrics, Text};
        let prometheus = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,\
                          application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,\
                          text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
        for (accept, expected) in [
            (prometheus, OpenMetrics),
            ("text/plain;version=0.0.4", Text),
            ("text/plain; version=\"0.0.4\"; charset=utf-8", Text),
            ("Text/Plain", Text),
            ("text/*", Text),
            ("*/*", Text),
            ("application/*", OpenMetrics),
            ("application/openmetrics-text", OpenMetrics),
            ("application/openmetrics-text; version=1.0.0", OpenMetrics),
            ("application/openmetrics-text;version=0.0.1", EarlyOpenMetrics),
            ("application/openmetrics-text;version=2.0.0", Text),
            ("application/openmetrics-text;q=0, text/plain;q=0.1", Text),
            ("application/openmetrics-text;q=0.5, text/plain", Text),
            ("text/plain;q=0.5, application/openmetrics-text;q=0.6", OpenMetrics),
            ("application/openmetrics-text, text/plain", OpenMetrics),
            ("text/plain, application/openmetrics-text", Text),
            ("application/vnd.google.protobuf", Text),
            ("text/html, application/xhtml+xml, */*;q=0.8", Text),
            ("", Text),
        ] {
            let headers = [(ACCEPT, accept.parse().unwrap())].into_iter().collect();
            assert_eq!(Format::preferred(&headers), expected, "{accept}");
        }
        assert_eq!(Format::preferred(&HeaderMap::new()), Text);
    }

    #[test]
    fn counters_of_the_text_format_are_described_by_the_name_of_their_value() {
        let open = "# HELP a_requests Answered requests.\n# TYPE a_requests counter\n\
                    a_requests_total{route=\"x\"} 1\n# HELP a_seconds Time.\n# TYPE a_seconds histogram\n\
                    # UNIT a_seconds seconds\na_seconds_sum 0.5\n# EOF\n";
        let text = "# HELP a_requests_total Answered requests.\n# TYPE a_requests_total counter\n\
                    a_requests_total{route=\"x\"} 1\n# HELP a_seconds Time.\n# TYPE a_seconds histogram\n\
                    a_seconds_sum 0.5\n";
        assert_eq!(Format::Text.of_open_metrics(open.to_owned()), text);
        assert_eq!(Format::OpenMetrics.of_open_metrics(open.to_owned()), open);
    }
}
