//! The target `locate`: requests as `path?query`, with a decoded path.

use std::path::Path;

use generator::address::{Document, Form, locate, of_file, paging};

/// Checks that the document of a request is also found by its own request and by its file,
/// and that its file is inside of the tree.
pub fn hold(bytes: &[u8]) {
    let Ok(url) = str::from_utf8(bytes) else { return };
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let _ = paging(query);
    let Ok(found) = locate(path, query) else { return };
    // A tree on a static host is asked for the same paths as files.
    if let Some((document, form)) = of_file(path.trim_start_matches('/')) {
        let file = if form == Form::Plain { document.file() } else { document.gzip_file() };
        assert_eq!(file.as_deref(), Some(path.trim_start_matches('/')));
        leads_back(&document);
    }
    if let Some(document) = found {
        leads_back(&document);
    }
}

fn leads_back(document: &Document) {
    let request = document.request();
    let (path, query) = request.split_once('?').unwrap_or((&request, ""));
    assert_eq!(locate(path, query).as_ref(), Ok(&Some(document.clone())), "{request}");
    // What answers a query that no path is made of has none.
    let Some(file) = document.file() else { return };
    // A file is the same whatever is asked of it.
    for query in ["", query, "page=0"] {
        assert_eq!(locate(&format!("/{file}"), query).as_ref(), Ok(&Some(document.clone())), "{file}");
    }
    assert_eq!(of_file(&file), Some((document.clone(), Form::Plain)), "{file}");
    if let Some(gzip) = document.gzip_file() {
        assert_eq!(of_file(&gzip), Some((document.clone(), Form::Gzip)), "{gzip}");
        assert_eq!(locate(&format!("/{gzip}"), ""), Ok(None), "{gzip}");
    }
    let is_at_home = match document {
        Document::Discovery => file.starts_with(".well-known/"),
        Document::Page(_) => file == "404.html" || Path::new(&file).ends_with("index.html"),
        Document::Asset(_) => file.starts_with("assets/"),
        _ => file.starts_with("api/v1/"),
    };
    assert!(is_at_home, "{document:?}: {file}");
    for piece in file.split('/') {
        assert!(!matches!(piece, "" | "." | "..") && piece.len() <= 255, "{file}");
        assert!(piece.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)), "{file}");
    }
}
