//! Output fits the terminal; other programs get plain lines.

use std::process::{Command, Stdio};

use crate::harness::{Registry, Skill};

/// Runs a command as on a terminal of 60 columns, whose output is printed.
const ON_A_TERMINAL: &str = "
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 60, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    try:
        said = os.read(terminal, 65536)
    except OSError:
        break
    if not said:
        break
    os.write(1, said)
os.waitpid(pid, 0)
";

fn on_a_terminal(registry: &Registry, arguments: &[&str]) -> String {
    let mut command = Command::new("python3");
    command.args(["-c", ON_A_TERMINAL, env!("CARGO_BIN_EXE_skillmirror")]).args(arguments);
    let output = command.current_dir(registry.folder()).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn longest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or_default()
}

#[test]
fn table_fits_the_terminal_and_is_plain_lines_elsewhere() {
    let registry = Registry::not_started();
    let name = "A name that is longer than any line of a small terminal has room for";
    registry.command(["user", "add", "ann", "--name", name]).ok();
    let shown = on_a_terminal(&registry, &["user", "list"]);
    assert!(longest(&shown) <= 60 && shown.contains("ann"), "{shown}");
    let piped = registry.command(["user", "list"]).ok().stdout;
    assert!(piped.lines().count() == 3 && piped.contains(name), "{piped}");

    registry.write("bad.zip", &Skill::named("bad").file("a:b", "").file("con", "").zip());
    let shown = on_a_terminal(&registry, &["import", "bad.zip"]);
    // The progress bar stood where the table begins.
    let table = &shown[shown.find('┌').unwrap()..shown.find('┘').unwrap()];
    assert!(table.lines().count() > 5 && longest(table) <= 60, "{shown}");
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
    assert!(shown.lines().count() == 2 && longest(&shown) <= 60 && shown.contains("…"), "{shown}");
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
