//! The client reads the same from a server, a static host and a folder.

use serde_json::{Value, json};

use crate::harness::{Home, Registry, Shared, Skill, StaticHost, assert_fields};

static PLACES: Shared<Places> = Shared::new();

/// One registry as a server, a static host and a folder.
struct Places {
    registry: Registry,
    host: StaticHost,
}

impl Places {
    fn made() -> Self {
        let registry = Registry::start();
        let ann = registry.user("ann");
        registry.team("tools", &ann);
        let pdf =
            Skill::named("pdf-forms").description("Fills in PDF forms, and reads them.").line("license: MIT");
        registry.publish(pdf.clone()).to("tools").tags("stable").by(&ann).expect(201);
        registry.publish(pdf.text("Otherwise.\n")).to("tools").version("1.1.0").by(&ann).expect(201);
        let admin = registry.admin();
        let long = "Lists everything that was ever greeted in the whole wide world. ".repeat(8);
        registry.publish(Skill::named("hello").description(long.trim())).by(&admin).expect(201);
        let overview = Skill::named("overview").description("Ein Überblick über 東京 für Gäste.");
        registry.publish(overview).by(&admin).expect(201);
        registry.versions("tools/yanked", &["1.0.0", "1.1.0", "2.0.0"], &ann);
        registry.yank("tools/yanked", "1.1.0", &ann).expect(200);
        registry.versions("tools/gone", &["1.0.0"], &ann);
        registry.yank("tools/gone", "1.0.0", &ann).expect(200);
        let host = StaticHost::over(&registry.public());
        Self { registry, host }
    }

    /// The addresses of the three.
    fn all(&self) -> [String; 3] {
        let folder = format!("file://{}", self.registry.public().display());
        [self.registry.base().to_owned(), self.host.base.clone(), folder]
    }
}

/// The output, equal from all three.
fn alike(arguments: &[&str]) -> Value {
    let places = PLACES.get(Places::made);
    let home = Home::new();
    let [server, host, folder] =
        places.all().map(|at| home.json(&[arguments, &["--registry", &at]].concat()));
    assert_eq!(server, host, "{arguments:?}");
    assert_eq!(server, folder, "{arguments:?}");
    server
}

/// The refusal, equal from all three except for the address.
fn refused_alike(code: &str, arguments: &[&str]) -> String {
    let places = PLACES.get(Places::made);
    let home = Home::new();
    let mut printed = places
        .all()
        .map(|at| home.refusal(code, &[arguments, &["--registry", &at]].concat()).replace(&at, "<address>"));
    assert_eq!(printed[0], printed[1]);
    assert_eq!(printed[0], printed[2]);
    std::mem::take(&mut printed[0])
}

fn slugs(found: &Value) -> Vec<&str> {
    found["results"].as_array().unwrap().iter().map(|result| result["slug"].as_str().unwrap()).collect()
}

#[test]
fn search_finds_the_same_on_every_source() {
    for (query, expected) in [
        (&["pdf"][..], &["tools--pdf-forms"][..]),
        (&["forms", "pdf"], &["tools--pdf-forms"]),
        // A mistake, a beginning, and what is no ASCII.
        (&["gretted"], &["hello", "tools--yanked"]),
        (&["überbl"], &["overview"]),
        (&["東京"], &["overview"]),
        (&["pdf", "--namespace", "global"], &[]),
        (&["pdf", "--namespace", "tools"], &["tools--pdf-forms"]),
        (&["zzzzzzzzzzzz"], &[]),
    ] {
        let found = alike(&[&["search"], query].concat());
        assert_eq!(slugs(&found), expected, "{query:?}");
        assert_eq!((&found["total"], &found["page"]), (&json!(expected.len()), &json!(1)));
    }
}

#[test]
fn search_json_has_what_a_result_shows() {
    let found = alike(&["search", "pdf forms", "--limit", "5"]);
    let places = PLACES.get(Places::made);
    let api = places.registry.read("/api/v1/search?q=pdf+forms&limit=5");
    assert_eq!((&found["total"], &found["limit"]), (&api["total"], &api["limit"]));
    assert_fields(&found["results"][0], "slug name description version downloadCount starCount");
    for field in ["slug", "name", "description", "version", "downloadCount", "starCount"] {
        assert_eq!(found["results"][0][field], api["results"][0][field], "{field}");
    }
}

#[test]
fn search_without_words_lists_the_newest() {
    let found = alike(&["search", "", "--limit", "3"]);
    assert_eq!(slugs(&found).len(), 3);
    assert_eq!(found["total"], 5);
    let found = alike(&["search", "", "--namespace", "global"]);
    assert_eq!(slugs(&found), ["overview", "hello"]);
}

