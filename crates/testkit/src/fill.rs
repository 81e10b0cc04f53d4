//! Skeletons: programs without their large constants, and manifests that say how to fill them.
//!
//! A skeleton of a megabyte stands for a model of a gigabyte: the same bytes, with parts cut out. What is missing is
//! computed when it is read, so the model is never in memory.

use std::ops::Range;
use std::path::Path;

use bytes::Bytes;
use pteron_runtime::{Read, Source};
use serde::Deserialize;

use crate::case::CaseError;

/// What a skeleton lacks.
#[derive(Clone, Debug, Deserialize)]
pub struct Manifest {
    /// Bytes of the whole program.
    pub full_bytes: u64,
    /// The parts that were left out.
    pub dropped: Vec<OmittedConstant>,
}

/// A part of a program that was left out.
#[derive(Clone, Debug, Deserialize)]
pub struct OmittedConstant {
    /// What it is, which says how to fill it.
    pub role: String,
    /// Columns that share a scale.
    #[serde(default)]
    pub group_size: u64,
    /// Sizes of the tensor.
    #[serde(default)]
    pub dims: Vec<u64>,
    /// Where it begins in the whole program.
    pub file_offset: u64,
    /// How many bytes it has.
    pub size: u64,
    /// Four bytes in hexadecimal digits, of which it consists over and over.
    #[serde(default)]
    pub pattern: String,
    /// The mean of its floats.
    #[serde(default)]
    pub mean: f64,
    /// Their standard deviation.
    #[serde(default)]
    pub deviation: f64,
}

/// A skeleton with its missing parts computed when they are read.
#[derive(Debug)]
pub struct FilledSource {
    name: String,
    skeleton: Bytes,
    length: u64,
    pieces: Vec<(Range<u64>, Piece)>,
}

/// Where the bytes of a range come from.
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// From the skeleton, from this place on. Past its end everything is zero.
    Own(u64),
    Computed(Fill),
}

#[derive(Clone, Copy, Debug)]
enum Fill {
    /// Pseudo-random bytes, a function of the offset.
    Random,
    /// Four bytes over and over.
    Repeat([u8; 4]),
    /// Pseudo-random 32-bit floats, evenly distributed from the first to the second.
    Floats(f64, f64),
}

/// Standard deviation of the integers 0 to 15, less 8: with it a random row has values of about unit size.
const NIBBLE_DEVIATION: f64 = 4.61;

impl Manifest {
    /// Reads the manifest beside a skeleton: the same name with `.json` for `.pte`.
    pub fn beside(skeleton: &Path) -> Result<Manifest, CaseError> {
        let path = skeleton.with_extension("json");
        let text = std::fs::read(&path).map_err(|source| CaseError::Io { path: path.clone(), source })?;
        serde_json::from_slice(&text).map_err(|e| CaseError::Content { path, reason: e.to_string() })
    }
}

impl FilledSource {
    /// Fills a skeleton by its manifest.
    pub fn new(skeleton: &Path, manifest: &Manifest) -> Result<FilledSource, CaseError> {
        let content = |reason: String| CaseError::Content { path: skeleton.to_owned(), reason };
        let bytes = std::fs::read(skeleton).map_err(|source| CaseError::Io { path: skeleton.to_owned(), source })?;
        let mut parts: Vec<_> = manifest.dropped.iter().collect();
        parts.sort_by_key(|part| part.file_offset);
        let (mut pieces, mut at, mut left_out) = (Vec::new(), 0, 0);
        for part in parts {
            let end = part.file_offset.checked_add(part.size).filter(|&end| end <= manifest.full_bytes);
            let end = end.filter(|_| at <= part.file_offset);
            let end = end.ok_or_else(|| content(format!("part {:?} lies outside the program", part.role)))?;
            pieces.push((at..part.file_offset, Piece::Own(at - left_out)));
            pieces.push((part.file_offset..end, Piece::Computed(part.fill().map_err(content)?)));
            at = end;
            left_out += part.size;
        }
        pieces.push((at..manifest.full_bytes, Piece::Own(at - left_out)));
        let name = format!("{} (filled)", skeleton.display());
        Ok(FilledSource { name, skeleton: bytes.into(), length: manifest.full_bytes, pieces })
    }
}

