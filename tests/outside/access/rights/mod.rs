//! Who may do what: every cell of `table.txt` is tried on a running server.

mod advisories;
mod documented;
mod objects;
mod table;
mod world;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{PASSWORD, Response, Skill, routes};
use objects::Names;
use table::{Expected, Row, rows};
use world::{Caller, World};

#[test]
fn every_cell_of_the_table_holds() {
    let world = World::new();
    let mut wrong = Vec::new();
    for row in rows() {
        let mut untouched = None;
        for caller in world.callers(&row) {
            if caller.expected == Expected::Never {
                continue;
            }
            // An object that no request changed can be used again.
            let depends = row.case.contains("the caller");
            let names = untouched.take().filter(|_| !depends);
            let names = names.unwrap_or_else(|| world.about(&row, &caller.person));
            let response = ask(&world, &row, &caller, &names);
            if row.method == "GET" || response.header("x-revision").is_none() {
                untouched = Some(names);
            }
            if let Some(why) = difference(&response, caller.expected) {
                let Row { method, path, case, .. } = row;
                wrong.push(format!("{method} {path} ({case}) by {}: {why}: {response}", caller.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} cells differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The error in a response, if any.
fn difference(response: &Response, expected: Expected) -> Option<String> {
    let status = match expected {
        Expected::Status(status) => status,
        Expected::Pending | Expected::Never => 201,
    };
    if response.status != status {
        return Some(format!("{} and not {status}", response.status));
    }
    if status >= 400 && response.header("x-revision").is_some() {
        return Some("it is refused, but was written".to_owned());
    }
    let waits = status == 201 && response.json()["status"] == "pending_review";
    (waits != (expected == Expected::Pending)).then(|| format!("that it waits for review is {waits}"))
}

/// Sends the request of a cell.
fn ask(world: &World, row: &Row, caller: &Caller, names: &Names) -> Response {
    if row.path == "/api/v1/publish" {
        return publish(world, row, caller, names);
    }
    let query = match row.path {
        "/api/v1/resolve" => format!("?slug=open--{}", names.slug),
        path if path.ends_with("/file") => "?path=SKILL.md".to_owned(),
        _ => String::new(),
    };
    let mut client = world.registry.anonymous().with("content-type", "application/json");
    if let Some(user) = &caller.credential {
        client = client.as_user(user);
    }
    let body = body(world, row, caller, names).map(|body| body.to_string().into_bytes());
    client.request(row.method, &(names.fill(row.path) + &query), body)
}

fn body(world: &World, row: &Row, caller: &Caller, names: &Names) -> Option<Value> {
    let number = || world.number();
    let last = row.path.rsplit('/').next().unwrap_or_default();
    Some(match (row.method, last) {
        ("PUT", "me") => json!({"displayName": format!("Number {}", number())}),
        ("POST", "login") => json!({"handle": world.signer, "password": PASSWORD}),
        ("POST", "mcp") => json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}),
        ("POST", "rating") => json!({"score": 4}),
        // The member does not exist.
        ("PUT", "{bundle}") => json!({"title": "Front end", "members": ["none"]}),
        ("PUT", "{tagName}") => json!({"version": "1.0.0"}),
        ("POST", "advisories") => {
            json!({"affected": ["<=1.0.0"], "level": "high", "title": "It lies", "text": "Do not use it."})
        }
        ("POST", "yank") => json!({"reason": "It does not greet."}),
        // In a team the author has to be a member.
        ("POST", "transfer") => json!({"to": world.keeper.handle}),
        ("POST", "approve" | "reject" | "promote") => json!({"comment": "As it is."}),
        // One handle each: after some failures it is 429.
        ("POST", "namespaces") => json!({"slug": format!("made-{}", number())}),
        ("PUT", "{slug}") if row.case == "frozen team, `status`" => json!({"status": "active"}),
        ("PUT", "{slug}") if row.case.ends_with("`status`") => json!({"status": "frozen"}),
        ("PUT", "{slug}") => json!({"description": format!("By {}, {}.", caller.name, number())}),
        ("POST", "invitations") => json!({"userId": names.user}),
        ("POST", "members") => {
            let role = row.case.rsplit(' ').next().filter(|_| row.case.starts_with('a'));
            json!({"userId": names.user, "role": role.unwrap_or("member")})
        }
        ("PUT", "role") if row.case == "the last owner" => json!({"role": "member"}),
        ("PUT", "role") => json!({"role": "admin"}),
        ("POST", "publishers") => {
            json!({"issuer": "github", "repository": "acme/skills", "ownerId": "42", "workflow": "publish.yml"})
        }
        ("POST", "tokens") => json!({"name": format!("token {}", number())}),
        _ => return None,
    })
}

fn publish(world: &World, row: &Row, caller: &Caller, names: &Names) -> Response {
    let skill = Skill::named(&names.slug).text(&format!("By {}.\n", caller.name));
    let mut form = world.registry.publish(skill).to(&names.namespace).version("2.0.0");
    if row.case == "the same, with tags" {
        form = form.tags("stable");
    }
    match &caller.credential {
        Some(user) => form.by(user),
        None => form.by_nobody(),
    }
}

#[test]
fn every_route_has_a_row() {
    let routes: BTreeSet<(String, String)> =
        routes().into_iter().map(|route| (route.method, route.path)).collect();
    let here = rows().iter().map(|row| (row.method.to_owned(), row.path.to_owned())).collect();
    let missing: Vec<_> = routes.difference(&here).collect();
    let unknown: Vec<_> = here.difference(&routes).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "without a row: {missing:?}; without a route: {unknown:?}"
    );
}

#[test]
fn documented_table_equals_the_tested_table() {
    let (wanted, there) = documented::page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(documented::path(), wanted).expect("the documentation can be written");
        return;
    }
    assert!(
        wanted == there,
        "the tables in docs/api/rights.md are outdated: UPDATE_DOCS=1 cargo test --features engines --test outside -- rights::"
    );
}
