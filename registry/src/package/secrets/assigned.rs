//! Values that are given to a name like `API_KEY` or `password`, and passwords in addresses.
//! They are only probable secrets: no issuer has such a form.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::{Hit, placeholder};

/// The last words of the names, in any letter case.
pub(super) const NAMES: &[&str] =
    &["password", "passwd", "passphrase", "pwd", "secret", "token", "key", "credential", "bearer"];

/// The bytes of a text that are looked at.
const MAX_BYTES: usize = 512;

/// An operator and a value, right after a name. The value has no operator, so the texts of
/// two names do not overlap.
static VALUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let operator = r#"["'`\])]{0,3}[ \t]{0,8}(?:=>|:=|==?|:)[ \t]{0,8}|[ \t]{1,8}"#;
    let value = r"(?:[0-9]{6,12}:)?[A-Za-z0-9_+/.~!@#$%^&*?-]{6,256}={0,2}";
    let end = r#"["'`\s,;<}\]\\]|\z"#;
    Regex::new(&format!(r#"(?-u)\A({operator})(["'`]?)({value})({end})"#)).ok()
});

/// User and password, right after `://`.
static USER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?-u)\A([^\s/:@"'`<>]{0,64}):([^\s/:@"'`<>]{1,128})@[A-Za-z0-9\[]"#).ok());

/// The value of the name that ends with the text from `start` to `end`.
pub(super) fn at(content: &[u8], start: usize, end: usize) -> Option<Hit> {
    let (name, rest) = (content.get(start..end)?.to_ascii_lowercase(), content.get(end..)?);
    let found = VALUE.as_ref()?.captures(rest.get(..MAX_BYTES).unwrap_or(rest))?;
    let [operator, quote, value, after] = [1, 2, 3, 4].map(|part| found.get(part));
    let (operator, quote, value, after) =
        (operator?.as_bytes(), quote?.as_bytes(), value?, after?.as_bytes());
    let bare = operator.iter().all(|b| matches!(b, b' ' | b'\t'));
    let is_secret = match &*name {
        b"bearer" => is_random(value.as_bytes()),
        _ if bare => false,
        b"key" => names_a_key(content, start) && is_random(value.as_bytes()),
        b"secret" | b"token" | b"credential" => is_random(value.as_bytes()),
        _ if quote == after => is_password(value.as_bytes()),
        // Without quotes it is often an expression or a type.
        _ => {
            let expression = after == b"," || (after == b";" && operator != b"=");
            quote.is_empty() && !expression && is_password(value.as_bytes())
        }
    };
    let what = if name.starts_with(b"pass") || name == b"pwd" { "a password" } else { "a secret value" };
    is_secret.then(|| Hit { at: end + value.start(), what, certain: false })
}

/// The password of the address whose `://` begins at `start`.
pub(super) fn in_address(content: &[u8], start: usize) -> Option<Hit> {
    let rest = content.get(start + 3..)?;
    let found = USER.as_ref()?.captures(rest.get(..MAX_BYTES).unwrap_or(rest))?;
    let (user, password) = (found.get(1)?, found.get(2)?);
    let words = ["pass", "pwd", "pw", "secret", "user", "token", "key", "test", "guest"];
    let text = password.as_bytes();
    let made_up = text.eq_ignore_ascii_case(user.as_bytes())
        || text.iter().any(|b| matches!(b, b'$' | b'{' | b'}' | b'(' | b'[' | b'*'))
        || placeholder::has_word(text)
        || words.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes()))
        || placeholder::has_any(text, &["password"]);
    let at = start + 3 + password.start();
    (!made_up).then_some(Hit { at, what: "a password in an address", certain: false })
}

/// Whether the `key` at `start` ends the name of a credential: `API_KEY`, `apiKey`,
/// `access-key`, but not `key` or `monkey`.
fn names_a_key(content: &[u8], start: usize) -> bool {
    let before = content.get(start.saturating_sub(3)..start).unwrap_or_default();
    match before {
        [.., word, b'_' | b'-'] => word.is_ascii_alphanumeric(),
        _ if before.eq_ignore_ascii_case(b"api") => true,
        [.., last] => last.is_ascii_lowercase() && content.get(start) == Some(&b'K'),
        [] => false,
    }
}

