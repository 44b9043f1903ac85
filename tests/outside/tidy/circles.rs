//! No files of a crate use each other in a circle.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use regex::Regex;

use super::assert_none;
use super::source::{Source, rust};

const CRATES: &[&str] = &[
    "registry/src/",
    "generator/src/",
    "server/src/",
    "client/src/",
    "mcp/src/",
    "bucket/src/",
    "postgres/src/",
    "src/",
];

/// A path, such as `crate::names::Slug`, in segments.
type Names = Vec<String>;

/// A file, as far as paths through it are concerned.
#[derive(Default)]
struct Module {
    file: String,
    /// The names of its own items and modules.
    items: BTreeSet<String>,
    modules: BTreeSet<String>,
    /// What its imports call a path. Those of a re-export are in `shown`, too.
    imports: HashMap<String, Names>,
    shown: BTreeSet<String>,
    /// The rest of its code.
    code: String,
}

/// The files of a crate, by their place in it.
struct Crate(BTreeMap<Names, Module>);

/// A file needs another if it names an item that is defined there, through whatever re-exports. A file in a folder may
/// name what its folder's own file defines: that is its context, and not counted.
#[test]
fn files_of_a_crate_form_no_circle() {
    let mut circles = Vec::new();
    for folder in CRATES {
        let files = Crate::read(folder);
        let needs: BTreeMap<&Names, BTreeSet<Names>> =
            files.0.keys().map(|place| (place, files.needs(place))).collect();
        for place in needs.keys() {
            if let Some(circle) = circle(place, &needs) {
                circles
                    .push(circle.iter().map(|place| &*files.0[place].file).collect::<Vec<_>>().join(" -> "));
            }
        }
    }
    assert_none("files need each other in a circle: move what they share into a file below them", &circles);
}

/// The shortest way from a file back to itself.
fn circle(start: &Names, needs: &BTreeMap<&Names, BTreeSet<Names>>) -> Option<Vec<Names>> {
    let mut known = BTreeSet::new();
    let mut ways: Vec<Vec<Names>> = vec![vec![start.clone()]];
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in way.last().and_then(|last| needs.get(last)).into_iter().flatten() {
                let further = [&*way, std::slice::from_ref(next)].concat();
                if next == start {
                    return Some(further);
                }
                if known.insert(next.clone()) {
                    longer.push(further);
                }
            }
        }
        ways = longer;
    }
    None
}

impl Crate {
    fn read(folder: &str) -> Self {
        let sources = rust(folder).into_iter();
        Self(sources.map(|source| (place(folder, &source.path), Module::read(&source))).collect())
    }

    /// The files that define what a file names.
    fn needs(&self, place: &Names) -> BTreeSet<Names> {
        static PATH: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b[a-zA-Z_]\w*(?:::\w+)*").unwrap());
        let module = &self.0[place];
        let written = PATH.find_iter(&module.code).map(|path| names(path.as_str()));
        // An import that is only shown to others is no use of it.
        let imported = module.imports.iter().filter(|(name, _)| !module.shown.contains(*name));
        let all = written.chain(imported.map(|(_, path)| path.clone()));
        let found = all.filter_map(|path| self.definition(place, &path, 0));
        found.filter(|other| !place.starts_with(other)).collect()
    }

    /// The file that defines what `path` names in the file `at`. `None` for something of another crate.
    fn definition(&self, at: &Names, path: &[String], depth: usize) -> Option<Names> {
        let module = self.0.get(at)?;
        let (first, rest) = path.split_first()?;
        let (next, rest) = match first.as_str() {
            "crate" => (Names::new(), rest),
            "self" => (at.clone(), rest),
            "super" => (at[..at.len().checked_sub(1)?].to_vec(), rest),
            name if module.items.contains(name) => return Some(at.clone()),
            name if module.modules.contains(name) => ([&**at, &[name.to_owned()]].concat(), rest),
            // A chain of imports ends; one that leads to itself would not.
            name if depth < 9 => {
                let path = [module.imports.get(name)?, rest].concat();
                return self.definition(at, &path, depth + 1);
            }
            _ => return None,
        };
        // A module that is named without an item of it says nothing about what is used.
        if rest.is_empty() { None } else { self.definition(&next, rest, depth) }
    }
}

