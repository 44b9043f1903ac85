//! A proxy that connects every client to one port.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A proxy that runs until the test process ends.
pub struct Tunnel {
    /// `127.0.0.1:port`.
    pub address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Tunnel {
    /// Starts a proxy that connects to `port` of this machine, regardless of the requested host.
    pub fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let asked = Arc::clone(&kept);
                std::thread::spawn(move || carry(stream, port, &asked).ok());
            }
        });
        Self { address, asked }
    }

    /// The heads of its requests, as lines.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn carry(mut near: TcpStream, port: u16, asked: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(near.try_clone()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let is_tunnel = head.starts_with("CONNECT ");
    asked.lock().unwrap().push(head);
    if !is_tunnel {
        return near.write_all(b"HTTP/1.1 400 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    }
    let mut far = TcpStream::connect(("127.0.0.1", port))?;
    near.write_all(b"HTTP/1.1 200 Connected\r\n\r\n")?;
    let (mut back, mut there) = (far.try_clone()?, near.try_clone()?);
    let answers = std::thread::spawn(move || {
        let _ = std::io::copy(&mut back, &mut there);
        there.shutdown(Shutdown::Both)
    });
    let _ = std::io::copy(&mut reader, &mut far);
    let _ = far.shutdown(Shutdown::Write);
    let _ = answers.join();
    Ok(())
}
