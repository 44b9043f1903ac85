//! The JavaScript reader answers from files with the same bytes as the server.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::harness::{Client, Registry, Skill, StaticHost, User, eventually};

const PLANTS: [&str; 6] = ["fern", "moss", "reed", "sedge", "lichen", "orchid"];
const DEEDS: [&str; 5] = ["watering", "reading", "drying", "pressing", "painting"];

/// About forty skills in three namespaces, some with stars.
fn garden() -> (Registry, User) {
    let registry = Registry::with_config("public_url = \"https://skills.example.org\"\n");
    let admin = registry.admin();
    for team in ["team", "tools"] {
        registry.team(team, &admin);
    }
    let put = |namespace: &str, slug: &str, skill: Skill| {
        registry.publish(skill).to(namespace).slug(slug).by(&admin).expect(201);
    };
    for (at, plant) in PLANTS.iter().enumerate() {
        for (n, deed) in DEEDS.iter().enumerate() {
            let slug = format!("{plant}-{deed}");
            let skill = Skill::nameless()
                .line(&format!("title: {deed} a {plant}"))
                .description(&format!("Helps with {deed} in the greenhouse, for the {plant} above all."))
                .line(&format!("keywords: [garden, {deed}]"))
                .text(&format!("# About the {plant}\n\n## {} the {deed}\n", ["Before", "After"][n % 2]));
            put(["global", "team", "tools"][(at + n) % 3], &slug, skill);
        }
    }
    for (namespace, slug, name, description) in [
        ("team", "plant-reader", "植物阅读器", "读取植物的名字，写成表格。"),
        ("tools", "niwa", "庭のカレンダー", "サーバーで庭の予定を作る。"),
        ("global", "jeongwon", "정원 검색", "한국어로 정원을 검색한다."),
        ("tools", "gruen", "Über Größe & Grün", "Misst die Größe (Höhe × Breite) einer Pflanze."),
        ("global", "fern", "Fern", "Only a fern."),
        ("team", "fern", "Everything about ferns", "All there is to know; not about moss."),
        ("tools", "x2", "C++ for gardeners", "Node.js, C++ and 3D: \"quotes\", <tags> & \\ and 🌱."),
        ("global", "to-do-for-the-garden", "To do", "What to do when."),
        ("global", &"pteridophyta".repeat(5), "Pteridophyta", "A long name."),
        ("team", &"bryophyta".repeat(7), &"Bryophyta".repeat(7), "Another."),
    ] {
        let skill =
            Skill::nameless().line(&format!("title: '{name}'")).description(&format!("'{description}'"));
        put(namespace, slug, skill);
    }
    let starred = ["global/fern", "tools/fern-drying", "team/plant-reader"];
    for skill in starred {
        registry.star(skill, &admin).expect(200);
    }
    // Shown numbers follow a while after, and server and files are asked one after the other: so
    // they are waited for, and then for the reply to another write, which is behind all of them.
    let is_shown = |skill: &str| registry.tree_json(&format!("api/v1/skills/{skill}.json"))["starCount"] == 1;
    eventually("the stars are shown", || starred.into_iter().all(is_shown).then_some(()));
    put("team", "last-leaf", Skill::nameless());
    (registry, admin)
}

/// Queries, as they are asked for.
const QUERIES: &str = "fern Fern+ FERN+watering watering+a+fern fern-drying greenhouse green gre g gardn grenhouse \
    greenhuose watreing+moss readinq orchid+lichen fern+for+the the to+do to-do-for-the-garden \
    above+all+helps+with+the before garden+painting+ree nothing-of-this-is-here fern+zzzzzz \
    %E6%A4%8D%E7%89%A9 %E9%98%85%E8%AF%BB%E5%99%A8 %E3%82%B5%E3%83%BC%E3%83%90%E3%83%BC \
    %EA%B2%80%EC%83%89 gro%C3%9Fe %C3%BCber UBER gro%CC%88%C3%9Fe c%2B%2B node.js %F0%9F%8C%B1 %00 %FF \
    x2 ..%2F..%2Fsecret a+b+c+d+e+f+g+h+moss+i+j+fern";

/// Other requests, among them pages, orders and namespaces.
const FURTHER: &str = "search search?limit=20&page=2 search?limit=10&page=3 search?page=99 search?q=-&limit=5 \
    search?q=garden&limit=7&page=2 search?q=garden&limit=100 search?q=garden&page=9 search?q=fern&q=moss \
    search?q=fern&limit=&page= skills?keyword=fern skills?keyword=fern&namespace=team \
    skills?keyword=garden&namespace=tools&size=4&page=2 skills?keyword=garden&namespace=global&sort= \
    skills?keyword=gardn&namespace=team skills?keyword=fern&namespace=nobody \
    skills?keyword=fern&sort=name skills?keyword=garden&sort=name&size=6&page=3 \
    skills?keyword=about&sort=name&namespace=team skills?keyword=greenhouse&sort=name&size=100 \
    skills?keyword=niwa&sort=updated skills?keyword=jeongwon&sort=rating \
    skills?keyword=%E6%A4%8D%E7%89%A9&sort=stars skills?keyword=- \
    skills?keyword=-&sort=updated&size=10&page=2 skills?keyword=zzzzzz&sort=downloads";

