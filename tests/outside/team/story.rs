//! A team's day, with nothing but the command.

use crate::harness::{Registry, Skill};

use super::{at_home, pending, publish};

/// Whether `text` has each of `parts`.
#[track_caller]
fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

#[test]
fn team_works_with_nothing_but_the_command() {
    let registry = Registry::start();
    let ((ann, _), (bob, _)) = (at_home(&registry, "ann"), at_home(&registry, "bob"));
    let page = format!("page  {}/acme/hello/\n", registry.base());
    let ann = |words: &[&str]| ann.run(words).ok().stdout;
    let ann_json = |words: &[&str]| serde_json::from_str(&ann(words)).unwrap_or_else(|why| panic!("{why}"));
    let ask_bob = |words: &[&str]| bob.run(words).ok().stdout;

    // A namespace with review, and a member.
    assert_says(&ann(&["namespace", "create", "acme", "--review-required"]), &["created @acme", "HANDLE"]);
    assert_says(&ann(&["member", "add", "acme", "bob"]), &["added bob to @acme with the role member"]);
    let members = ann(&["namespace", "members", "acme"]);
    assert_eq!(members.lines().count(), 3, "{members}");
    assert_says(&ask_bob(&["namespace", "list"]), &["@acme", "yes", "active"]);

    // Bob hands in, and finds his submission.
    let hello = Skill::named("hello").text("Say hello.\n");
    let printed = publish(&bob, &hello, "acme", "1.0.0");
    assert_says(&printed, &["it waits for review ", "`skillmirror me` shows what became of it"]);
    assert_says(&ask_bob(&["me"]), &["@acme (member)", "@acme/hello", "your submissions", "pending"]);

    // Ann looks at it, and rejects it with a reason.
    let list: serde_json::Value = ann_json(&["review", "list", "acme", "--json"]);
    let first = list["items"][0]["id"].as_str().unwrap().to_owned();
    let shown = ann(&["review", "show", "acme", &first]);
    assert_says(&shown, &["@acme/hello 1.0.0\n", "Greets people by their name.", "SKILL.md", "by bob"]);
    let diff = ann(&["review", "diff", "acme", &first]);
    assert_says(&diff, &["compared with nothing", "1 file added", "+++ b/SKILL.md", "+Say hello.\n"]);
    let printed = ann(&["review", "reject", "acme", &first, "--comment", "Say hello to whom?"]);
    assert_says(&printed, &["rejected review", "bob sees your comment"]);
    assert_says(&ask_bob(&["me"]), &["rejected", "Say hello to whom?"]);

    // Again. It is approved, and public.
    let printed = publish(&bob, &hello.text("Say hello to all.\n"), "acme", "1.0.0");
    assert_says(&printed, &["it waits for review "]);
    let list: serde_json::Value = ann_json(&["review", "list", "acme", "--json"]);
    let second = list["items"][0]["id"].as_str().unwrap().to_owned();
    let printed = ann(&["review", "approve", "acme", &second, "--comment", "Thank you."]);
    assert_says(&printed, &["@acme/hello 1.0.0 is public", &page]);
    assert_says(&ask_bob(&["me"]), &["approved", "Thank you.", "1.0.0"]);
    assert_says(&ask_bob(&["resolve", "@acme/hello"]), &["@acme/hello 1.0.0"]);

    // The next version is compared with it. Owners publish without review.
    let next = Skill::named("hello").text("Say hello to all who ask.\n").executable("run.sh", "true\n");
    publish(&bob, &next, "acme", "1.1.0");
    let list: serde_json::Value = ann_json(&["review", "list", "acme", "--json"]);
    let third = list["items"][0]["id"].as_str().unwrap().to_owned();
    let diff = ann(&["review", "diff", "acme", &third]);
    assert_says(
        &diff,
        &[
            " of @acme/hello 1.1.0, compared with 1.0.0, the latest version: 1 file changed, 1 added\n",
            "-Say hello to all.\n+Say hello to all who ask.\n",
            "diff a/run.sh b/run.sh\nnew file, mode 0755\n",
        ],
    );
    ann(&["review", "approve", "acme", &third]);

    // Tags and yanks.
    assert_says(&ann(&["tag", "set", "@acme/hello@1.0.0", "stable"]), &["@acme/hello@stable is 1.0.0 now"]);
    assert_says(&ask_bob(&["tag", "list", "acme/hello"]), &["latest", "1.1.0", "stable", "1.0.0", "ann"]);
    let yanked = ann(&["yank", "@acme/hello@1.1.0", "--reason", "It greets nobody."]);
    assert_says(&yanked, &["yanked @acme/hello 1.1.0: It greets nobody.", "unyank @acme/hello@1.1.0"]);
    assert_says(&ask_bob(&["resolve", "@acme/hello"]), &["@acme/hello 1.0.0"]);
    assert_says(&ann(&["unyank", "@acme/hello@1.1.0"]), &["@acme/hello 1.1.0 is offered again"]);
    assert_says(&ask_bob(&["resolve", "@acme/hello"]), &["@acme/hello 1.1.0"]);
    assert_says(&ann(&["tag", "remove", "@acme/hello", "stable"]), &["removed the tag `stable`"]);

    // Bob hands his skill over, and leaves.
    let offered = ask_bob(&["transfer", "offer", "@acme/hello", "ann", "--message", "Yours.", "--yes"]);
    assert_says(&offered, &["offered @acme/hello to ann, until ", "transfer withdraw @acme/hello"]);
    assert_says(&ann(&["me"]), &["for you to accept", "bob offers you @acme/hello", "transfer accept"]);
    assert_says(&ann(&["transfer", "list"]), &["@acme/hello", "bob", "ann", "Yours."]);
    assert_says(&ann(&["transfer", "accept", "@acme/hello"]), &["you are the author of @acme/hello now"]);
    assert_says(&ask_bob(&["member", "leave", "acme", "--yes"]), &["you have left @acme"]);
    assert_eq!(ann(&["namespace", "members", "acme"]).lines().count(), 2);
    assert_says(&ask_bob(&["me"]), &["no namespaces"]);
}

