//! A table of queries and their results, for all readers.
//!
//! `UPDATE_GOLDEN=1` writes `golden/vectors.jsonl`, from skills that are the same in every run.
//! A line has the number of found skills, the first five with their scores, and the sha256 of
//! all of them.

use std::path::Path;

use generator::search::SharedIndex;
use registry::public::{Counters, Id, NamespaceStatus};

use crate::dice::Dice;
use crate::readers::{assert_node_agrees, line};
use crate::shelf::{Shelf, Text};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/vectors.jsonl");
const QUERIES: usize = 1_400;
const LONG_QUERIES: usize = 200;

/// Texts in other languages than English.
const OTHER: [&str; 12] = [
    "机器学习平台的集群管理工具",
    "クラスタ管理サーバーの設定",
    "데이터 검색 도구",
    "Crème brûlée für Größe und Straße",
    "поиск и анализ документов",
    "ΟΔΟΣ και ΛΟΓΟΣ",
    "חיפוש מסמכים",
    "हिन्दी में खोज",
    "เครื่องมือค้นหา",
    "C++ and C# code, v2.0",
    "ＦＵＬＬ　ｗｉｄｔｈ ﬁles",
    "İstanbul ılık naïve façade",
];

/// Skills in English, and queries that need what the index knows of languages.
const ENGLISH: [(&str, &str); 12] = [
    ("timezone-converter", "Converts times between time zones, and shows the user's local time."),
    ("drop-box-sync", "Syncs files and folders with Dropbox: uploading, downloading, sharing."),
    ("pptx-creator", "Creates PowerPoint presentations with slides from Markdown."),
    ("image-resizer", "Resizes and crops images, converting them to other formats."),
    ("photo-renamer", "Renames photos by the date they were taken."),
    ("k8s-deploy", "Deploys containers to Kubernetes clusters."),
    ("cpp-linter", "Checks C++, C# and F# sources for .NET, and Node.js scripts."),
    ("invoice-reader", "Extracts totals from scanned invoices and receipts (OCR)."),
    ("e-ink-dashboard", "Shows a dashboard on an e-ink display."),
    ("postgres-backup", "Schedules backups of PostgreSQL databases."),
    ("translate-docs", "翻译文档和网页，支持中文、日语和韩语。"),
    ("meeting-notes", "会议记录：把录音转换成摘要。議事録を自動で作成します。회의록을 자동으로 요약합니다."),
];

/// Words of the texts of these skills.
const BODY: &str = "vacation archive holiday pictures größe 机器 weekly naïve receipts Kubernetes";

const ASKED: [&str; 57] = [
    "invoices",
    "converting image",
    "scheduled backup",
    "timezone",
    "time zone",
    "time-zone converter",
    "drop box",
    "dropbox",
    "eink",
    "e-ink dashboards",
    "C++",
    "c#",
    ".net",
    "node.js",
    "nodejs linter",
    "pictures",
    "powerpoint",
    "k8s",
    "kubernetes deployment",
    "postgresql",
    "user's",
    "what's the time?",
    "resize photos please",
    "rename photos by date taken",
    "I need to convert a PDF document into markdown text",
    "please help me find something that can resize all of the images in my folder and upload them to dropbox",
    "can you create a powerpoint presentation with some slides about our kubernetes cluster and its deployment to \
     several containers, with data, files, code, tools, agents, tasks, projects, text and an application for users",
    "如何把录音转换成摘要",
    "请帮我翻译网页和文档",
    "議事録を作成する方法を教えてください",
    "회의록을 요약하는 방법",
    "会议",
    "@acme/meeting-notes",
    "global/meeting-notes",
    "meeting notes",
    "acme image resizer",
    "Image Resizer",
    "invoces",
    "presentatino",
    "image resi",
    "bilder",
    "Rechnungen sortieren",
    "convertir des images en texte",
    "recordatorio de reuniones",
    "會議記錄",
    "会议记录和翻译文档",
    "スライド 作成",
    "imageresizer",
    "markdown2powerpoint",
    "kubernetesdeploym",
    "scannedinvoice data",
    "Bildverkleinerung",
    "put pictures of my last vacation into an archive",
    "vacations archived weekly by pdf",
    "naive größe holidays receipt scanner",
    "vacation archiv holiday weekly tool",
    "机器学习 weekly vacation 记录",
];

