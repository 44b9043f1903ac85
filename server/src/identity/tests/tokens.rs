//! Tokens that are valid, and what makes them invalid.

use serde::Deserialize;

use super::signer::{encode, unsigned};
use super::*;

#[test]
fn token_of_every_algorithm_is_read() {
    let rsa = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"].map(|name| Signer::rsa("rsa", name));
    let others = [Signer::ec("p256", "ES256"), Signer::ec("p384", "ES384"), Signer::ed25519("ed")];
    let issuer = issuer(&host(description(), keys(&[&rsa[0], &others[0], &others[1], &others[2]])));
    for signer in rsa.iter().chain(&others) {
        assert_eq!(verify(&issuer, &signer.sign(&claims())).unwrap()["sub"], "1", "{}", signer.algorithm);
    }
}

#[test]
fn token_without_name_of_a_key_needs_the_only_one() {
    let (one, other) = (Signer::ed25519("a"), Signer::ed25519("b"));
    let token = one.sign_as(&json!({ "alg": "EdDSA" }), &claims());
    verify(&issuer(&host(description(), keys(&[&one, &Signer::ec("c", "ES256")]))), &token).unwrap();
    let why = verify(&issuer(&host(description(), keys(&[&one, &other]))), &token).unwrap_err();
    assert!(matches!(why, Refusal::UnknownKey { .. }));
}

#[test]
fn token_that_is_signed_otherwise_is_refused() {
    let (rsa, ed) = (Signer::rsa("rsa", "RS256"), Signer::ed25519("ed"));
    let issuer = issuer(&host(description(), keys(&[&rsa, &ed])));
    let hmac = |secret: &[u8]| {
        let text = unsigned(&json!({ "alg": "HS256", "kid": "rsa" }), &claims());
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret);
        format!("{text}.{}", encode(ring::hmac::sign(&key, text.as_bytes()).as_ref()))
    };
    let modulus = rsa.jwk()["n"].as_str().unwrap().to_owned();
    let none = unsigned(&json!({ "alg": "none" }), &claims());
    let mut changed = ed.sign(&claims());
    changed.replace_range(changed.rfind('.').unwrap() - 4..changed.rfind('.').unwrap(), "AAAA");
    let is_algorithm = |why: &Refusal| *why == Refusal::Algorithm;
    let is_signature = |why: &Refusal| *why == Refusal::Signature;
    let is_malformed = |why: &Refusal| *why == Refusal::Malformed;
    let is_unknown = |why: &Refusal| matches!(why, Refusal::UnknownKey { .. });
    type IsExpected<'a> = &'a dyn Fn(&Refusal) -> bool;
    let cases: [(&str, String, IsExpected<'_>); 13] = [
        ("none", format!("{none}."), &is_algorithm),
        ("None", format!("{}.", unsigned(&json!({ "alg": "None" }), &claims())), &is_algorithm),
        ("HS256 with the public key", hmac(rsa.public()), &is_algorithm),
        ("HS256 with its text", hmac(modulus.as_bytes()), &is_algorithm),
        ("ES512", ed.sign_as(&json!({ "alg": "ES512", "kid": "ed" }), &claims()), &is_algorithm),
        ("key of another type", ed.sign_as(&json!({ "alg": "RS256", "kid": "ed" }), &claims()), &is_unknown),
        ("other algorithm", rsa.sign_as(&json!({ "alg": "RS384", "kid": "rsa" }), &claims()), &is_signature),
        ("foreign key", Signer::ed25519("ed").sign(&claims()), &is_signature),
        ("changed claims", changed, &is_signature),
        (
            "no signature",
            format!("{}.", unsigned(&json!({ "alg": "EdDSA", "kid": "ed" }), &claims())),
            &is_signature,
        ),
        ("empty", String::new(), &is_malformed),
        ("no JSON", "a.b.c".into(), &is_malformed),
        ("crit", ed.sign_as(&json!({ "alg": "EdDSA", "kid": "ed", "crit": ["b64"] }), &claims()), &|why| {
            *why == Refusal::Critical
        }),
    ];
    for (name, token, is_expected) in cases {
        let why = verify(&issuer, &token).unwrap_err();
        assert!(is_expected(&why), "{name}: {why:?}");
        assert!(token.len() < 9 || !why.to_string().contains(&token), "{name}: {why}");
    }
}

#[test]
fn key_that_is_not_for_signatures_is_not_used() {
    let signer = Signer::ed25519("a");
    for (key, value) in [("use", "enc"), ("alg", "RSA-OAEP"), ("alg", "ES256")] {
        let mut jwk = signer.jwk();
        jwk[key] = value.into();
        let issuer = issuer(&host(description(), json!({ "keys": [jwk] })));
        let why = verify(&issuer, &signer.sign(&claims())).unwrap_err();
        assert!(matches!(why, Refusal::UnknownKey { .. }), "{key} {value}: {why}");
    }
}

