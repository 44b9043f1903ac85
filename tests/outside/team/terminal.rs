//! On a terminal: questions, and tables that fit.

use std::process::{Command, Stdio};

use crate::harness::{Home, Registry, Skill};

use super::{at_home, publish};

/// Runs a command on a terminal with the given number of columns, and types an answer when it is
/// asked. Prints what the terminal shows.
const ON_A_TERMINAL: &str = "
import fcntl, os, pty, struct, sys, termios
columns, answer = int(sys.argv[1]), sys.argv[2]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    os.execv(sys.argv[3], sys.argv[3:])
said = b''
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    said += piece
    if b'[y/N]' in piece:
        os.write(terminal, answer.encode() + b'\\n')
os.write(1, said)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

/// The exit code, and what the terminal shows.
fn on_a_terminal(home: &Home, columns: usize, answer: &str, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new("python3");
    command.args(["-c", ON_A_TERMINAL, &columns.to_string(), answer, env!("CARGO_BIN_EXE_skillmirror")]);
    command.args(arguments).current_dir(home.folder());
    command.env("HOME", home.folder()).env("XDG_CONFIG_HOME", home.folder().join("config"));
    command.env("NO_COLOR", "1");
    for name in ["CLI_REGISTRY", "CLI_SITE", "SKILLMIRROR_DATA"] {
        command.env_remove(name);
    }
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.stderr.is_empty(), "{output:?}");
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn deletion_asks_and_says_how_to_undo_it() {
    let registry = Registry::start();
    let (home, user) = at_home(&registry, "ann");
    registry.team("acme", &user);
    registry.versions("acme/hello", &["1.0.0"], &user);
    let (code, shown) = on_a_terminal(&home, 80, "n", &["delete", "@acme/hello"]);
    assert!(code == 1 && shown.contains("delete @acme/hello with all its versions?"), "{shown}");
    assert!(shown.contains("`skillmirror restore @acme/hello`"), "{shown}");
    assert!(shown.contains("nothing was changed"), "{shown}");
    registry.get("/api/v1/skills/acme/hello").expect(200);
    let (code, shown) = on_a_terminal(&home, 80, "y", &["delete", "@acme/hello"]);
    assert!(code == 0 && shown.contains("deleted @acme/hello: "), "{shown}");
    registry.get("/api/v1/skills/acme/hello").expect(410);
}

#[test]
fn removal_of_a_member_asks() {
    let registry = Registry::start();
    let (home, user) = at_home(&registry, "ann");
    let bob = registry.user("bob");
    registry.team("acme", &user);
    registry.join("acme", &user, &bob, "member");
    let remove = ["member", "remove", "acme", "bob"];
    let (code, shown) = on_a_terminal(&home, 80, "n", &remove);
    assert!(code == 1 && shown.contains("remove bob from @acme?"), "{shown}");
    assert_eq!(home.json(&["namespace", "members", "acme"])["total"], 2);
    let (code, shown) = on_a_terminal(&home, 80, "y", &remove);
    assert!(code == 0 && shown.contains("removed bob from @acme: "), "{shown}");
    assert_eq!(home.json(&["namespace", "members", "acme"])["total"], 1);
}

#[test]
fn narrow_terminal_loses_the_columns_that_say_least() {
    let registry = Registry::start();
    let (home, user) = at_home(&registry, "ann");
    registry.reviewing_team("acme", &user);
    let (bob, member) = at_home(&registry, "bob");
    registry.join("acme", &user, &member, "member");
    publish(&bob, &Skill::named("a-skill-with-a-long-name"), "acme", "1.0.0");
    registry.versions("acme/hello", &["1.0.0"], &user);
    let longest = |text: &str| text.lines().map(|line| line.trim_end().chars().count()).max().unwrap();
    for columns in [40, 60, 80, 120] {
        for (words, kept) in [
            (&["review", "list", "acme"][..], &["ID", "SKILL", "VERSION"][..]),
            (&["namespace", "list"], &["NAMESPACE", "SKILLS"]),
            (&["namespace", "members", "acme"], &["HANDLE", "ROLE"]),
            (&["tag", "list", "@acme/hello"], &["TAG", "VERSION"]),
            (&["token", "list"], &["ID", "NAME"]),
        ] {
            let (code, shown) = on_a_terminal(&home, columns, "", words);
            assert!(code == 0 && longest(&shown) <= columns, "{words:?} at {columns}:\n{shown}");
            assert!(kept.iter().all(|column| shown.contains(column)), "{words:?} at {columns}:\n{shown}");
        }
    }
    let (_, narrow) = on_a_terminal(&home, 40, "", &["namespace", "list"]);
    let (_, wide) = on_a_terminal(&home, 120, "", &["namespace", "list"]);
    assert!(!narrow.contains("DESCRIPTION") && wide.contains("DESCRIPTION"), "{narrow}{wide}");
    // Other programs get every column.
    assert!(home.run(&["namespace", "list"]).ok().stdout.contains("DESCRIPTION"));
}
