//! Pairs of tokens that become one.

use std::collections::{HashMap, HashSet};

use super::file::{Merge, Merges};
use crate::error::{Error, Result};

/// The pairs of a vocabulary, by ids.
#[derive(Debug)]
pub(super) struct Pairs {
    /// For each pair, its rank and the id that it becomes.
    pub(super) merges: HashMap<(u32, u32), (u32, u32)>,
    /// Tokens that are one character, and those of them that meet where a pair becomes one. Empty where tokens are marked,
    /// since a mark is not part of what a pair becomes.
    characters: HashSet<u32>,
    neighbours: HashSet<(u32, u32)>,
}

impl Pairs {
    /// `prefix` marks tokens that continue a word.
    pub(super) fn new(listed: &Merges, ids: &HashMap<String, u32>, prefix: &str) -> Result<Pairs> {
        let id = |token: &str| {
            let missing = || Error::Tokenizer(format!("its merges name {token:?}, which is not in its vocabulary"));
            ids.get(token).copied().ok_or_else(missing)
        };
        let character = |character: Option<char>| ids.get(&*character?.encode_utf8(&mut [0; 4])).copied();
        let mut merges = HashMap::with_capacity(listed.0.len());
        let (mut neighbours, mut whole) = (HashSet::new(), String::new());
        for (Merge(left, right), rank) in listed.0.iter().zip(0..) {
            whole.clear();
            whole.push_str(left);
            whole.push_str(right.strip_prefix(prefix).unwrap_or(right));
            merges.insert((id(left)?, id(right)?), (rank, id(&whole)?));
            neighbours.extend(character(left.chars().next_back()).zip(character(right.chars().next())));
        }
        let characters = ids.iter().filter(|(token, _)| prefix.is_empty() && token.chars().count() == 1);
        Ok(Pairs { merges, characters: characters.map(|(_, id)| *id).collect(), neighbours })
    }

    /// Whether nothing ever joins what ends with one token and what begins with the other.
    pub(super) fn apart(&self, left: u32, right: u32) -> bool {
        let known = |token: u32| self.characters.contains(&token);
        known(left) && known(right) && !self.neighbours.contains(&(left, right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_meet_in_no_pair_are_apart() {
        let ids = ["a", "b", "c", "ab", "bc", "abc", "#c"].into_iter().map(str::to_owned).zip(0..).collect();
        let listed: Merges = serde_json::from_value(serde_json::json!(["a b", ["ab", "c"]])).unwrap();
        let pairs = Pairs::new(&listed, &ids, "").unwrap();
        assert_eq!((pairs.merges[&(0, 1)], pairs.merges[&(3, 2)]), ((0, 3), (1, 5)));
        assert!(!pairs.apart(0, 1) && !pairs.apart(1, 2), "they meet");
        assert!(pairs.apart(1, 0) && pairs.apart(2, 2) && pairs.apart(0, 2));
        assert!(!pairs.apart(3, 0), "a token of two characters is none of them");
        let marked = Pairs::new(&listed, &ids, "#").unwrap();
        assert!(!marked.apart(1, 0));
    }
}
