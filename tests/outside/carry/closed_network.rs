//! A snapshot in a network namespace that has nothing but its own loopback interface.

use std::process::Command;

use super::{create, lived_in, vkey};
use crate::harness::Project;

/// Everything that people do there, with the file and the public key alone.
const STORY: &str = r#"
set -eu
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
python3 - <<'RAISE'
import fcntl, socket, struct
# SIOCSIFFLAGS with IFF_UP.
fcntl.ioctl(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0x8914, struct.pack("16sh14x", b"lo", 1))
RAISE
"$PROGRAM" snapshot verify all.tar.zst --vkey "$KEY"
"$PROGRAM" snapshot apply all.tar.zst --to mirror --vkey "$KEY"
mkfifo lines
"$PROGRAM" snapshot serve mirror --listen 127.0.0.1:0 >lines &
server=$!
url=$(sed -n '/^listening on /{s///p;q}' <lines)
"$PROGRAM" trust add "$url" --vkey "$KEY"
"$PROGRAM" search hello --registry "$url"
"$PROGRAM" install tools/hello --registry "$url"
"$PROGRAM" verify skills --offline
curl -sf "$url/tools/hello/" | grep -c "Install"
curl -sf "$url/api/v1/skills/tools/hello/versions/1.1.0/proof" >proof
curl -sf "$url/api/v1/skills/tools/hello/versions/1.1.0/download" >hello.zip
"$PROGRAM" verify hello.zip --proof proof --vkey "$KEY"
kill "$server"
# The same from the folder alone, without any server.
"$PROGRAM" trust add "file://$PWD/mirror" --vkey "$KEY"
"$PROGRAM" install tools/hello --registry "file://$PWD/mirror" --dir copies
! curl -s --max-time 1 http://192.0.2.1
"#;

#[test]
fn snapshot_is_all_that_a_closed_network_needs() {
    let (registry, _) = lived_in();
    let project = Project::new();
    std::fs::copy(create(&registry, "all.tar.zst", &[]), project.path("all.tar.zst")).unwrap();
    let program = project.program();
    let mut inside = Command::new("unshare");
    inside.args(["--map-root-user", "--net", "--", "bash", "-c", STORY]).current_dir(project.path(""));
    inside.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    inside.env("PROGRAM", program.get_program()).env("KEY", vkey(&registry));
    let output = inside.output().expect("unshare starts");
    let (said, why) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{why}");
    for words in [
        "a trusted key has signed its history",
        "hello 1.1.0 in skills/hello, as skills.example.org has signed it",
        "skills/hello is @tools/hello 1.1.0, as skills.example.org has signed it",
        "hello.zip is @tools/hello 1.1.0, as skills.example.org has signed it",
        "hello 1.1.0 in copies/hello, as skills.example.org has signed it",
    ] {
        assert!(said.contains(words), "{words}: {said}{why}");
    }
}
