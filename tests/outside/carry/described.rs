//! The format of snapshots, written by the program in `docs/snapshots.md` alone.

use std::process::Command;

use crate::harness::Skill;

use super::{create, lived_in, snapshot};

/// Takes an archive to pieces by the table of fields, and writes it again. Prints the number of headers
/// with a prefix.
const DRIVER: &str = r#"
import json, sys
old = open(sys.argv[1], "rb").read()
entries, at, prefixes = [], 0, 0
while any(old[at:at + 512]):
    text = lambda start, length: old[at + start:at + start + length].rstrip(b"\0").decode()
    size = int(text(124, 12), 8)
    path = "/".join(part for part in (text(345, 155), text(0, 100)) if part)
    prefixes += bool(text(345, 155))
    entries.append((path, text(157, 100), old[at + 512:at + 512 + size]))
    at += 512 + (size + 511) // 512 * 512
first = json.loads(entries[0][2])
time = 1577836800 + first["revision"] + first["counters"]
new = b""
for path, target, content in entries:
    new += header(path, len(content), time, target) + content + bytes(-len(content) % 512)
open(sys.argv[2], "wb").write(new + bytes(1024))
print(prefixes)
"#;

#[test]
fn documented_program_writes_the_headers_of_a_snapshot() {
    let (registry, admin) = lived_in();
    // Packages of this skill have paths of more than 100 bytes, and targets of links have not.
    let slug = "a-name-of-forty-letters-that-needs-more";
    registry.publish(Skill::named(slug)).to("tools").version("1.0.0-with-a-long-end").by(&admin).expect(201);
    let file = create(&registry, "all.tar.zst", &[]);
    let archive = zstd::decode_all(std::fs::File::open(&file).unwrap()).unwrap();
    let old = registry.write("old.tar", &archive);
    let new = registry.folder().join("new.tar");
    let page = include_str!("../../../docs/snapshots.md");
    let (_, program) = page.split_once("```python\n").unwrap();
    let (program, _) = program.split_once("```").unwrap();
    let run = Command::new("python3").args(["-c", &format!("{program}{DRIVER}")]).args([&old, &new]).output();
    let run = run.unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let prefixes: u32 = String::from_utf8_lossy(&run.stdout).trim().parse().unwrap();
    assert!(prefixes > 0, "no path is long enough");
    assert!(std::fs::read(&new).unwrap() == archive, "the program writes other bytes");
    // The same with the tool that people have.
    let packed = registry.folder().join("new.tar.zst");
    assert!(Command::new("zstd").arg("-q").arg(&new).arg("-o").arg(&packed).status().unwrap().success());
    let said = snapshot(&registry, &["verify", packed.to_str().unwrap()]).ok().stdout;
    assert!(said.contains("is whole"), "{said}");
}