impl OmittedConstant {
    fn fill(&self) -> Result<Fill, String> {
        #[expect(clippy::cast_possible_truncation, reason = "scales are f32")]
        let repeat = |value: f64| Fill::Repeat((value as f32).to_le_bytes());
        Ok(match self.role.as_str() {
            "q4_weight" | "random" => Fill::Random,
            "repeated" => Fill::Repeat(self.repeated()?),
            "floats" if self.file_offset.is_multiple_of(4) && self.mean.is_finite() && self.deviation.is_finite() => {
                // As wide as an even distribution of this deviation is.
                let reach = self.deviation.abs() * 3.0f64.sqrt();
                Fill::Floats(self.mean - reach, self.mean + reach)
            }
            "linear_scales[K/g,N]" => {
                let groups = self.dims.first().ok_or("linear scales have no sizes")?;
                repeat(1.0 / (NIBBLE_DEVIATION * ((groups * self.group_size) as f64).sqrt()))
            }
            "embedding_scales[V,K/g]" => repeat(1.0 / NIBBLE_DEVIATION),
            "kv_zero_init" => Fill::Repeat([0; 4]),
            role => return Err(format!("it is not known how to fill a part with the role {role:?}")),
        })
    }
}

impl OmittedConstant {
    fn repeated(&self) -> Result<[u8; 4], String> {
        let bits = u32::from_str_radix(&self.pattern, 16).ok().filter(|_| self.pattern.len() == 8);
        bits.map(u32::to_be_bytes).ok_or_else(|| format!("{:?} is no pattern of four bytes", self.pattern))
    }
}

impl Fill {
    /// Writes the bytes of a part that begin at `offset` of the program.
    fn write(self, offset: u64, out: &mut [u8]) {
        match self {
            Fill::Repeat(value) => {
                for (i, byte) in (offset..).zip(out) {
                    *byte = value[usize::try_from(i % 4).unwrap_or(0)];
                }
            }
            Fill::Floats(least, most) => {
                for (i, byte) in (offset..).zip(out) {
                    let part = (mix(i / 4) >> 11) as f64 / (1u64 << 53) as f64;
                    #[expect(clippy::cast_possible_truncation, reason = "they are 32-bit floats")]
                    let value = (least + (most - least) * part) as f32;
                    *byte = value.to_le_bytes()[usize::try_from(i % 4).unwrap_or(0)];
                }
            }
            Fill::Random => {
                let mut at = 0;
                while at < out.len() {
                    let position = offset + at as u64;
                    let word = mix(position / 8).to_le_bytes();
                    let skip = usize::try_from(position % 8).unwrap_or(0);
                    let count = (8 - skip).min(out.len() - at);
                    out[at..at + count].copy_from_slice(&word[skip..skip + count]);
                    at += count;
                }
            }
        }
    }
}

