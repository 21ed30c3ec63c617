//! HTTP/1.1 as far as this server speaks it: requests whose bodies have a stated length, answers, and connections that
//! are kept for further requests.
//!
//! All that a stranger can send is bounded: the bytes of a head and of a body, and the time for each as a whole, so a
//! request that comes byte by byte ends as soon as one that does not come at all.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use httparse::{EMPTY_HEADER, Status};

use crate::refusal::Refusal;
use crate::until::{Until, is_late};

/// The most bytes of a body, and of a message of a page.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// The most bytes of a head, and the most headers in it.
const MOST_HEAD: usize = 16 << 10;
const MOST_HEADERS: usize = 64;

/// The longest wait for the next request.
const IDLE: Duration = Duration::from_secs(10);

/// The longest time that a head takes to come, and the longest time of a body.
const RECEIVING: Duration = Duration::from_secs(10);

/// The longest time that a client takes to receive an answer, and a page to receive a message.
pub(crate) const SENDING: Duration = Duration::from_secs(20);

/// The longest time for which bytes of a request that was refused are thrown away.
const LINGERING: Duration = Duration::from_secs(1);

/// A request.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path, without a query.
    pub(crate) path: String,
    /// The names, in the case in which they came, and the values.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// True if the connection ends after the answer.
    pub(crate) is_last: bool,
}

impl Request {
    /// Reads a head, and tells its length. `None` if it is not whole yet.
    fn parse(bytes: &[u8]) -> Result<Option<(Request, usize)>, Refusal> {
        let too_large = || Refusal::new(431, "the head of a request has at most 16 KB and 64 headers");
        let mut headers = [EMPTY_HEADER; MOST_HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let length = match head.parse(bytes) {
            Ok(Status::Complete(length)) if length <= MOST_HEAD => length,
            Ok(Status::Partial) if bytes.len() < MOST_HEAD => return Ok(None),
            Ok(_) | Err(httparse::Error::TooManyHeaders) => return Err(too_large()),
            Err(error) => return Err(Refusal::bad(format!("this is no request: {error}"))),
        };
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        let mut request = Request {
            method: head.method.unwrap_or_default().into(),
            path: head.path.unwrap_or_default().split('?').next().unwrap_or_default().into(),
            headers: head.headers.iter().map(|header| (header.name.into(), text(header.value))).collect(),
            body: Vec::new(),
            is_last: head.version == Some(0),
        };
        request.is_last |= request.lists("connection", "close");
        Ok(Some((request, length)))
    }

    fn values<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The value of a header that may stand once. Of two values another program may believe the other one.
    pub(crate) fn header(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let mut values = self.values(name);
        match (values.next(), values.next()) {
            (value, None) => Ok(value),
            _ => Err(Refusal::bad(format!("the request has more than one {name}"))),
        }
    }

    /// Returns true if a header that is a list of words has this one.
    pub(crate) fn lists(&self, name: &str, word: &str) -> bool {
        self.values(name).flat_map(|value| value.split(',')).any(|own| own.trim().eq_ignore_ascii_case(word))
    }

    /// The length of the body.
    fn length(&self) -> Result<usize, Refusal> {
        if self.values("transfer-encoding").next().is_some() {
            return Err(Refusal::new(411, "a body in chunks is not read here; send it with a Content-Length"));
        }
        let Some(length) = self.header("content-length")? else { return Ok(0) };
        if length.is_empty() || !length.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Refusal::bad("the Content-Length is no number of bytes"));
        }
        let length = length.parse().ok().filter(|&length| length <= MOST_BYTES);
        length.ok_or_else(|| Refusal::new(413, format!("a request has at most {MOST_BYTES} bytes")))
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    body: Cow<'static, str>,
}

impl Response {
    /// An answer without a body.
    pub(crate) fn empty(status: u16) -> Response {
        Response { status, headers: Vec::new(), body: "".into() }
    }

    /// A text of this kind.
    pub(crate) fn text(status: u16, kind: &str, body: impl Into<Cow<'static, str>>) -> Response {
        Response { body: body.into(), ..Response::empty(status) }.with("content-type", kind)
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Response {
        self.headers.push((name, value.into()));
        self
    }

    /// The bytes of the answer to a request, or to bytes that are none.
    pub(crate) fn bytes(&self, request: Option<&Request>) -> Vec<u8> {
        let mut text = format!("HTTP/1.1 {} \r\n", self.status);
        // Writing to a string cannot fail.
        self.headers.iter().for_each(|(name, value)| _ = write!(text, "{name}: {value}\r\n"));
        // The bytes after a change of protocol are no body.
        if self.status != 101 {
            let _ = write!(text, "content-length: {}\r\n", self.body.len());
        }
        if request.is_none_or(|request| request.is_last) {
            text.push_str("connection: close\r\n");
        }
        text.push_str("\r\n");
        if request.is_none_or(|request| request.method != "HEAD") {
            text.push_str(&self.body);
        }
        text.into_bytes()
    }
}

/// A connection. Its stream is shared with those who may end it.
pub(crate) struct Connection {
    pub(crate) stream: Arc<TcpStream>,
    /// The bytes that have come and are not used yet.
    pub(crate) rest: Vec<u8>,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream) -> Connection {
        Connection { stream: Arc::new(stream), rest: Vec::new() }
    }

    fn fill(&mut self, end: Instant) -> io::Result<usize> {
        let mut bytes = [0; MOST_HEAD];
        let count = Until(&self.stream, end).read(&mut bytes)?;
        self.rest.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    /// Reads more of a request. Returns false if the client has gone.
    fn more(&mut self, end: Instant) -> Result<bool, Refusal> {
        match self.fill(end) {
            Err(error) if is_late(&error) => Err(Refusal::new(408, "the request took too long to come")),
            Err(_) | Ok(0) => Ok(false),
            Ok(_) => Ok(true),
        }
    }

    /// Reads the next request. `None` at the end of the connection. The body is read if `check` likes the head. After
    /// a refusal the connection has no further request.
    pub(crate) fn request(
        &mut self,
        check: impl Fn(&Request) -> Result<(), Refusal>,
    ) -> Result<Option<Request>, Refusal> {
        if self.rest.is_empty() && !matches!(self.fill(Instant::now() + IDLE), Ok(1..)) {
            return Ok(None);
        }
        let end = Instant::now() + RECEIVING;
        let (mut request, head) = loop {
            if let Some(parsed) = Request::parse(&self.rest)? {
                break parsed;
            }
            if !self.more(end)? {
                return Ok(None);
            }
        };
        self.rest.drain(..head);
        check(&request)?;
        let (length, end) = (request.length()?, Instant::now() + RECEIVING);
        if self.rest.len() < length && request.lists("expect", "100-continue") {
            // A client that has gone is noticed by the next read.
            let _ = Until(&self.stream, end).write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
        }
        while self.rest.len() < length {
            if !self.more(end)? {
                return Ok(None);
            }
        }
        request.body = self.rest.drain(..length).collect();
        Ok(Some(request))
    }

    /// Sends the answer to a request, or to bytes that are none.
    pub(crate) fn send(&self, response: &Response, request: Option<&Request>) -> io::Result<()> {
        Until(&self.stream, Instant::now() + SENDING).write_all(&response.bytes(request))
    }

    /// Ends the connection. Bytes that still come are thrown away for a moment, because a system that closes a
    /// connection with unread bytes may take the answer back.
    pub(crate) fn linger(&mut self) {
        let (_, end) = (self.stream.shutdown(Shutdown::Write), Instant::now() + LINGERING);
        while let Ok(1..) = self.fill(end) {
            self.rest.clear();
        }
    }
}
