//! Stop strings, which may span tokens.

/// Text on its way out, held back while it may be the beginning of a stop string.
#[derive(Clone, Debug, Default)]
pub(crate) struct StopFilter {
    stops: Vec<String>,
    held: String,
}

/// What became of text that was pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Filtered {
    /// This much can go out.
    Text(String),
    /// A stop string is complete; this is the text before it.
    Stopped(String),
}

impl StopFilter {
    /// Stops at the first of these strings, none of which is empty.
    pub(crate) fn new(stops: &[String]) -> StopFilter {
        StopFilter { stops: stops.iter().filter(|stop| !stop.is_empty()).cloned().collect(), held: String::new() }
    }

    /// Takes text, and gives what can no longer be part of a stop string.
    pub(crate) fn push(&mut self, text: &str) -> Filtered {
        self.held.push_str(text);
        if let Some(at) = self.stops.iter().filter_map(|stop| self.held.find(stop.as_str())).min() {
            self.held.truncate(at);
            return Filtered::Stopped(std::mem::take(&mut self.held));
        }
        let kept = self.stops.iter().map(|stop| overlap(&self.held, stop)).max().unwrap_or(0);
        let rest = self.held.split_off(self.held.len() - kept);
        Filtered::Text(std::mem::replace(&mut self.held, rest))
    }

    /// What is still held back, when no more text comes.
    pub(crate) fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

/// Bytes of the longest end of `text` that begins `stop`, and is not all of it.
fn overlap(text: &str, stop: &str) -> usize {
    let beginnings = stop.char_indices().map(|(at, _)| at).skip(1);
    beginnings.filter(|&length| text.as_bytes().ends_with(&stop.as_bytes()[..length])).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stops(strings: &[&str]) -> StopFilter {
        StopFilter::new(&strings.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    fn text(text: &str) -> Filtered {
        Filtered::Text(text.to_owned())
    }

    #[test]
    fn a_stop_string_across_tokens_stops() {
        let mut stops = stops(&["\n\nUser:"]);
        assert_eq!(stops.push("Yes.\n"), text("Yes."));
        assert_eq!(stops.push("\nUs"), text(""));
        assert_eq!(stops.push("er: no"), Filtered::Stopped(String::new()));
        assert_eq!(stops.finish(), "");
    }

    #[test]
    fn what_cannot_become_one_goes_out() {
        let mut stops = stops(&["abc", "bd"]);
        assert_eq!(stops.push("xab"), text("x"));
        assert_eq!(stops.push("a"), text("ab"));
        assert_eq!(stops.push("b"), text(""));
        assert_eq!(stops.push("d!"), Filtered::Stopped("a".to_owned()));
    }

    #[test]
    fn repeated_beginnings_are_held_as_long_as_they_may_be_one() {
        let mut stops = stops(&["aab"]);
        assert_eq!(stops.push("aa"), text(""));
        assert_eq!(stops.push("a"), text("a"));
        assert_eq!(stops.push("b"), Filtered::Stopped(String::new()));
    }

    #[test]
    fn the_earliest_of_several_counts() {
        assert_eq!(stops(&["b", "ab"]).push("xaby"), Filtered::Stopped("x".to_owned()));
    }

    #[test]
    fn characters_stay_whole() {
        let mut stops = stops(&["é→"]);
        assert_eq!(stops.push("caf"), text("caf"));
        assert_eq!(stops.push("é"), text(""));
        assert_eq!(stops.push("è"), text("éè"));
        assert_eq!(stops.push("é"), text(""));
        assert_eq!(stops.finish(), "é");
    }

    #[test]
    fn without_stops_everything_goes_out() {
        assert_eq!(stops(&[""]).push("a"), text("a"));
    }
}
