//! The functions of a module, each once, in an order that compresses well: those that look alike follow each other.
//!
//! A compressor finds again what was there within its window of 32 KiB, and a compiler leaves instances of one generic
//! function megabytes apart, among them many that come out the same.

use std::collections::HashMap;
use std::convert::Infallible;

use anyhow::{Context as _, Result, anyhow};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{BinaryReaderError, CodeSectionReader, FunctionBody, FunctionSectionReader, Parser, Payload, TypeRef};

use super::compressed;

/// How functions are compared.
#[derive(Clone, Copy)]
struct Comparison {
    /// Bytes of the pieces of which they may share some.
    piece: usize,
    /// Pieces that are in more functions than this say nothing about any two.
    common: usize,
}

/// Ways to compare functions, of which none is the best for every module.
const COMPARISONS: &[Comparison] = &[
    Comparison { piece: 4, common: 4000 },
    Comparison { piece: 5, common: 4000 },
    Comparison { piece: 6, common: 4000 },
];

/// The same module with its functions in the order that compresses best.
pub(crate) fn by_likeness(module: &[u8]) -> Result<Vec<u8>> {
    let module = folded(module)?;
    let Functions { imports, bodies, .. } = functions(&module)?;
    let mut best: Option<(usize, Vec<u8>)> = None;
    for &comparison in COMPARISONS {
        let order = chain(&bodies, comparison);
        let mut place = vec![0; order.len()];
        for (new, &old) in (0..).zip(&order) {
            place[old] = new;
        }
        let written = Ordered { imports, order, place }.write(&module)?;
        let bytes = compressed(&written)?;
        if best.as_ref().is_none_or(|(least, _)| bytes < *least) {
            best = Some((bytes, written));
        }
    }
    best.map(|(_, written)| written).context("there is no order")
}

/// The same module with one function in the place of all that have its type and its code. Those that differed in what they
/// call may then be the same too.
fn folded(module: &[u8]) -> Result<Vec<u8>> {
    let mut module = module.to_vec();
    loop {
        let Functions { imports, types, bodies } = functions(&module)?;
        let (mut seen, mut order, mut place) = (HashMap::new(), Vec::new(), Vec::new());
        for (number, function) in types.iter().zip(&bodies).enumerate() {
            place.push(*seen.entry(function).or_insert_with(|| {
                order.push(number);
                u32::try_from(order.len() - 1).unwrap_or(u32::MAX)
            }));
        }
        if order.len() == bodies.len() {
            return Ok(module);
        }
        module = Ordered { imports, order, place }.write(&module)?;
    }
}

/// The number of imported functions, and the types and the code of the others.
struct Functions<'m> {
    imports: u32,
    types: Vec<u32>,
    bodies: Vec<&'m [u8]>,
}

fn functions(module: &[u8]) -> Result<Functions<'_>> {
    let (mut imports, mut types, mut bodies) = (0, Vec::new(), Vec::new());
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    imports += u32::from(matches!(import?.ty, TypeRef::Func(_) | TypeRef::FuncExact(_)));
                }
            }
            Payload::FunctionSection(section) => types = section.into_iter().collect::<Result<_, _>>()?,
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    Ok(Functions { imports, types, bodies })
}

/// Each function is followed by the one that is most like it of those that are left; where none is, by the first.
fn chain(bodies: &[&[u8]], comparison: Comparison) -> Vec<usize> {
    let pieces: Vec<Vec<&[u8]>> = bodies.iter().map(|body| pieces(body, comparison.piece)).collect();
    let mut holders = HashMap::<&[u8], Vec<usize>>::new();
    for (function, pieces) in pieces.iter().enumerate() {
        pieces.iter().for_each(|piece| holders.entry(piece).or_default().push(function));
    }
    holders.retain(|_, functions| (2..=comparison.common).contains(&functions.len()));
    let (mut order, mut placed, mut shared) = (Vec::new(), vec![false; bodies.len()], vec![0u32; bodies.len()]);
    let mut first = 0;
    while let Some(mut next) = (first..bodies.len()).find(|&function| !placed[function]) {
        first = next;
        loop {
            placed[next] = true;
            order.push(next);
            let mut met = Vec::new();
            for &function in pieces[next].iter().filter_map(|piece| holders.get(piece)).flatten() {
                if !placed[function] {
                    if shared[function] == 0 {
                        met.push(function);
                    }
                    shared[function] += 1;
                }
            }
            // The share that two have of all their pieces; a few more keep tiny functions from being like everything.
            let likeness = |function: usize| {
                let both = f64::from(shared[function]);
                both / (pieces[function].len() as f64 + pieces[next].len() as f64 - both + 4.0)
            };
            let best = met.iter().copied().max_by(|&a, &b| likeness(a).total_cmp(&likeness(b)).then(b.cmp(&a)));
            met.iter().for_each(|&function| shared[function] = 0);
            match best {
                Some(best) => next = best,
                None => break,
            }
        }
    }
    order
}

