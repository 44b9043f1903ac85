//! Links lead to every skill, and pages show the facts that help to choose one.

use crate::harness::{Registry, Skill};

/// The addresses of skills and of further pages that the pages of a namespace lead to.
fn reached(registry: &Registry, namespace: &str) -> (Vec<String>, Vec<String>) {
    let (mut skills, mut pages) = (Vec::new(), vec![format!("/{namespace}/")]);
    let mut next = 0;
    while let Some(page) = pages.get(next).cloned() {
        next += 1;
        for link in registry.page(&page).split("href=\"").skip(1) {
            let link = link.split('"').next().unwrap().trim_start_matches("../");
            let found = format!("/{link}");
            let name = found.strip_prefix(&format!("/{namespace}/")).and_then(|rest| rest.strip_suffix('/'));
            match name {
                Some(name) if name.starts_with('_') && !pages.contains(&found) => pages.push(found),
                Some(name) if !name.is_empty() && !name.contains(['/', '_']) => skills.push(name.to_owned()),
                _ => {}
            }
        }
    }
    skills.sort();
    (skills, pages)
}

#[test]
fn every_skill_of_a_large_namespace_is_reached_by_links() {
    let registry = Registry::with_config("[mirror]\nlist_depth = 1\n");
    let admin = registry.admin();
    let folder = registry.folder().join("many");
    // `con` is a device of Windows and no slug, but others begin so.
    let names: Vec<String> = (0..130)
        .map(|n| format!("skill-{n:03}"))
        .chain((0..120).map(|n| format!("con{n}")))
        .chain(["pdf", "pdf-tools", "skill"].map(str::to_owned))
        .collect();
    for name in &names {
        Skill::named(name).write_to(&folder.join(name));
    }
    registry.command(["import".as_ref(), folder.as_os_str()]).ok();
    let mut expected = names.clone();
    expected.sort();
    let (skills, pages) = reached(&registry, "global");
    assert_eq!(skills, expected);
    assert!(pages.contains(&"/global/_skill/".to_owned()), "{pages:?}");
    assert!(pages.contains(&"/global/_p/".to_owned()), "{pages:?}");
    assert!(registry.page("/global/").contains("253\u{a0}skills"));
    registry.get("/global/_s/").problem(404, "not_found");
    registry.get("/global/_page/2/").problem(404, "not_found");
    // A new skill changes no page of others.
    let before = registry.page("/global/_con1/");
    registry.publish(Skill::named("a-new-one")).by(&admin).expect(201);
    assert_eq!(registry.page("/global/_con1/"), before);
    assert!(registry.page("/global/_a/").contains("a-new-one"));
    registry.command(["verify"]).ok();
    // With fewer skills, one page lists all again.
    for name in &names[..90] {
        registry.remove(&format!("global/{name}"), &admin).expect(204);
    }
    registry.command(["verify"]).ok();
    assert_eq!(reached(&registry, "global").0.len(), 164);
    for name in &names[130..200] {
        registry.remove(&format!("global/{name}"), &admin).expect(204);
    }
    registry.command(["verify"]).ok();
    assert_eq!(reached(&registry, "global").1, ["/global/"]);
}

#[test]
fn lists_of_all_skills_lead_to_each_other_and_say_what_they_leave_out() {
    let registry = Registry::start();
    let admin = registry.admin();
    assert!(registry.page("/skills/").contains("This registry has no skills yet"));
    let folder = registry.folder().join("many");
    for n in 0..51 {
        let name = format!("skill-{n:03}");
        Skill::named(&name).line("keywords: [Common, PDF & more]").write_to(&folder.join(&name));
    }
    registry.command(["import".as_ref(), folder.as_os_str()]).ok();
    for order in ["", "created/", "downloads/", "stars/", "rating/", "name/"] {
        let page = registry.page(&format!("/skills/{order}")).replace('\u{a0}', " ");
        assert!(page.contains("These are the first 50 of 51 skills"), "{order}: {page}");
        assert!(page.contains("skills/keywords/\"") && page.contains("namespaces/\""), "{order}: {page}");
        assert_eq!(page.matches("class=\"card\"").count(), 50, "{order}");
    }
    let keywords = registry.page("/skills/keywords/");
    assert!(
        keywords.contains("?q=pdf%20%26%20more\"><bdi>pdf &amp; more</bdi></a> <span class=\"number\">51<")
    );
    registry.remove("global/skill-000", &admin).expect(204);
    registry.yank("global/skill-001", "1.0.0", &admin).expect(200);
    assert!(registry.page("/skills/keywords/").contains("<bdi>common</bdi></a> <span class=\"number\">49<"));
    assert!(!registry.page("/skills/").contains("These are the first"));
    registry.command(["verify"]).ok();
}

#[test]
fn facts_of_a_skill_are_those_of_its_package() {
    let registry = Registry::start();
    let skill = Skill::named("facts")
        .line("license: MIT OR Apache-2.0")
        .line("allowed-tools: Bash(git:*) Read")
        .line("compatibility: Needs git 2.40")
        .line("repository: https://code.example/facts")
        .file("run.py", "print()\n")
        .file("more/run.sh", "true\n");
    registry.publish(skill).by(&registry.admin()).expect(201);
    let page = registry.page("/global/facts/");
    for shown in [
        "<a href=\"https://spdx.org/licenses/MIT.html\" rel=\"license noopener\">MIT</a> OR <a",
        "<code><bdi>Bash(git:*)</bdi></code> <code><bdi>Read</bdi></code>",
        "Needs git 2.40",
        "<a href=\"https://code.example/facts\" rel=\"nofollow ugc noopener\">",
        "1\u{a0}Python, 1\u{a0}Shell",
        "<summary>8 of 10 clients</summary>",
        "<li>Not in Claude apps and Skills API November 2026: <span dir=\"auto\">`repository` is not a key",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    registry.publish(Skill::named("plain").line("license: See LICENSE")).by(&registry.admin()).expect(201);
    let page = registry.page("/global/plain/");
    assert!(page.contains("<bdi>See LICENSE</bdi>") && page.contains("none in the package"), "{page}");
    assert!(page.contains("all 10 clients"), "{page}");
}
