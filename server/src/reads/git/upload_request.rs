//! What a client of git asks for (gitprotocol-pack(5)), in version 0 of the protocol.

use generator::git::{FLUSH, NAK, ObjectId};

/// The request of `git-upload-pack`.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct UploadRequest {
    /// The commits that the client wants.
    pub wants: Vec<ObjectId>,
    /// Whether the client limits the depth of the history.
    is_shallow: bool,
    /// Whether the client has named commits that it has.
    has_named: bool,
    /// Whether the client takes the pack now.
    is_done: bool,
}

/// How the response begins, and what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// This is the whole response.
    Whole(&'static [u8]),
    /// The pack follows.
    Pack(&'static [u8]),
}

/// The request is no list of pkt-lines, or has an unknown one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the body is not a request of git-upload-pack")]
pub struct Malformed;

impl UploadRequest {
    /// Parses a body.
    pub fn parse(body: &[u8]) -> Result<Self, Malformed> {
        let (mut request, mut rest, mut flushes) = (Self::default(), body, 0);
        while !rest.is_empty() {
            let (line, later) = first_line(rest)?;
            rest = later;
            let Some(line) = line else {
                flushes += 1;
                continue;
            };
            let line = line.strip_suffix('\n').unwrap_or(line);
            let (word, value) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "want" => {
                    // Capabilities follow the first one.
                    let id = value.split(' ').next().unwrap_or_default();
                    request.wants.push(id.parse().map_err(|_| Malformed)?);
                }
                "deepen" | "deepen-since" | "deepen-not" => request.is_shallow = true,
                // A root without parents is never a boundary, and nothing that clients have helps.
                "shallow" | "have" => {
                    value.parse::<ObjectId>().map_err(|_| Malformed)?;
                }
                "done" => request.is_done = true,
                _ => return Err(Malformed),
            }
        }
        request.has_named = flushes > 1;
        Ok(request)
    }

    /// The response to this request. A commit without parents has no boundary of its history, so
    /// that list is empty, and nothing is in common with what the client has.
    pub fn answer(&self) -> Answer {
        const FLUSH_AND_NAK: &[u8] = b"00000008NAK\n";
        match (self.is_shallow, self.is_done) {
            _ if self.wants.is_empty() => Answer::Whole(b""),
            (false, true) => Answer::Pack(b""),
            (true, true) => Answer::Pack(FLUSH),
            (false, false) => Answer::Whole(NAK),
            (true, false) if self.has_named => Answer::Whole(FLUSH_AND_NAK),
            (true, false) => Answer::Whole(FLUSH),
        }
    }
}

/// The first pkt-line as text, without its length, and what follows it. `None` for a flush.
fn first_line(body: &[u8]) -> Result<(Option<&str>, &[u8]), Malformed> {
    let length = body.get(..4).and_then(|digits| str::from_utf8(digits).ok()).ok_or(Malformed)?;
    // `from_str_radix` accepts a sign.
    let length =
        u16::from_str_radix(length, 16).ok().filter(|_| !length.starts_with('+')).ok_or(Malformed)?;
    if length == 0 {
        return Ok((None, &body[4..]));
    }
    let line = body.get(4..usize::from(length)).ok_or(Malformed)?;
    Ok((Some(str::from_utf8(line).map_err(|_| Malformed)?), &body[usize::from(length)..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "4411e35a1d54ae54315e56646c1f25df91feee66";

    /// A body of these lines; an empty one is a flush.
    fn body(lines: &[&str]) -> Vec<u8> {
        let line = |line: &&str| match line.replace("ID", ID) {
            line if line.is_empty() => "0000".to_owned(),
            line => format!("{:04x}{line}", line.len() + 4),
        };
        lines.iter().map(line).collect::<String>().into_bytes()
    }

    /// What git 2.47 sends, and what it expects.
    const REQUESTS: [(&[&str], Answer); 7] = [
        (&["want ID side-band-64k\n", "want ID\n", "", "done\n"], Answer::Pack(b"")),
        (&["want ID side-band-64k\n", "deepen 1", ""], Answer::Whole(b"0000")),
        (&["want ID side-band-64k\n", "deepen 1", "", "done\n"], Answer::Pack(b"0000")),
        (&["want ID\n", "", "have ID\n", ""], Answer::Whole(b"0008NAK\n")),
        (&["want ID\n", "shallow ID", "deepen 1", "", "have ID\n", ""], Answer::Whole(b"00000008NAK\n")),
        (&["want ID\n", "", "have ID\n", "done\n"], Answer::Pack(b"")),
        // Before a large body, to find out whether the server wants credentials.
        (&[""], Answer::Whole(b"")),
    ];

    #[test]
    fn requests_of_git_are_answered() {
        for (lines, answer) in REQUESTS {
            let request = UploadRequest::parse(&body(lines)).unwrap();
            assert_eq!(request.answer(), answer, "{lines:?}");
            let wants = lines.iter().filter(|line| line.starts_with("want")).count();
            assert_eq!(request.wants, vec![ID.parse().unwrap(); wants]);
        }
        assert_eq!(UploadRequest::parse(b"").unwrap().answer(), Answer::Whole(b""));
    }

    #[test]
    fn malformed_request_is_refused() {
        let malformed: [&[u8]; 12] = [
            b"0",
            b"GET /",
            b"0001",
            b"0002",
            b"0003",
            b"00ff",
            b"+00awant x",
            b"0009want ",
            b"000dcommand=x",
            b"000bwant \xff\xff",
            b"0032want 4411E35A1D54AE54315E56646C1F25DF91FEEE66\n",
            b"0032have 4411e35a1d54ae54315e56646c1f25df91feee6g\n",
        ];
        for body in malformed {
            assert_eq!(UploadRequest::parse(body), Err(Malformed), "{}", body.escape_ascii());
        }
    }

    /// Cuts every request everywhere and changes every byte: nothing may panic, and what is
    /// accepted is a request.
    #[test]
    fn damaged_request_is_refused_or_answered() {
        for (lines, _) in REQUESTS {
            let whole = body(lines);
            for at in 0..whole.len() {
                let _ = UploadRequest::parse(&whole[..at]).map(|request| request.answer());
                for byte in [0, b'0', b'f', b'\n', b'+', 0xff] {
                    let mut changed = whole.clone();
                    changed[at] = byte;
                    if let Ok(request) = UploadRequest::parse(&changed) {
                        assert!(request.wants.len() <= lines.len());
                        request.answer();
                    }
                }
            }
        }
    }
}