#[test]
fn owner_hands_a_namespace_over() {
    let registry = Registry::start();
    let ((ann, _), (bob, _)) = (at_home(&registry, "ann"), at_home(&registry, "bob"));
    ann.run(&["namespace", "create", "tools", "--display-name", "Tools"]).ok();
    let invited = ann.run(&["member", "invite", "tools", "bob"]).ok().stdout;
    assert_says(&invited, &["invited bob to own @tools, until ", "`skillmirror member accept tools`"]);
    assert_says(&bob.run(&["me"]).ok().stdout, &["ann invites you to own @tools", "member accept tools"]);
    bob.run(&["member", "decline", "tools"]).ok();
    assert_says(&bob.run(&["member", "invitations"]).ok().stdout, &["there is no invitation"]);
    ann.run(&["member", "invite", "tools", "bob"]).ok();
    ann.run(&["member", "withdraw", "tools", "bob"]).ok();
    bob.refusal("not_found", &["member", "accept", "tools"]);
    ann.run(&["member", "invite", "tools", "bob"]).ok();
    assert_says(&bob.run(&["member", "invitations"]).ok().stdout, &["@tools", "ann", "bob"]);
    assert_says(&bob.run(&["member", "accept", "tools"]).ok().stdout, &["you are an owner of @tools now"]);

    // Two owners: one gives the other role up and leaves.
    bob.run(&["member", "role", "tools", "ann", "admin"]).ok();
    assert_eq!(bob.json(&["namespace", "members", "tools"])["items"][0]["role"], "admin");
    bob.run(&["member", "remove", "tools", "ann", "--yes"]).ok();
    let why = bob.refusal("conflict", &["member", "leave", "tools", "--yes"]);
    assert!(why.contains("no owner left"), "{why}");

    // Archived, and back.
    let archived = ["namespace", "set", "tools", "--status", "archived", "--yes"];
    assert_says(&bob.run(&archived).ok().stdout, &["archived", "--status active` undoes it"]);
    assert!(!bob.run(&["namespace", "list"]).ok().stdout.contains("@tools"));
    let set = ["namespace", "set", "tools", "--status", "active", "--description", "Of all kinds."];
    assert_says(&bob.run(&set).ok().stdout, &["changed @tools: it is active"]);
    assert_says(&bob.run(&["namespace", "list"]).ok().stdout, &["@tools", "Of all kinds."]);
}

#[test]
fn skill_is_promoted_deleted_and_restored() {
    let registry = Registry::start();
    let ((ann, _), (cat, _)) = (at_home(&registry, "ann"), at_home(&registry, "cat"));
    ann.run(&["namespace", "create", "acme"]).ok();
    let printed = publish(&ann, &Skill::named("hello"), "acme", "1.0.0");
    assert_says(&printed, &[&format!("page  {}/acme/hello/\n", registry.base())]);

    let asked = ann.run(&["promote", "@acme/hello", "--comment", "For everyone."]).ok().stdout;
    assert_says(&asked, &["a copy of @acme/hello 1.0.0 as hello", "`skillmirror me`"]);
    assert_says(&ann.run(&["me"]).ok().stdout, &["promotion", "pending", "For everyone."]);
    let admin = crate::harness::Home::new();
    admin.login(registry.base(), &registry.admin());
    let review = pending(&admin, "global");
    assert_says(
        &admin.run(&["review", "approve", "global", &review]).ok().stdout,
        &["hello 1.0.0 is public"],
    );

    assert_says(&cat.run(&["star", "hello"]).ok().stdout, &["starred hello; it has 1 star now"]);
    assert_says(&cat.run(&["rate", "hello", "4"]).ok().stdout, &["rated hello with 4; it has 4 of 5, by 1"]);
    assert_says(&cat.run(&["unstar", "hello"]).ok().stdout, &["it has 0 stars now"]);

    let deleted = ann.run(&["delete", "@acme/hello", "--yes"]).ok().stdout;
    assert_says(&deleted, &["deleted @acme/hello: `skillmirror restore @acme/hello` brings it back"]);
    cat.refusal("not_found", &["info", "@acme/hello"]);
    assert_says(&ann.run(&["restore", "@acme/hello"]).ok().stdout, &["restored @acme/hello", "page  "]);
    cat.run(&["info", "@acme/hello"]).ok();
}
