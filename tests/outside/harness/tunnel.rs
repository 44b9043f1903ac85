//! A proxy that connects every client to one port.

use std::io::{BufRead, BufReader, Read, Write};
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
        Self::carrying(port, carry)
    }

    /// Starts a SOCKS5 proxy that connects to `port` of this machine, regardless of the requested host. It wants a
    /// user name and a password.
    pub fn of_socks(port: u16) -> Self {
        Self::carrying(port, carry_socks)
    }

    fn carrying(port: u16, carry: fn(TcpStream, u16, &Mutex<Vec<String>>) -> std::io::Result<()>) -> Self {
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

    /// The heads of its requests, as lines. Of SOCKS: host, port, user name and password.
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
    near.write_all(b"HTTP/1.1 200 Connected\r\n\r\n")?;
    connect(near, &mut reader, port)
}

/// Speaks RFC 1928 and 1929, as far as `socks5h` needs it.
fn carry_socks(mut near: TcpStream, port: u16, asked: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(near.try_clone()?);
    let mut text = |skipped: usize| {
        let mut start = vec![0; skipped + 1];
        reader.read_exact(&mut start)?;
        let mut text = vec![0; usize::from(start[skipped])];
        reader.read_exact(&mut text).map(|()| String::from_utf8_lossy(&text).into_owned())
    };
    text(1)?;
    near.write_all(&[5, 2])?;
    let (user, password) = (text(1)?, text(0)?);
    near.write_all(&[1, 0])?;
    let host = text(4)?;
    let mut number = [0; 2];
    reader.read_exact(&mut number)?;
    asked.lock().unwrap().push(format!("{host}:{} {user}:{password}", u16::from_be_bytes(number)));
    near.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0])?;
    connect(near, &mut reader, port)
}

fn connect(near: TcpStream, reader: &mut BufReader<TcpStream>, port: u16) -> std::io::Result<()> {
    let mut far = TcpStream::connect(("127.0.0.1", port))?;
    let (mut back, mut there) = (far.try_clone()?, near.try_clone()?);
    let answers = std::thread::spawn(move || {
        let _ = std::io::copy(&mut back, &mut there);
        there.shutdown(Shutdown::Both)
    });
    let _ = std::io::copy(reader, &mut far);
    let _ = far.shutdown(Shutdown::Write);
    let _ = answers.join();
    Ok(())
}
