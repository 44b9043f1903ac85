//! The date and the machine of a measurement.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

/// One line: date, processors, memory, kernel, and the file system of `folder`. Missing facts are
/// called unknown.
pub fn described(folder: &Path) -> String {
    let date = output("date", &["-u", "+%Y-%m-%d"]);
    let cores = thread::available_parallelism().map_or(0, usize::from);
    let model = field("/proc/cpuinfo", "model name");
    let memory = field("/proc/meminfo", "MemTotal");
    let memory = memory.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) >> 20;
    let kernel = output("uname", &["-sr"]);
    let folder = folder.to_string_lossy();
    let system = output("findmnt", &["-no", "FSTYPE", "--target", &folder]);
    format!("{date}, {cores} processors ({model}), {memory} GiB, {kernel}, {system}")
}

/// The value of the first `name: value` in a file.
fn field(file: &str, name: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.map_or("unknown", |rest| rest.trim_start_matches([':', ' ', '\t'])).to_owned()
}

fn output(program: &str, arguments: &[&str]) -> String {
    let run = Command::new(program).args(arguments).output().ok().filter(|run| run.status.success());
    let text = run.and_then(|run| String::from_utf8(run.stdout).ok());
    text.map_or("unknown".to_owned(), |text| text.trim().to_owned())
}
