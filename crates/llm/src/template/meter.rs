//! Counts what a template makes and writes, so that one which doubles a text over and over comes to an end.
//!
//! minijinja counts steps and no bytes. So a compiled template gets steps of ours between its own: one that weighs what was
//! made, after each that makes a value, and one that counts what is written, before each that writes. A value may not be nested
//! without end either, nor be put into a namespace that it holds: minijinja shows, compares and drops by recursion.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use minijinja::machinery::{Instruction, Instructions};
use minijinja::value::{Object, Value, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, escape_formatter};

/// Where the meter of a text is. No template can name it, nor what follows.
pub(super) const METER: &str = "#meter";
const MADE: &str = "#made";
const FACTORS: &str = "#factors";
const FREE: &str = "#free";
const WRITTEN: &str = "#written";

/// Bytes that all values together may have, and more for each byte of the messages.
const MADE_BYTES: usize = 64 << 20;
const MADE_PER_BYTE: usize = 256;
/// Bytes of one value.
const VALUE_BYTES: usize = 16 << 20;
const VALUE_PER_BYTE: usize = 64;
/// Bytes of text, captured or not.
const WRITTEN_BYTES: usize = 1 << 20;
const WRITTEN_PER_BYTE: usize = 16;
/// Values that are looked at to weigh others.
const SEEN: usize = 20_000_000;
/// Lists that may lie in each other.
const DEEPEST: usize = 64;
/// What a value takes beside its text.
const BASE: usize = 32;

/// What a template has made and written so far.
#[derive(Debug)]
pub(super) struct Meter {
    made: AtomicUsize,
    seen: AtomicUsize,
    written: AtomicUsize,
    most_made: usize,
    most_of_a_value: usize,
    most_written: usize,
}

impl Object for Meter {}

impl Meter {
    /// A meter for messages of so many bytes.
    pub(super) fn new(given: usize) -> Meter {
        let most = |bytes: usize, per_byte: usize| given.saturating_mul(per_byte).saturating_add(bytes);
        Meter {
            made: AtomicUsize::new(0),
            seen: AtomicUsize::new(0),
            written: AtomicUsize::new(0),
            most_made: most(MADE_BYTES, MADE_PER_BYTE),
            most_of_a_value: most(VALUE_BYTES, VALUE_PER_BYTE),
            most_written: most(WRITTEN_BYTES, WRITTEN_PER_BYTE),
        }
    }

    /// Counts a value that a step has made.
    fn made(&self, value: &Value) -> Result<(), Error> {
        let own = match value.kind() {
            ValueKind::String | ValueKind::Bytes => value.as_bytes().map_or(0, <[u8]>::len),
            _ => value.len().unwrap_or(0).saturating_mul(BASE),
        };
        self.weigh(value, DEEPEST)?;
        add(&self.made, own.saturating_add(BASE), self.most_made, "makes")
    }

    /// Bytes of a value and all that it holds.
    fn weigh(&self, value: &Value, deepest: usize) -> Result<usize, Error> {
        add(&self.seen, 1, SEEN, "looks at")?;
        let Some(deepest) = deepest.checked_sub(1) else {
            return Err(refused(format!("it nests more than {DEEPEST} lists")));
        };
        let mut bytes = BASE;
        match value.kind() {
            ValueKind::String | ValueKind::Bytes => {
                bytes = bytes.saturating_add(value.as_bytes().map_or(0, <[u8]>::len));
            }
            // What has no length may give its items once.
            kind @ (ValueKind::Seq | ValueKind::Iterable | ValueKind::Map) if value.len().is_some() => {
                for item in value.try_iter()? {
                    bytes = bytes.saturating_add(self.weigh(&item, deepest)?);
                    if kind == ValueKind::Map {
                        bytes = bytes.saturating_add(self.weigh(&value.get_item(&item)?, deepest)?);
                    }
                    self.fits(bytes)?;
                }
            }
            _ => {}
        }
        self.fits(bytes)?;
        Ok(bytes)
    }

    /// An error where a value of so many bytes is too large.
    fn fits(&self, bytes: usize) -> Result<(), Error> {
        if bytes > self.most_of_a_value {
            return Err(refused(format!("it makes a value of more than {} bytes", self.most_of_a_value)));
        }
        Ok(())
    }

    fn write(&self, bytes: usize) -> Result<(), Error> {
        add(&self.written, bytes, self.most_written, "writes")
    }
}

/// Adds to a count that has an end.
fn add(count: &AtomicUsize, more: usize, most: usize, does: &str) -> Result<(), Error> {
    let sum = count.load(Relaxed).saturating_add(more);
    count.store(sum, Relaxed);
    if sum > most {
        let unit = if does == "looks at" { "values" } else { "bytes" };
        return Err(refused(format!("it {does} more than {most} {unit}")));
    }
    Ok(())
}

fn refused(text: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, text)
}

/// An error where something of so many bytes would be made.
pub(super) fn check(state: &State<'_, '_>, bytes: usize) -> Result<(), Error> {
    with(state, |meter| meter.fits(bytes))
}

/// Bytes of a value and all that it holds; an error where they are too many.
pub(super) fn weight(state: &State<'_, '_>, value: &Value) -> Result<usize, Error> {
    with(state, |meter| meter.weigh(value, DEEPEST))
}