struct World {
    dice: Dice,
    common: Vec<String>,
    rare: Vec<String>,
    texts: Vec<Text>,
    shelf: Shelf,
}

fn world() -> World {
    let mut dice = Dice::new(11);
    // Common words are in more skills than a key has candidates, or postings.
    let common: Vec<_> = (0..30).map(|_| dice.word()).collect();
    let rare: Vec<_> = (0..3_000).map(|_| dice.word()).collect();
    let mut shelf = Shelf::new();
    let teams = ["acme", "beta", "old"];
    teams.iter().for_each(|team| shelf.namespace(team, NamespaceStatus::Active));
    let mut texts = Vec::new();
    for number in 0..6_000 {
        let words = [dice.common(&common).to_owned(), dice.pick(&rare).clone(), format!("{}", number % 97)];
        let slug = words[dice.below(2)..2 + dice.below(2)].join("-");
        let mut text = Text::new(&slug, &(dice.sentence(&common, 7) + " " + &dice.sentence(&rare, 4)));
        if number % 50 == 0 {
            text.description = format!("{} {}", OTHER[number / 50 % OTHER.len()], text.description);
        }
        if number % 9 == 0 {
            text.name = dice.sentence(&rare, 2) + [" Tools", "!", " Über"][number % 3];
        }
        text.keywords = vec![dice.pick(&rare).clone()];
        text.headings = vec![dice.sentence(&rare, 2)];
        let words = (0..9).map(|word| rare[(number * 31 + word * 57) % rare.len()].clone());
        text.body_words = common[..2].iter().cloned().chain(words).collect();
        let text = text.of(["global", "global", "acme", "beta", "old"][dice.below(5)]);
        if shelf.has(&text) {
            continue;
        }
        let id = shelf.publish(&text, "1.0.0");
        if number % 11 == 0 {
            let counters = Counters { downloads: dice.below(1 << 20) as u64, ..Counters::default() };
            shelf.catalog.publish_counters(&[(Id(id), counters, id)]);
        }
        texts.push(text);
    }
    for (number, (slug, description)) in ENGLISH.iter().enumerate() {
        let mut text = Text::new(slug, description).of(["acme", "global"][number % 2]);
        text.keywords = vec!["data files".into()];
        text.body_words = BODY.split(' ').map(str::to_owned).collect();
        shelf.publish(&text, &format!("1.{number}.0"));
    }
    shelf.namespace("old", NamespaceStatus::Archived);
    World { dice, common, rare, texts, shelf }
}

/// A word with one typing error.
fn misspelt(dice: &mut Dice, word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = dice.below(letters.len());
    match dice.below(4) {
        0 => letters[at] = 'q',
        1 => letters.insert(at, 'k'),
        2 => drop(letters.remove(at)),
        _ => letters.swap(at, (at + 1) % word.len()),
    }
    letters.into_iter().collect()
}

impl World {
    fn query(&mut self, number: usize) -> (String, Option<&'static str>) {
        let dice = &mut self.dice;
        let text = dice.pick(&self.texts).clone();
        let words: Vec<&str> = text.description.split(' ').collect();
        let word = |dice: &mut Dice| (*dice.pick(&words)).to_owned();
        let rare = dice.pick(&self.rare).clone();
        let query = match number % 14 {
            0 => word(dice),
            1 => [word(dice), word(dice)].join(" "),
            2 => [word(dice), word(dice), word(dice)].join("  "),
            3 => text.slug.clone(),
            4 => text.name.clone(),
            5 => rare.chars().take(2 + dice.below(5)).collect(),
            6 => format!("{} {}", word(dice), rare.chars().take(2 + dice.below(4)).collect::<String>()),
            7 => misspelt(dice, &rare),
            8 => format!("{} {}", word(dice), misspelt(dice, &rare)),
            9 => format!("{} {}", dice.pick(&self.common), dice.pick(&self.common)),
            10 => format!("How to {} with {}?", word(dice).to_uppercase(), rare),
            11 => {
                let other = dice.pick(&OTHER);
                let parts: Vec<char> = other.chars().collect();
                let at = dice.below(parts.len());
                parts[at..].iter().take(1 + dice.below(6)).collect()
            }
            12 => format!("{} {}", dice.word(), dice.word()),
            _ => self.common[number % self.common.len()].chars().take(3).collect(),
        };
        let namespace = [None, None, Some("acme"), Some("global"), Some("old"), Some("nobody")];
        (query, namespace[if number.is_multiple_of(3) { dice.below(6) } else { 0 }])
    }

