//! A registry with a rich history, in public and in private namespaces.

use serde_json::json;

use super::{CONFIG, MARKER, add_member, create, inside, marked, new_key, publish, skill, with_token};
use crate::harness::{Client, PASSWORD, Registry, Response, Shared, User};

static WORLD: Shared<World> = Shared::new();

/// The registry and its people.
pub struct World {
    pub registry: Registry,
    pub owner: User,
    pub removed: User,
    pub disabled: User,
    pub stranger: User,
    /// The owner of another private namespace.
    pub other: User,
    /// A read key of another private namespace.
    pub other_key: String,
    /// A read key of the main registry.
    pub main_key: String,
    /// The session of another stranger.
    pub cookie: String,
}

/// The world, which all tests share while one of them runs.
pub fn world() -> std::sync::Arc<World> {
    WORLD.get(World::new)
}

impl World {
    fn new() -> Self {
        let registry = Registry::with_config(CONFIG);
        let [owner, member, removed, disabled, stranger, other] =
            ["owner", "insider", "removed", "disabled", "stranger", "other"].map(|name| registry.user(name));
        registry.user("invited");
        registry.user_with_password("browser", PASSWORD);
        registry.team("tools", &stranger);
        registry.versions("tools/hello", &["1.0.0", "1.1.0"], &stranger);
        registry.submit("global/open", "1.0.0", &stranger);
        create(&registry, MARKER, &owner).expect(201);
        create(&registry, "quartz", &other).expect(201);
        let other_key = new_key(&registry, "quartz");
        let main_key = registry.command(["read-key", "new", "main"]).ok().stdout.trim().to_owned();
        let cookie = registry.sign_in("browser", PASSWORD).cookie;
        let world = Self { registry, owner, removed, disabled, stranger, other, other_key, main_key, cookie };
        world.fill(&member);
        world
    }

    /// Everything that happens in the namespace of the marker.
    fn fill(&self, member: &User) {
        let Self { registry, owner, removed, disabled, .. } = self;
        let (here, namespace) = (marked(registry, owner), format!("/api/v1/namespaces/{MARKER}"));
        for user in [member, removed, disabled] {
            add_member(registry, owner, &user.handle);
        }
        here.post_json(&format!("{namespace}/invitations"), &json!({"userId": "invited"})).expect(201);
        let slug = format!("{MARKER}-skill");
        for version in ["1.0.0", "1.1.0", "1.2.0"] {
            publish(registry, owner, &slug, version).expect(201);
        }
        publish(registry, removed, &format!("{MARKER}-removed"), "1.0.0").expect(201);
        publish(registry, owner, &format!("{MARKER}-gone"), "1.0.0").expect(201);
        here.delete(&format!("/api/v1/skills/{MARKER}/{MARKER}-gone")).expect(204);
        here.post_json(&format!("{}/versions/1.0.0/yank", skill()), &json!({"reason": MARKER})).expect(200);
        let tag = format!("{}/tags/{MARKER}-tag", skill());
        here.put_json(&tag, &json!({"version": "1.1.0"})).expect(201);
        let insider = marked(registry, member);
        insider.request("POST", &format!("{}/star", skill()), None).expect(200);
        insider.post_json(&format!("{}/rating", skill()), &json!({"score": 4})).expect(200);
        let texts = json!({
            "displayName": MARKER, "description": format!("All about {MARKER}."), "reviewRequired": true,
        });
        here.put_json(&namespace, &texts).expect(200);
        let rejected = publish(registry, member, &slug, "2.0.0").expect_json(201);
        let review = rejected["reviewId"].as_str().unwrap();
        let comment = json!({"comment": format!("No {MARKER}.")});
        here.post_json(&format!("{namespace}/reviews/{review}/reject"), &comment).expect(200);
        let pending = publish(registry, member, &slug, "2.1.0").expect_json(201);
        assert_eq!(pending["status"], "pending_review");
        here.delete(&format!("{namespace}/members/{}", removed.handle)).expect(204);
        let admin = registry.as_user(&registry.admin());
        admin.post_json(&format!("/api/v1/users/{}/disable", disabled.handle), &json!({})).expect(204);
    }

    /// Clients of a private namespace that must not tell whether there is one, with their names.
    pub fn outsiders(&self, name: &str) -> Vec<(&'static str, Client)> {
        let (registry, anyone) = (&self.registry, inside(&self.registry, name));
        let cookie = anyone.with("cookie", &self.cookie);
        vec![
            ("nobody", anyone.clone()),
            ("a browser of nobody", anyone.with("accept", "text/html")),
            ("a stranger", anyone.as_user(&self.stranger)),
            ("a browser of a stranger", cookie.with("accept", "text/html")),
            ("a removed member", anyone.as_user(&self.removed)),
            ("a disabled account", anyone.as_user(&self.disabled)),
            ("a platform admin", anyone.as_user(&registry.admin())),
            ("a member of another namespace", anyone.as_user(&self.other)),
            ("a key of another namespace", with_token(&anyone, &self.other_key)),
            ("a key of the main registry", with_token(&anyone, &self.main_key)),
            ("a token that nobody has", with_token(&anyone, "smt_nothing")),
        ]
    }
}

/// All of a response that may tell something: status, headers and body, without what differs between any two
/// responses, and without the names.
pub fn said(response: &Response) -> (u16, Vec<(String, String)>, String) {
    let nameless = |text: &str| text.replace(MARKER, "NAME").replace(super::NOTHING, "NAME");
    let differs = ["date", "x-request-id", "ratelimit-remaining", "ratelimit-reset"];
    // The server closes a connection whose body had not come when it answered, which is chance.
    let is_chance = |name: &str| name == "connection" && !response.asked.starts_with("GET ");
    let headers =
        response.headers.iter().filter(|(name, _)| !is_chance(name.as_str())).map(|(name, value)| {
            let value = if differs.contains(&name.as_str()) { "" } else { value.to_str().unwrap() };
            (name.to_string(), nameless(value))
        });
    let (headers, body) = (headers.collect(), nameless(&response.text()));
    let id = response.header("x-request-id").unwrap_or("no id");
    // It is the second of the call.
    let used = regex::Regex::new(r#""lastUsedAt":"[^"]*""#).unwrap();
    let body = used.replace_all(&body, r#""lastUsedAt":"now""#).replace(id, "ID");
    (response.status, headers, body)
}