fn with<T>(state: &State<'_, '_>, work: impl FnOnce(&Meter) -> Result<T, Error>) -> Result<T, Error> {
    let meter = state.lookup(METER);
    let meter = meter.as_ref().and_then(|meter| meter.downcast_object_ref::<Meter>());
    work(meter.ok_or_else(|| refused("there is no meter".to_owned()))?)
}

/// Adds what the further steps call.
pub(super) fn set(environment: &mut Environment<'static>) {
    environment.add_filter(MADE, |state: &State<'_, '_>, value: Value| {
        with(state, |meter| meter.made(&value))?;
        Ok::<_, Error>(value)
    });
    environment.add_filter(FACTORS, |state: &State<'_, '_>, left: Value, right: Value| {
        let (value, count) = if left.is_number() { (&right, &left) } else { (&left, &right) };
        if let Some(count) = count.as_usize().filter(|_| !value.is_number()) {
            let bytes = match value.as_bytes() {
                Some(bytes) => bytes.len(),
                None => weight(state, value)?,
            };
            check(state, bytes.saturating_mul(count))?;
        }
        Ok::<_, Error>(vec![left, right])
    });
    environment.add_filter(FREE, |state: &State<'_, '_>, value: Value| {
        weight(state, &value)?;
        if holds_namespace(&value) {
            return Err(refused("a namespace is put into another".to_owned()));
        }
        Ok(value)
    });
    environment.add_filter(WRITTEN, |state: &State<'_, '_>, bytes: usize| with(state, |meter| meter.write(bytes)));
    environment.set_formatter(|out, state, value| {
        let bytes = match value.as_bytes() {
            Some(bytes) => bytes.len(),
            None => weight(state, value)?,
        };
        with(state, |meter| meter.write(bytes))?;
        escape_formatter(out, state, value)
    });
}

/// Whether a value that was weighed is a namespace, or holds one.
fn holds_namespace(value: &Value) -> bool {
    let Some(object) = value.as_object() else { return false };
    if object.type_name().ends_with("::Namespace") {
        return true;
    }
    let is_map = value.kind() == ValueKind::Map;
    value.len().is_some()
        && value.try_iter().into_iter().flatten().any(|item| {
            holds_namespace(&item) || is_map && value.get_item(&item).is_ok_and(|value| holds_namespace(&value))
        })
}

/// A step that calls one of ours with so many values.
fn call(name: &'static str, values: u16) -> Instruction<'static> {
    // The number is that of a place for what was looked up, and this is none.
    Instruction::ApplyFilter(name, Some(values), u8::MAX)
}

/// What comes before and after a step.
fn around(step: &Instruction<'_>) -> (Vec<Instruction<'static>>, Option<Instruction<'static>>) {
    use Instruction::{
        Add, ApplyFilter, BuildList, BuildMap, BuildTuple, CallFunction, CallMethod, CallObject, DiscardTop, EmitRaw,
        EndCapture, LoadConst, Mul, SetAttr, Slice, StringConcat, Swap, UnpackList,
    };
    match step {
        Mul => (vec![call(FACTORS, 2), UnpackList(2), Swap], Some(call(MADE, 1))),
        Add | StringConcat | Slice | BuildList(_) | BuildMap(_) | BuildTuple(_) | ApplyFilter(..)
        | CallFunction(..) | CallMethod(..) | CallObject(_) | EndCapture => (Vec::new(), Some(call(MADE, 1))),
        EmitRaw(text) => (vec![LoadConst(text.len().into()), call(WRITTEN, 1), DiscardTop], None),
        SetAttr(_) => (vec![Swap, call(FREE, 1), Swap], None),
        _ => (Vec::new(), None),
    }
}

/// Steps with ours between them.
pub(super) fn metered<'s>(steps: &Instructions<'s>) -> Instructions<'s> {
    let each = || (0..).map_while(|number| Some((number, steps.get(number)?)));
    // Where each step begins, with what comes before it, and where all end.
    let mut begins = vec![0u32];
    for (_, step) in each() {
        let (before, after) = around(step);
        let count = before.len().saturating_add(1).saturating_add(usize::from(after.is_some()));
        let end = begins.last().copied().unwrap_or_default();
        begins.push(end.saturating_add(u32::try_from(count).unwrap_or(u32::MAX)));
    }
    let to = |target: u32| begins.get(target as usize).copied().unwrap_or(u32::MAX);
    let mut metered = Instructions::new(steps.name(), steps.source());
    for (number, step) in each() {
        let line = steps.get_line(number).and_then(|line| u16::try_from(line).ok()).unwrap_or_default();
        let (before, after) = around(step);
        let moved = match step {
            Instruction::Iterate(target) => Instruction::Iterate(to(*target)),
            Instruction::Jump(target) => Instruction::Jump(to(*target)),
            Instruction::JumpIfFalse(target) => Instruction::JumpIfFalse(to(*target)),
            Instruction::JumpIfFalseOrPop(target) => Instruction::JumpIfFalseOrPop(to(*target)),
            Instruction::JumpIfTrueOrPop(target) => Instruction::JumpIfTrueOrPop(to(*target)),
            Instruction::BuildMacro(name, offset, flags) => Instruction::BuildMacro(name, to(*offset), *flags),
            other => other.clone(),
        };
        for step in before.into_iter().chain([moved]).chain(after) {
            metered.add_with_line(step, line);
        }
    }
    metered
}
