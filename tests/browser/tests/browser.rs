//! A server, a driver and a page, which end with the test.

use std::future::Future;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::{Value, json};

/// The longest wait for something to appear.
const PATIENCE: Duration = Duration::from_secs(20);

/// A process that ends with this value.
pub(crate) struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The program.
pub(crate) fn program() -> Command {
    Command::new(std::env::var("BOUGHS").expect("BOUGHS names the program, as .ci/browser/run does"))
}

/// Starts `boughs serve` with these arguments, and returns the address of its page.
pub(crate) fn server(arguments: &[&str]) -> (Process, String) {
    let mut child = program()
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .arg("serve")
        .args(arguments)
        .args(["--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (Process(child), line.trim().to_string())
}

/// A page in a browser of its own.
pub(crate) struct Page {
    pub(crate) client: Client,
    pub(crate) address: String,
}

/// Runs a test with a server with these arguments, and a page at this address below it. The console of the page has to
/// stay free of errors.
pub(crate) fn with_page<F: Future<Output = Page>>(arguments: &[&str], path: &str, test: impl FnOnce(Page) -> F) {
    let (_server, address) = server(arguments);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut driver = Command::new("chromedriver");
    driver.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null());
    let _driver = Process(driver.spawn().expect("chromedriver is installed"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = connect(port).await;
        let page = Page { client, address };
        page.open(path).await;
        let page = test(page).await;
        assert_eq!(page.console().await, Vec::<String>::new(), "the console has errors");
        page.client.close().await.unwrap();
    });
}

async fn connect(port: u16) -> Client {
    let options = json!({
        "goog:chromeOptions": {
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000"],
        },
        "goog:loggingPrefs": { "browser": "SEVERE" },
    });
    let end = Instant::now() + PATIENCE;
    loop {
        let mut builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
        builder.capabilities(options.as_object().unwrap().clone());
        match builder.connect(&format!("http://127.0.0.1:{port}")).await {
            Ok(client) => return client,
            Err(error) => assert!(Instant::now() < end, "chromedriver: {error}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Asks chromedriver for something that WebDriver does not have.
#[derive(Debug)]
struct Own(&'static str, Value);

impl WebDriverCompatibleCommand for Own {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.0))
    }
    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.1.to_string()))
    }
}

impl Page {
    /// Goes to an address below that of the server, and waits until the page is ready.
    pub(crate) async fn open(&self, path: &str) {
        // Another fragment alone would not load the page anew.
        self.client.goto("about:blank").await.unwrap();
        self.client.goto(&format!("{}{path}", self.address)).await.unwrap();
        if !path.starts_with("lab") {
            self.until("return document.documentElement.dataset.ready").await;
        }
    }

    /// Runs a script, and returns its result.
    pub(crate) async fn js(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    pub(crate) async fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({}).textContent", json!(selector));
        self.js(&script).await.as_str().unwrap_or_default().to_string()
    }

    /// Waits until a script returns what is true.
    pub(crate) async fn until(&self, script: &str) -> Value {
        self.until_within(PATIENCE, script).await
    }

    /// Waits no longer than this until a script returns what is true.
    pub(crate) async fn until_within(&self, patience: Duration, script: &str) -> Value {
        let end = Instant::now() + patience;
        loop {
            let value = self.js(script).await;
            if !matches!(value, Value::Null | Value::Bool(false)) && value != json!("") {
                return value;
            }
            assert!(Instant::now() < end, "this never becomes true: {script}; {}", self.text("#fault").await);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until an element has a text that contains another.
    pub(crate) async fn until_text(&self, selector: &str, part: &str) {
        let script =
            format!("return document.querySelector({}).textContent.includes({})", json!(selector), json!(part));
        self.until(&script).await;
    }

    /// Clicks as a person does.
    pub(crate) async fn click(&self, selector: &str) {
        let element =
            self.client.find(Locator::Css(selector)).await.unwrap_or_else(|error| panic!("{selector}: {error}"));
        element.click().await.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Presses keys where the focus is.
    pub(crate) async fn press(&self, keys: &str) {
        self.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }

    /// Gives the page this size, and lets it settle.
    pub(crate) async fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        let command = json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": size });
        self.client.issue_cmd(Own("goog/cdp/execute", command)).await.unwrap();
        tokio::time::sleep(Duration::from_millis(150)).await;
    }

    /// Shows the page in light or dark colours.
    pub(crate) async fn colours(&self, scheme: &str) {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        let command = json!({ "cmd": "Emulation.setEmulatedMedia", "params": media });
        self.client.issue_cmd(Own("goog/cdp/execute", command)).await.unwrap();
    }

    /// The errors in the console of the page.
    pub(crate) async fn console(&self) -> Vec<String> {
        let log = self.client.issue_cmd(Own("se/log", json!({ "type": "browser" }))).await.unwrap();
        let texts = log.as_array().unwrap().iter().map(|entry| entry["message"].as_str().unwrap().to_string());
        texts.collect()
    }
}
