//! The operator's name, colors, logo, links, texts and templates.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::harness::html::assert_inert;
use crate::harness::{CommandOutput, Registry, Skill, eventually, run, tree};

const SVG: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><path d=\"M0 0h8v8\"/></svg>\n";

/// A folder with this section, these files, and no server.
fn with_section(section: &str, files: &[(&str, &str)]) -> Registry {
    let registry =
        Registry::configured(&format!("public_url = \"https://skills.example.org\"\n[site]\n{section}\n"));
    for (path, text) in files {
        registry.write(path, text.as_bytes());
    }
    registry
}

/// A server with this section and one skill.
#[track_caller]
fn with_site(section: &str, files: &[(&str, &str)]) -> Registry {
    let mut registry = with_section(section, files);
    registry.restart();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry
}

fn text(tree: &BTreeMap<String, Vec<u8>>, file: &str) -> String {
    String::from_utf8(tree[file].clone()).unwrap()
}

/// A page without the links of its head that need a public URL.
fn without_public_url(page: &str) -> String {
    let is_other = |line: &&str| !line.contains("rel=\"canonical\"") && !line.contains("rel=\"search\"");
    page.lines().filter(is_other).collect::<Vec<_>>().join("\n")
}

/// The files of a tree, by number: a file that was written again has another one.
fn numbers(folder: &Path) -> BTreeMap<String, u64> {
    let number = |file: &String| std::fs::metadata(folder.join(file)).unwrap().ino();
    tree::all_files(folder).into_iter().map(|file| (file.clone(), number(&file))).collect()
}

/// The folder of the assets that the start page names.
fn assets(tree: &BTreeMap<String, Vec<u8>>) -> String {
    let page = text(tree, "index.html");
    page.split("\"./").find(|link| link.starts_with("assets/")).unwrap()[..23].to_owned()
}

