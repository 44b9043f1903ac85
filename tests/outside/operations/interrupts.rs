//! Ctrl-C in a command that takes long, and a command that talks to an agent.

use crate::harness::terminal::Terminal;
use crate::harness::{Registry, Skill, Watch, eventually};

#[test]
fn import_says_what_it_did_and_goes_on_when_it_is_run_again() {
    let mut registry = Registry::start();
    registry.stop();
    let many = registry.folder().join("many");
    std::fs::create_dir(&many).unwrap();
    for number in 0..600 {
        std::fs::write(
            many.join(format!("skill-{number}.zip")),
            Skill::named(&format!("skill-{number}")).zip(),
        )
        .unwrap();
    }
    let (data, public) = (registry.data(), registry.public());
    let arguments = ["many", "--data", data.to_str().unwrap(), "--public", public.to_str().unwrap()];
    let import = Watch::of("import", registry.folder(), arguments);
    let is_shard = |name: std::ffi::OsString| name.len() == 2;
    let shards = || std::fs::read_dir(data.join("blobs")).ok()?.flatten().find(|it| is_shard(it.file_name()));
    eventually("packages come", || shards().map(drop));
    import.interrupt();
    let import = import.until_it_says("interrupted: ");
    let said = import.printed();
    assert!(said.contains("Press Ctrl-C again to stop at once") && said.contains("imported "), "{said}");
    assert!(said.contains("Run the command again to go on"), "{said}");
    drop(import);
    registry.command(["import", many.to_str().unwrap()]).ok();
    registry.restart();
    assert_eq!(registry.read("/api/v1/skills?size=1")["total"], 600);
}

#[test]
fn mcp_on_a_terminal_says_how_to_add_it() {
    let folder = tempfile::tempdir().unwrap();
    let shown = Terminal::of(200).run(folder.path(), &["mcp", "--registry", "http://127.0.0.1:1"]);
    assert_eq!(shown.code, 1, "{shown:?}");
    let said = shown.text.replace("\r\n", " ");
    assert!(
        said.contains("claude mcp add skills -- skillmirror mcp --registry") && !said.contains("initialize"),
        "{said}"
    );
}

#[test]
fn address_of_the_command_line_needs_no_restart() {
    let registry = Registry::with_config("listen = \"127.0.0.1:1\"\n[search]\nkeep = 5\n");
    let log = || std::fs::read_to_string(registry.folder().join("serve.log")).unwrap();
    registry.process().hang_up();
    eventually("the settings are read again", || log().contains("read the settings again").then_some(()));
    assert!(!log().contains("need a restart"), "{}", log());
    registry.write("config.toml", b"listen = \"127.0.0.1:2\"\n[search]\nkeep = 6\n");
    registry.process().hang_up();
    eventually("the change is noticed", || log().contains("need a restart").then_some(()));
    assert!(log().contains("settings=\"search\"") || log().contains("settings=search"), "{}", log());
}
