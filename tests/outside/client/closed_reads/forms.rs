//! The forms of credentials that are only for reads.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{BASIC, BEARER, SECRET, SECRETS, closed, counts, file, tree, user, without_secrets};
use crate::harness::{FakeHost, Home, Reply};

#[test]
fn each_form_of_a_credential_reads_after_one_login() {
    let forms: [(&str, &'static [&'static str], &[&str], &str); 4] = [
        ("authorization", &[BEARER], &["--read-only", "--token-stdin"], "smt_of_the_reader\n"),
        ("authorization", &[BASIC], &["--basic", "ann", "--token-stdin"], "open sesame\n"),
        (
            "cf-access-client-secret",
            &["value-of-cf"],
            &["--token-stdin", "--header", "CF-Access-Client-Id", "--header", "CF-Access-Client-Secret"],
            "id\nvalue-of-cf\n",
        ),
        ("authorization", &[BEARER], &["--credential-command", "cat", "token"], ""),
    ];
    for (header, values, options, input) in forms {
        let host = closed(header, values);
        let home = Home::new();
        fs::write(home.folder().join("token"), format!("{SECRET}\nnot this\n")).unwrap();
        let login = [&["login", "--registry", &host.base][..], options].concat();
        let output = without_secrets(home.run_with_input(&login, input).ok());
        assert!(output.stdout.ends_with("(now the default registry)\n"), "{output:?}");
        let before = counts(&host, header);
        without_secrets(home.run(&["install", "hello"]).ok());
        let after = counts(&host, header);
        assert!(
            after.0 > before.0 && after.1 == before.1 && before.1 <= 1,
            "{options:?} {before:?} {after:?}"
        );
        let output = without_secrets(home.run(&["logout"]).ok());
        assert!(output.stdout.starts_with("forgot the credential for reads"), "{output:?}");
        home.refusal("no_registry", &["info", "hello"]);
    }
}

#[test]
fn headers_of_a_host_go_beside_the_token_of_a_person() {
    let host = closed("cf-access-client-secret", &["value-of-cf"]);
    let home = Home::new();
    let login = ["login", "--registry", &host.base, "--token-stdin"];
    home.run_with_input(&[&login[..], &["--header", "CF-Access-Client-Secret"]].concat(), "value-of-cf").ok();
    home.login(&host.base, &user("smt_of_a_person"));
    home.run(&["whoami"]).ok();
    let last = host.asked().pop().unwrap();
    assert_eq!(last.header("authorization"), Some("Bearer smt_of_a_person"));
    assert_eq!(last.header("cf-access-client-secret"), Some("value-of-cf"));
}

#[test]
fn refused_credential_is_named_and_not_saved() {
    let host = closed("authorization", &[BEARER]);
    let home = Home::new();
    for (form, input) in
        [(&["--read-only"][..], "open sesame"), (&["--basic", "ann"], "open sesame"), (&["--read-only"], "")]
    {
        let login = [&["login", "--registry", &host.base, "--token-stdin"][..], form].concat();
        let output = without_secrets(home.run_with_input(&login, input));
        assert_eq!((output.code, home.credentials().exists()), (1, false), "{output:?}");
    }
    let ci = Home::new().with("SKILLMIRROR_READ_TOKEN", "wrong-token");
    let why = ci.refusal("unauthenticated", &["info", "hello", "--registry", &host.base]);
    assert!(why.contains("refuses the credential for reads") && why.contains(&host.base), "{why}");
    assert!(why.contains("skillmirror login") && !why.contains("wrong-token"), "{why}");
    let ci = Home::new().with("SKILLMIRROR_READ_TOKEN", "two words");
    let why = ci.refusal("environment", &["info", "hello", "--registry", &host.base]);
    assert!(why.contains("SKILLMIRROR_READ_TOKEN") && !why.contains("two words"), "{why}");
    assert_eq!(home.run(&["login", "--basic", "ann", "--read-only"]).code, 2);
    assert_eq!(home.run(&["login", "--basic", "ann", "--token", "x"]).code, 2);
}

#[test]
fn failing_command_is_named_and_its_new_token_is_used() {
    let host = closed("authorization", &[BEARER, "Bearer second"]);
    let home = Home::new();
    let token = home.folder().join("token");
    fs::write(&token, SECRET).unwrap();
    let path = token.display().to_string();
    home.run(&["login", "--registry", &host.base, "--credential-command", "cat", &path]).ok();
    fs::write(&token, "second").unwrap();
    home.run(&["info", "hello"]).ok();
    assert_eq!(host.asked().pop().unwrap().header("authorization"), Some("Bearer second"));
    for content in ["", "two words", &"x".repeat(20_000)] {
        fs::write(&token, content).unwrap();
        let why = home.refusal("credentials", &["info", "hello"]);
        assert!(why.contains("`cat`") && why.contains(&host.base), "{why}");
    }
    fs::remove_file(&token).unwrap();
    let output = home.run(&["info", "hello"]);
    assert!(output.code == 1 && output.stderr.contains("has failed"), "{output:?}");
}

#[test]
fn secret_is_in_no_list_of_processes() {
    static SEEN: AtomicUsize = AtomicUsize::new(0);
    let tree = tree();
    let host = FakeHost::answering(move |asked| {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
        let shown =
            lines.filter(|line| SECRETS.iter().any(|secret| String::from_utf8_lossy(line).contains(secret)));
        SEEN.fetch_add(shown.count(), Ordering::SeqCst);
        match asked.header("authorization") {
            Some(BEARER | BASIC) => file(&tree, asked),
            _ => Reply::status(401),
        }
    });
    let home = Home::new();
    fs::write(home.folder().join("token"), SECRET).unwrap();
    let login = ["login", "--registry", &host.base];
    home.run_with_input(&[&login[..], &["--basic", "ann", "--token-stdin"]].concat(), "open sesame").ok();
    home.run(&[&login[..], &["--credential-command", "cat", "token"]].concat()).ok();
    home.run(&["install", "hello"]).ok();
    assert_eq!(SEEN.load(Ordering::SeqCst), 0);
}
