//! Policies: which logs and witnesses must have signed a checkpoint.
//!
//! The format is C2SP tlog-policy (<https://c2sp.org/tlog-policy>).

use std::collections::HashMap;

use signed_note::StandardVerifier;

use super::cosignature::{WitnessKey, WitnessKeyError};
use super::keys::VerifierKey;
use super::{Checkpoint, SignedNoteError};

/// The most bytes of a policy.
pub const MAX_POLICY: usize = 64 << 10;

/// Which logs and witnesses must have signed.
#[derive(Debug, Clone)]
pub struct Policy {
    logs: Vec<VerifierKey>,
    /// Witnesses and groups, each after those that it names.
    rules: Vec<Rule>,
    /// The rule that must be met. None: none.
    quorum: Option<usize>,
}

#[derive(Debug, Clone)]
enum Rule {
    /// A witness must have cosigned. None: its key is of an algorithm that is not known here.
    Witness(Option<WitnessKey>),
    /// So many of these rules must be met.
    Group { least: usize, members: Vec<usize> },
}

/// A file is not a policy.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct PolicyError {
    /// The number of the line, from 1.
    line: usize,
    why: String,
}

/// A checkpoint does not meet a policy.
#[derive(Debug, thiserror::Error)]
pub enum Unmet {
    /// It is not signed by a log of the policy.
    #[error(transparent)]
    Log(#[from] SignedNoteError),
    /// Too few witnesses have cosigned it.
    #[error("the checkpoint lacks cosignatures that the policy demands (it has {has} of known witnesses)")]
    Quorum {
        /// The number of witnesses that have cosigned.
        has: usize,
    },
}

impl Policy {
    /// Parses a policy.
    pub fn parse(file: &[u8]) -> Result<Self, PolicyError> {
        Parser::default().run(file)
    }

    /// The keys of logs that can be registries.
    pub fn logs(&self) -> &[VerifierKey] {
        &self.logs
    }

    /// Checks that a log of the policy has signed a checkpoint, and a quorum of witnesses.
    pub fn verify(&self, signed: &str) -> Result<Checkpoint, Unmet> {
        let origin = Checkpoint::read_unverified(signed.as_bytes())?.origin;
        let of_origin = self.logs.iter().filter(|key| *key.name() == origin);
        let checkpoint = Checkpoint::verify(signed.as_bytes(), &of_origin.cloned().collect::<Vec<_>>())?;
        self.check_quorum(signed)?;
        Ok(checkpoint)
    }

    /// Checks that a quorum of witnesses has cosigned a checkpoint. Its own signature is not
    /// checked.
    pub fn check_quorum(&self, signed: &str) -> Result<(), Unmet> {
        let mut met = Vec::with_capacity(self.rules.len());
        let mut has = 0;
        for rule in &self.rules {
            met.push(match rule {
                Rule::Witness(key) => {
                    let has_cosigned = key.as_ref().is_some_and(|key| key.has_cosigned(signed));
                    has += usize::from(has_cosigned);
                    has_cosigned
                }
                Rule::Group { least, members } => {
                    members.iter().filter(|member| met.get(**member) == Some(&true)).count() >= *least
                }
            });
        }
        let is_met = self.quorum.is_none_or(|quorum| met.get(quorum) == Some(&true));
        if is_met { Ok(()) } else { Err(Unmet::Quorum { has }) }
    }
}

/// What was read so far.
#[derive(Default)]
struct Parser<'a> {
    logs: Vec<VerifierKey>,
    /// The keys of all logs, also of those that are not registries.
    log_keys: Vec<&'a str>,
    rules: Vec<Rule>,
    /// The rule of each name, and whether it is a member of a group.
    names: HashMap<&'a [u8], (usize, bool)>,
    quorum: Option<Option<usize>>,
}

impl<'a> Parser<'a> {
    fn run(mut self, file: &'a [u8]) -> Result<Policy, PolicyError> {
        if file.len() > MAX_POLICY {
            return Err(PolicyError { line: 1, why: format!("a policy has at most {MAX_POLICY} bytes") });
        }
        let mut line = 0;
        for text in file.split(|byte| *byte == b'\n') {
            line += 1;
            self.line(text).map_err(|why| PolicyError { line, why })?;
        }
        let Self { logs, rules, quorum, .. } = self;
        let quorum = quorum.ok_or_else(|| PolicyError { line, why: "there is no `quorum` line".into() })?;
        Ok(Policy { logs, rules, quorum })
    }

