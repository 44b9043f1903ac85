//! Output fits the terminal; other programs get plain lines.

use std::process::{Command, Stdio};

use crate::harness::terminal::{Terminal, longest_line};
use crate::harness::{Registry, Skill};

fn on_a_terminal(registry: &Registry, arguments: &[&str]) -> String {
    let shown = Terminal::of(60).run(registry.folder(), arguments);
    shown.text
}

#[test]
fn table_fits_the_terminal_and_is_plain_lines_elsewhere() {
    let registry = Registry::start();
    let name = "A name that is longer than any line of a small terminal has room for";
    registry.command(["user", "add", "ann", "--name", name]).ok();
    let shown = on_a_terminal(&registry, &["user", "list"]);
    assert!(longest_line(&shown) <= 60 && shown.contains("ann"), "{shown}");
    let piped = registry.command(["user", "list"]).ok().stdout;
    assert!(piped.lines().count() == 3 && piped.contains(name), "{piped}");

    registry.write("bad.zip", &Skill::named("bad").file("a:b", "").file("con", "").zip());
    let shown = on_a_terminal(&registry, &["import", "bad.zip"]);
    // The progress bar stood before the table.
    let table = &shown[shown.find("REFUSED").unwrap()..shown.find("imported 0").unwrap()];
    assert!(table.lines().count() > 4 && longest_line(table) <= 60, "{shown}");
    let piped = registry.command(["import", "bad.zip"]).stdout;
    let rows = piped.lines().filter(|line| line.contains("bad.zip")).count();
    assert!(rows == 1 && piped.lines().count() <= 6, "{piped}");
    assert!(
        piped.lines().any(|line| line.contains("a:b") && line.contains("con")),
        "one line a row: {piped}"
    );
}

#[test]
fn found_skill_fits_one_terminal_line() {
    let registry = Registry::start();
    let long = "Greets 東京 and all others who ask for it. ".repeat(8);
    registry.publish(Skill::named("hello").description(long.trim())).by(&registry.admin()).expect(201);
    let shown = on_a_terminal(&registry, &["search", "greets", "--registry", registry.base()]);
    assert!(shown.lines().count() == 2 && longest_line(&shown) <= 60 && shown.contains("…"), "{shown}");
}

/// Logs in as on a terminal, where the token is typed when it is asked for.
const TYPED: &str = "
import os, pty, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
said = b''
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    if b'Token for' in piece:
        # People type later than this.
        while termios.tcgetattr(terminal)[3] & termios.ECHO:
            os.sched_yield()
        os.write(terminal, sys.argv[1].encode() + b'\\n')
    said += piece
os.write(1, said)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

#[test]
fn typed_token_is_not_echoed() {
    let registry = Registry::start();
    let (ann, home) = (registry.user("ann"), crate::harness::Home::new());
    let mut command = Command::new("python3");
    command.args(["-c", TYPED, &ann.token, env!("CARGO_BIN_EXE_skillmirror")]);
    command.args(["login", "--registry", registry.base()]);
    command.env("HOME", home.folder()).env("XDG_CONFIG_HOME", home.folder().join("config"));
    let output = command.stdin(Stdio::null()).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("logged in to "), "{output:?}");
    assert!(printed.contains(&format!("Token for {}: ", registry.base())), "{printed}");
    assert!(!printed.contains(&ann.token), "{printed}");
    assert_eq!(home.json(&["whoami"])["handle"], "ann");
}

#[test]
fn long_work_on_a_tree_shows_a_bar_on_a_terminal_only() {
    let mut registry = Registry::start();
    for number in 0..4 {
        registry.publish(Skill::named(&format!("skill-{number}"))).by(&registry.admin()).expect(201);
    }
    registry.stop();
    let (data, public) = (registry.data(), registry.public());
    let (data, public) = (data.to_str().unwrap(), public.to_str().unwrap());
    let folders = ["--data", data, "--public", public];
    for words in [
        &["generate"][..],
        &["verify"],
        &["watch", "--once", "--public", "new"],
        &["watch", "--once", "--feed", public, "--public", "mirror"],
        &["snapshot", "create", "--namespace", "global", "--out", "part.tar.zst"],
        &["snapshot", "create", "--out", "all.tar.zst"],
        &["snapshot", "apply", "all.tar.zst", "--to", "applied"],
    ] {
        let given: Vec<_> = folders.chunks(2).filter(|pair| !words.contains(&pair[0])).flatten().collect();
        let words = [words, &given.into_iter().copied().collect::<Vec<_>>()].concat();
        let shown = Terminal::of(80).run(registry.folder(), &words).ok();
        assert!(shown.contains(" documents") || words[1] == "create", "{words:?}: {shown}");
        std::fs::remove_dir_all(registry.folder().join("new")).ok();
        std::fs::remove_dir_all(registry.folder().join("new.state")).ok();
        let output =
            crate::harness::run(registry.folder(), &words.iter().map(Into::into).collect::<Vec<_>>());
        assert!(!output.printed().contains("documents"), "{output:?}");
    }
}
