//! The claims that every token has (RFC 7519, section 4.1), and when they admit it.

use registry::time::Timestamp;
use serde_json::Value;

use super::Refusal;

/// How far the clocks of an issuer and of this registry may differ, in seconds.
const LEEWAY: i64 = 60;

/// The latest time that is compared: 9999-12-31.
const MAX_TIME: f64 = 253_402_300_799.0;

/// Checks issuer, audience and times.
pub(super) fn check(claims: &Value, issuer: &str, audience: &str, now: Timestamp) -> Result<(), Refusal> {
    if claims.get("iss").and_then(Value::as_str).ok_or(Refusal::Claim("iss"))? != issuer {
        return Err(Refusal::Issuer { issuer: issuer.to_owned() });
    }
    if !is_for(claims, audience)? {
        return Err(Refusal::Audience { audience: audience.to_owned() });
    }
    let now = now.as_unix();
    if time(claims, "exp")?.ok_or(Refusal::Claim("exp"))? <= now - LEEWAY {
        return Err(Refusal::Expired);
    }
    let issued = time(claims, "iat")?.ok_or(Refusal::Claim("iat"))?;
    if issued.max(time(claims, "nbf")?.unwrap_or(issued)) > now + LEEWAY {
        return Err(Refusal::NotYet);
    }
    Ok(())
}

/// Whether the audience is `audience`. With several, the token must also be issued to it (OpenID Connect Core,
/// section 3.1.3.7).
fn is_for(claims: &Value, audience: &str) -> Result<bool, Refusal> {
    let is_issued_to = || match claims.get("azp") {
        None => Ok(None),
        Some(party) => Ok(Some(party.as_str().ok_or(Refusal::Claim("azp"))? == audience)),
    };
    match claims.get("aud").ok_or(Refusal::Claim("aud"))? {
        Value::String(one) => Ok(one == audience),
        Value::Array(all) => match all.as_slice() {
            [one] => Ok(one == audience),
            all => Ok(all.iter().any(|one| one == audience) && is_issued_to()? == Some(true)),
        },
        _ => Err(Refusal::Claim("aud")),
    }
}

/// A time in whole seconds.
fn time(claims: &Value, name: &'static str) -> Result<Option<i64>, Refusal> {
    let Some(value) = claims.get(name) else { return Ok(None) };
    let seconds = value.as_f64().filter(|seconds| (0.0..=MAX_TIME).contains(seconds));
    #[allow(clippy::cast_possible_truncation, reason = "it is within the range of years")]
    seconds.map(|seconds| Some(seconds as i64)).ok_or(Refusal::Claim(name))
}
