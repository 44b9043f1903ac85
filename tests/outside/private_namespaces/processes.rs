//! Private namespaces with several processes, and with new settings.

use serde_json::json;

use super::{
    MARKER, add_member, create, inside, marked, new_key, publish, registry_of_ann, skill, with_token,
};
use crate::harness::{Client, eventually};

fn slug() -> String {
    format!("{MARKER}-skill")
}

#[test]
fn second_process_serves_private_namespaces() {
    let (registry, ann) = registry_of_ann();
    let eve = registry.user("eve");
    publish(&registry, &ann, &slug(), "1.0.0").expect(201);
    let second = registry.start_second(&["--no-mirror"]);
    let there = |name: &str| Client::of(&format!("{}/-/{name}", second.base));
    assert_eq!(there(MARKER).as_user(&ann).get(&skill()).expect_json(200)["latest"]["version"], "1.0.0");
    // What one writes, the other shows.
    publish(&registry, &ann, &slug(), "1.1.0").expect(201);
    eventually("the second process shows it", || {
        let record = there(MARKER).as_user(&ann).get(&skill()).expect_json(200);
        (record["latest"]["version"] == "1.1.0").then_some(())
    });
    let path = format!("/api/v1/namespaces/{MARKER}/members");
    let member = json!({"userId": "eve", "role": "member"});
    there(MARKER).as_user(&ann).post_json(&path, &member).expect(201);
    eventually("the first process knows the member", || {
        (marked(&registry, &eve).get(&skill()).status == 200).then_some(())
    });
    marked(&registry, &ann).delete(&format!("{path}/eve")).expect(204);
    eventually("the second process knows that it ended", || {
        (there(MARKER).as_user(&eve).get(&skill()).status == 404).then_some(())
    });
    // One that was created while both ran.
    create(&registry, "quartz", &ann).expect(201);
    eventually("the account names it", || {
        let me = Client::of(&second.base).as_user(&ann).get("/api/v1/auth/me").expect_json(200);
        (me["privateNamespaces"] == json!(["quartz", MARKER])).then_some(())
    });
    there("quartz").as_user(&ann).get("/api/v1/skills").expect(200);
    there("quartz").as_user(&eve).get("/api/v1/skills").expect(404);
    let key = new_key(&registry, "quartz");
    with_token(&there("quartz"), &key).get("/api/v1/skills").expect(200);
    assert_eq!(second.terminate(), 0);
}

#[test]
fn new_settings_keep_private_namespaces() {
    let (registry, ann) = registry_of_ann();
    let eve = registry.user("eve");
    let settings = format!("{}[limits]\nskills_per_person = 1\n", super::CONFIG);
    registry.write("config.toml", settings.as_bytes());
    publish(&registry, &ann, &slug(), "1.0.0").expect(201);
    registry.process().hang_up();
    // The new limits hold inside, too.
    let mut slugs = (0..).map(|number| format!("{MARKER}-{number}"));
    eventually("the settings are read", || {
        let response = publish(&registry, &ann, &slugs.next().unwrap(), "1.0.0");
        (response.status == 409 && response.text().contains("skills_per_person")).then_some(())
    });
    add_member(&registry, &ann, "eve");
    marked(&registry, &eve).get(&skill()).expect(200);
    publish(&registry, &ann, &slug(), "1.1.0").expect(201);
    create(&registry, "quartz", &eve).expect(201);
    inside(&registry, "quartz").as_user(&eve).get("/api/v1/skills").expect(200);
    inside(&registry, "quartz").as_user(&ann).get("/api/v1/skills").expect(404);
    let admin = registry.as_user(&registry.admin());
    admin.post_json("/api/v1/users/eve/disable", &json!({})).expect(204);
    marked(&registry, &eve).get(&skill()).expect(401);
}
