//! A file system so small that a test can fill it.
//!
//! It is a tmpfs in its own mount namespace. A process holds the namespace open while the test
//! runs, so that nothing is left on the machine, however the test ends. The program runs in that
//! namespace; the test reads it through `/proc`. This needs root, or a system that allows user
//! namespaces.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::program::{PROGRAM, plain};

/// Mounts the disk, prints a line, and waits for the end of its input.
const HOLD: &str = r#"mount -t tmpfs -o "$1" small "$2" && echo mounted && exec cat"#;

/// The message for systems that do not allow this.
const NEEDED: &str = "a test of a full disk needs a tmpfs of its own: run it as an administrator, or where \
                      `unshare --user --map-root-user --mount` works (util-linux, and user namespaces that \
                      the system allows; a container may need --cap-add SYS_ADMIN)";

/// A small disk. Dropping it unmounts it.
pub struct SmallDisk {
    holder: Child,
    root: PathBuf,
    enter: &'static [&'static str],
}

impl SmallDisk {
    /// Creates the folder `root` and mounts a tmpfs there, with options such as `size=8m` or
    /// `nr_inodes=1000`.
    #[track_caller]
    pub fn at(root: &Path, options: &str) -> Self {
        fs::create_dir_all(root).expect("a folder");
        let as_admin: (&[&str], &'static [&'static str]) = (&["--mount"], &["--mount"]);
        let as_anyone: (&[&str], &'static [&'static str]) =
            (&["--user", "--map-root-user", "--mount"], &["--user", "--preserve-credentials", "--mount"]);
        let mut refusals = String::new();
        for (unshare, enter) in [as_admin, as_anyone] {
            match hold(unshare, root, options) {
                Ok(holder) => return Self { holder, root: root.to_owned(), enter },
                Err(why) => refusals.push_str(&why),
            }
        }
        panic!("{NEEDED}. The system said: {refusals}");
    }

    /// Converts a path on the disk to a path of this process.
    pub fn seen(&self, path: &Path) -> PathBuf {
        let mut seen = PathBuf::from(format!("/proc/{}/root", self.holder.id()));
        seen.push(path.strip_prefix("/").expect("an absolute path"));
        seen
    }

    /// A command in the namespace of the disk.
    fn entering(&self, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        command.arg(format!("--target={}", self.holder.id())).args(self.enter).args(["--wd", "--", program]);
        plain(command)
    }

    /// The program in the namespace of the disk.
    pub(super) fn program(&self) -> Command {
        self.entering(PROGRAM)
    }

    /// Mounts it again with other options: `ro`, `rw`, another size.
    #[track_caller]
    pub fn remount(&self, options: &str) {
        let mut command = self.entering("mount");
        let output = command.arg("-o").arg(format!("remount,{options}")).arg(&self.root).output();
        let output = output.expect("nsenter and mount");
        assert!(output.status.success(), "{options}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Writes until the disk is full.
    #[track_caller]
    pub fn fill(&self) {
        let mut ballast = File::create(self.ballast()).expect("a file");
        let refused = loop {
            if let Err(refused) = ballast.write_all(&[0; 4096]) {
                break refused;
            }
        };
        assert_eq!(refused.kind(), ErrorKind::StorageFull, "{refused}");
    }

    /// Creates files until the disk has no inodes left.
    #[track_caller]
    pub fn use_up_files(&self) {
        let folder = self.ballast();
        fs::create_dir(&folder).expect("a folder");
        let mut names = (0..).map(|n: u32| folder.join(n.to_string()));
        let refused = names.find_map(|name| File::create(name).err()).expect("it has an end");
        assert_eq!(refused.kind(), ErrorKind::StorageFull, "{refused}");
    }

    /// Removes the files that filled it.
    #[track_caller]
    pub fn free(&self) {
        let ballast = self.ballast();
        if ballast.is_dir() { fs::remove_dir_all(ballast) } else { fs::remove_file(ballast) }.expect("freed");
    }

    fn ballast(&self) -> PathBuf {
        self.seen(&self.root).join("ballast")
    }
}

/// Starts the process that holds the namespace, and waits until the disk is mounted.
fn hold(unshare: &[&str], root: &Path, options: &str) -> Result<Child, String> {
    let mut command = Command::new("unshare");
    command.args(unshare).args(["--", "sh", "-c", HOLD, "sh", options]).arg(root);
    command.current_dir(root.parent().expect("a folder around it"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut holder = command.spawn().map_err(|why| format!("unshare: {why}; "))?;
    let mut printed = String::new();
    let read = BufReader::new(holder.stdout.take().expect("a pipe")).read_line(&mut printed);
    if read.is_ok() && printed == "mounted\n" {
        return Ok(holder);
    }
    let output = holder.wait_with_output().map_err(|why| format!("unshare: {why}; "))?;
    Err(format!("{}; ", String::from_utf8_lossy(&output.stderr).trim()))
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}
