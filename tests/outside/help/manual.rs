//! The pages of the manual.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use super::commands;
use crate::harness::Home;

#[test]
fn every_command_has_a_page_that_renders_without_warnings() {
    let home = Home::new();
    let printed = home.run(&["man", "--out", "pages"]).ok().stdout;
    let pages = home.folder().join("pages");
    let written: BTreeSet<String> = std::fs::read_dir(&pages)
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    let commands = commands(&home);
    let expected = commands.iter().map(|(name, _)| format!("skillmirror-{}.1", name.replace(' ', "-")));
    let mut expected: BTreeSet<String> = expected.collect();
    expected.insert("skillmirror.1".to_owned());
    assert_eq!(written, expected);
    assert_eq!(printed, format!("wrote {} pages to pages\n", written.len()));

    // Of groff, which Debian's man-db needs too.
    let mut groff = Command::new("groff");
    groff.args(["-man", "-Tutf8", "-ww", "-rLL=78n"]).args(&written).current_dir(&pages);
    let rendered = groff.stdin(Stdio::null()).output().expect("groff is installed");
    let warnings = String::from_utf8(rendered.stderr).unwrap();
    assert!(rendered.status.success() && warnings.is_empty(), "{warnings}");
}

#[test]
fn page_has_name_options_and_examples() {
    let home = Home::new();
    let (list, ls) = (home.run(&["man", "list"]).ok().stdout, home.run(&["man", "ls"]).ok().stdout);
    assert!(list == ls && list.contains("EXAMPLES"), "{ls}");
    let page = home.run(&["man", "user", "add"]).ok().stdout;
    for part in [
        ".TH skillmirror-user-add 1",
        "skillmirror\\-user\\-add \\- Add an account",
        "\\-\\-role",
        ".SH EXAMPLES",
        ".SH \"SEE ALSO\"\n\\fBskillmirror\\-user\\fR(1)",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let why = home.run(&["man", "user", "nothing"]);
    assert!(why.code == 1 && why.stderr.contains("no command `user nothing`"), "{why:?}");
}
