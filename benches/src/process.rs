//! Facts about running processes, from `/proc`.

use std::fs;

use crate::Failure;

/// Clock ticks a second in `/proc`: the same on every Linux that Rust runs on.
const TICKS: f64 = 100.0;

/// The most memory that a process has had so far (`VmHWM`), in bytes. Only while
/// it runs.
pub fn peak_memory(pid: u32) -> Result<u64, Failure> {
    status(pid, "VmHWM")
}

/// The memory that a process has now (`VmRSS`), in bytes.
pub fn memory(pid: u32) -> Result<u64, Failure> {
    status(pid, "VmRSS")
}

fn status(pid: u32, field: &str) -> Result<u64, Failure> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let value = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let kibibytes = value.and_then(|value| value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kibibytes
        .map(|kibibytes| kibibytes * 1024)
        .ok_or_else(|| format!("process {pid} tells no {field}").into())
}

/// Seconds of processor time that a process has used so far in all its threads,
/// in user mode and in the system.
pub fn cpu_seconds(pid: u32) -> Result<f64, Failure> {
    cpu_seconds_from(pid, 11)
}

/// Seconds of processor time of all processes below this one that have ended and were waited for.
pub fn cpu_seconds_of_children() -> Result<f64, Failure> {
    cpu_seconds_from(std::process::id(), 13)
}

/// The sum of two fields of `/proc/PID/stat`, counted after the name.
fn cpu_seconds_from(pid: u32, first: usize) -> Result<f64, Failure> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name is in parentheses and may hold anything.
    let fields = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
    let ticks: Vec<f64> =
        fields.split_whitespace().skip(first).take(2).filter_map(|field| field.parse().ok()).collect();
    match ticks[..] {
        [user, system] => Ok((user + system) / TICKS),
        _ => Err(format!("process {pid} tells no processor time").into()),
    }
}

/// The processes that a process has started.
pub fn children(pid: u32) -> Result<Vec<u32>, Failure> {
    let listed = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))?;
    Ok(listed.split_whitespace().filter_map(|child| child.parse().ok()).collect())
}

/// Empties the page cache, so that the next reads come from the disk. False
/// where only root may and this is not root.
pub fn drop_page_cache() -> bool {
    rustix::fs::sync();
    fs::write("/proc/sys/vm/drop_caches", "3").is_ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn this_process_tells_both() {
        let own = std::process::id();
        assert!(memory(own).unwrap() > 100_000);
        assert!(peak_memory(own).unwrap() > 100_000);
        assert!(cpu_seconds(own).unwrap() >= 0.0);
        assert!(cpu_seconds_of_children().unwrap() >= 0.0);
        assert_eq!(children(own).unwrap(), [0; 0]);
    }
}