/// The distinct pieces of a function's code.
fn pieces(body: &[u8], size: usize) -> Vec<&[u8]> {
    let mut pieces: Vec<_> = body.windows(size).collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

/// Writes a module with some of its functions, in another order.
struct Ordered {
    imports: u32,
    /// The old number of each function that stays, in the new order.
    order: Vec<usize>,
    /// The new number of each function, or of the one that takes its place.
    place: Vec<u32>,
}

impl Ordered {
    fn write(mut self, module: &[u8]) -> Result<Vec<u8>> {
        let mut written = Module::new();
        self.parse_core_module(&mut written, Parser::new(0), module)
            .map_err(|error| anyhow!("the module cannot be written in another order: {error}"))?;
        Ok(written.finish())
    }
}

impl Reencode for Ordered {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        let own = function.checked_sub(self.imports).and_then(|own| self.place.get(own as usize));
        Ok(own.map_or(function, |place| self.imports + place))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        let types = section.into_iter().collect::<Result<Vec<u32>, BinaryReaderError>>()?;
        for &old in &self.order {
            functions.function(types[old]);
        }
        Ok(())
    }

    fn parse_code_section(&mut self, code: &mut CodeSection, section: CodeSectionReader<'_>) -> Result<(), Error> {
        let bodies = section.into_iter().collect::<Result<Vec<FunctionBody<'_>>, BinaryReaderError>>()?;
        for old in self.order.clone() {
            self.parse_function_body(code, bodies[old].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_look_alike_follow_each_other() {
        let [one, other]: [Vec<u8>; 2] = [(0..40).collect(), (100..140).collect()];
        let mut bodies = [one.clone(), other.clone(), one.clone(), other, one];
        bodies[2][3] = 99;
        let bodies: Vec<_> = bodies.iter().map(Vec::as_slice).collect();
        assert_eq!(chain(&bodies, COMPARISONS[0]), [0, 4, 2, 1, 3]);
    }

    #[test]
    fn calls_and_exports_name_the_same_functions() {
        // (import "" "f" (func)) (func call 2) (func call 0) (func nop) (export "a" (func 1)): four functions.
        let module = [
            b"\0asm\x01\0\0\0".as_slice(),
            b"\x01\x04\x01\x60\0\0",
            b"\x02\x06\x01\0\x01f\0\0",
            b"\x03\x04\x03\0\0\0",
            b"\x07\x05\x01\x01a\0\x01",
            b"\x0a\x0e\x03\x04\0\x10\x02\x0b\x04\0\x10\0\x0b\x02\0\x0b",
        ]
        .concat();
        let Functions { imports, bodies, .. } = functions(&module).expect("it is a module");
        assert_eq!((imports, bodies.len()), (1, 3));
        let written = Ordered { imports, order: vec![2, 1, 0], place: vec![2, 1, 0] }.write(&module);
        let written = written.expect("it is written");
        let bodies = functions(&written).expect("it is a module").bodies;
        assert_eq!(bodies, [b"\0\x0b".as_slice(), b"\0\x10\0\x0b", b"\0\x10\x02\x0b"]);
        assert!(written.windows(5).any(|bytes| bytes == b"\x01\x01a\0\x03"), "the export is the last function");
    }

    #[test]
    fn functions_that_come_out_the_same_are_there_once() {
        // (func nop) (func nop) (func call 0) (func call 1) (export "a" (func 3)): the calls are the same after the others are.
        let module = [
            b"\0asm\x01\0\0\0".as_slice(),
            b"\x01\x04\x01\x60\0\0",
            b"\x03\x05\x04\0\0\0\0",
            b"\x07\x05\x01\x01a\0\x03",
            b"\x0a\x13\x04\x03\0\x01\x0b\x03\0\x01\x0b\x04\0\x10\0\x0b\x04\0\x10\x01\x0b",
        ]
        .concat();
        let written = folded(&module).expect("it is written");
        let bodies = functions(&written).expect("it is a module").bodies;
        assert_eq!(bodies, [b"\0\x01\x0b".as_slice(), b"\0\x10\0\x0b"]);
        assert!(written.windows(5).any(|bytes| bytes == b"\x01\x01a\0\x01"), "the export is the second function");
    }
}
