//! Reads `head.json`: the state that a feed ends at.

use registry::names::Digest;

use super::not_json;
use crate::FORMAT;
use crate::settings::TreeSettings;
use crate::tree::State;
use registry::api::public::Head;

/// Parses a head, and checks that this release can make its tree.
pub fn parse_head(text: &str) -> Result<Head, String> {
    let head: Head = serde_json::from_str(text).map_err(|why| not_json(text, &why))?;
    // The epoch becomes the name of a folder.
    if head.epoch.len() != 32 || !head.epoch.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        return Err("has an epoch that is not 32 hexadecimal digits".into());
    }
    if head.format > FORMAT {
        return Err(format!(
            "has format {}, but this release makes format {FORMAT}: upgrade to the source's release",
            head.format
        ));
    }
    if !State::from(&head).is_plausible() {
        let (revision, generation) = (head.revision, head.counters.generation);
        return Err(format!(
            "has revision {revision} and counter generation {generation}, which no registry reaches"
        ));
    }
    Ok(head)
}

/// Parses the settings that a head names.
pub fn parse_settings(head: &Head, text: &str) -> Result<TreeSettings, String> {
    let settings: TreeSettings = serde_json::from_str(text).map_err(|why| not_json(text, &why))?;
    if Digest::of(text.as_bytes()) != head.settings {
        return Err("does not have the sha256 that the head names".into());
    }
    if settings.to_json() != text.as_bytes() {
        return Err("is not written as this release writes it: use the source's release".into());
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use registry::public::CounterShards;

    use super::*;

    fn head(epoch: &str, format: u32) -> String {
        let counters = CounterShards::default().digest();
        let settings = TreeSettings::default().digest();
        format!(
            "{{\"epoch\":\"{epoch}\",\"revision\":0,\"at\":\"2026-01-01T00:00:00Z\",\"pages\":0,\"sha256\":null,\
             \"counters\":{{\"generation\":0,\"sha256\":\"{counters}\"}},\"settings\":\"{settings}\",\"log\":{{\"size\":0,\"root\":\"\"}},\"format\":{format}}}\n"
        )
    }

    #[test]
    fn head_or_settings_that_cannot_be_followed_are_refused() {
        let epoch = "0".repeat(32);
        let good = parse_head(&head(&epoch, FORMAT)).unwrap();
        for (text, said) in [
            (head("../../elsewhere", FORMAT), "epoch"),
            (head(&epoch, FORMAT + 1), "format"),
            (
                head(&epoch, FORMAT).replace("\"revision\":0", "\"revision\":18446744073709551615"),
                "no registry",
            ),
            (head(&epoch, FORMAT).replace("\"generation\":0", "\"generation\":100000001"), "no registry"),
            ("<html>".into(), "web page"),
            ("{}".into(), "`epoch` is missing"),
        ] {
            let why = parse_head(&text).unwrap_err();
            assert!(why.contains(said), "{why}");
        }
        let text = |depth: u64, more: &str| {
            let start = format!("{{\"listDepth\":{depth},\"gzip\":true,\"git\":false,\"precompute\":250");
            format!("{start},\"publicUrl\":null,\"keys\":[],\"partial\":null{more}}}\n")
        };
        assert_eq!(parse_settings(&good, &text(2, "")), Ok(TreeSettings::default()));
        assert!(parse_settings(&good, &text(6, "")).unwrap_err().contains("sha256"));
        let hostile = text(2, "").replace("\"publicUrl\":null", "\"publicUrl\":\"https://a.example/$(id)\"");
        let why = parse_settings(&good, &hostile).unwrap_err();
        assert!(why.contains("the public URL `https://a.example/$(id)` is invalid"), "{why}");
        assert!(parse_settings(&good, &text(2, ",\"x\":1")).unwrap_err().contains("`x` is unknown"));
    }
}