/// Whether a text looks like random characters, and not like a name, a path, a UUID or a
/// number. In random text the kind of character changes often.
fn is_random(text: &[u8]) -> bool {
    let longest = |text: &[u8], ends: fn(&u8) -> bool| -> Vec<u8> {
        text.split(ends).max_by_key(|piece| piece.len()).unwrap_or_default().to_vec()
    };
    let mut piece = longest(text, |b| matches!(b, b'.' | b':'));
    let has = |piece: &[u8], is: fn(&u8) -> bool| piece.iter().any(is);
    let mixed = has(&piece, u8::is_ascii_uppercase) && has(&piece, u8::is_ascii_lowercase);
    if !mixed {
        piece = longest(&piece, |b| matches!(b, b'/' | b'_' | b'-' | b'@'));
    }
    let kind = |b: &u8| (b.is_ascii_digit(), b.is_ascii_uppercase());
    let changes = piece.windows(2).filter(|pair| kind(&pair[0]) != kind(&pair[1])).count();
    let often = if mixed { changes * 5 >= piece.len() * 2 } else { changes * 4 >= piece.len() };
    let digits = piece.iter().filter(|b| b.is_ascii_digit()).count();
    let address_of_ethereum = text.len() == 42 && text.starts_with(b"0x");
    piece.len() >= 16
        && (2..piece.len()).contains(&digits)
        && often
        && !address_of_ethereum
        && !placeholder::is_monotonous(text)
        && !placeholder::has_word(text)
        && !placeholder::has_pattern(text)
}

/// Whether a text could be a password that someone chose: letters with digits or signs.
fn is_password(text: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| text.iter().any(is);
    has(u8::is_ascii_alphabetic)
        && has(|b| b.is_ascii_digit() || matches!(b, b'!' | b'%' | b'^' | b'&' | b'@' | b'~' | b'+'))
        && !has(|b| matches!(b, b'$' | b'/' | b'*' | b'?'))
        && !placeholder::is_monotonous(text)
        && !placeholder::has_word(text)
        && !placeholder::has_any(text, &["password"])
        && !is_simple(text)
}

/// Whether a password is one of those that examples have: `secret123`.
fn is_simple(text: &[u8]) -> bool {
    let letters = text.iter().rposition(|b| !b.is_ascii_digit()).map_or(0, |last| last + 1);
    let word = text.get(..letters).unwrap_or_default();
    let words = ["", "admin", "demo", "guest", "key", "pass", "pwd", "pw", "secret", "test", "token", "user"];
    words.iter().any(|simple| word.eq_ignore_ascii_case(simple.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::hits;

    fn found(text: &str) -> Vec<&'static str> {
        assert!(hits(text).iter().all(|hit| !hit.certain));
        hits(text).iter().map(|hit| hit.what).collect()
    }

    #[test]
    fn probable_secret_is_found_by_its_name() {
        for (text, what) in [
            ("password = \"Tr0ub4dor&3\"\n", "a password"),
            ("  password: 'hunter2'", "a password"),
            ("DB_PASSWORD=hunter22\n", "a password"),
            ("Server=db;User Id=sa;Password=k9Lmz4QQ;", "a password"),
            ("{\"dbPassword\": \"k9#Lmz!4\"}", "a password"),
            ("api_key: \"9f86d081884c7d659a2feaa0c55ad015\"", "a secret value"),
            ("apiKey = 'vR8mK2xQ9pL4wN7tB3zC6yD1'", "a secret value"),
            ("AWS_SECRET_ACCESS_KEY=wJ4lrXUt7nFEMI/K7MDENG/bPxRfiCY9Kq8Lm2Vn", "a secret value"),
            (
                "DefaultEndpointsProtocol=https;AccountKey=Zm9vYmFy8Qk2LmX4vT7pN1cR5wY3zB6dH9jK0sG+aE/uI==;",
                "a secret value",
            ),
            ("const client_secret = `q3Vn8Xz5Lk2Wp7Rt4Jm9Bc6D`;", "a secret value"),
            ("Authorization: Bearer 4fJ8sK2lP9qW3eR7tY6u\n", "a secret value"),
            ("BOT_TOKEN=718254930:AAHk3jX9vQ2mL8pR5tW1zY7nB4cD6fG0sKe", "a secret value"),
            ("postgres://u:p@h/d", "a password in an address"),
            ("https://admin:k7Lm2pQ9@example.org/x", "a password in an address"),
        ] {
            assert_eq!(found(text), [what], "{text}");
        }
    }

    #[test]
    fn name_with_another_value_is_no_secret() {
        for text in [
            "password = \"your-password\"",
            "password: 'secret123'",
            "PASSWORD=\"${DB_PASSWORD1}\"",
            "password = get_password2()",
            "password: string1;",
            "type=\"password\" name=\"password1\"",
            "api_key = os.environ[\"OPENAI_API_KEY\"]",
            "api_key: \"your-api-key-0123456789abcdef\"",
            "SELL_TOKEN=\"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2\"",
            "token: 550e8400-e29b-41d4-a716-446655440000",
            "model_key: claude-sonnet-4-5-20250929",
            "monkey: 9f86d081884c7d659a2feaa0c55ad015",
            "key: 9f86d081884c7d659a2feaa0c55ad015",
            "max_tokens: 4096",
            "API_KEY=",
            "postgresql://user:password@localhost/db",
            "redis://default:${REDIS_PASSWORD}@cache:6379",
            "http://localhost:8080/@scope/a:b@c",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