#[test]
fn search_prints_one_line_per_skill() {
    let places = PLACES.get(Places::made);
    let output = Home::new().run(&["search", "hello", "--registry", places.registry.base()]).ok();
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert!(lines[0].starts_with("SKILL") && lines[1].starts_with("hello  1.0.0"), "{output:?}");
    assert!(
        lines.len() == 2 && lines[1].ends_with("was ever g…"),
        "not cut where no terminal is: {output:?}"
    );
    let output = Home::new().run(&["search", "zzzzzzzzzzzz", "--registry", places.registry.base()]).ok();
    assert!(
        output.stdout.starts_with("no skill at ") && output.stdout.contains("zzzzzzzzzzzz"),
        "{output:?}"
    );
}

#[test]
fn search_says_what_was_searched_for_and_where() {
    let places = PLACES.get(Places::made);
    let base = places.registry.base();
    let printed =
        |arguments: &[&str]| Home::new().run(&[arguments, &["--registry", base]].concat()).ok().stdout;
    let found = printed(&["search", "zzzzzzzzzzzz", "--namespace", "tools"]);
    assert_eq!(found, format!("no skill in @tools at {base} matches \"zzzzzzzzzzzz\"\n"));
    assert_eq!(
        printed(&["search", "", "--namespace", "nobody"]),
        format!("no skills in @nobody at {base}\n")
    );
    assert!(printed(&["search", &"z".repeat(999)]).ends_with("zz…\"\n"));
    let newest = printed(&["search", "!?", "--namespace", "global"]);
    assert!(
        newest.ends_with("\n\"!?\" has no letters or digits: these skills were updated last\n"),
        "{newest}"
    );
}

#[test]
fn info_shows_the_record_and_its_versions() {
    // Held, so that it is one and the same to the end.
    let places = PLACES.get(Places::made);
    let info = alike(&["info", "@tools/pdf-forms"]);
    let mut expected = places.registry.read("/api/v1/skills/tools/pdf-forms");
    let versions = places.registry.read("/api/v1/skills/tools/pdf-forms/versions");
    expected["versions"] = versions["items"].clone();
    assert_eq!(info, expected);

    let base = places.registry.base();
    let text = Home::new().run(&["info", "tools/pdf-forms", "--registry", base]).ok().stdout;
    for printed in [
        "pdf-forms (@tools/pdf-forms)\nFills in PDF forms, and reads them.\n",
        "\nversion    1.1.0 (20",
        "\nauthor     ann (ann)\n",
        "\nlicense    MIT\n",
        "\ntags       stable = 1.0.0\n",
        "\nrating     none yet\n",
        &format!("\npage       {base}/tools/pdf-forms/\n"),
        &format!("\ninstall    skillmirror install @tools/pdf-forms --registry {base}\n"),
        "\nversions\n  1.1.0        20",
    ] {
        assert!(text.contains(printed), "{printed:?} in {text}");
    }
    let text = Home::new().run(&["info", "tools/yanked", "--registry", base]).ok().stdout;
    assert!(text.contains(", yanked: It greets nobody.\n"), "{text}");
    let text = Home::new().run(&["info", "tools/gone", "--registry", base]).ok().stdout;
    assert!(text.contains("none: all versions are yanked"), "{text}");
}

#[test]
fn info_with_version_shows_that_version() {
    let places = PLACES.get(Places::made);
    let base = places.registry.base();
    for (asked, printed) in [
        ("tools/pdf-forms@1.0.0", "\nversion    1.0.0 (20"),
        ("tools/pdf-forms@stable", "\nversion    1.0.0 (20"),
        ("tools/pdf-forms@latest", "\nversion    1.1.0 (20"),
        ("tools/yanked@1.1.0", "yanked: It greets nobody.)\nlatest     2.0.0 (20"),
        ("tools/gone@1.0.0", "\nlatest     none: all versions are yanked\n"),
    ] {
        let text = Home::new().run(&["info", asked, "--registry", base]).ok().stdout;
        assert!(text.contains(printed), "{printed:?} in {text}");
    }
    let text = Home::new().run(&["info", "tools/pdf-forms@stable", "--registry", base]).ok().stdout;
    assert!(text.contains("install @tools/pdf-forms@1.0.0 --registry"), "{text}");
    assert_eq!(alike(&["info", "tools/pdf-forms@stable"])["shown"], "1.0.0");
    for asked in ["tools/pdf-forms@9.9.9", "tools/pdf-forms@beta"] {
        assert_eq!(
            refused_alike("not_found", &["info", asked]),
            refused_alike("not_found", &["resolve", asked])
        );
    }
}

