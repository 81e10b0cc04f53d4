//! `pteron web`: what browsers get.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::{command, pteron, refuse, text};

/// The page under way; it ends with the test.
struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn new(folder: &std::path::Path) -> Served {
        let arguments = ["web", "--port", "0", "--json", "--folder", text(folder)];
        let mut child = command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut document = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        while serde_json::from_str::<serde_json::Value>(&document).is_err() {
            assert_ne!(lines.read_line(&mut document).unwrap(), 0, "{document}");
        }
        let document: serde_json::Value = serde_json::from_str(&document).unwrap();
        let address = document["address"].as_str().unwrap().strip_prefix("http://").unwrap();
        Served { child, address: address.trim_end_matches('/').to_owned() }
    }

    /// The answer to a request.
    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "{request} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

#[test]
fn a_page_is_served_to_this_machine() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<p>wings</p>").unwrap();
    std::fs::write(folder.path().join("module.wasm"), [0x20; 100_000]).unwrap();
    let served = Served::new(folder.path());
    assert!(served.address.starts_with("127.0.0.1:"), "{}", served.address);
    let page = served.ask("GET /");
    assert!(page.starts_with("HTTP/1.1 200 ") && page.ends_with("\r\n\r\n<p>wings</p>"), "{page}");
    assert!(page.contains("Content-Type: text/html") && page.contains("default-src 'none'"), "{page}");
    let module = served.ask("GET /module.wasm?x=1");
    assert!(module.contains("Content-Type: application/wasm") && module.contains("Content-Length: 100000"));
    assert!(module.len() > 100_000);
    assert!(served.ask("HEAD /module.wasm").ends_with("\r\n\r\n"));
    assert!(served.ask("GET /../secret").starts_with("HTTP/1.1 404 "));
    assert!(served.ask("POST /").starts_with("HTTP/1.1 405 "));
    assert!(served.ask("nonsense").starts_with("HTTP/1.1 405 "));
}

#[test]
fn a_port_that_is_taken_and_a_folder_without_a_page_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    assert!(refuse(&["web", "--folder", text(folder.path())]).contains("no index.html"));
    std::fs::write(folder.path().join("index.html"), "").unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ran = pteron(&["web", "--port", &port, "--folder", text(folder.path())]);
    assert!(ran.code == 1 && ran.stderr.contains("--port 0 any that is free"), "{}", ran.stderr);
}
