//! The objects of requests. Each cell gets new ones, made by the platform admin and other users.

use serde_json::{Value, json};

use super::table::Row;
use super::world::World;
use crate::harness::{Skill, User};

/// The parameters of a path.
#[derive(Debug, Clone)]
pub struct Names {
    pub namespace: String,
    pub slug: String,
    pub tag: &'static str,
    pub id: String,
    pub skill_id: String,
    pub user: String,
}

impl Names {
    /// Something in a namespace, that the path calls `{slug}`.
    fn of_namespace(namespace: &str) -> Self {
        let text = || namespace.to_owned();
        let none = String::new;
        Self { namespace: text(), slug: text(), tag: "beta", id: none(), skill_id: none(), user: none() }
    }

    fn review(namespace: &str, id: &str) -> Self {
        Self { id: id.to_owned(), ..Self::of_namespace(namespace) }
    }

    fn member(team: &str, user: &User) -> Self {
        Self { user: user.handle.clone(), ..Self::of_namespace(team) }
    }

    pub fn fill(&self, path: &str) -> String {
        let Self { namespace, slug, tag, id, skill_id, user } = self;
        let values = [
            ("{namespace}", namespace.as_str()),
            ("{slug}", slug),
            ("{version}", "1.0.0"),
            ("{tagName}", tag),
            ("{bundle}", "front"),
            ("{id}", if id.is_empty() { "1" } else { id }),
            ("{advisory}", id),
            ("{skillId}", skill_id),
            ("{userId}", user),
            ("{page}", "1.json"),
            ("{shard}", "00.json"),
            ("{session}", "unknown"),
            ("{level}", "entries"),
            ("{tile}", "000.p/1"),
            ("{piece}", "0000000000000000.bin"),
        ];
        values.iter().fold(path.to_owned(), |path, (name, value)| path.replace(name, value))
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}")).to_owned()
}

impl World {
    fn by_admin(&self, method: &str, path: &str, body: Option<Value>) -> u16 {
        let client = self.registry.as_user(self.admin()).with("content-type", "application/json");
        client.request(method, path, body.map(|body| body.to_string().into_bytes())).status
    }

    fn set_status(&self, team: &str, status: &str) {
        let body = Some(json!({ "status": status }));
        assert_eq!(self.by_admin("PUT", &format!("/api/v1/namespaces/{team}"), body), 200);
    }

    /// Gives a user a role in a team, or removes them.
    fn place(&self, team: &str, user: &User, role: Option<&str>) {
        let members = format!("/api/v1/namespaces/{team}/members");
        self.by_admin("DELETE", &format!("{members}/{}", user.handle), None);
        if let Some(role) = role {
            let body = json!({"userId": user.handle, "role": role});
            assert_eq!(self.by_admin("POST", &members, Some(body)), 201);
        }
    }

    /// Publishes or hands in a new skill, and returns its receipt.
    fn publish(&self, namespace: &str, by: &User) -> Value {
        let skill = Skill::named(&format!("skill-{}", self.number()));
        self.registry.publish(skill).to(namespace).version("1.0.0").tags("beta").by(by).expect_json(201)
    }

    fn published(&self, namespace: &str, by: &User) -> Names {
        let receipt = self.publish(namespace, by);
        if let Some(review) = receipt["reviewId"].as_str() {
            let path = format!("/api/v1/namespaces/{namespace}/reviews/{review}/approve");
            assert_eq!(self.by_admin("POST", &path, None), 200);
        }
        let (slug, skill_id) = (text(&receipt["slug"]), text(&receipt["skillId"]));
        Names { slug, skill_id, ..Names::of_namespace(namespace) }
    }

    fn offered(&self, names: Names, by: &User, to: &User) -> Names {
        let path = names.fill("/api/v1/skills/{namespace}/{slug}/transfer");
        self.registry.as_user(by).post_json(&path, &json!({"to": to.handle})).expect(201);
        names
    }

    /// A skill as a case says.
    fn skill(&self, case: &str, caller: &User) -> Names {
        let author = self.person("author");
        let (of_team, removed) = match case {
            "global" | "removed from global" | "the author's, global" => ("global", case != "global"),
            _ => ("open", case.starts_with("removed")),
        };
        match case {
            "frozen team" => {
                self.set_status("frozen", "active");
                let names = self.published("frozen", author);
                self.set_status("frozen", "frozen");
                names
            }
            "author left the team" => {
                self.place("past", author, Some("member"));
                let names = self.published("past", author);
                self.place("past", author, None);
                names
            }
            "platform admin's" => self.published("open", self.admin()),
            "offered to another" => self.offered(self.published("open", author), author, &self.keeper),
            "offered to the caller" => {
                let is_admin = caller.handle == self.admin().handle;
                let from = if is_admin { author } else { self.admin() };
                self.offered(self.published("global", from), from, caller)
            }
            _ => {
                let names = self.published(of_team, author);
                if removed && case.starts_with("removed") {
                    let path = names.fill("/api/v1/skills/{namespace}/{slug}");
                    let by = self.taken_down_by(case);
                    self.registry.as_user(by).delete(&path).expect(204);
                }
                names
            }
        }
    }

    fn taken_down_by(&self, case: &str) -> &User {
        match case.rsplit_once(" by ") {
            Some((_, "staff")) => self.admin(),
            Some((_, "an admin")) => self.person("admin"),
            Some((_, "an owner")) => self.person("owner"),
            _ => self.person("author"),
        }
    }

