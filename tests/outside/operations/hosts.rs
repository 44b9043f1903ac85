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

/// nginx takes such a directive once, and the operator may have it already.
#[test]
fn nginx_is_told_nothing_that_is_about_all_its_hosts() {
    for options in [&["nginx", "--root", "/srv/tree"][..], &["nginx", "--origin", "http://127.0.0.1:8080"]] {
        let printed = hosts(options).ok().stdout;
        let directives = printed.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
        let others: Vec<_> =
            directives.filter(|line| !line.starts_with("map ") && !line.starts_with("server {")).collect();
        assert!(others.is_empty(), "{others:?}");
    }
}

/// No directive for HTTP/2 is good for all versions: `listen … http2` is deprecated since 1.25.1, and
/// `http2 on` is unknown before.
#[test]
fn nginx_speaks_http2_if_its_version_is_known() {
    let printed = |version: &[&str]| {
        let arguments = [&["nginx", "--tls", "--root", "/srv/tree"][..], version].concat();
        let said = hosts(&arguments).ok();
        assert_eq!(said.stderr.contains("--nginx-version"), version.is_empty(), "{said:?}");
        said.stdout
    };
    let plain = printed(&[]);
    assert!(plain.contains("    listen 443 ssl;\n    listen [::]:443 ssl;\n"), "{plain}");
    assert!(!plain.contains("ssl http2") && !plain.contains("http2 on"), "{plain}");
    for (version, is_directive) in [
        ("1.18.0 (Ubuntu)", false),
        ("1.22.1", false),
        ("1.25.0", false),
        ("1.25.1", true),
        ("1.26.3", true),
        ("1.26", true),
        ("2.0.0", true),
        ("nginx version: nginx/1.22.1", false),
        ("nginx version: nginx/1.26.3 (Debian)", true),
    ] {
        let printed = printed(&["--nginx-version", version]);
        assert_eq!(printed.contains("    listen 443 ssl http2;\n"), !is_directive, "{version}: {printed}");
        assert_eq!(printed.contains("    http2 on;\n"), is_directive, "{version}: {printed}");
    }
    for version in ["", "new", "1", "1.x", "nginx"] {
        let refused = hosts(&["nginx", "--tls", "--nginx-version", version]);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.stderr.contains("it is not a version like 1.26.3"), "{refused:?}");
    }
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