/// The splitmix64 finalizer: a good hash of a counter.
fn mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Source for FilledSource {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn len(&self) -> u64 {
        self.length
    }

    fn read(&self, range: Range<u64>) -> Read<'_> {
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        if self.pieces.first().is_some_and(|(own, _)| range.end <= own.end) && place(range.end) <= self.skeleton.len() {
            return Read::Ready(Ok(self.skeleton.slice(place(range.start.min(range.end))..place(range.end))));
        }
        let Ok(length) = usize::try_from(range.end.saturating_sub(range.start)) else {
            return Read::Ready(Err(std::io::ErrorKind::OutOfMemory.into()));
        };
        let mut bytes = vec![0; length];
        for (piece, content) in &self.pieces {
            let (start, end) = (piece.start.max(range.start), piece.end.min(range.end));
            if start >= end {
                continue;
            }
            let out = &mut bytes[place(start - range.start)..place(end - range.start)];
            match content {
                Piece::Computed(fill) => fill.write(start, out),
                Piece::Own(at) => {
                    let own = self.skeleton.get(place(at + (start - piece.start))..).unwrap_or_default();
                    let count = own.len().min(out.len());
                    out[..count].copy_from_slice(&own[..count]);
                }
            }
        }
        Read::Ready(Ok(bytes.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_in_the_middle_are_put_back() {
        let folder = std::env::temp_dir().join(format!("pteron-fill-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let skeleton = folder.join("a.skel.pte");
        std::fs::write(&skeleton, [1, 2, 3, 4, 5, 6]).unwrap();
        let manifest = serde_json::json!({"full_bytes": 14, "dropped": [
            {"role": "repeated", "pattern": "0a0b0c0d", "file_offset": 4, "size": 6},
            {"role": "random", "file_offset": 12, "size": 1},
        ]});
        std::fs::write(folder.join("a.skel.json"), manifest.to_string()).unwrap();
        let filled = FilledSource::new(&skeleton, &Manifest::beside(&skeleton).unwrap()).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let read = |range: Range<u64>| match filled.read(range) {
            Read::Ready(bytes) => bytes.unwrap().to_vec(),
            Read::Later(_) => unreachable!("nothing is waited for"),
        };
        let mut random = [0];
        Fill::Random.write(12, &mut random);
        let whole = [1, 2, 3, 4, 10, 11, 12, 13, 10, 11, 5, 6, random[0], 0];
        for (start, end) in (0..14usize).flat_map(|start| (start..=14).map(move |end| (start, end))) {
            assert_eq!(read(start as u64..end as u64), whole[start..end], "{start}..{end}");
        }
    }

    #[test]
    fn pieces_agree_with_the_whole() {
        let mut whole = vec![0; 64];
        Fill::Random.write(100, &mut whole);
        for split in 1..63 {
            let mut pieces = vec![0; 64];
            let (a, b) = pieces.split_at_mut(split);
            Fill::Random.write(100, a);
            Fill::Random.write(100 + split as u64, b);
            assert_eq!(pieces, whole, "split at {split}");
        }
        let floats = Fill::Floats(-0.5, 1.5);
        floats.write(100, &mut whole);
        let mut pieces = vec![0; 64];
        let (a, b) = pieces.split_at_mut(27);
        floats.write(100, a);
        floats.write(127, b);
        assert_eq!(pieces, whole);
        let mut scales = [0; 8];
        Fill::Repeat(1.5f32.to_le_bytes()).write(12, &mut scales);
        assert_eq!(f32::from_le_bytes([scales[4], scales[5], scales[6], scales[7]]), 1.5);
    }

    #[test]
    fn floats_are_distributed_as_the_manifest_says() {
        let part = |offset: u64| -> OmittedConstant {
            let part = serde_json::json!(
                {"role": "floats", "mean": 2.0, "deviation": 0.5, "file_offset": offset, "size": 40_000}
            );
            serde_json::from_value(part).unwrap()
        };
        let mut bytes = vec![0; 40_000];
        part(8).fill().unwrap().write(8, &mut bytes);
        let floats = bytes.chunks_exact(4).map(|float| f64::from(f32::from_le_bytes(float.try_into().unwrap())));
        let floats: Vec<f64> = floats.collect();
        let mean = floats.iter().sum::<f64>() / 1e4;
        let variance = floats.iter().map(|float| (float - mean).powi(2)).sum::<f64>() / 1e4;
        assert!((mean - 2.0).abs() < 0.02 && (variance.sqrt() - 0.5).abs() < 0.01, "{mean} {variance}");
        assert!(part(6).fill().is_err(), "floats begin at a multiple of four");
    }
}
