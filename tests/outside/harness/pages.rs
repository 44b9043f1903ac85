//! Requests for pages, as browsers send them.

use super::{Client, Registry};

/// The `Accept` header of browsers.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

impl Client {
    /// Sends the `Accept` header of a browser.
    pub fn browser(&self) -> Self {
        self.with("accept", BROWSER)
    }
}

impl Registry {
    /// Reads a page, and asserts that the server sends the bytes of the tree, plain and compressed
    /// (as the tree has them, or what they become).
    #[track_caller]
    pub fn page(&self, path: &str) -> String {
        assert!(path.ends_with('/'), "{path}");
        let response = self.anonymous().browser().get(path).expect(200);
        assert_eq!(response.require_header("content-type"), "text/html; charset=utf-8", "{path}");
        let file = format!("{}index.html", &path[1..]);
        assert_eq!(response.text(), String::from_utf8(self.tree_file(&file)).expect("UTF-8"), "{path}");
        let packed = self.anonymous().browser().with("accept-encoding", "gzip").get(path).expect(200);
        let sibling = self.public().join(format!("{file}.gz"));
        if packed.header("content-encoding").is_some() && sibling.exists() {
            assert_eq!(packed.body, std::fs::read(sibling).expect("readable"), "{path}");
        }
        assert_eq!(packed.decompressed(), response.body, "{path}");
        response.text()
    }
}