/// The queries to compare.
fn questions() -> Vec<String> {
    let long = ["pteridophyta".repeat(5), "bryophyta".repeat(7)];
    let queries = QUERIES.split_whitespace().chain(long.iter().map(String::as_str));
    let queries = queries.map(|query| format!("/api/v1/search?q={query}"));
    let further = FURTHER.split_whitespace().map(|query| format!("/api/v1/{query}"));
    // Those of `npx skills find`.
    let found = ["", "q=garden&limit=20", "q=fern+moss&limit=3", "q=gardn&owner=team", "q=fern&owner=nobody"];
    let found = found.map(|query| format!("/api/search?{query}"));
    queries.chain(further).chain(found).collect()
}

/// Refused by both, in problem documents of their own.
fn refused() -> Vec<String> {
    let long = "x".repeat(201);
    [
        "search?page=0",
        "search?limit=101",
        "search?limit=x",
        &format!("search?q={long}"),
        "skills?keyword=x&sort=best",
        "skills?keyword=x&size=0",
        "skills?keyword=x&namespace=no--name",
        &format!("skills?keyword={long}"),
    ]
    .map(|query| format!("/api/v1/{query}"))
    .into()
}

/// Queries that only a server can answer (docs/hosting.md): the most recently updated skills on other pages than
/// the files have, or of one namespace.
fn untold() -> Vec<String> {
    [
        "search?limit=30",
        "search?limit=15&page=2",
        "skills?keyword=-&namespace=team",
        "skills?keyword=-&page=99",
    ]
    .map(|query| format!("/api/v1/{query}"))
    .into()
}

type Answers = BTreeMap<String, (u16, Vec<u8>)>;

fn of_server(client: &Client, targets: &[String]) -> Answers {
    let ask = |target: &String| {
        let response = client.get(target);
        (target.clone(), (response.status, response.body))
    };
    targets.iter().map(ask).collect()
}

/// Bytes in hexadecimal.
fn bytes(text: &str) -> Vec<u8> {
    let starts = (0..text.len()).step_by(2);
    starts.map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

/// The answers of the JavaScript reader, from the files in a folder.
#[track_caller]
fn of_files(folder: &Path, asked: &Path, targets: &[String]) -> Answers {
    std::fs::write(asked, targets.join("\n")).unwrap();
    let host = StaticHost::over(folder);
    let output = Command::new("node")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/search/answers.mjs"))
        .arg(&host.base)
        .stdin(std::fs::File::open(asked).unwrap())
        .stderr(Stdio::inherit())
        .output()
        .expect("node is installed");
    assert!(output.status.success(), "{}", output.status);
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines.lines().count(), targets.len());
    let response = |line: &str| {
        let (status, body) = line.split_once(' ').unwrap();
        (status.parse().unwrap(), bytes(body))
    };
    targets.iter().cloned().zip(lines.lines().map(response)).collect()
}

#[track_caller]
fn assert_same(server: &Answers, files: &Answers, targets: &[String]) {
    let differing = targets.iter().filter(|target| server[*target] != files[*target]);
    let text = |(status, body): &(u16, Vec<u8>)| format!("{status} {}", String::from_utf8_lossy(body));
    let both = |target: &String| {
        format!("{target}\n server {}\n files  {}\n", text(&server[target]), text(&files[target]))
    };
    let differing: Vec<_> = differing.map(both).collect();
    assert!(differing.is_empty(), "{} of {} differ:\n{}", differing.len(), targets.len(), differing.concat());
}

#[test]
fn javascript_reader_answers_like_the_server() {
    let (mut registry, admin) = garden();
    let (questions, refused, untold) = (questions(), refused(), untold());
    // Skills of one second have an order that documents do not tell.
    let tied = ["/api/v1/skills?keyword=garden&sort=stars".to_owned()];
    let all = [&questions[..], &refused, &untold, &tied].concat();
    let server = of_server(&registry.anonymous(), &all);
    assert!(questions.iter().all(|target| server[target].0 == 200));
    let fields = |answers: &Answers, target: &str| -> Value {
        let (status, body) = &answers[target];
        assert_eq!(*status, 400, "{target}");
        serde_json::from_slice::<Value>(body).unwrap()["errors"][0]["field"].clone()
    };
    registry.stop();
    let asked = registry.folder().join("asked");
    let files = of_files(&registry.public(), &asked, &all);
    assert_same(&server, &files, &questions);
    for target in &refused {
        assert_eq!(fields(&files, target), fields(&server, target), "{target}");
    }
    for target in &untold {
        assert_eq!((server[target].0, files[target].0), (200, 404), "{target}");
    }
    for target in &tied {
        assert!(files[target].0 == 404 || files[target] == server[target], "{target}");
    }

    // A skill that is listed and not found: then lists do not tell which are.
    registry.restart();
    registry.yank("global/fern", "1.0.0", &admin).expect(200);
    let told = ["search", "search?q=fern", "search?page=99", "skills?keyword=fern&sort=name"];
    let told = told.map(|query| format!("/api/v1/{query}"));
    let untold = ["search?page=2", "skills?keyword=-", "skills?keyword=-&page=99"];
    let untold = untold.map(|query| format!("/api/v1/{query}"));
    let all = [&told[..], &untold].concat();
    let server = of_server(&registry.anonymous(), &all);
    registry.stop();
    let files = of_files(&registry.public(), &asked, &all);
    assert_same(&server, &files, &told);
    for target in &untold {
        assert_eq!((server[target].0, files[target].0), (200, 404), "{target}");
    }
}
