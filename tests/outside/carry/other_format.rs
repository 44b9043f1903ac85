//! Snapshots that say that another release has made their documents.

use serde_json::json;

use super::archive::Archive;
use super::{apply, create, lived_in, snapshot, vkey};

/// A forged page beside the name of another release, which could have made other pages.
#[test]
fn changed_page_of_another_format_is_not_whole() {
    let (registry, _) = lived_in();
    let honest = Archive::read(&create(&registry, "honest.tar.zst", &[]));
    let key = vkey(&registry);
    let format = serde_json::from_slice::<serde_json::Value>(&honest.0[0].content).unwrap();
    let format = format["treeFormat"].as_u64().unwrap();
    let forged = |archive: &Archive| {
        let mut lie = archive.clone();
        let page = lie.position("tools/hello/index.html");
        lie.0[page].content[100] ^= 1;
        lie
    };
    let file = registry.folder().join("lie.tar.zst");
    let mirror = registry.folder().join("mirror");
    for other in [format - 1, format + 1, 0, 1_000_000] {
        let mut lie = forged(&honest).fitted();
        lie.set_manifest(&[("treeFormat", json!(other))]);
        lie.write(&file);
        for output in
            [apply(&registry, &file, &mirror), snapshot(&registry, &["verify", file.to_str().unwrap()])]
        {
            let words = "names another treeFormat than the head";
            assert!(output.code == 1 && output.stderr.contains(words), "{output:?}");
        }
    }
    // The head, which nobody signs, says so too.
    let head = honest.position("api/v1/mirror/head.json");
    let mut lie = forged(&honest);
    let text = String::from_utf8(lie.0[head].content.clone()).unwrap();
    let text = text.replace(&format!("\"format\":{format}"), &format!("\"format\":{}", format - 1));
    lie.0[head].set_content(text.into_bytes());
    let mut lie = lie.fitted();
    lie.set_manifest(&[("treeFormat", json!(format - 1))]);
    lie.write(&file);
    for arguments in [&["verify"][..], &["verify", "--vkey", &key]] {
        let said = snapshot(&registry, &[arguments, &[file.to_str().unwrap()]].concat());
        assert_eq!(said.code, 1, "{said:?}");
        assert!(
            said.stderr.contains("verify them with that release") && !said.stdout.contains("whole"),
            "{said:?}"
        );
    }
}
