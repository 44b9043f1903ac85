//! Clones through the worker that the program writes, which reads files of a plain host.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::{files_of, publish};
use crate::harness::{Git, Registry, StaticHost, write_worker};

/// node with the worker as a server. Dropping it ends it.
struct Worker {
    child: Child,
    base: String,
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes requests to the worker.
const SERVER: &str = "
import { createServer } from 'node:http';
import { answer } from './worker/answer.js';

const read = (path, headers) => fetch(process.argv[2] + path, { headers });
const server = createServer(async (incoming, outgoing) => {
  const pieces = [];
  for await (const piece of incoming) pieces.push(piece);
  const body = incoming.method === 'POST' ? Buffer.concat(pieces) : undefined;
  const { method, headers } = incoming;
  const request = new Request('http://worker' + incoming.url, { method, headers, body });
  const response = await answer(request, { read, basePath: '' });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
";

impl Worker {
    fn over(host: &StaticHost, scratch: &std::path::Path) -> Self {
        write_worker(scratch);
        std::fs::write(scratch.join("server.mjs"), SERVER).unwrap();
        let mut child = Command::new("node")
            .args(["server.mjs", &host.base])
            .current_dir(scratch)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a port");
        Self { child, base: format!("http://127.0.0.1:{}", line.trim()) }
    }
}

#[test]
fn worker_serves_clones_from_a_plain_host() {
    let (mut registry, git) = (Registry::with_config("[mirror]\ngit = true\n"), Git::new());
    let expected = files_of(&publish(&registry, "global", "1.0.0"));
    registry.stop();
    let host = StaticHost::over(&registry.public());
    let worker = Worker::over(&host, registry.folder());
    let url = format!("{}/global/hello.git", worker.base);
    for (clone, options) in [("whole", &[][..]), ("cut", &["--depth", "1"])] {
        git.clone(&url, clone, options);
        assert_eq!(git.files(clone), expected, "{options:?}");
    }
    registry.restart();
    let expected = files_of(&publish(&registry, "global", "1.1.0"));
    registry.stop();
    for (clone, fetch) in [("whole", &["fetch"][..]), ("cut", &["fetch", "--depth", "1"])] {
        git.run(&[&["-C", clone], fetch].concat()).ok();
        git.run(&["-C", clone, "reset", "--hard", "origin/main"]).ok();
        assert_eq!(git.files(clone), expected, "{fetch:?}");
    }
    let missing = git.run(&["clone", &format!("{}/global/none.git", worker.base)]);
    assert!(missing.stderr.contains("remote: There is no such skill"), "{missing:?}");
}