    /// A query of four words or more, which may be in texts.
    fn long_query(&mut self, number: usize) -> (String, Option<&'static str>) {
        let dice = &mut self.dice;
        let text = dice.pick(&self.texts).clone();
        let mut words: Vec<_> = (0..2 + number % 3).map(|_| dice.pick(&text.body_words).clone()).collect();
        words.push(dice.pick(&self.common).clone());
        words.extend([dice.pick(&self.rare).clone(), text.keywords[0].clone()]);
        if number.is_multiple_of(5) {
            words[0] = misspelt(dice, &words[0]);
        }
        (words.join(" "), number.is_multiple_of(4).then_some("acme"))
    }
}

#[test]
fn all_readers_find_the_same_skills() {
    let mut world = world();
    let mut queries: Vec<_> = (0..QUERIES).map(|number| world.query(number)).collect();
    queries.extend((0..LONG_QUERIES).map(|number| world.long_query(number)));
    let shared = SharedIndex::default();
    let index = shared.current(&world.shelf.catalog);
    let fixed =
        ["", "...", "the", "to be or not to be", "a b c d e f g h i j k l m", "İ", "ς", "\u{0}", "ー"];
    let fixed = fixed.iter().chain(&ASKED).map(|q| line(&index, q, None));
    let asked = ASKED.iter().map(|q| line(&index, q, Some("acme")));
    let lines = queries.iter().map(|(q, namespace)| line(&index, q, *namespace)).chain(fixed).chain(asked);
    let made: String = lines.map(|line| line + "\n").collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(Path::new(TABLE).parent().unwrap()).unwrap();
        std::fs::write(TABLE, &made).unwrap();
    }
    let table = std::fs::read_to_string(TABLE).unwrap();
    for (made, kept) in made.lines().zip(table.lines()) {
        assert_eq!(made, kept, "run with UPDATE_GOLDEN=1 to update {TABLE}");
    }
    assert_eq!(made.lines().count(), table.lines().count());

    assert_node_agrees(&index, &made);
}

#[test]
fn readers_agree_where_nearness_and_smaller_neighbourhoods_begin() {
    let words: Vec<&str> = ENGLISH.iter().flat_map(|(_, text)| text.split(' ')).collect();
    let mut dice = Dice::new(5);
    let mut shelf = Shelf::new();
    let mut near = Vec::new();
    for count in 1..=513 {
        // Most have no meaning: a query that finds 20 skills would read no neighbourhood.
        let [word, other] = if count > 60 { ["zzzz"; 2] } else { [*dice.pick(&words), *dice.pick(&words)] };
        shelf.publish(&Text::new(&format!("skill-{count}"), &format!("{word} {other}")), "1.0.0");
        // Nearness begins at 100 skills. With more than 512 a query reads smaller neighbourhoods.
        if [99, 100, 512, 513].contains(&count) {
            let shared = SharedIndex::default();
            let index = shared.current(&shelf.catalog);
            let queries = ["images photos", "invoices receipts", "scanned slides", "zebra giraffe"];
            let lines: Vec<_> = queries.iter().map(|q| line(&index, q, None) + "\n").collect();
            near.push(lines.iter().filter(|line| !line.contains(r#""near":0"#)).count());
            assert_node_agrees(&index, &lines.concat());
        }
    }
    assert_eq!(near[0], 0, "99 skills have no nearness");
    assert!(near[1..].iter().all(|some| *some > 0), "{near:?}");
}
