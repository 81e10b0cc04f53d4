//! Tokenizer files of every format, against what the original libraries make of text with them.

use std::path::PathBuf;

use pteron_llm::{Assets, Config, Error, ErrorKind, Random, Tokenizer};

fn fixture(name: &str) -> PathBuf {
    pteron_testkit::fixtures().join("llm").join(name)
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(fixture(name)).expect("the fixture is there")
}

fn tiny() -> Tokenizer {
    Tokenizer::from_bytes(&read("tiny/tokenizer.json")).expect("the tokenizer reads")
}

#[test]
fn sentencepiece_models_encode_and_decode_as_sentencepiece_does() {
    let cases: serde_json::Value = serde_json::from_slice(&read("tokenizers/cases.json")).unwrap();
    for name in ["bpe", "unigram"] {
        let tokenizer = Tokenizer::from_bytes(&read(&format!("tokenizers/{name}.model"))).unwrap();
        let cases = cases[name].as_array().unwrap();
        assert!(cases.len() > 5);
        for case in cases {
            let ids = tokenizer.encode_as_is(case["text"].as_str().unwrap()).unwrap();
            assert_eq!(serde_json::json!(ids), case["ids"], "{name}: {case}");
            assert_eq!(tokenizer.decode(&ids), case["decoded"].as_str().unwrap(), "{name}");
        }
    }
}

#[test]
fn sentencepiece_texts_begin_with_their_token() {
    let tokenizer = Tokenizer::from_bytes(&read("tokenizers/bpe.model")).unwrap();
    assert_eq!((tokenizer.beginning(), tokenizer.ends()), (Some(1), &[2][..]));
    let ids = tokenizer.encode("A wing").unwrap();
    assert_eq!(ids, [1, 335, 285]);
    assert_eq!(tokenizer.encode("<s>A wing").unwrap(), ids, "a text that names it does not get it twice");
    assert_eq!(tokenizer.encode_as_is("A wing</s>").unwrap(), [335, 285, 2]);
    assert_eq!(tokenizer.decode(&[1, 335, 285, 2]), "A wing");
}

#[test]
fn symbols_of_the_user_are_kept_whole() {
    let tokenizer = Tokenizer::from_bytes(&read("tokenizers/unigram.model")).unwrap();
    let mark = tokenizer.id("<mark>").unwrap();
    let ids = tokenizer.encode_as_is("the<mark>sea").unwrap();
    assert!(ids.contains(&mark), "{ids:?}");
    assert!(tokenizer.decode(&ids).contains("<mark>"));
}

#[test]
fn byte_fallback_tokens_are_held_until_their_character_is_whole() {
    let tokenizer = Tokenizer::from_bytes(&read("tokenizers/bpe.model")).unwrap();
    let ids = tokenizer.encode_as_is("翼🐦").unwrap();
    let mut stream = tokenizer.stream();
    let pieces: Vec<String> = ids.iter().map(|&id| stream.push(id)).collect();
    assert_eq!(pieces.concat(), " 翼🐦", "as a continuation, the first word keeps its space");
    assert_eq!(pieces.iter().filter(|piece| !piece.is_empty()).count(), 3, "{pieces:?}");
    assert_eq!(stream.finish(), "");
    assert!(stream.push(ids[1]).is_empty());
    assert_eq!(stream.finish(), "\u{fffd}");
}

#[test]
fn a_json_tokenizer_goes_there_and_back() {
    let tokenizer = tiny();
    for text in ["A wing", "Über das Meer: 翼 and 🐦", " two  spaces\n", ""] {
        let ids = tokenizer.encode(text).unwrap();
        assert_eq!(tokenizer.decode(&ids), text);
        let mut stream = tokenizer.stream();
        let streamed: String = ids.iter().map(|&id| stream.push(id)).collect();
        assert_eq!(streamed + &stream.finish(), text);
    }
    assert_eq!(tokenizer.vocabulary(), 352);
}

