use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix(1_769_860_800 + seconds).unwrap()
}

fn request(client: u64) -> LoginRequest {
    let label = "CLI".to_owned();
    LoginRequest { label, scopes: Scopes::all(), client: ClientAddress::Unknown(client) }
}

fn begin(logins: &DeviceLogins, seconds: i64) -> Codes {
    logins.begin(request(1), at(seconds)).unwrap().unwrap()
}

fn allowed() -> Verdict {
    let (handle, id) = ("ann".parse().unwrap(), "a".repeat(16));
    Verdict::Allowed(Credential::Session { handle, id, expires_at: at(1000) })
}

#[test]
fn allowed_login_is_collected_once() {
    let logins = DeviceLogins::default();
    let codes = begin(&logins, 0);
    assert!(matches!(logins.poll(&codes.device, at(2)), Poll::Pending));
    assert_eq!(logins.find(&codes.user, at(3)), Some(request(1)));
    assert!(logins.decide(&codes.user, allowed(), at(3)));
    assert_eq!(logins.find(&codes.user, at(3)), None, "a code is used once");
    assert!(!logins.decide(&codes.user, Verdict::Denied, at(3)));
    assert!(matches!(logins.poll(&codes.device, at(4)), Poll::Allowed(..)));
    assert!(matches!(logins.poll(&codes.device, at(8)), Poll::Unknown));
    let table = logins.0.lock();
    assert!(table.logins.is_empty() && table.waiting.is_empty() && table.per_client.is_empty());
}

#[test]
fn denied_login_ends() {
    let logins = DeviceLogins::default();
    let codes = begin(&logins, 0);
    assert!(logins.decide(&codes.user, Verdict::Denied, at(1)));
    assert!(matches!(logins.poll(&codes.device, at(2)), Poll::Denied));
    assert!(matches!(logins.poll(&codes.device, at(4)), Poll::Unknown));
}

#[test]
fn expired_codes_are_refused() {
    let logins = DeviceLogins::default();
    let (codes, late) = (begin(&logins, 0), begin(&logins, 0));
    assert!(logins.find(&codes.user, at(599)).is_some());
    assert!(logins.find(&codes.user, at(600)).is_none());
    assert!(!logins.decide(&codes.user, allowed(), at(600)));
    assert!(matches!(logins.poll(&codes.device, at(600)), Poll::Expired));
    assert!(matches!(logins.poll(&codes.device, at(602)), Poll::Unknown));
    // An approval that is not collected in time is void.
    assert!(logins.decide(&late.user, allowed(), at(599)));
    assert!(matches!(logins.poll(&late.device, at(600)), Poll::Expired));
}

#[test]
fn client_that_polls_too_fast_is_slowed_down() {
    let logins = DeviceLogins::default();
    let codes = begin(&logins, 0);
    assert!(matches!(logins.poll(&codes.device, at(0)), Poll::Pending));
    assert!(matches!(logins.poll(&codes.device, at(1)), Poll::TooFast(7)));
    assert!(matches!(logins.poll(&codes.device, at(7)), Poll::TooFast(12)));
    assert!(logins.decide(&codes.user, allowed(), at(8)));
    assert!(matches!(logins.poll(&codes.device, at(9)), Poll::TooFast(17)));
    assert!(matches!(logins.poll(&codes.device, at(26)), Poll::Allowed(..)));
}

#[test]
fn unknown_and_confused_codes_are_refused() {
    let logins = DeviceLogins::default();
    let codes = begin(&logins, 0);
    assert!(matches!(logins.poll("", at(1)), Poll::Unknown));
    assert!(matches!(logins.poll(&codes.user.to_string(), at(1)), Poll::Unknown));
    assert!(logins.find(&UserCode::random().unwrap(), at(1)).is_none());
}

#[test]
fn logins_are_limited_per_client_and_in_all() {
    let logins = DeviceLogins::default();
    for _ in 0..MAX_PER_CLIENT {
        begin(&logins, 0);
    }
    assert_eq!(logins.begin(request(1), at(1)).unwrap().err(), Some(TooMany));
    for client in 2.. {
        if logins.begin(request(client), at(1)).unwrap().is_err() {
            break;
        }
    }
    assert_eq!(logins.0.lock().logins.len(), MAX_LOGINS);
    let expired = 2 * i64::try_from(CODE_TTL.as_secs()).unwrap();
    assert_eq!(logins.begin(request(1), at(expired - 1)).unwrap().err(), Some(TooMany));
    begin(&logins, expired);
    begin(&logins, expired + 1);
    assert_eq!(logins.0.lock().logins.len(), 2, "expired logins are removed");
}
