use super::*;

fn proxies(texts: &[&str]) -> TrustedProxies {
    texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>().try_into().unwrap()
}

/// The client of a request from 10.0.0.1 over connection 7 with these headers.
fn client(values: &[&str]) -> ClientAddress {
    let headers = values.iter().map(|value| (X_FORWARDED_FOR.clone(), value.parse().unwrap())).collect();
    proxies(&["10.0.0.0/8", "fd00::1"]).client([10, 0, 0, 1].into(), 7, &headers)
}

fn known(text: &str) -> ClientAddress {
    ClientAddress::Known(text.parse().unwrap())
}

#[test]
fn rightmost_untrusted_address_is_the_client() {
    for (values, expected) in [
        (&["192.0.2.1"][..], "192.0.2.1"),
        (&["6.6.6.6, 192.0.2.1"], "192.0.2.1"),
        (&["6.6.6.6, 192.0.2.1, 10.9.9.9 ,fd00::1"], "192.0.2.1"),
        (&["6.6.6.6", "192.0.2.1", "10.2.2.2"], "192.0.2.1"),
        (&["not an address, 192.0.2.1"], "192.0.2.1"),
        (&["192.0.2.1:50123"], "192.0.2.1"),
        (&["[2001:db8::1]:50123"], "2001:db8::1"),
        (&["[2001:db8::1]"], "2001:db8::1"),
        (&["::ffff:192.0.2.1"], "192.0.2.1"),
        (&["192.0.2.1, ,"], "192.0.2.1"),
        // Only proxies: one of them is the client.
        (&["10.1.1.1, ::ffff:10.2.2.2"], "10.1.1.1"),
    ] {
        assert_eq!(client(values), known(expected), "{values:?}");
    }
}

#[test]
fn missing_or_invalid_entry_is_unknown() {
    for values in [&[][..], &[""], &[" , "], &["unknown"], &["192.0.2.1, _hidden"], &["192.0.2.1", "ü"]] {
        assert_eq!(client(values), ClientAddress::Unknown(7), "{values:?}");
        assert_eq!(client(values).known(), None);
    }
}

#[test]
fn header_of_an_untrusted_peer_is_ignored() {
    let headers = HeaderMap::from_iter([(X_FORWARDED_FOR.clone(), "192.0.2.1".parse().unwrap())]);
    let stranger: IpAddr = "203.0.113.5".parse().unwrap();
    assert_eq!(proxies(&["10.0.0.0/8"]).client(stranger, 7, &headers), known("203.0.113.5"));
    assert_eq!(TrustedProxies::default().client([10, 0, 0, 1].into(), 7, &headers), known("10.0.0.1"));
    // A dual-stack socket maps IPv4 peers like this.
    let mapped: IpAddr = "::ffff:10.0.0.1".parse().unwrap();
    assert_eq!(proxies(&["10.0.0.1"]).client(mapped, 7, &headers), known("192.0.2.1"));
}

#[test]
fn ipv6_clients_are_identified_by_their_network() {
    assert_eq!(known("2001:db8:1:2:3:4:5:6").network(), known("2001:db8:1:2::").network());
    assert_ne!(known("2001:db8:1:2::1").network(), known("2001:db8:1:3::1").network());
    assert_ne!(known("192.0.2.1").network(), known("192.0.2.2").network());
    assert_ne!(ClientAddress::Unknown(1).network(), ClientAddress::Unknown(2).network());
    assert_eq!(known("2001:db8::1").known(), "2001:db8::1".parse().ok());
}

#[test]
fn invalid_network_is_named_in_the_error() {
    let why = TrustedProxies::try_from(vec!["10.0.0.0/8".to_owned(), "proxy.example.org".to_owned()]);
    assert!(why.unwrap_err().contains("proxy.example.org"));
}