/// What `serve` says to a section that it refuses.
#[track_caller]
fn refused(section: &str, files: &[(&str, &str)]) -> String {
    let registry = with_section(section, files);
    let CommandOutput { code, stderr, .. } = registry.command(["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(code, 1, "{section}: {stderr}");
    assert!(!registry.data().exists() && !registry.public().exists(), "nothing was made: {section}");
    stderr
}

const ALL: &str = "name = \"Acme & Söhne\"\naccent = \"#7a1fa2\"\nlogo = \"logo.svg\"\n\
                   links = [{ text = \"Status\", url = \"https://status.example.org\" }, { text = \"Rules\", url = \"/about/#rules\" }]\n\
                   about = \"about.md\"\npublishing = \"publishing.md\"\ntemplates = \"templates\"\n";

const FILES: &[(&str, &str)] = &[
    ("logo.svg", SVG),
    ("about.md", "We are *Acme*.\n\n## Rules\n\n<script>alert(1)</script> [x](javascript:alert(1))\n"),
    ("publishing.md", "Ask **ann** for an account.\n"),
    (
        "templates/keywords.html",
        "{% extends \"base.html\" %}{% block main %}<h1>Words of {{ brand.name }}</h1>{% endblock %}",
    ),
    ("templates/assets/signed-in.css", "main { color: red; }\n"),
];

#[test]
fn settings_are_seen_in_the_tree_and_answered() {
    let mut registry = with_site(ALL, FILES);
    let tree = registry.tree_bytes();
    let assets = assets(&tree);
    for (file, bytes) in tree.iter().filter(|(file, _)| file.ends_with(".html")) {
        let page = String::from_utf8(bytes.clone()).unwrap();
        assert!(page.contains("<span>Acme &amp; Söhne</span>") && !page.contains("Skillmirror</"), "{file}");
        assert!(page.contains("<a href=\"https://status.example.org\">Status</a>"), "{file}");
        assert!(page.contains("logo.svg\" alt=\"\" height=\"28\">"), "{file}");
        assert_inert(&without_public_url(&page));
    }
    let title = "<title>hello (@global/hello) · Acme &amp; Söhne</title>";
    assert!(text(&tree, "global/hello/index.html").contains(title));
    assert!(text(&tree, "global/hello/index.html").contains("<a href=\"../../about/#rules\">Rules</a>"));
    let about = text(&tree, "about/index.html");
    assert!(
        about.contains("We are <em>Acme</em>.") && about.contains("<h1>About Acme &amp; Söhne</h1>"),
        "{about}"
    );
    assert!(text(&tree, "help/index.html").contains("Ask <strong>ann</strong> for an account."));
    assert!(text(&tree, "skills/keywords/index.html").contains("<h1>Words of Acme &amp; Söhne</h1>"));
    assert!(text(&tree, "llms.txt").starts_with("# Acme & Söhne: a registry of agent skills\n"));
    assert!(text(&tree, "opensearch.xml").contains("<ShortName>Acme &amp; Söhne</ShortName>"));
    assert_eq!(text(&tree, &format!("{assets}/logo.svg")), SVG);
    assert_eq!(text(&tree, &format!("{assets}/signed-in.css")), "main { color: red; }\n");
    let css = text(&tree, &format!("{assets}/site.css"));
    assert!(css.contains("@media screen { :root { --accent: #7a1fa2; --on-accent: #ffffff;"), "{css}");
    assert!(css.contains("@media screen and (prefers-color-scheme: dark) { :root { --accent: #"), "{css}");
    // The server answers with the same bytes, and renders other pages in the same look.
    for file in ["about/index.html", "404.html", "help/index.html"] {
        assert_eq!(registry.get(&format!("/{file}")).expect(200).body, tree[file], "{file}");
    }
    let logo = registry.get(&format!("/{assets}/logo.svg")).expect(200);
    assert_eq!(logo.require_header("content-type"), "image/svg+xml");
    for page in ["/search/?q=hello", "/cli/device", "/nothing/here/"] {
        let page = registry.anonymous().with("accept", "text/html").get(page).text();
        assert!(page.contains("<span>Acme &amp; Söhne</span>") && page.contains(&assets), "{page}");
    }
    // A full generation has the same files.
    registry.stop();
    registry.command(["verify"]).ok();
    registry.command(["generate"]).ok();
    tree::assert_equal(&registry.tree_bytes(), &tree);
}

#[test]
fn change_writes_pages_once() {
    let mut registry = with_site(ALL, FILES);
    let was = registry.tree_bytes();
    let number = numbers(&registry.public());
    registry.stop();
    registry.restart();
    assert_eq!(numbers(&registry.public()), number, "a start without a change writes nothing");
    // Each of these is noticed at the next start, and only then.
    let changes: [(&str, &str, &str); 5] = [
        ("logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"/>", "logo.svg"),
        ("about.md", "Something else.\n", "about/index.html"),
        ("publishing.md", "Something else.\n", "help/index.html"),
        ("templates/keywords.html", "{{ brand.name }}", "skills/keywords/index.html"),
        ("templates/assets/signed-in.css", "main { color: blue; }\n", "signed-in.css"),
    ];
    for (path, text, shown) in changes {
        registry.write(path, text.as_bytes());
        let before = registry.tree_bytes();
        registry.stop();
        registry.restart();
        let after = registry.tree_bytes();
        let differ = |file: &&String| before.get(*file) != after.get(*file);
        assert!(after.keys().filter(differ).any(|file| file.ends_with(shown)), "{path}");
        let number = numbers(&registry.public());
        registry.stop();
        registry.restart();
        assert_eq!(numbers(&registry.public()), number, "the change of {path} was written once");
    }
    // Packages and rows are not written again, and nothing stays of an earlier look.
    let package = "api/v1/skills/global/hello/versions/1.0.0/download.zip";
    assert_eq!(numbers(&registry.public())[package], number[package]);
    assert_eq!(registry.tree_bytes()[package], was[package]);
    let (files, own) = (registry.tree(), assets(&registry.tree_bytes()));
    let others = |file: &&String| file.starts_with("assets/") && !file.starts_with(&own);
    assert_eq!(files.iter().filter(others).collect::<Vec<_>>(), Vec::<&String>::new());
    registry.stop();
    registry.write("config.toml", b"");
    registry.restart();
    assert!(!registry.tree().contains(&"about/index.html".to_owned()));
    registry.get("/about/").expect(404);
    assert!(text(&registry.tree_bytes(), "index.html").contains("<span>Skillmirror</span>"));
    registry.command(["verify"]).ok();
}

#[test]
fn reload_names_the_section_that_needs_a_restart() {
    let registry = with_site("name = \"One\"", &[]);
    registry.write("config.toml", b"[site]\nname = \"Two\"\n");
    registry.process().hang_up();
    let log = || std::fs::read_to_string(registry.folder().join("serve.log")).unwrap();
    eventually("the log names the section", || log().contains("site").then_some(()));
    assert!(registry.get("/").text().contains("<span>One</span>"));
}

#[test]
fn variables_are_settings_too() {
    let mut registry = Registry::not_started();
    let links = "[{ text = \"Status\", url = \"https://status.example.org\" }]";
    let variables = [("SKILLMIRROR_SITE_NAME", "Acme"), ("SKILLMIRROR_SITE_LINKS", links)];
    registry.start_with_variables(&[&variables[..], &[("SKILLMIRROR_LISTEN", "0")]].concat());
    let page = text(&registry.tree_bytes(), "index.html");
    assert!(page.contains("<span>Acme</span>") && page.contains(">Status</a>"), "{page}");
}

#[test]
fn value_that_cannot_be_used_is_refused_with_its_remedy() {
    let long = "x".repeat(600 << 10);
    let nine = format!("links = [{}]", "{ text = \"x\", url = \"https://a.example\" }, ".repeat(9));
    for (section, files, said) in [
        ("name = \"\"", vec![], "site.name: write a line of 1 to 48 characters"),
        ("name = \"a\\u202eb\"", vec![], "site.name: write a line of 1 to 48 characters"),
        ("accent = \"#ffcc00\"", vec![], "write a darker color"),
        ("accent_dark = \"#0b6b78\"", vec![], "write a lighter color"),
        ("accent = \"teal\"", vec![], "`teal` is no color: write one like \"#0b6b78\""),
        ("links = [{ text = \"x\", url = \"javascript:alert(1)\" }]", vec![], "begins with https://"),
        (&nine, vec![], "site.links: at most 8 links"),
        ("logo = \"none.svg\"", vec![], "site.logo: cannot read none.svg: it does not exist"),
        ("logo = \"a.gif\"", vec![("a.gif", "GIF89a")], "site.logo: a.gif: it is neither SVG nor PNG"),
        ("about = \"a.md\"", vec![("a.md", &*long)], "site.about: a.md: it has more than 512 KiB"),
        ("templates = \"t\"", vec![], "site.templates: cannot read t: it does not exist"),
        (
            "templates = \"t\"",
            vec![("t/hlep.html", "")],
            "no template or asset of this name: did you mean `help.html`",
        ),
        (
            "templates = \"t\"",
            vec![("t/help.html", "\n{% if %}")],
            "site.templates: t/help.html:2: syntax error",
        ),
        (
            "templates = \"t\"",
            vec![("t/skill/facts.html", "\n\n{{ nothing }}")],
            "site.templates: t/skill/facts.html:3: undefined value",
        ),
        ("templates = \"t\"", vec![("t/parts.html", "")], ".html of the program:"),
        ("colour = \"#000000\"", vec![], "there is no such setting"),
    ] {
        let stderr = refused(section, &files);
        assert!(stderr.contains(said), "{section}: {stderr}");
    }
}

#[test]
fn hostile_name_and_texts_do_nothing() {
    let hostile = "<script>alert(1)</script>\"'><img src=x onerror=x>";
    let markdown = "<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) ![b](https://a.example/b.png)\n\n<iframe src=x></iframe>\n";
    let section = format!(
        "name = '''{}'''\nlinks = [{{ text = '''{}''', url = \"mailto:a@b\" }}]\nabout = \"a.md\"\npublishing = \"a.md\"\n",
        &hostile[..48],
        &hostile[..48]
    );
    let registry = with_site(&section, &[("a.md", markdown)]);
    for (file, bytes) in registry.tree_bytes().iter().filter(|(file, _)| file.ends_with(".html")) {
        let page = String::from_utf8(bytes.clone()).unwrap();
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{file}");
        assert_inert(&without_public_url(&page));
    }
    let found = text(&registry.tree_bytes(), "opensearch.xml");
    assert!(found.contains("<ShortName>&lt;script&gt;alert(1)</ShortName>"), "{found}");
}

#[test]
fn mirror_has_its_own_look() {
    let registry = with_site(ALL, FILES);
    let follow = |out: &Path| {
        let arguments = ["generate", "--feed", "public", "--out", out.to_str().unwrap()].map(Into::into);
        run(registry.folder(), &arguments).ok();
        tree::contents(out)
    };
    // The folder has a configuration file, which is that of the mirror too. Without it:
    std::fs::rename(registry.folder().join("config.toml"), registry.folder().join("source.toml")).unwrap();
    let mirror = registry.folder().join("mirror");
    let own = follow(&mirror);
    assert!(
        text(&own, "index.html").contains("<span>Skillmirror</span>")
            && !own.contains_key("about/index.html")
    );
    registry.write("config.toml", b"[site]\nname = \"Mirror\"\n");
    let own = follow(&mirror);
    assert!(text(&own, "index.html").contains("<span>Mirror</span>"));
    let number = numbers(&mirror);
    follow(&mirror);
    assert_eq!(numbers(&mirror), number, "written once");
    let whole = registry.tree_bytes();
    let package = "api/v1/skills/global/hello/versions/1.0.0/download.zip";
    assert_eq!(own[package], whole[package]);
}

#[test]
fn snapshot_of_a_site_with_a_look_is_verified() {
    let registry = with_site(ALL, FILES);
    let snapshot = registry.folder().join("site.tar").display().to_string();
    registry.command(["snapshot", "create", "--out", &snapshot]).ok();
    let own = registry.command(["snapshot", "verify", &snapshot]).ok();
    assert!(own.stdout.contains("each is the one of these rows"), "{own:?}");
    registry.write("config.toml", b"");
    let other = registry.command(["snapshot", "verify", &snapshot]).ok();
    assert!(other.stdout.contains("its pages have a look of their own and were not compared"), "{other:?}");
}