impl Module {
    fn read(source: &Source) -> Self {
        static ITEM: LazyLock<Regex> = LazyLock::new(|| {
            let kinds = "fn|struct|enum|trait|type|const|static|union|macro_rules!";
            Regex::new(&format!(r"(?m)^(?:pub(?:\([^)]*\))? )?(?:async |const |unsafe )*(?:{kinds}) (\w+)"))
                .unwrap()
        });
        static MODULE: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"(?m)^(?:pub(?:\([^)]*\))? )?mod (\w+);").unwrap());
        static USE: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"(?m)^\s*(pub(?:\([^)]*\))? )?use ([^;]+);").unwrap());
        static TEXT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#""(?:[^"\\]|\\.)*""#).unwrap());
        let code = source.code_text();
        let code = TEXT.replace_all(&code, "\"\"");
        let all = |pattern: &Regex| pattern.captures_iter(&code).map(|found| found[1].to_owned()).collect();
        let mut module =
            Self { file: source.path.clone(), items: all(&ITEM), modules: all(&MODULE), ..Self::default() };
        for found in USE.captures_iter(&code) {
            let mut imports = Vec::new();
            read_imports(&[], &found[2], &mut imports);
            if found.get(1).is_some() {
                module.shown.extend(imports.iter().map(|(name, _)| name.clone()));
            }
            module.imports.extend(imports);
        }
        module.code = USE.replace_all(&code, "").into_owned();
        module
    }
}

/// Reads `a::{b, c::D as E}`: each name with its path.
fn read_imports(before: &[String], text: &str, found: &mut Vec<(String, Names)>) {
    let text = text.trim();
    if let Some((start, inner)) = text.split_once('{') {
        let before = [before, &names(start)].concat();
        let (mut depth, mut from) = (0, 0);
        for (at, sign) in inner.char_indices() {
            match sign {
                '{' => depth += 1,
                ',' | '}' if depth == 0 => {
                    read_imports(&before, &inner[from..at], found);
                    from = at + 1;
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
        return;
    }
    let (path, name) = text.split_once(" as ").map_or((text, None), |(path, name)| (path, Some(name)));
    let mut path = [before, &names(path)].concat();
    if path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    if let Some(last) = path.last() {
        found.push((name.unwrap_or(last).to_owned(), path));
    }
}

fn names(path: &str) -> Names {
    path.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The place of a file in its crate: that of `names/mod.rs` is `names`.
fn place(folder: &str, path: &str) -> Names {
    let path = path.strip_prefix(folder).and_then(|path| path.strip_suffix(".rs")).unwrap();
    let mut place: Names = path.split('/').map(str::to_owned).collect();
    if ["mod", "lib", "main"].contains(&place.last().unwrap().as_str()) {
        place.pop();
    }
    place
}

#[test]
fn definitions_are_found_through_re_exports() {
    let module = |path: &str, text: &str| {
        let source = Source { path: path.to_owned(), text: text.to_owned() };
        (place("x/src/", path), Module::read(&source))
    };
    let files = Crate(BTreeMap::from([
        module("x/src/lib.rs", "mod a;\nmod b;\n"),
        module("x/src/a/mod.rs", "mod c;\npub use self::c::{D, e as f};\nstruct Own;\n"),
        module("x/src/a/c.rs", "use super::Own;\npub struct D;\npub fn e() {}\n"),
        module(
            "x/src/b.rs",
            "use crate::a::{self, D};\nfn g() { a::f(); \"crate::a::Own\"; std::fs::read() }\n",
        ),
    ]));
    let needs = |place: &str| {
        files.needs(&names(place)).into_iter().map(|place| place.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(needs("b"), ["a::c"]);
    assert_eq!((needs("a"), needs("a::c")), (vec![], vec![]));
}