#[test]
fn special_tokens_are_read_from_text_and_have_none() {
    let tokenizer = tiny();
    let ids = tokenizer.encode_as_is("<|begin|>A<|end|>").unwrap();
    assert_eq!((ids.first(), ids.last()), (tokenizer.id("<|begin|>").as_ref(), tokenizer.id("<|end|>").as_ref()));
    assert_eq!(tokenizer.decode(&ids), "A");
}

#[test]
fn the_config_names_beginning_and_end() {
    let config = Config::from_json(&read("tiny/tokenizer_config.json")).unwrap();
    assert_eq!((tiny().beginning(), tiny().ends().len()), (None, 0));
    let tokenizer = tiny().with_config(&config);
    assert_eq!((tokenizer.beginning(), tokenizer.ends()), (Some(0), &[1][..]));
}

#[test]
fn llama3_files_are_known_by_their_content() {
    // The ranks do not matter here; their number and form do.
    let mut file = String::new();
    for rank in 0u32..128_000 {
        let bytes = if rank < 256 { vec![rank.to_le_bytes()[0]] } else { [b"#", &rank.to_be_bytes()[..]].concat() };
        file += &format!("{} {rank}\n", base64(&bytes));
    }
    let tokenizer = Tokenizer::from_bytes(file.as_bytes()).unwrap();
    assert!(tokenizer.is_llama3());
    assert_eq!(tokenizer.id("<|eot_id|>"), Some(128_009));
    assert_eq!(tokenizer.encode("Hi<|eot_id|>").unwrap(), [128_000, 72, 105, 128_009]);
    assert_eq!(tokenizer.ends(), [128_001, 128_008, 128_009]);

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tokenizer.model"), file).unwrap();
    let assets = Assets::beside(folder.path().join("model.pte")).unwrap();
    assert!(assets.tokenizer.is_some_and(|tokenizer| tokenizer.is_llama3()) && assets.template.is_some());
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let word = group.iter().chain([&0, &0]).take(3).fold(0usize, |word, &byte| word << 8 | usize::from(byte));
        for digit in 0..4 {
            let shown = digit <= group.len();
            text.push(if shown { char::from(DIGITS[word >> (18 - 6 * digit) & 63]) } else { '=' });
        }
    }
    text
}

#[test]
fn other_files_are_errors_that_say_so() {
    for (bytes, expected) in [
        (&b"hello"[..], "no tokenizer.json, no sentencepiece"),
        (b"", "no tokenizer.json"),
        (b"\x0a\xff", "no tokenizer.json"),
        (b"{\"bos_token\": \"<s>\"}", "give tokenizer.json"),
        (b"{\"version\": \"1.0\", \"decoder\": {", "broken JSON"),
        (b"IQ== 0\nIg== 1\n", "has 2 ranks"),
    ] {
        let error = Tokenizer::from_bytes(bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::File);
        assert!(error.to_string().contains(expected), "{error}");
    }
    let whole = read("tokenizers/bpe.model");
    for length in (0..whole.len()).step_by(97) {
        // A cut model is an error, or a model with fewer pieces where the cut falls between two.
        let _ = Tokenizer::from_bytes(&whole[..length]);
    }
    let missing = Assets::open(fixture("no_such/tokenizer.json")).unwrap_err();
    assert!(matches!(missing, Error::Io { .. }) && missing.to_string().contains("tokenizer.json"));
}

#[test]
fn damaged_files_are_errors_or_tokenizers_and_nothing_worse() {
    let mut random = Random::new(9);
    let mut below = |bound: usize| usize::try_from(random.bits() % bound as u64).unwrap();
    for name in ["tokenizers/bpe.model", "tokenizers/unigram.model", "tokenizers/small.tiktoken", "tiny/tokenizer.json"]
    {
        let whole = read(name);
        for _ in 0..150 {
            let mut damaged = whole.clone();
            for _ in 0..=below(3) {
                let at = below(damaged.len());
                damaged[at] = u8::try_from(below(256)).unwrap();
            }
            if let Ok(tokenizer) = Tokenizer::from_bytes(&damaged) {
                if let Ok(ids) = tokenizer.encode("A wing, 翼 <mark>") {
                    tokenizer.decode(&ids);
                }
                tokenizer.decode(&[0, 1, 300, u32::MAX]);
            }
        }
    }
}
