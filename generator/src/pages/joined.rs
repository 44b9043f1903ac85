//! Joins a script with the modules that it imports. Browsers would ask for each module after they
//! have read the one that imports it, and wait for each answer.

/// The module at `entry` with everything that it imports, as one module. `source` returns the text of
/// a module by its path. Comments and indentation are left out.
///
/// It reads our own scripts only: an import or export is one line and begins it. Imports in a
/// function stay, because they are relative to the folder of `entry`.
pub(super) fn joined<'a>(entry: &str, source: &dyn Fn(&str) -> &'a str) -> String {
    let mut joiner = Joiner { source, paths: Vec::new(), text: String::new() };
    joiner.add(entry);
    joiner.text
}

struct Joiner<'a, 's> {
    source: &'s dyn Fn(&str) -> &'a str,
    /// The modules that `text` has, in its order.
    paths: Vec<String>,
    text: String,
}

impl Joiner<'_, '_> {
    /// Adds a module after those that it imports, unless it was added before. Returns the name of
    /// the constant that holds its exports.
    fn add(&mut self, path: &str) -> String {
        let name = |position: usize| format!("module{position}");
        if let Some(position) = self.paths.iter().position(|known| known == path) {
            return name(position);
        }
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in code((self.source)(path)) {
            if let Some(import) = line.strip_prefix("import ") {
                body += &self.import(path, import);
            } else if let Some(list) = line.strip_prefix("export {") {
                exports.extend(list.split_once('}').map(|(names, _)| names.trim()));
                if list.contains(" from ") {
                    body += &self.import(path, line.trim_start_matches("export "));
                }
            } else if let Some(value) = line.strip_prefix("export default ") {
                exports.push("value");
                body += &format!("const value = {value}");
            } else if let Some(item) = line.strip_prefix("export ") {
                exports.extend(name_of(item));
                body += item;
            } else {
                body += line;
            }
            body.push('\n');
        }
        let name = name(self.paths.len());
        let exports = exports.join(", ");
        self.text += &format!("const {name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n");
        self.paths.push(path.to_owned());
        name
    }

    /// The constants that stand for `import …`, a line of the module at `path`.
    fn import(&mut self, path: &str, import: &str) -> String {
        let Some((names, from)) = import.split_once(" from ") else { return String::new() };
        let mut place: Vec<&str> = path.split('/').collect();
        place.pop();
        for part in from.trim_matches(['\'', ';']).split('/') {
            match part {
                "." => {}
                ".." => drop(place.pop()),
                name => place.push(name),
            }
        }
        let module = self.add(&place.join("/"));
        let names = if names.starts_with('{') { names.to_owned() } else { format!("{{ value: {names} }}") };
        format!("const {names} = {module};")
    }
}

/// The name of the function, class or constant that begins with this line.
fn name_of(item: &str) -> Option<&str> {
    let mut words = item.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.find(|word| !["async", "function", "class", "const"].contains(word))
}

/// The lines of a script without indentation, comments and empty lines.
fn code(source: &str) -> impl Iterator<Item = &str> {
    let mut is_comment = false;
    source.lines().map(str::trim_start).filter(move |line| {
        let was_comment = is_comment || line.starts_with("/*");
        is_comment = was_comment && !line.ends_with("*/");
        !(was_comment || line.starts_with("//") || line.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_joined_after_those_that_they_import() {
        let source = |path: &str| match path {
            "page.js" => {
                "// A page.\nimport { find } from './search/query.js';\nimport { words } from './search.js';\n\nfind(words);"
            }
            "search.js" => {
                "export { words } from './search/words.js';\nexport class Search {}\nimport('./search/more.js');"
            }
            "search/query.js" => {
                "import list from '../search/list.js';\n/**\n * Finds.\n */\nexport async function find(all) {\n  return list;\n}"
            }
            "search/words.js" => "/** Words. */\nconst words = []; // All.\nexport { words };",
            "search/list.js" => "export default {\n  a: 1\n};",
            _ => panic!("{path}"),
        };
        let expected = "\
            const module0 = (() => {\nconst value = {\na: 1\n};\nreturn { value };\n})();\n\
            const module1 = (() => {\nconst { value: list } = module0;\nasync function find(all) {\nreturn list;\n}\n\
            return { find };\n})();\n\
            const module2 = (() => {\nconst words = []; // All.\n\nreturn { words };\n})();\n\
            const module3 = (() => {\nconst { words } = module2;\nclass Search {}\nimport('./search/more.js');\n\
            return { words, Search };\n})();\n\
            const module4 = (() => {\nconst { find } = module1;\nconst { words } = module3;\nfind(words);\n\
            return {  };\n})();\n";
        assert_eq!(joined("page.js", &source), expected);
    }
}
