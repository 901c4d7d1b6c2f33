//! The socket of a conversation: messages out, each with a zero behind it, and the zeros of what comes in as line ends.

use super::message::Message;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The least time between two messages to the same side: some programs (pydraughts) take what arrives together for one.
const GAP: Duration = Duration::from_millis(50);
/// How long a side that does not read is written to. A message is small, so this takes very many of them.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long one attempt to connect may take.
const ATTEMPT: Duration = Duration::from_secs(2);
/// Between attempts, and between looks at what else there is.
const PAUSE: Duration = Duration::from_millis(20);

/// The way out. Dropping it closes the connection.
#[derive(Debug)]
pub(super) struct Link {
    stream: TcpStream,
    last: Option<Instant>,
}

impl Link {
    /// Takes over a connection: the way out, and what can be read from it as lines.
    ///
    /// # Errors
    /// If the system cannot.
    pub fn new(stream: TcpStream) -> io::Result<(Self, Frames<TcpStream>)> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let frames = Frames(stream.try_clone()?);
        Ok((Self { stream, last: None }, frames))
    }

    /// Sends a message.
    ///
    /// # Errors
    /// If the other side is gone, or does not read.
    pub fn send(&mut self, message: &Message) -> io::Result<()> {
        if let Some(last) = self.last {
            thread::sleep(GAP.saturating_sub(last.elapsed()));
        }
        let text = message.to_string();
        log::trace!("dxp < {text}");
        let mut bytes = text.into_bytes();
        bytes.push(0);
        self.stream.write_all(&bytes).map_err(|error| {
            io::Error::new(io::ErrorKind::ConnectionAborted, format!("the connection is cut: {error}"))
        })?;
        self.last = Some(Instant::now());
        Ok(())
    }

    /// Something has come in: what is sent next is an answer, and stands alone.
    pub fn heard(&mut self) {
        self.last = None;
    }
}

impl Link {
    /// Closes the connection.
    pub fn close(&mut self) {
        // It may be closed already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.close();
    }
}

/// What comes in. A zero ends a message as `\n` ends a line; line ends within messages become blanks.
#[derive(Debug)]
pub(super) struct Frames<R>(pub R);

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        for byte in buffer.iter_mut().take(count) {
            match byte {
                0 => *byte = b'\n',
                b'\n' | b'\r' => *byte = b' ',
                _ => {}
            }
        }
        Ok(count)
    }
}

/// Connects to an address, again and again until somebody listens there, `deadline` has come or `stop` says so.
///
/// # Errors
/// Why the last attempt failed.
pub(super) fn connect(
    address: &str,
    deadline: Instant,
    mut stop: impl FnMut() -> bool,
) -> io::Result<TcpStream> {
    loop {
        let attempt = address.to_socket_addrs().and_then(|found| {
            let none = Err(io::Error::new(io::ErrorKind::NotFound, "no such host"));
            found.fold(none, |done, address| done.or_else(|_| TcpStream::connect_timeout(&address, ATTEMPT)))
        });
        match attempt {
            Err(_) if Instant::now() < deadline && !stop() => thread::sleep(PAUSE),
            done => return done,
        }
    }
}

/// The next connection that is made to us until `deadline` has come or `stop` says so.
///
/// # Errors
/// If there is none, or if the system cannot.
pub(super) fn accept(
    listener: &TcpListener,
    deadline: Instant,
    mut stop: impl FnMut() -> bool,
) -> io::Result<TcpStream> {
    listener.set_nonblocking(true)?;
    loop {
        match listener.accept() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if Instant::now() >= deadline || stop() {
                    return Err(io::Error::new(io::ErrorKind::TimedOut, "nobody connects"));
                }
                thread::sleep(PAUSE);
            }
            done => return done.map(|(stream, _)| stream),
        }
    }
}

/// Ports from which [`free_address`] takes: systems give those above 32768 to whoever does not ask for one, so that a
/// connection on its way out could be on it before the engine that was told it.
const PORTS: Range<u32> = 20_000..30_000;

/// A port of this machine that nobody uses, as an address. No two calls of a process give the same, until all have been given.
///
/// # Errors
/// If the system has none.
pub(super) fn free_address() -> io::Result<String> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let count = PORTS.end - PORTS.start;
    // Processes begin in different places.
    let first = std::process::id().wrapping_mul(2_654_435_761) % count;
    let mut last = io::Error::from(io::ErrorKind::AddrInUse);
    for _ in 0..count {
        let place = first.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % count;
        match TcpListener::bind(format!("127.0.0.1:{}", PORTS.start + place)) {
            Ok(listener) => return Ok(listener.local_addr()?.to_string()),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// A switch as [`connect`] and [`accept`] ask for it.
pub(super) fn is_set(switch: &AtomicBool) -> bool {
    switch.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_addresses_differ() {
        let addresses: Vec<_> = (0..20).map(|_| free_address().unwrap()).collect();
        let distinct: std::collections::HashSet<_> = addresses.iter().collect();
        assert_eq!(distinct.len(), addresses.len());
    }

    #[test]
    fn zeros_end_messages() {
        let mut text = String::new();
        Frames(&b"C1\0C2\r\nx\0"[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text, "C1\nC2  x\n");
    }
}
