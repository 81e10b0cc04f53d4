//! A driver of `compare.py` for the crate kitoken.

use kitoken::*;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&args[1]).unwrap();
    let texts: Vec<String> = serde_json::from_slice(&std::fs::read(&args[2]).unwrap()).unwrap();
    let t = Instant::now();
    let k = match Kitoken::from_slice(&bytes) {
        Ok(k) => k,
        Err(e) => {
            println!("{}", serde_json::json!({"error": e.to_string()}));
            return;
        }
    };
    let load = t.elapsed().as_secs_f64();
    std::panic::set_hook(Box::new(|_| {}));
    let mut ids = vec![];
    let mut dec = vec![];
    for x in &texts {
        let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| k.encode(x, true)));
        match r {
            Ok(Ok(v)) => {
                dec.push(match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| k.decode(&v, false))) {
                    Ok(Ok(b)) => String::from_utf8_lossy(&b).into_owned(),
                    Ok(Err(e)) => format!("ERROR {e}"),
                    Err(_) => "PANIC".into(),
                });
                ids.push(serde_json::json!(v));
            }
            Ok(Err(e)) => {
                ids.push(serde_json::json!(format!("ERROR {e}")));
                dec.push(String::new());
            }
            Err(_) => {
                ids.push(serde_json::json!("PANIC"));
                dec.push(String::new());
            }
        }
    }
    let speed = if let Some(f) = args.get(3) {
        let text = std::fs::read_to_string(f).unwrap();
        let mut best = f64::MAX;
        let mut n = 0;
        for _ in 0..5 {
            let t = Instant::now();
            n = k.encode(&text, true).unwrap().len();
            best = best.min(t.elapsed().as_secs_f64());
        }
        Some((text.len() as f64 / best / 1e6, n))
    } else {
        None
    };
    println!("{}", serde_json::json!({"load": load, "ids": ids, "decoded": dec, "speed": speed}));
}
