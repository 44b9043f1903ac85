//! Pages, as a browser asks for them.

use std::io::Read;

use super::{Answer, Client, Registry};

/// What browsers say they take.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

impl Client {
    /// The same client as a browser that opens an address.
    pub fn browser(&self) -> Self {
        self.with("accept", BROWSER)
    }
}

impl Registry {
    /// A page, by its address: the server sends what the tree has, byte for byte,
    /// plain and compressed.
    #[track_caller]
    pub fn page(&self, path: &str) -> String {
        assert!(path.ends_with('/'), "{path}");
        let answer = self.anyone().browser().get(path).expect(200);
        assert_eq!(answer.must_have("content-type"), "text/html; charset=utf-8", "{path}");
        let file = format!("{}index.html", &path[1..]);
        assert_eq!(answer.text(), String::from_utf8(self.tree_file(&file)).expect("UTF-8"), "{path}");
        let packed = self.anyone().browser().with("accept-encoding", "gzip").get(path).expect(200);
        if packed.header("content-encoding").is_some() {
            assert_eq!(packed.body, self.tree_file(&format!("{file}.gz")), "{path}");
        }
        assert_eq!(unpacked(&packed), answer.body, "{path}");
        answer.text()
    }
}

/// The bytes of an answer that may be compressed.
fn unpacked(answer: &Answer) -> Vec<u8> {
    let mut plain = Vec::new();
    match answer.header("content-encoding") {
        Some(_) => flate2::read::GzDecoder::new(&*answer.body).read_to_end(&mut plain).expect("gzip"),
        None => return answer.body.clone(),
    };
    plain
}
