//! The writers, created with the command line.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use super::write_load::Person;
use crate::{Failure, program};

/// Makes that many people with a token each.
pub fn made(number: usize, data: &Path) -> Result<Vec<Person>, Failure> {
    let person = |number| {
        let handle = format!("person-{number}");
        run(&["user", "add", &handle], data)?;
        let token = run(
            &["token", "issue", &handle, "--name", "load", "--scopes", "read,publish,social,manage,tokens"],
            data,
        )?;
        Ok(Person { handle, token })
    };
    (0..number).map(person).collect()
}

/// The output of a command.
fn run(arguments: &[&str], data: &Path) -> Result<String, Failure> {
    let output =
        Command::new(program::path()?).args(arguments).arg("--data").args([OsStr::new(data)]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
