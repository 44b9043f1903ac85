//! What the server tells systemd.

use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use crate::harness::Registry;

#[test]
fn supervisor_is_told_of_start_reload_and_end() {
    let mut registry = Registry::configured("");
    let path = registry.folder().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let told = || {
        let mut bytes = [0; 256];
        let length = socket.recv(&mut bytes).expect("the server tells something");
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    };
    registry.start_with_variables(&[
        ("NOTIFY_SOCKET", path.to_str().unwrap()),
        ("SKILLMIRROR_LISTEN", "127.0.0.1:0"),
    ]);
    assert_eq!(told(), "READY=1\n");
    // By now it answers.
    registry.get("/healthz").expect(200);
    registry.process().hang_up();
    let reloading = told();
    assert!(reloading.starts_with("RELOADING=1\nMONOTONIC_USEC="), "{reloading}");
    assert_eq!(told(), "READY=1\n");
    registry.stop();
    assert_eq!(told(), "STOPPING=1\n");
}
