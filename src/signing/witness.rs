//! Asks a witness for its cosignature, as C2SP tlog-witness says
//! (<https://c2sp.org/tlog-witness>).

use std::fmt;
use std::io::Read;
use std::time::Duration;

use client::http::Connections;
use generator::SignedCheckpoint;
use registry::transparency_log::TreeProof;
use ureq::http::Request;

use crate::config::WitnessAddress;
use crate::output::escape_controls;

/// How long a witness may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The most bytes of an answer.
const MAX_ANSWER: u64 = 64 << 10;

/// How often one checkpoint is sent: the witness may say once which size it has, and another
/// process may send a checkpoint meanwhile.
const MAX_ATTEMPTS: usize = 3;

/// Proves that the log of the first size grows to that of the second. None if the log has other rows now.
pub type Prove<'a> = &'a dyn Fn(u64, u64) -> Option<TreeProof>;

/// A witness, and the size of the last checkpoint that it has cosigned.
pub struct Witness {
    /// Where it is.
    pub address: WitnessAddress,
    size: u64,
    connections: Connections,
}

impl Witness {
    /// A witness that nobody has asked yet.
    pub fn new(address: WitnessAddress) -> Self {
        let connections = Connections::of_environment(|config| config.timeout_global(Some(TIMEOUT)));
        Self { address, size: 0, connections }
    }

    /// Asks for the cosignature of a checkpoint. Returns the checked line.
    pub fn ask(&mut self, signed: &SignedCheckpoint, prove: Prove<'_>) -> Result<String, String> {
        let size = signed.checkpoint.size;
        for _ in 0..MAX_ATTEMPTS {
            // A smaller log than before: only another history could be smaller.
            self.size = if self.size > size { 0 } else { self.size };
            let proof = prove(self.size, size).ok_or("has to wait: the log has changed")?;
            let proof: String = proof.iter().map(|hash| format!("{hash}\n")).collect();
            let body = format!("old {}\n{proof}\n{}", self.size, signed.text);
            let (status, answer) = self.post(body)?;
            match status {
                200 => {
                    let line = self.address.key.find_cosignatures(&signed.text, &answer);
                    let line = line.map_err(|why| why.to_string())?;
                    self.size = size;
                    return Ok(line);
                }
                409 => {
                    let known =
                        std::str::from_utf8(&answer).ok().and_then(|text| text.trim_end().parse().ok());
                    let known: u64 = known.ok_or("answers 409 without a size")?;
                    if known > size {
                        return Err(format!(
                            "has cosigned {known} rows, but this tree has {size}: it was rolled back"
                        ));
                    }
                    if known == self.size {
                        return Err(format!("has cosigned other rows than the {known} of this tree"));
                    }
                    self.size = known;
                }
                404 => return Err("does not know this log: its operator has to add it".into()),
                403 => return Err("does not know the key of this log: its operator has to add it".into()),
                422 => return Err(format!("has cosigned other rows than the {} of this tree", self.size)),
                status => return Err(format!("answers {status}: {}", first_line(&answer))),
            }
        }
        Err("names another size each time".into())
    }

    fn post(&self, body: String) -> Result<(u16, Vec<u8>), String> {
        let failed = |why: &dyn fmt::Display| format!("cannot be asked: {why}");
        let url = format!("{}/add-checkpoint", self.address.url);
        let request = Request::post(&url).header("Content-Type", "text/plain; charset=utf-8").body(body);
        let sent = self.connections.send(request.map_err(|_| failed(&"its URL is invalid"))?);
        let mut answer = sent.map_err(|why| failed(&why))?;
        let mut bytes = Vec::new();
        let read = answer.body_mut().as_reader().take(MAX_ANSWER).read_to_end(&mut bytes);
        read.map_err(|why| failed(&why))?;
        Ok((answer.status().as_u16(), bytes))
    }
}

/// The start of a text of somebody else.
fn first_line(answer: &[u8]) -> String {
    let text = String::from_utf8_lossy(answer);
    let start: String = text.lines().next().unwrap_or_default().chars().take(100).collect();
    escape_controls(start).to_string()
}

#[cfg(test)]
mod tests;
