//! Finds the paths in Rust source, in imports (`use registry::{a, b::C}`) and in expressions
//! (`registry::a::f()`).

/// Every path in `code` that begins with the crate `root`, as segments.
pub fn rooted_at(root: &str, code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (start, _) in code.match_indices(root) {
        let before = code[..start].chars().next_back();
        let after = &code[start + root.len()..];
        let is_part = before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '"' || c == '/');
        let is_inner = code[..start].trim_end().ends_with("::") && !code[..start].ends_with(" ::");
        if is_part || is_inner || after.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        if let Some(rest) = after.trim_start().strip_prefix("::") {
            tree(vec![root.to_owned()], rest, &mut found);
        } else if is_whole_import(&code[..start], after) {
            found.push(vec![root.to_owned()]);
        }
    }
    found
}

/// `use registry;`, `use registry as r;`, `extern crate registry;`
fn is_whole_import(before: &str, after: &str) -> bool {
    let before = before.trim_end();
    let is_import = before.ends_with("use") || before.ends_with("extern crate");
    is_import && (after.trim_start().starts_with(';') || after.trim_start().starts_with("as "))
}

/// Reads one path or brace group after `::`, and returns what follows it.
fn tree<'a>(path: Vec<String>, text: &'a str, found: &mut Vec<Vec<String>>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut inner) = text.strip_prefix('{') {
        loop {
            inner = inner.trim_start().trim_start_matches(',').trim_start();
            if let Some(rest) = inner.strip_prefix('}') {
                return rest;
            }
            let rest = tree(path.clone(), inner, found);
            if rest.len() == inner.len() {
                return rest; // not a use tree after all
            }
            inner = rest;
            if let Some(alias) = inner.trim_start().strip_prefix("as ") {
                inner = alias.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
            }
        }
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '*')).unwrap_or(text.len());
    let (segment, rest) = text.split_at(end);
    if segment.is_empty() {
        found.push(path);
        return rest;
    }
    let mut path = path;
    if segment != "self" {
        path.push(segment.to_owned());
    }
    match rest.trim_start().strip_prefix("::") {
        Some(deeper) => tree(path, deeper, found),
        None => {
            found.push(path);
            rest
        }
    }
}

#[test]
fn paths_are_read_from_imports_and_from_expressions() {
    let named = |code: &str| -> Vec<String> {
        rooted_at("registry", code).into_iter().map(|path| path.join("::")).collect()
    };
    assert_eq!(named("use registry::names::Slug;"), ["registry::names::Slug"]);
    assert_eq!(
        named("use registry::{names::{self, Slug as S}, access::Rights, ops};\nuse std::fs;"),
        ["registry::names", "registry::names::Slug", "registry::access::Rights", "registry::ops"]
    );
    assert_eq!(named("let a = registry::ops::publish(b);"), ["registry::ops::publish"]);
    assert_eq!(named("pub use registry::*;"), ["registry::*"]);
    assert_eq!(named("use registry as everything;"), ["registry"]);
    assert_eq!(named("let a = self.registry.get(); crate::registry::x(); my_registry::y();"), [""; 0]);
    assert_eq!(named("fn a(registry: &Registry) {}  \"/registry::a\""), [""; 0]);
}
