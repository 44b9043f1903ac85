//! Logs that grow, are renamed, compressed, truncated or damaged.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{PACKAGE, count, line, log, run, total, with_skills, write};
use crate::harness::{Registry, Skill, eventually};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn known_lines_are_skipped_under_any_file_name() {
    let registry = with_skills();
    let first = log(1..=50);
    let file = write(&registry, "access.log", &first);
    assert_eq!(count(&registry, &[&file])["counted"], 50);
    assert_eq!(count(&registry, &[&file])["lines"], 0);
    // Grown, and with a part of a line at its end.
    let grown = first.clone() + &log(51..=60);
    let unfinished = line(61, PACKAGE);
    let file = write(&registry, "access.log", &(grown.clone() + unfinished.trim_end()));
    let again = count(&registry, &[&file]);
    assert_eq!((&again["lines"], &again["counted"]), (&10.into(), &10.into()), "{again}");
    // The line is finished, and the log is rotated.
    let whole = grown + &unfinished;
    let rotated = write(&registry, "access.log.1", &whole);
    let new = write(&registry, "access.log", &log(100..=109));
    let again = count(&registry, &[&rotated, &new]);
    assert_eq!((&again["lines"], &again["counted"]), (&11.into(), &11.into()), "{again}");
    // Compressed, in one piece or in several.
    let one = registry.write("access.log.2.gz", &gzip(whole.as_bytes()));
    let (head, tail) = whole.as_bytes().split_at(700);
    let several = registry.write("elsewhere/2026.gz", &[gzip(head), gzip(tail)].concat());
    let renamed = write(&registry, "access.log.2", &log(100..=109));
    let again = count(&registry, &[&one, &several, &renamed]);
    assert_eq!((&again["lines"], &again["repeated"]), (&0.into(), &0.into()), "{again}");
    assert_eq!(total(&registry, "hello"), 71);
}

#[test]
fn log_with_the_same_first_line_is_another_log() {
    let registry = with_skills();
    let first = write(&registry, "a.log", &log(1..=10));
    let second = write(&registry, "b.log", &log([1].into_iter().chain(11..=30)));
    assert_eq!(count(&registry, &[&first])["counted"], 10);
    let other = count(&registry, &[&second]);
    assert_eq!((&other["lines"], &other["counted"], &other["repeated"]), (&21.into(), &20.into(), &1.into()));
    let again = count(&registry, &[&first, &second]);
    assert_eq!(again["lines"], 0, "{again}");
}

#[test]
fn older_copy_of_a_log_adds_nothing() {
    let registry = with_skills();
    let (old, new) = (log(1..=5), log(1..=10));
    let new = write(&registry, "new.log", &new);
    assert_eq!(count(&registry, &[&new])["counted"], 10);
    let old = write(&registry, "old.log", &old);
    assert_eq!(count(&registry, &[&old])["counted"], 0);
    assert_eq!(count(&registry, &[&old, &new])["lines"], 0);
    assert_eq!(total(&registry, "hello"), 10);
}

#[test]
fn log_without_a_complete_line_adds_nothing() {
    let registry = with_skills();
    let empty = write(&registry, "empty.log", "");
    let part = write(&registry, "part.log", line(1, PACKAGE).trim_end());
    let empty_gzip = registry.write("empty.gz", &gzip(b""));
    assert_eq!(count(&registry, &[&empty, &part, &empty_gzip])["lines"], 0);
    let part = write(&registry, "part.log", &line(1, PACKAGE));
    assert_eq!(count(&registry, &[&part])["counted"], 1);
}

#[test]
fn unreadable_log_is_named_and_the_others_are_counted() {
    let registry = with_skills();
    let good = write(&registry, "good.log", &log(1..=3));
    let also = write(&registry, "also.log", &log(4..=6));
    let missing = registry.folder().join("missing.log");
    let folder = registry.folder().join("folder.log");
    std::fs::create_dir(&folder).unwrap();
    let compressed = gzip(log(1000..=9000).as_bytes());
    let cut = registry.write("cut.gz", &compressed[..compressed.len() / 2]);
    let output = run(&registry, &[&good, &missing, &folder, &cut, &also]);
    assert_eq!(output.code, 1, "{output:?}");
    for name in ["missing.log", "folder.log", "cut.gz"] {
        assert!(output.stderr.contains(&format!("{name} was not read to its end: ")), "{output:?}");
    }
    assert_eq!(output.stderr.lines().count(), 3, "{output:?}");
    let counted: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let lines = |file: usize| counted["files"][file]["lines"].as_u64().unwrap();
    assert_eq!((lines(0), lines(4)), (3, 3), "{counted}");
    assert!(lines(3) > 100 && counted["files"][3]["error"].is_string(), "{counted}");
    // The rest is read later.
    let whole = registry.write("cut.gz", &compressed);
    let rest = count(&registry, &[&whole]);
    assert_eq!(rest["lines"].as_u64().unwrap() + lines(3), 8001);
    assert_eq!((&rest["repeated"], total(&registry, "hello")), (&0.into(), 8007));
}

