//! Which configurations of hosts are printed, written and refused. `tests/hosts/run` tries them.

use crate::harness::{CommandOutput, run};

fn hosts(arguments: &[&str]) -> CommandOutput {
    let folder = tempfile::tempdir().unwrap();
    let arguments: Vec<_> = [&["hosts"], arguments].concat().into_iter().map(Into::into).collect();
    run(folder.path(), &arguments)
}

#[test]
fn configuration_of_one_file_is_printed() {
    for host in ["nginx", "caddy", "apache", "cloudfront", "s3"] {
        let printed = hosts(&[host, "--root", "/srv/tree"]).ok().stdout;
        assert!(printed.contains("made by `skillmirror hosts "), "{host}: {printed}");
        assert!(host == "cloudfront" || printed.contains("/srv/tree"), "{host}: {printed}");
    }
}

#[test]
fn configuration_of_several_files_needs_a_folder() {
    for host in ["cloudflare", "fastly", "pages"] {
        let refused = hosts(&[host]);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(refused.stderr.contains("name a folder for them with --out"), "{refused:?}");
        let written = hosts(&[host, "--out", "made"]).ok().stdout;
        assert!(written.contains(" files to made"), "{written}");
    }
}

#[test]
fn settings_decide_name_and_path() {
    let printed = hosts(&["nginx", "--public-url", "https://skills.example.org:8443/registry"]).ok().stdout;
    assert!(printed.contains("server_name skills.example.org;"), "{printed}");
    assert!(printed.contains("rewrite ^/registry(/.*)$ $1;"), "{printed}");
}

#[test]
fn invalid_option_is_refused() {
    for (arguments, why) in [
        (&["nginx", "--root", "/srv/a\"b"][..], "--root"),
        (&["nginx", "--server-name", "a; b"], "--server-name"),
        (&["nginx", "--base-path", "skills"], "--base-path"),
        (&["nginx", "--base-path", "/a b"], "--base-path"),
        (&["caddy", "--origin", "http://127.0.0.1:8080/skills"], "--origin"),
    ] {
        let refused = hosts(arguments);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(refused.stderr.contains(why), "{refused:?}");
    }
}
