//! The program on a terminal.

use std::path::Path;
use std::process::{Command, Stdio};

use super::program::{PROGRAM, plain};

/// Runs a command on a terminal, types lines, and prints what the terminal shows.
const ON_A_TERMINAL: &str = "
import fcntl, os, pty, struct, sys, termios
columns, typed, program = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    os.execv(program[0], program)
os.write(terminal, typed.encode())
while True:
    try:
        said = os.read(terminal, 65536)
    except OSError:
        break
    if not said:
        break
    os.write(1, said)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
";

/// A terminal.
#[derive(Clone)]
pub struct Terminal {
    columns: u16,
    typed: String,
    has_colours: bool,
}

/// What a terminal showed, and the exit code of the command.
#[derive(Debug)]
pub struct Shown {
    pub code: i32,
    pub text: String,
}

impl Terminal {
    /// A terminal of this width, without colours.
    pub fn of(columns: u16) -> Self {
        Self { columns, typed: String::new(), has_colours: false }
    }

    /// Lets the program use colours.
    pub fn with_colours(mut self) -> Self {
        self.has_colours = true;
        self
    }

    /// Types these lines. The program reads them when it asks.
    pub fn typing(mut self, lines: &[&str]) -> Self {
        self.typed = lines.iter().map(|line| format!("{line}\n")).collect();
        self
    }

    /// Runs the program in `folder` to its end.
    #[track_caller]
    pub fn run(&self, folder: &Path, arguments: &[&str]) -> Shown {
        let mut command = plain(Command::new("python3"));
        command.args(["-c", ON_A_TERMINAL, &self.columns.to_string(), &self.typed, PROGRAM]).args(arguments);
        command.current_dir(folder).env("HOME", folder).env("XDG_CONFIG_HOME", folder.join("config"));
        command.env("TERM", "xterm-256color");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(name);
        }
        if !self.has_colours {
            command.env("NO_COLOR", "1");
        }
        let output = command.stdin(Stdio::null()).output().expect("python3 is installed");
        let text = String::from_utf8(output.stdout).expect("the output is UTF-8");
        Shown { code: output.status.code().expect("it ended by itself"), text }
    }
}

impl Shown {
    /// The text of a command that succeeded.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        self.text
    }
}

/// The characters of the longest line.
pub fn longest_line(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or_default()
}
