//! Tokenizer files of every format, against what the original libraries make of text with them.

use std::path::PathBuf;

use pteron_llm::{Assets, Config, Error, ErrorKind, Tokenizer};

fn fixture(name: &str) -> PathBuf {
    pteron_testkit::fixtures().join("llm").join(name)
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(fixture(name)).expect("the fixture is there")
}

fn tiny() -> Tokenizer {
    Tokenizer::from_bytes(&read("tiny/tokenizer.json")).expect("the tokenizer reads")
}

/// What a library makes of texts with a tokenizer.
fn cases(name: &str) -> Vec<serde_json::Value> {
    let cases: serde_json::Value = serde_json::from_slice(&read("tokenizers/cases.json")).unwrap();
    let cases = cases[name].as_array().unwrap().clone();
    assert!(cases.len() > 10, "{name}");
    cases
}

#[test]
fn sentencepiece_models_encode_and_decode_as_sentencepiece_does() {
    for name in ["bpe", "unigram", "symbols"] {
        let tokenizer = Tokenizer::from_bytes(&read(&format!("tokenizers/{name}.model"))).unwrap();
        for case in cases(name) {
            let ids = tokenizer.encode_as_is(case["text"].as_str().unwrap()).unwrap();
            assert_eq!(serde_json::json!(ids), case["ids"], "{name}: {case}");
            assert_eq!(tokenizer.decode(&ids), case["decoded"].as_str().unwrap(), "{name}");
        }
    }
}

#[test]
fn json_files_encode_and_decode_as_the_original_library_does() {
    for name in ["gemma", "byte_level", "scores", "pieces"] {
        let tokenizer = Tokenizer::from_bytes(&read(&format!("tokenizers/{name}.json"))).unwrap();
        for case in cases(name) {
            let text = case["text"].as_str().unwrap();
            let ids = tokenizer.encode_as_is(text).unwrap();
            assert_eq!(serde_json::json!(ids), case["ids"], "{name}: {case}");
            assert_eq!(serde_json::json!(tokenizer.encode(text).unwrap()), case["whole"], "{name}: {case}");
            assert_eq!(tokenizer.decode(&ids), case["decoded"].as_str().unwrap(), "{name}");
        }
    }
}

#[test]
fn runs_of_spaces_that_were_added_come_out_as_spaces() {
    let tokenizer = Tokenizer::from_bytes(&read("tokenizers/gemma.json")).unwrap();
    let ids = tokenizer.encode_as_is("a    b").unwrap();
    assert!(tokenizer.id("▁▁▁▁").is_some_and(|run| ids.contains(&run)), "{ids:?}");
    let mut stream = tokenizer.stream();
    let streamed: String = ids.iter().map(|&id| stream.push(id)).collect();
    assert_eq!((streamed.as_str(), tokenizer.decode(&ids).as_str()), ("a    b", "a    b"));
}

#[test]
fn models_with_spaces_at_the_ends_of_words_are_refused() {
    // The trainer's options, with the flag that no other has.
    let whole = [&read("tokenizers/unigram.model")[..], &[0x12, 3, 0xc0, 1, 1]].concat();
    let error = Tokenizer::from_bytes(&whole).unwrap_err().to_string();
    assert!(error.contains("spaces at the ends of words"), "{error}");
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
fn expressions_find_what_another_library_finds() {
    let cases: serde_json::Value = serde_json::from_slice(&read("tokenizers/patterns.json")).unwrap();
    let cases = cases.as_array().unwrap();
    assert!(cases.len() > 100);
    let mut tokenizer: serde_json::Value = serde_json::from_slice(&read("tokenizers/byte_level.json")).unwrap();
    tokenizer["pre_tokenizer"] =
        serde_json::json!({"type": "ByteLevel", "add_prefix_space": false, "use_regex": false});
    for case in cases {
        tokenizer["normalizer"] =
            serde_json::json!({"type": "Replace", "pattern": {"Regex": case["expression"]}, "content": "|"});
        let tokenizer = Tokenizer::from_bytes(tokenizer.to_string().as_bytes()).unwrap();
        let ids = tokenizer.encode_as_is(case["text"].as_str().unwrap()).unwrap();
        assert_eq!(tokenizer.decode(&ids), case["replaced"].as_str().unwrap(), "{case}");
    }
}