#[test]
fn decompressed_long_line_is_skipped() {
    let registry = with_skills();
    let mut bomb = vec![b'0'; 64 << 20];
    bomb.extend_from_slice(format!("\n{}", line(1, PACKAGE)).as_bytes());
    let bomb = gzip(&bomb);
    assert!(bomb.len() < 1 << 20);
    let file = registry.write("bomb.gz", &bomb);
    let counted = count(&registry, &[&file]);
    assert_eq!((&counted["unreadable"], &counted["counted"]), (&1.into(), &1.into()), "{counted}");
    assert_eq!(count(&registry, &[&file])["lines"], 0);
}

#[test]
fn concurrent_processes_count_one_log_once() {
    let registry = with_skills();
    let file = write(&registry, "access.log", &log(1..=30_000));
    let (mut lines, mut counted) = (0, 0);
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..3).map(|_| scope.spawn(|| count(&registry, &[&file]))).collect();
        for process in running {
            let found = process.join().unwrap();
            lines += found["lines"].as_u64().unwrap();
            counted += found["counted"].as_u64().unwrap();
            assert_eq!(found["repeated"], 0);
        }
    });
    assert_eq!((lines, counted, total(&registry, "hello")), (30_000, 30_000, 30_000));
}

/// Kills a running `count-downloads` after it has counted a part of its log. Returns how many
/// downloads it had counted. (It is not stopped while the test looks: it could hold a lock then, and
/// the look would never end.)
#[track_caller]
fn kill_in_the_middle(mut child: Child, registry: &Registry) -> u64 {
    eventually("a part of the log is counted", || {
        assert!(child.try_wait().unwrap().is_none(), "the whole log was counted before the kill");
        (total(registry, "hello") > 0).then_some(())
    });
    child.kill().unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.signal(), Some(9), "{status}");
    total(registry, "hello")
}

#[test]
fn count_downloads_after_a_kill_continues_where_it_stopped() {
    const LINES: u32 = 150_000;
    let registry = with_skills();
    let file = write(&registry, "access.log", &log(1..=LINES));
    let child = Command::new(env!("CARGO_BIN_EXE_skillmirror"))
        .arg("count-downloads")
        .arg(&file)
        .arg("--data")
        .arg(registry.data())
        .arg("--public")
        .arg(registry.public())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let before = kill_in_the_middle(child, &registry);
    let all = u64::from(LINES);
    assert!(before < all, "{before} of {all} were counted before the kill");
    let rest = count(&registry, &[&file]);
    assert_eq!(rest["counted"].as_u64().unwrap() + before, all, "{rest}");
    assert_eq!(rest["lines"], rest["counted"], "no line is read twice: {rest}");
    assert_eq!(total(&registry, "hello"), all);
}

#[test]
fn count_downloads_works_while_the_server_runs() {
    let mut registry = with_skills();
    registry.restart();
    registry.publish(Skill::named("fresh")).version("1.0.0").by(&registry.admin()).expect(201);
    let text = line(1, "/api/v1/download/fresh/latest").replace("31/Jan/2026", "31/Jan/2035") + &log(1..=100);
    let file = write(&registry, "access.log", &text);
    assert_eq!(count(&registry, &[&file])["counted"], 101);
    registry.get(PACKAGE).expect(200);
    eventually("both are counted", || (total(&registry, "hello") == 101).then_some(()));
    assert_eq!(total(&registry, "fresh"), 1);
}

#[test]
fn client_in_server_and_log_counts_once() {
    let mut registry = with_skills();
    registry.restart();
    registry.get(PACKAGE).expect(200);
    registry.stop();
    let days = registry.command(["downloads", "hello", "--json"]).ok().stdout;
    let days: serde_json::Value = serde_json::from_str(&days).unwrap();
    let line = format!(
        r#"{{"ts":"{}T23:00:00Z","method":"GET","uri":"{PACKAGE}","status":200,"client_ip":"127.0.0.1"}}"#,
        days["items"][0]["day"].as_str().unwrap()
    );
    let file = write(&registry, "access.json", &(line + "\n"));
    assert_eq!(count(&registry, &[&file])["repeated"], 1);
}

#[test]
fn file_name_with_line_feed_is_escaped() {
    let registry = with_skills();
    let file = write(&registry, "a\nb.log", "nonsense\n");
    let printed = registry.command(["count-downloads".as_ref(), file.as_os_str()]).ok().stdout;
    assert!(printed.contains("a\\nb.log"), "{printed}");
}
