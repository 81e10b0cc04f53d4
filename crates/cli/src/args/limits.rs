//! How much of the machine a program may take.

use std::time::Duration;

use clap::Args;
use pteron_runtime::Limits;

/// How much of the machine a program may take.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// The most memory on the GPU: bytes, or a number with K, M, G or T; 128G unless said
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    max_gpu_bytes: Option<u64>,
    /// The most memory for tensors on the host: bytes, or a number with K, M, G or T; 16G unless said
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    max_host_bytes: Option<u64>,
    /// The most operators and instructions of a method; 131072 unless said
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    /// The most values of a method; 524288 unless said
    #[arg(long, value_name = "N")]
    max_values: Option<u64>,
    /// The most seconds that one call may take; 600 unless said
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    max_call_seconds: Option<Duration>,
}

impl LimitArgs {
    /// The defaults, with what was said instead.
    pub(crate) fn limits(&self) -> Limits {
        let limits = Limits::default();
        limits
            .with_gpu_bytes(self.max_gpu_bytes.unwrap_or(limits.gpu_bytes))
            .with_host_bytes(self.max_host_bytes.unwrap_or(limits.host_bytes))
            .with_nodes(self.max_nodes.unwrap_or(limits.nodes))
            .with_values(self.max_values.unwrap_or(limits.values))
            .with_call_time(self.max_call_seconds.unwrap_or(limits.call_time))
    }
}

fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|last: char| last.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" => 0,
        "K" | "k" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        unit => return Err(format!("{unit} is no unit of bytes: K, M, G and T are")),
    };
    let number: u64 = digits.parse().map_err(|error| format!("{digits:?} is no number of bytes: {error}"))?;
    number.checked_mul(1 << shift).ok_or_else(|| format!("{text} is more than can be counted"))
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|error| format!("{text:?} is no number of seconds: {error}"))?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        assert_eq!(parse_bytes("4096"), Ok(4096));
        assert_eq!(parse_bytes("3M"), Ok(3 << 20));
        assert_eq!(parse_bytes("2T"), Ok(2 << 40));
        for wrong in ["", "G", "-1", "1X", "1.5G", "99999999T", "4096 "] {
            assert!(parse_bytes(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(parse_seconds("0.5"), Ok(Duration::from_millis(500)));
        assert!(parse_seconds("-1").is_err() && parse_seconds("soon").is_err());
    }

    #[test]
    fn the_help_tells_the_defaults() {
        let said = LimitArgs {
            max_gpu_bytes: parse_bytes("128G").ok(),
            max_host_bytes: parse_bytes("16G").ok(),
            max_nodes: Some(131_072),
            max_values: Some(524_288),
            max_call_seconds: parse_seconds("600").ok(),
        };
        assert_eq!(said.limits(), Limits::default());
    }
}
