//! Starting and ending the server.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;

use crate::harness::{Registry, Skill};

#[test]
fn first_start_prints_addresses_and_folders() {
    let registry = Registry::start();
    let printed = registry.printed();
    let first = std::fs::read_to_string(registry.folder().join("serve.log")).unwrap();
    assert!(printed.contains(&format!("listening on {}", registry.base())), "{printed}");
    assert!(
        format!("{printed}{first}").contains("admin-token"),
        "where the admin's token is: {printed}{first}"
    );
    assert_eq!(
        format!("{printed}{first}").matches("the token of the admin is in").count(),
        1,
        "{printed}{first}"
    );
    assert!(
        !format!("{printed}{first}").contains(&registry.admin().token),
        "the token itself is not printed"
    );
}

#[test]
fn admin_token_file_is_readable_by_its_owner_only() {
    let registry = Registry::start();
    let file = std::fs::metadata(registry.data().join("admin-token")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    let me = registry.as_user(&registry.admin()).get("/api/v1/whoami").expect_json(200);
    assert_eq!((me["handle"].as_str(), me["role"].as_str()), (Some("admin"), Some("admin")));
}

#[test]
fn server_runs_without_transparent_huge_pages() {
    let status = Registry::start().process().proc_status();
    let line = status.lines().find(|line| line.starts_with("THP_enabled:"));
    assert_eq!(line, Some("THP_enabled:\t0"), "Linux says it since version 5.0");
}

#[test]
fn second_start_creates_no_second_admin() {
    let mut registry = Registry::start();
    let admin = registry.admin();
    let head = registry.tree_file("api/v1/mirror/head.json");
    registry.stop();
    registry.restart();
    assert_eq!(registry.admin().token, admin.token);
    assert_eq!(registry.tree_file("api/v1/mirror/head.json"), head, "a start changes nothing");
    registry.as_user(&admin).get("/api/v1/whoami").expect(200);
    let users = registry.command(["user", "list"]).ok();
    let admins = users.stdout.lines().filter(|line| line.split_whitespace().next() == Some("admin"));
    assert_eq!(admins.count(), 1, "{users:?}");
}

#[test]
fn deleted_token_file_is_not_created_again() {
    let mut registry = Registry::start();
    registry.stop();
    std::fs::remove_file(registry.data().join("admin-token")).unwrap();
    registry.restart();
    assert!(!registry.data().join("admin-token").exists(), "there is an admin: nothing to hand out");
}

#[test]
fn health_and_readiness_answer() {
    let registry = Registry::start();
    registry.get("/healthz").expect(200);
    registry.get("/readyz").expect(200);
}

#[test]
fn idle_connection_does_not_delay_the_shutdown() {
    let mut registry = Registry::start();
    let address = registry.base().trim_start_matches("http://").to_owned();
    let mut idle = TcpStream::connect(&address).unwrap();
    write!(idle, "GET /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut start = [0; 12];
    idle.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 200");
    registry.stop();
}

#[test]
fn two_requests_share_one_connection() {
    let registry = Registry::start();
    let address = registry.base().trim_start_matches("http://").to_owned();
    let mut connection = TcpStream::connect(&address).unwrap();
    write!(connection, "HEAD /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    write!(connection, "HEAD /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    connection.read_to_string(&mut text).unwrap();
    assert_eq!(text.matches("HTTP/1.1 200").count(), 2, "{text}");
}

#[test]
fn taken_address_is_named() {
    let registry = Registry::start();
    let address = registry.base().trim_start_matches("http://").to_owned();
    let other = Registry::not_started();
    let output = other.command(["serve", "--listen", &address]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains(&address), "the message names the address: {output:?}");
}

#[test]
fn acknowledged_write_survives_a_kill() {
    let mut registry = Registry::start();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    registry.kill();
    registry.restart();
    let skill = registry.read("/api/v1/skills/global/hello");
    assert_eq!(skill["version"], "1.0.0");
    registry.command(["verify"]).ok();
}

#[test]
fn folder_with_other_files_as_output_folder_is_refused() {
    let registry = Registry::not_started();
    let public = registry.public();
    std::fs::create_dir_all(&public).unwrap();
    std::fs::write(public.join("thesis.txt"), "precious").unwrap();
    registry.write("hello.zip", &Skill::named("hello").zip());
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["import", "--init", "hello.zip"]] {
        let output = registry.command(command);
        assert!(output.stderr.contains("not from a registry's tree"), "{output:?}");
    }
    let output = registry.command(["generate"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert_eq!(std::fs::read(public.join("thesis.txt")).unwrap(), b"precious");
}