    fn line(&mut self, text: &'a [u8]) -> Result<(), String> {
        if text.iter().any(|byte| (*byte < b' ' && *byte != b'\t') || *byte == 0x7f) {
            return Err("control characters are not allowed".into());
        }
        let items: Vec<_> =
            text.split(|byte| matches!(byte, b' ' | b'\t')).filter(|item| !item.is_empty()).collect();
        match items[..] {
            [] => Ok(()),
            [first, ..] if first.starts_with(b"#") => Ok(()),
            [b"log", key] | [b"log", key, _] => self.log(key),
            [b"witness", name, key] | [b"witness", name, key, _] => self.witness(name, key),
            [b"group", name, least, ref members @ ..] => self.group(name, least, members),
            [b"quorum", name] => self.quorum(name),
            [b"log" | b"witness" | b"quorum", ..] => Err("this line has too few or too many items".into()),
            [other, ..] => Err(format!("unknown keyword `{}`", other.escape_ascii())),
        }
    }

    fn log(&mut self, key: &'a [u8]) -> Result<(), String> {
        let text = std::str::from_utf8(key).ok().filter(|text| StandardVerifier::new(text).is_ok());
        let text = text.ok_or("this is not the public key of a log (NAME+ID+KEY)")?;
        let public = text.rsplit('+').next().unwrap_or(text);
        if self.log_keys.contains(&public) {
            return Err("another log has this key".into());
        }
        self.log_keys.push(public);
        // A log with another kind of name is no registry.
        self.logs.extend(text.parse::<VerifierKey>());
        Ok(())
    }

    fn witness(&mut self, name: &'a [u8], key: &[u8]) -> Result<(), String> {
        let text = std::str::from_utf8(key).map_err(|_| WitnessKeyError::Form.to_string())?;
        let key = match text.parse::<WitnessKey>() {
            Ok(key) => Some(key),
            // The key of a log is a mistake. Other algorithms may come.
            Err(WitnessKeyError::Type(other)) if other != 1 => None,
            Err(why) => return Err(why.to_string()),
        };
        let is_same = |rule: &Rule| matches!((rule, &key), (Rule::Witness(Some(one)), Some(other)) if one.bytes() == other.bytes());
        if self.rules.iter().any(is_same) {
            return Err("another witness has this key".into());
        }
        self.define(name, Rule::Witness(key))
    }

    fn group(&mut self, name: &'a [u8], least: &[u8], members: &[&'a [u8]]) -> Result<(), String> {
        let all = members.len();
        let number = || {
            let text =
                std::str::from_utf8(least).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()))?;
            text.parse().ok().filter(|least| (1..=all).contains(least))
        };
        let least = match least {
            b"any" if all > 0 => 1,
            b"all" if all > 0 => all,
            _ => number().ok_or_else(|| {
                format!("a group demands `any`, `all` or 1 to n of its n members, and this one has {all}")
            })?,
        };
        let mut found = Vec::with_capacity(all);
        for member in members {
            let (rule, is_member) = self.names.get_mut(member).ok_or_else(|| undefined(member))?;
            if std::mem::replace(is_member, true) {
                return Err(format!("`{}` is already a member of a group", member.escape_ascii()));
            }
            found.push(*rule);
        }
        self.define(name, Rule::Group { least, members: found })
    }

    fn define(&mut self, name: &'a [u8], rule: Rule) -> Result<(), String> {
        if name == b"none" || self.names.contains_key(name) {
            return Err(format!("the name `{}` is taken", name.escape_ascii()));
        }
        self.names.insert(name, (self.rules.len(), false));
        self.rules.push(rule);
        Ok(())
    }

    fn quorum(&mut self, name: &[u8]) -> Result<(), String> {
        if self.quorum.is_some() {
            return Err("there is a `quorum` line already".into());
        }
        self.quorum = Some(match name {
            b"none" => None,
            name => Some(self.names.get(name).ok_or_else(|| undefined(name))?.0),
        });
        Ok(())
    }
}

