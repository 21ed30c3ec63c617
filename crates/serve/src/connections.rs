//! The open connections. Each has a thread, and their number is bounded.
//!
//! Where there is no room for a newcomer, the connection that has waited longest for its client gives way: for its next
//! request, for the rest of one, or to take an answer. So strangers who send half a request each keep no other out.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::guard::protect;
use crate::http::{Connection, Response};
use crate::permits::{Permit, Permits};
use crate::refusal::Refusal;

/// The longest wait for a connection that gives way, and the pause after the system has given none.
const GIVING_WAY: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(10);

/// The open connections.
pub(crate) struct Connections {
    permits: Arc<Permits>,
    /// Those that wait for their clients, the oldest wait first.
    waiting: Mutex<BTreeMap<u64, Arc<TcpStream>>>,
    next: AtomicU64,
}

impl Connections {
    pub(crate) fn new(most: usize) -> Connections {
        Connections { permits: Permits::new(most), waiting: Mutex::default(), next: AtomicU64::new(0) }
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<TcpStream>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the client of a connection, which gives way meanwhile.
    pub(crate) fn while_waiting<T>(&self, connection: &mut Connection, wait: impl FnOnce(&mut Connection) -> T) -> T {
        let number = self.next.fetch_add(1, Relaxed);
        self.waiting().insert(number, connection.stream.clone());
        let done = wait(connection);
        self.waiting().remove(&number);
        done
    }

    /// Ends the oldest wait. Returns false if there is none.
    fn end_oldest(&self) -> bool {
        let oldest = self.waiting().pop_first();
        oldest.is_some_and(|(_, stream)| stream.shutdown(Shutdown::Both).is_ok())
    }

    fn permit(&self) -> Option<Permit> {
        let at_once = self.permits.take_within(Duration::ZERO);
        at_once.or_else(|| self.end_oldest().then(|| self.permits.take_within(GIVING_WAY)).flatten())
    }

    /// Serves connections as they come, until the program ends.
    pub(crate) fn accept(&self, listener: &TcpListener, serve: impl Fn(Connection) + Clone + Send + 'static) -> ! {
        loop {
            let stream = match listener.accept() {
                Ok((stream, _)) => stream,
                // This client has gone already.
                Err(error) if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) => continue,
                // The program has as many open files as it may.
                Err(_) => {
                    self.end_oldest();
                    thread::sleep(PAUSE);
                    continue;
                }
            };
            let Some(permit) = self.permit() else {
                turn_away(&stream);
                continue;
            };
            // Answers are short, and wait for nothing.
            let _ = stream.set_nodelay(true);
            let (connection, serve) = (Connection::new(stream), serve.clone());
            let stream = connection.stream.clone();
            let work = move || {
                serve(connection);
                drop(permit);
            };
            if thread::Builder::new().name("connection".into()).spawn(work).is_err() {
                turn_away(&stream);
            }
        }
    }
}

/// Refuses a connection. A new one takes so few bytes at once; none is waited for.
fn turn_away(mut stream: &TcpStream) {
    let refusal = Refusal::new(503, "too many connections to this server are open; try again later");
    let answer = protect(Response::from(refusal), "").bytes(None);
    let _ = stream.set_nonblocking(true).and_then(|()| stream.write_all(&answer));
    let _ = stream.shutdown(Shutdown::Write);
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn the_longest_wait_gives_way_and_where_none_waits_a_newcomer_is_told() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let connections: &Connections = Box::leak(Box::new(Connections::new(2)));
        let read = |mut stream: &TcpStream| stream.read(&mut [0]).unwrap();
        // The first byte says whether a connection waits for its client, or works for ever.
        let serve = move |mut connection: Connection| {
            let mut byte = [0];
            (&*connection.stream).read_exact(&mut byte).unwrap();
            let answer = |connection: &mut Connection| (&*connection.stream).write_all(b".").unwrap();
            if byte == *b"w" {
                connections.while_waiting(&mut connection, |connection| {
                    answer(connection);
                    read(&connection.stream);
                });
            } else {
                answer(&mut connection);
                loop {
                    thread::park();
                }
            }
        };
        thread::spawn(move || connections.accept(&listener, serve));
        // A busy machine may take longer than a newcomer waits, who comes again then.
        let open = |says: &[u8]| {
            let attempt = |_| {
                let mut stream = TcpStream::connect(address).unwrap();
                stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
                let mut answer = [0];
                let sent = stream.write_all(says).and_then(|()| stream.read_exact(&mut answer));
                (sent.is_ok() && answer == *b".").then_some(stream)
            };
            (0..100).find_map(attempt).expect("a newcomer is served")
        };
        let (oldest, older) = (open(b"w"), open(b"w"));
        let _working = open(b"b");
        assert_eq!(read(&oldest), 0);
        let _working_too = open(b"b");
        assert_eq!(read(&older), 0);
        let mut told = String::new();
        TcpStream::connect(address).unwrap().read_to_string(&mut told).unwrap();
        assert!(told.starts_with("HTTP/1.1 503") && told.contains("too many connections"), "{told}");
    }
}