    fn review(&self, case: &str, caller: &User) -> Names {
        let of = |namespace: &str, by: &User| {
            Names::review(namespace, &text(&self.publish(namespace, by)["reviewId"]))
        };
        match case {
            "unknown" => Names::review("strict", "999999999"),
            "the author's, team" => of("strict", self.person("author")),
            "the author's, global" => of("global", self.person("author")),
            "decided, team" => {
                let names = of("strict", self.person("author"));
                let path = names.fill("/api/v1/namespaces/{slug}/reviews/{id}/reject");
                assert_eq!(self.by_admin("POST", &path, None), 200);
                names
            }
            // Platform admins' publications need no review, but promotions do.
            "the caller's, global" if caller.handle == self.admin().handle => {
                let path =
                    self.skill("team", caller).fill("/api/v1/namespaces/open/skills/{skillId}/promote");
                let review = self.registry.as_user(caller).post_json(&path, &json!({})).expect_json(201);
                Names::review("global", &text(&review["id"]))
            }
            "the caller's, global" => of("global", caller),
            "the caller's, team" => {
                let role = match caller.handle.as_str() {
                    "mem" | "aut" => Some("member"),
                    "adm" => Some("admin"),
                    "own" => Some("owner"),
                    _ => None,
                };
                self.place("strict", caller, Some("member"));
                let names = of("strict", caller);
                self.place("strict", caller, role);
                names
            }
            other => panic!("no review is {other}"),
        }
    }

    /// An invitation to own a team.
    fn invited(&self, case: &str, caller: &User) -> Names {
        let (team, to) = match case {
            "of the caller" => ("leaving", caller),
            _ => ("open", &self.spare),
        };
        self.set_status(team, "active");
        self.place(team, to, None);
        let path = format!("/api/v1/namespaces/{team}/invitations");
        assert_eq!(self.by_admin("POST", &path, Some(json!({"userId": to.handle}))), 201);
        Names::member(team, to)
    }

    fn member(&self, row: &Row, caller: &User) -> Names {
        let is_new = row.method == "POST";
        match row.case {
            "team" => Names::of_namespace("open"),
            "global" => Names::member("global", &self.spare),
            "the last owner" => Names::member("lone", self.person("owner")),
            "the caller" => {
                self.place("leaving", caller, Some("member"));
                Names::member("leaving", caller)
            }
            "frozen, the caller" => {
                self.set_status("leaving", "active");
                self.place("leaving", caller, Some("member"));
                self.set_status("leaving", "frozen");
                Names::member("leaving", caller)
            }
            "frozen team" => {
                self.set_status("frozen", "active");
                self.place("frozen", &self.spare, Some("member").filter(|_| !is_new));
                self.set_status("frozen", "frozen");
                Names::member("frozen", &self.spare)
            }
            role => {
                let role = role.rsplit(' ').next().filter(|_| !is_new);
                self.place("open", &self.spare, role);
                Names::member("open", &self.spare)
            }
        }
    }

    /// The object of a row's request.
    pub fn about(&self, row: &Row, caller: &User) -> Names {
        let Row { method, path, case, .. } = *row;
        if path.ends_with("/promote") {
            let names = self.skill(case, caller);
            return Names { slug: names.namespace.clone(), ..names };
        }
        if path.contains("/reviews/{id}") {
            return self.review(case, caller);
        }
        if path.contains("/invitations/{userId}") {
            return self.invited(case, caller);
        }
        if path.contains("/members") || path.contains("/{slug}/invitations") {
            return self.member(row, caller);
        }
        if path.starts_with("/api/v1/namespaces/{slug}") {
            return match case {
                "global" => Names::of_namespace("global"),
                "team, `status`" => Names::of_namespace("fickle"),
                "frozen team, `status`" => {
                    self.set_status("frozen", "frozen");
                    Names::of_namespace("frozen")
                }
                _ if path.contains("/publishers/{id}") => Names::review("strict", "1"),
                _ => Names::of_namespace("strict"),
            };
        }
        if let Some(namespace) = case.strip_prefix("into ") {
            let namespace = match namespace {
                "a team" => "open",
                "a reviewing team" => "strict",
                "a frozen team" => "frozen",
                global => global,
            };
            if namespace == "frozen" {
                self.set_status("frozen", "frozen");
            }
            return Names { slug: format!("new-{}", self.number()), ..Names::of_namespace(namespace) };
        }
        if path.starts_with("/api/v1/users/{userId}") {
            let user = if case == "the caller" { caller } else { &self.spare };
            self.by_admin("POST", &format!("/api/v1/users/{}/enable", self.spare.handle), None);
            return Names::member("open", user);
        }
        if path == "/api/v1/tokens/{id}" {
            let owner = if case == "another's" { &self.keeper } else { caller };
            let body = json!({"name": format!("token {}", self.number())});
            let made = self.registry.as_user(owner).post_json("/api/v1/tokens", &body).expect_json(201);
            return Names::review("open", &text(&made["id"]));
        }
        let mut names = self.advised(row, self.skill(case, caller));
        if path == "/api/v1/download/{slug}/{version}" {
            names.slug = format!("open--{}", names.slug);
        }
        let of = |is_meant: bool, tag: &'static str| is_meant.then_some(tag);
        let tag = of(case.ends_with("`latest`"), "latest").or(of(method == "PUT", "stable"));
        names.tag = tag.unwrap_or(names.tag);
        if method == "DELETE" && path.ends_with("/yank") {
            let as_them = self.registry.as_user(self.taken_down_by(case));
            as_them.request("POST", &names.fill(path), None).expect(200);
        }
        names
    }
}