fn undefined(name: &[u8]) -> String {
    format!("no witness or group `{}` is defined above", name.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::super::cosignature::tests::TestWitness;
    use super::super::{LogIndex, SigningKey};
    use super::*;

    fn witnesses() -> Vec<TestWitness> {
        (1..=6).map(|n| TestWitness::named(&format!("witness.example/w{n}"), n)).collect()
    }

    /// The example of the specification: two of X, and one of Y.
    fn example(log: &VerifierKey) -> String {
        let mut text = format!("# Comment\nlog {log} https://log.example\n\n");
        for (n, witness) in witnesses().iter().enumerate() {
            let name = if n < 3 { format!("X{}", n + 1) } else { format!("Y{}", n - 2) };
            text += &format!("  witness\t{name} {} https://w.example\n", witness.key);
        }
        text + "group X-witnesses 2 X1 X2 X3\ngroup Y-witnesses any Y1 Y2 Y3\n\
                group X-and-Y all X-witnesses Y-witnesses\nquorum X-and-Y\n"
    }

    #[test]
    fn quorum_of_the_specification_is_counted() {
        let name = "skills.example.org".parse().unwrap();
        let key = SigningKey::generate(&name).unwrap();
        let policy = Policy::parse(example(key.verifier()).as_bytes()).unwrap();
        let checkpoint = Checkpoint::of(name, &LogIndex::default());
        let signed = checkpoint.sign(std::slice::from_ref(&key));
        let witnesses = witnesses();
        let by = |numbers: &[usize]| {
            let lines: String = numbers.iter().map(|n| witnesses[*n].cosign(&signed, 7)).collect();
            policy.verify(&format!("{signed}{lines}"))
        };
        for enough in [&[0, 1, 3][..], &[1, 2, 5], &[0, 1, 2, 3, 4, 5]] {
            assert_eq!(by(enough).unwrap(), checkpoint);
        }
        for few in [&[][..], &[0, 1], &[0, 3, 4, 5], &[0, 0, 3]] {
            assert!(matches!(by(few), Err(Unmet::Quorum { .. })), "{few:?}");
        }
        let stranger = SigningKey::generate(key.verifier().name()).unwrap();
        let other = checkpoint.sign(&[stranger]);
        assert!(matches!(policy.verify(&other), Err(Unmet::Log(_))));
        let none = Policy::parse(format!("log {}\nquorum none", key.verifier()).as_bytes()).unwrap();
        none.verify(&signed).unwrap();
    }

    #[test]
    fn file_that_is_not_a_policy_is_refused_with_its_line() {
        let [one, two] = [1, 2].map(|n| TestWitness::named("witness.example", n).key);
        let log = SigningKey::generate(&"a.example".parse().unwrap()).unwrap();
        let log = log.verifier();
        for (text, line, why) in [
            (String::new(), 1, "no `quorum` line"),
            ("quorum a\n".into(), 1, "no witness or group `a`"),
            ("quorum none\nquorum none\n".into(), 2, "already"),
            (format!("log {log}\nlog {log}\n"), 2, "another log"),
            (format!("log {one}\n"), 1, "not the public key of a log"),
            (format!("witness a {log}\n"), 1, "type 1"),
            (format!("witness a {one}\nwitness b {one}\n"), 2, "another witness"),
            (format!("witness a {one}\nwitness a {two}\n"), 2, "taken"),
            (format!("witness none {one}\n"), 1, "taken"),
            (format!("witness a {one}\ngroup g 2 a\n"), 2, "this one has 1"),
            (format!("witness a {one}\ngroup g 0 a\n"), 2, "this one has 1"),
            (format!("witness a {one}\ngroup g +1 a\n"), 2, "this one has 1"),
            ("group g any\n".into(), 1, "this one has 0"),
            (format!("witness a {one}\ngroup g all a a\n"), 2, "already a member"),
            (format!("witness a {one}\ngroup g all a none\n"), 2, "no witness or group `none`"),
            ("log\n".into(), 1, "too few"),
            ("quorum none x\n".into(), 1, "too many"),
            ("witnes a b\n".into(), 1, "unknown keyword `witnes`"),
            ("quorum none\r\n".into(), 1, "control characters"),
        ] {
            let refused = Policy::parse(text.as_bytes()).unwrap_err().to_string();
            assert!(
                refused.starts_with(&format!("line {line}: ")) && refused.contains(why),
                "{text}: {refused}"
            );
        }
        Policy::parse(&vec![b' '; MAX_POLICY + 1]).unwrap_err();
    }
}