#[test]
fn info_shows_keywords_homepage_and_files() {
    let registry = Registry::start();
    let skill =
        Skill::named("hello").line("keywords: [greeting, people]").line("homepage: https://example.org/x");
    registry.publish(skill.file("scripts/run.sh", "12345")).by(&registry.admin()).expect(201);
    let home = Home::new();
    let info = |words: &[&str]| home.run(&[words, &["--registry", registry.base()]].concat()).ok().stdout;
    let text = info(&["info", "hello"]);
    for printed in [
        "\nhomepage   https://example.org/x\nkeywords   greeting, people\nfiles      2 files, ",
        "\nlicense    not",
    ] {
        assert!(text.contains(printed), "{printed:?} in {text}");
    }
    assert!(!text.contains("scripts/run.sh"), "{text}");
    let text = info(&["info", "hello@1.0.0", "--files"]);
    assert!(text.contains("\nfiles\n") && text.contains("\n         5 B  scripts/run.sh\n"), "{text}");
    let json = info(&["info", "hello", "--files", "--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["files"], registry.read("/api/v1/skills/global/hello/versions/1.0.0/files")["items"]);
}

#[test]
fn range_resolves_to_its_highest_version_or_names_those_there_are() {
    let all = [("pdf-forms@v1", "1.1.0"), ("pdf-forms@~1.0", "1.0.0"), ("yanked@1", "1.0.0")];
    for (asked, version) in all.map(|(asked, version)| (format!("tools/{asked}"), version)) {
        let resolved = alike(&["resolve", &asked]);
        assert_eq!((&resolved["version"], &resolved["tag"]), (&json!(version), &Value::Null), "{asked}");
        assert_eq!(alike(&["info", &asked])["shown"], version, "{asked}");
    }
    for command in ["resolve", "info", "install"] {
        let why = refused_alike("not_found", &[command, "tools/pdf-forms@3"]);
        assert!(why.contains("fits `^3`") && why.contains("1.1.0, 1.0.0"), "{why}");
        refused_alike("invalid_reference", &[command, "tools/pdf-forms@1-rc.1"]);
    }
    refused_alike("not_found", &["resolve", "hullo@1"]);
    refused_alike("yanked", &["resolve", "tools/gone@1"]);
}

#[test]
fn names_and_references_resolve() {
    for (skill, version, tag) in [
        ("tools--pdf-forms", "1.1.0", Value::Null),
        ("tools/pdf-forms@stable", "1.0.0", json!("stable")),
        ("@tools/pdf-forms@latest", "1.1.0", json!("latest")),
        ("@tools/pdf-forms@v1.0.0", "1.0.0", Value::Null),
        ("hello", "1.0.0", Value::Null),
    ] {
        let resolved = alike(&["resolve", skill]);
        assert_eq!((&resolved["version"], &resolved["tag"]), (&json!(version), &tag), "{skill}");
    }
    let places = PLACES.get(Places::made);
    let expected = places.registry.read("/api/v1/skills/tools/pdf-forms/resolve?tag=stable");
    assert_eq!(alike(&["resolve", "tools/pdf-forms@stable"]), expected);

    let text = Home::new().run(&["resolve", "hello", "--registry", &places.host.base]).ok().stdout;
    let package = text.lines().find_map(|line| line.strip_prefix("package  ")).unwrap();
    let path = package.strip_prefix(&places.host.base).unwrap();
    places.host.client().get(path).expect(200);
}

#[test]
fn unresolvable_reference_lists_alternatives() {
    let why = refused_alike("not_found", &["resolve", "hullo"]);
    assert_eq!(why, "no skill hullo at <address>: did you mean `hello`?");
    refused_alike("not_found", &["info", "hullo"]);
    let why = refused_alike("not_found", &["resolve", "tools/pdf-forms@3.0.0"]);
    assert_eq!(why, "@tools/pdf-forms has no version 3.0.0: it has 1.1.0, 1.0.0");
    let why = refused_alike("not_found", &["resolve", "tools/pdf-forms@beta"]);
    assert_eq!(why, "@tools/pdf-forms has no tag `beta`: it has `latest`, stable");
    let why = refused_alike("yanked", &["resolve", "tools/yanked@1.1.0"]);
    assert_eq!(why, "@tools/yanked 1.1.0 is yanked (\"It greets nobody.\"): use one of 2.0.0, 1.0.0");
    let why = refused_alike("yanked", &["resolve", "tools/gone"]);
    assert_eq!(why, "every version of @tools/gone is yanked; the newest is 1.0.0 (\"It greets nobody.\")");
}

#[test]
fn broken_server_configuration_is_ignored() {
    let places = PLACES.get(Places::made);
    let home = Home::new();
    std::fs::write(home.folder().join("config.toml"), "nonsense = [").unwrap();
    home.run(&["resolve", "hello", "--registry", places.registry.base()]).ok();
    assert_eq!(home.run(&["verify"]).code, 1);
}

#[test]
fn folder_that_is_not_a_tree_is_refused() {
    let why =
        Home::new().refusal("unreadable", &["resolve", "hello", "--registry", "file:///no/such/folder"]);
    assert!(why.contains("/no/such/folder") && why.contains("--registry"), "{why}");
    let home = Home::new();
    let empty = format!("file://{}", home.folder().display());
    let why = home.refusal("unsupported", &["search", "pdf", "--registry", &empty]);
    assert!(why.contains("neither a search index nor a search"), "{why}");
}
