//! An agent: a client that speaks MCP to `skillmirror mcp` or to `/mcp` of a server.

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::harness::{Client, Project};

/// A client, and how it reaches the server.
pub enum Agent {
    Stdio(Process),
    Http(Client),
}

/// A running `skillmirror mcp`. Dropping it ends it.
pub struct Process {
    child: Child,
    input: RefCell<ChildStdin>,
    output: RefCell<BufReader<ChildStdout>>,
    last: Cell<u64>,
}

impl Agent {
    /// Starts `skillmirror mcp` with arguments separated by spaces, and shakes hands.
    pub fn started(project: &Project, arguments: &str) -> Self {
        let mut child = project
            .program()
            .arg("mcp")
            .args(arguments.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let input = RefCell::new(child.stdin.take().expect("a pipe"));
        let output = RefCell::new(BufReader::new(child.stdout.take().expect("a pipe")));
        let agent = Self::Stdio(Process { child, input, output, last: Cell::new(0) });
        agent.result("initialize", hello());
        if let Self::Stdio(process) = &agent {
            process.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        agent
    }

    /// An agent of the server at a base address.
    pub fn at(base: &str) -> Self {
        Self::Http(Client::of(base).with("accept", "application/json, text/event-stream"))
    }

    /// The response to a request.
    #[track_caller]
    pub fn ask(&self, method: &str, params: Value) -> Value {
        let request = |id| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        match self {
            Self::Stdio(process) => {
                process.last.set(process.last.get() + 1);
                process.write(&request(process.last.get()));
                process.read()
            }
            Self::Http(client) => client.post_json("/mcp", &request(1)).expect(200).json(),
        }
    }

    /// The result of a request.
    #[track_caller]
    pub fn result(&self, method: &str, params: Value) -> Value {
        let response = self.ask(method, params);
        assert!(response["error"].is_null(), "{method}: {response}");
        response["result"].clone()
    }

    /// Code and message of the error that a request gets.
    #[track_caller]
    pub fn error(&self, method: &str, params: Value) -> (i64, String) {
        let response = self.ask(method, params);
        let error = &response["error"];
        let code = error["code"].as_i64().unwrap_or_else(|| panic!("{method}: no error: {response}"));
        (code, error["message"].as_str().expect("a message").to_owned())
    }

    /// The structured result of a tool.
    #[track_caller]
    pub fn call(&self, tool: &str, arguments: Value) -> Value {
        let result = self.result("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(result["isError"], false, "{tool}: {result}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        let parsed: Value = serde_json::from_str(text).expect("the text is JSON");
        assert_eq!(parsed, result["structuredContent"]);
        result
    }

    /// The sentence with which a tool refuses.
    #[track_caller]
    pub fn refusal(&self, tool: &str, arguments: Value) -> String {
        let result = self.result("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(result["isError"], true, "{tool}: {result}");
        result["content"][0]["text"].as_str().expect("a text").to_owned()
    }

    /// All skills that `skills/list` lists, and the number of pages.
    #[track_caller]
    pub fn skills(&self) -> (Vec<Value>, usize) {
        let (mut all, mut params) = (Vec::new(), json!({}));
        for page in 1.. {
            let mut result = self.result("skills/list", params);
            all.append(result["skills"].as_array_mut().expect("an array"));
            match result["nextCursor"].take() {
                Value::Null => return (all, page),
                cursor => params = json!({ "cursor": cursor }),
            }
        }
        unreachable!("the loop ends with the last page")
    }

    /// The content of a resource, and its media type.
    #[track_caller]
    pub fn read(&self, uri: &str) -> (Vec<u8>, String) {
        let result = self.result("resources/read", json!({ "uri": uri }));
        let contents = &result["contents"][0];
        assert_eq!(contents["uri"], uri);
        let bytes = match (contents["text"].as_str(), contents["blob"].as_str()) {
            (Some(text), None) => text.as_bytes().to_vec(),
            (None, Some(blob)) => data_encoding::BASE64.decode(blob.as_bytes()).expect("it is base64"),
            _ => panic!("neither text nor blob: {result}"),
        };
        (bytes, contents["mimeType"].as_str().expect("a media type").to_owned())
    }
}

impl Process {
    fn write(&self, message: &Value) {
        let mut input = self.input.borrow_mut();
        writeln!(input, "{message}").and_then(|()| input.flush()).expect("the server reads");
    }

    fn read(&self) -> Value {
        let mut line = String::new();
        self.output.borrow_mut().read_line(&mut line).expect("the server writes");
        serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line:?}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The parameters of `initialize`.
pub fn hello() -> Value {
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "1"},
    })
}
