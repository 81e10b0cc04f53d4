//! `pteron web`: the page for visitors, on this machine and for this machine.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;

use crate::args::WebArgs;
use crate::commands::Outcome;
use crate::failure::Usage;
use crate::output::Output;
use crate::page::Page;

/// The longest that a browser may be silent.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes that a request may have.
const LONGEST: u64 = 64 << 10;

/// Nothing from elsewhere but models that a visitor names, nothing inline, and of what evaluates only wasm.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src *; \
    style-src 'self'; manifest-src 'self'; img-src 'self' data: blob:; media-src blob:; base-uri 'none'; form-action 'none'";

#[derive(Debug, Serialize)]
struct Report {
    address: String,
}

pub(crate) fn run(arguments: &WebArgs, output: &mut Output) -> Result<Outcome> {
    let page = match &arguments.folder {
        Some(folder) if folder.join("index.html").is_file() => Page::Folder(folder.clone()),
        Some(folder) => return Err(Usage::error(format!("{}: there is no index.html in it", folder.display()))),
        None => match Page::embedded() {
            Some(page) => page,
            None => bail!(
                "this pteron was built without the page; a release has it, and in a checkout `cargo xtask web` and \
                 `cargo xtask site` write it before the command is built"
            ),
        },
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, arguments.port)).with_context(|| {
        format!("cannot listen on port {}; --port takes another, and --port 0 any that is free", arguments.port)
    })?;
    let address = format!("http://{}/", listener.local_addr().context("the address of the page")?);
    output.line(format_args!("the page is at {address}, for this machine alone; Ctrl-C ends it"))?;
    output.document(&Report { address: address.clone() })?;
    if arguments.open {
        open(&address)?;
    }
    let page = Arc::new(page);
    for stream in listener.incoming() {
        let page = page.clone();
        // A browser that goes away is no failure.
        std::thread::spawn(move || stream.and_then(|stream| answer(&page, stream)));
    }
    Ok(Outcome::Success)
}

/// Answers one request.
fn answer(page: &Page, mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream.try_clone()?.take(LONGEST));
    let mut first = String::new();
    reader.read_line(&mut first)?;
    // The rest of the request says nothing that matters for a file.
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let mut words = first.split(' ');
    let (method, address) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if !["GET", "HEAD"].contains(&method) {
        return stream.write_all(
            b"HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        );
    }
    let Some(file) = page.file(address) else {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    let encoding = if file.compressed { "Content-Encoding: gzip\r\n" } else { "" };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\n{encoding}Cache-Control: no-cache\r\n\
         Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        file.kind,
        file.bytes.len()
    );
    stream.write_all(head.as_bytes())?;
    if method == "GET" {
        stream.write_all(&file.bytes)?;
    }
    stream.flush()
}

/// Opens an address in the user's browser.
fn open(address: &str) -> Result<()> {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().with_context(|| format!("cannot open a browser with {program}; open {address} by hand"))?;
    Ok(())
}
