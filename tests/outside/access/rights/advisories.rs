//! Advisories that requests withdraw.

use serde_json::json;

use super::objects::Names;
use super::table::Row;
use super::world::World;

impl World {
    /// The names, with an advisory if the request is about one.
    pub fn advised(&self, row: &Row, names: Names) -> Names {
        if !row.path.contains("{advisory}") {
            return names;
        }
        let by = if row.case.ends_with("staff") { self.admin() } else { self.person("admin") };
        let path = names.fill("/api/v1/skills/{namespace}/{slug}/advisories");
        let body = json!({"affected": ["*"], "level": "low", "title": "It lies", "text": "Do not use it."});
        let made = self.registry.as_user(by).post_json(&path, &body).expect_json(201);
        Names { id: made["id"].as_str().expect("an id").to_owned(), ..names }
    }
}