#[test]
fn claim_that_does_not_hold_is_refused() {
    let signer = Signer::ed25519("a");
    let issuer = issuer(&host(description(), keys(&[&signer])));
    let now = now().as_unix();
    let audience = || Refusal::Audience { audience: "us".into() };
    for (claim, value, expected) in [
        ("iss", json!("https://evil.example.org"), Refusal::Issuer { issuer: ADDRESS.into() }),
        ("iss", Value::Null, Refusal::Claim("iss")),
        ("aud", json!("them"), audience()),
        ("aud", json!([]), audience()),
        ("aud", json!(["us", "them"]), audience()),
        ("aud", json!(7), Refusal::Claim("aud")),
        ("exp", json!(now - 60), Refusal::Expired),
        ("exp", json!("never"), Refusal::Claim("exp")),
        ("exp", json!(-1), Refusal::Claim("exp")),
        ("exp", json!(1e300), Refusal::Claim("exp")),
        ("nbf", json!(now + 61), Refusal::NotYet),
        ("nbf", json!([]), Refusal::Claim("nbf")),
        ("iat", json!(now + 61), Refusal::NotYet),
        ("iat", Value::Null, Refusal::Claim("iat")),
    ] {
        let mut wrong = claims();
        wrong[claim] = value.clone();
        assert_eq!(verify(&issuer, &signer.sign(&wrong)).unwrap_err(), expected, "{claim} {value}");
    }
    for claim in ["iss", "aud", "exp", "iat"] {
        let mut wrong = claims();
        wrong.as_object_mut().unwrap().remove(claim);
        assert_eq!(verify(&issuer, &signer.sign(&wrong)).unwrap_err(), Refusal::Claim(claim));
    }
}

#[test]
fn clocks_may_differ_by_a_minute() {
    let signer = Signer::ed25519("a");
    let issuer = issuer(&host(description(), keys(&[&signer])));
    let now = now().as_unix();
    for (claim, value) in [
        ("exp", json!(now - 59)),
        ("nbf", json!(now + 60)),
        ("iat", json!(now + 60)),
        ("exp", json!(now as f64 + 0.5)),
        ("aud", json!(["us"])),
    ] {
        let mut right = claims();
        right[claim] = value;
        verify(&issuer, &signer.sign(&right)).unwrap();
    }
    let mut several = claims();
    (several["aud"], several["azp"]) = (json!(["us", "them"]), json!("us"));
    verify(&issuer, &signer.sign(&several)).unwrap();
}

#[test]
fn claims_that_the_caller_needs_are_named() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Workflow {
        repository: String,
    }
    let signer = Signer::ed25519("a");
    let issuer = issuer(&host(description(), keys(&[&signer])));
    let why = issuer.verify::<Workflow>(&signer.sign(&claims()), "us", now()).unwrap_err();
    assert!(why.to_string().contains("repository"), "{why}");
}

#[test]
fn new_key_is_asked_for_once_a_minute() {
    let (old, new) = (Signer::ed25519("old"), Signer::ed25519("new"));
    let host = host(description(), keys(&[&old]));
    let issuer = issuer(&host);
    let fetches = || host.asked.lock().iter().filter(|address| *address == KEYS).count();
    let at = |seconds| now().plus(Duration::from_secs(seconds));
    let at_seconds = |signer: &Signer, seconds: u64| {
        let mut claims = claims();
        claims["exp"] = json!(at(seconds).as_unix() + 300);
        issuer.verify::<Value>(&signer.sign(&claims), "us", at(seconds))
    };
    at_seconds(&old, 0).unwrap();
    serve(&host, description(), keys(&[&old, &new]));
    for _ in 0..3 {
        at_seconds(&new, 59).unwrap_err();
    }
    assert_eq!(fetches(), 1);
    at_seconds(&new, 60).unwrap();
    at_seconds(&old, 61).unwrap();
    assert_eq!(fetches(), 2);
    // Strangers can send any name of a key.
    for _ in 0..3 {
        at_seconds(&Signer::ed25519("?"), 120).unwrap_err();
    }
    assert_eq!(fetches(), 3);
    // A failed request for an unknown key does not lose those that are known.
    *host.answer.lock() = Box::new(|_| Err("no route".into()));
    at_seconds(&Signer::ed25519("?"), 200).unwrap_err();
    at_seconds(&new, 201).unwrap();
    serve(&host, description(), keys(&[&new]));
    let day = 24 * 60 * 60;
    at_seconds(&new, 120 + day).unwrap();
    at_seconds(&old, 121 + day).unwrap_err();
}

#[test]
fn keys_of_a_file_need_no_network() {
    let signer = Signer::ed25519("a");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), keys(&[&signer]).to_string()).unwrap();
    let host = host(Value::Null, Value::Null);
    let settings = IssuerSettings { address: ADDRESS.into(), keys_file: Some(file.path().into()) };
    let issuer = Issuer::new(settings, Arc::clone(&host) as Arc<dyn Outbound>).unwrap();
    verify(&issuer, &signer.sign(&claims())).unwrap();
    assert!(host.asked.lock().is_empty());
}
