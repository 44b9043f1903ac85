//! The two codes of a login: a long one for the client, and a short one for people.

use std::fmt;
use std::io;

use crate::names::Digest;
use crate::random::{random_base32, random_bytes};

/// Letters that make no words and look unlike each other (RFC 8628, section 6.1).
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
/// The letters of a code: 34 bits. Few guesses are possible while a code is valid.
const LENGTH: usize = 8;
/// Where the dash is.
const MIDDLE: usize = 4;

/// The code that a person reads from the client and enters in a browser: eight letters.
#[derive(Clone, PartialEq, Eq)]
pub struct UserCode(String);

impl UserCode {
    /// A new random code. Errors: the system has no random numbers.
    pub fn random() -> io::Result<Self> {
        let mut code = String::with_capacity(LENGTH);
        while code.len() < LENGTH {
            // Numbers from 240 on would make the first letters more likely than others.
            let letters = random_bytes::<16>()?.into_iter().filter(|byte| *byte < 240);
            let letters = letters.filter_map(|byte| LETTERS.get(usize::from(byte) % LETTERS.len()));
            code.extend(letters.map(|letter| char::from(*letter)).take(LENGTH - code.len()));
        }
        Ok(Self(code))
    }

    /// Reads what a person typed: upper or lower case, with or without dashes and spaces.
    pub fn read(text: &str) -> Option<Self> {
        let is_gap = |c: char| c == '-' || c == '\u{2010}' || c == '\u{2013}' || c.is_whitespace();
        let code: String = text.chars().filter(|c| !is_gap(*c)).map(|c| c.to_ascii_uppercase()).collect();
        let fits = code.len() == LENGTH && code.bytes().all(|letter| LETTERS.contains(&letter));
        fits.then_some(Self(code))
    }

    /// The digest, under which the login is stored.
    pub(in crate::local) fn digest(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }
}

impl fmt::Display for UserCode {
    /// As clients show it: `BCDF-GHJK`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end) = self.0.split_at(MIDDLE);
        write!(f, "{start}-{end}")
    }
}

impl fmt::Debug for UserCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UserCode(…)")
    }
}

/// A new device code: 256 random bits.
pub(super) fn device_code() -> io::Result<String> {
    random_base32::<32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_code_is_read_back_as_people_type_it() {
        let code = UserCode::random().unwrap();
        let shown = code.to_string();
        assert_eq!((shown.len(), &shown[4..5]), (9, "-"));
        let plain = shown.replace('-', "");
        for typed in [
            &shown,
            &plain,
            &shown.to_lowercase(),
            &format!(" {} ", shown.replace('-', " ")),
            &shown.replace('-', "–"),
        ] {
            assert_eq!(UserCode::read(typed).as_ref(), Some(&code), "{typed}");
        }
        assert!(!format!("{code:?}").contains(&plain));
        assert_ne!(UserCode::random().unwrap(), code);
    }

    #[test]
    fn other_text_is_no_code() {
        for text in
            ["", "BCDF-GHJ", "BCDF-GHJKL", "ACDF-GHJK", "1CDF-GHJK", "BCDF.GHJK", "BCDF-GHJÄ", "ＢCDFGHJK"]
        {
            assert_eq!(UserCode::read(text), None, "{text}");
        }
    }
}
