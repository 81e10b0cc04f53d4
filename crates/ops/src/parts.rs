//! Tensors that are larger than one binding: a launch binds them in parts, and its kernel finds the part of each element.
//!
//! No kernel is written for parts. The text that was rendered for a variant is changed: an array becomes one for each part,
//! `input[at]` a call of a function that looks into the right one, and an assignment to `output[at]` a call of another. Every
//! part but the last has as many elements as the first, so that functions know from the first where the others begin.

use std::fmt::Write as _;

use crate::caps::Caps;
use crate::error::{OpError, Result};
use crate::kernel::{Kernel, StorageInfo};
use crate::kernels::MOST_STORAGE;
use crate::plan::Tensor;

/// Binding numbers below this are those of shaders.
pub(crate) const FIRST_BINDING: u32 = 32;
/// The most parts of one tensor, so that binding numbers stay within what WebGPU allows.
pub(crate) const MOST_PARTS: u32 = 32;

/// In how many parts a launch binds each of its tensors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Parts {
    /// Bytes of every part but the last of a tensor; 0 where all tensors are bound whole.
    bytes: u64,
    /// Parts beside the first, in the order of [`Kernel::storage`].
    more: [u8; MOST_STORAGE],
}

/// A part of what a launch binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The binding number.
    pub binding: u32,
    /// First byte within what is bound.
    pub offset: u64,
    /// Number of bytes.
    pub bytes: u64,
}

impl Parts {
    /// Parts of a launch's tensors that fit the bindings of a device.
    pub(crate) fn new(kernel: &Kernel, tensors: &[Tensor], caps: &Caps) -> Result<Parts> {
        let mut parts = Parts::default();
        for (at, (tensor, storage)) in tensors.iter().zip(kernel.storage).enumerate() {
            // Buffers are padded, and a binding covers the padding.
            let bytes = tensor.bound_bytes().next_multiple_of(16);
            if bytes <= caps.max_binding_bytes {
                continue;
            }
            let refuse = |why: &str| {
                let (name, limit) = (storage.name, caps.max_binding_bytes);
                let kernel = kernel.name;
                OpError::Limit(format!(
                    "{name} of kernel {kernel} has {bytes} bytes, this device binds at most {limit}, and {why}"
                ))
            };
            // Elements have at most 16 bytes, and none lies in two parts.
            parts.bytes = caps.max_binding_bytes - caps.max_binding_bytes % caps.part_alignment();
            let count = bytes.checked_div(parts.bytes).map(|_| bytes.div_ceil(parts.bytes));
            let count =
                count.filter(|&count| count <= u64::from(MOST_PARTS)).and_then(|count| u8::try_from(count).ok());
            parts.more[at] = count.ok_or_else(|| refuse("it would take too many parts"))? - 1;
            if is_addressed(kernel, storage) {
                return Err(refuse("the kernel takes its address"));
            }
            let bindings = kernel.storage.len() + usize::from(kernel.status.is_some()) + parts.extra();
            if bindings > caps.max_storage_buffers as usize {
                return Err(refuse(&format!(
                    "in parts there would be {bindings} of {} bindings",
                    caps.max_storage_buffers
                )));
            }
        }
        Ok(parts)
    }

    /// Bindings beside those of the kernel.
    fn extra(&self) -> usize {
        self.more.iter().map(|&more| usize::from(more)).sum()
    }

    /// The binding numbers of one of [`Kernel::storage`].
    pub fn bindings(&self, kernel: &Kernel, storage: usize) -> Vec<u32> {
        let first = FIRST_BINDING + MOST_PARTS * u32::try_from(storage).unwrap_or_default();
        let more = (1..=u32::from(self.more[storage])).map(|part| first + part);
        std::iter::once(kernel.storage[storage].binding).chain(more).collect()
    }

    /// The parts of one of [`Kernel::storage`], of which a launch binds so many bytes.
    pub fn of(&self, kernel: &Kernel, storage: usize, bytes: u64) -> Vec<Part> {
        let bindings = self.bindings(kernel, storage);
        let last = bindings.len() - 1;
        let part = |(number, binding): (usize, u32)| {
            let offset = self.bytes * number as u64;
            Part { binding, offset, bytes: if number == last { bytes.saturating_sub(offset) } else { self.bytes } }
        };
        bindings.into_iter().enumerate().map(part).collect()
    }

    /// A kernel's text with what it binds in parts.
    pub(crate) fn apply(&self, kernel: &Kernel, mut text: String) -> Result<String, String> {
        for (at, storage) in kernel.storage.iter().enumerate().filter(|&(at, _)| self.more[at] > 0) {
            text = split(&text, storage.name, &self.bindings(kernel, at))?;
        }
        Ok(text)
    }
}

/// Whether a kernel takes the address of an array or of one of its elements, which is that of one binding.
fn is_addressed(kernel: &Kernel, storage: &StorageInfo) -> bool {
    ["&{}[", "arrayLength(&{})"].iter().any(|form| kernel.source.contains(&form.replace("{}", storage.name)))
}

/// A text in which an array is several, at these bindings.
fn split(text: &str, name: &str, bindings: &[u32]) -> Result<String, String> {
    let missing = || format!("there is no array {name}");
    let head = format!("> {name}: array<");
    let at = text.find(&head).ok_or_else(missing)?;
    let start = text[..at].rfind("@group").ok_or_else(missing)?;
    let end = at + text[at..].find(";\n").ok_or_else(missing)? + 2;
    let access = &text[text[..at].rfind("var<").ok_or_else(missing)?..=at];
    let element = text[at + head.len()..end].trim_end().strip_suffix(">;").ok_or_else(missing)?;
    let mut out = rewritten(&text[..start], name)?;
    for (part, binding) in bindings.iter().enumerate() {
        let _ = writeln!(out, "@group(0) @binding({binding}) {access} {name}_part_{part}: array<{element}>;");
    }
    let (mut get, mut set) = (String::new(), String::new());
    for part in 0..bindings.len() {
        let place = format!("{name}_part_{part}[index - {part}u * length]");
        let end = part + 1;
        if end < bindings.len() {
            let test = format!("    if index < {end}u * length");
            let _ = writeln!(get, "{test} {{ return {place}; }}");
            let _ = writeln!(set, "{test} {{ {place} = element; return; }}");
        } else {
            let _ = writeln!(get, "    return {place};");
            let _ = writeln!(set, "    {place} = element;");
        }
    }
    let length = format!("    let length = arrayLength(&{name}_part_0);\n");
    let _ = write!(out, "fn element_of_{name}(index: u32) -> {element} {{\n{length}{get}}}\n");
    if access.contains("read_write") {
        let _ = write!(out, "fn set_element_of_{name}(index: u32, element: {element}) {{\n{length}{set}}}\n");
    }
    out += &rewritten(&text[end..], name)?;
    Ok(out)
}

/// A text in which elements of an array are read and written by functions.
pub(crate) fn rewritten(text: &str, name: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some(at) = next_use(rest, name) {
        let (before, used) = rest.split_at(at);
        if before.ends_with('&') {
            return Err(format!("the address of an element of {name} is taken"));
        }
        let inner = &used[name.len() + 1..];
        let close = closing(inner).ok_or_else(|| format!("an index of {name} does not end"))?;
        let index = rewritten(&inner[..close], name)?;
        let after = &inner[close + 1..];
        let assigned = after.trim_start();
        out.push_str(before);
        rest = match assigned.strip_prefix('=').filter(|value| !value.starts_with('=')) {
            Some(value) => {
                let end = value.find(';').ok_or_else(|| format!("an assignment to {name} does not end"))?;
                let _ = write!(out, "set_element_of_{name}(u32({index}), {})", rewritten(value[..end].trim(), name)?);
                &value[end..]
            }
            None => {
                let _ = write!(out, "element_of_{name}(u32({index}))");
                after
            }
        };
    }
    out.push_str(rest);
    Ok(out)
}

/// Where the next element of an array is named, outside comments.
fn next_use(text: &str, name: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = text.get(from..)?.find(name) {
        let at = from + found;
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let own = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.';
        let alone = text[..at].chars().next_back().is_none_or(own) && text[at + name.len()..].starts_with('[');
        if alone && !text[line..at].contains("//") {
            return Some(at);
        }
        from = at + name.len();
    }
    None
}

/// Where the bracket closes that was opened before a text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    use pteron_tensor::{DType, Shape};

    use super::*;
    use crate::kernels::{self, elementwise, q4_few};
    use crate::plan::Place;

    #[test]
    fn elements_are_read_and_written_by_functions() {
        let text = "@group(0) @binding(1) var<storage, read_write> output: array<T>;\n\
                    // output[\n\
                    fn main() { output[output[i] + 1] = T(output[i32(a[2])] == 0); params.output[1] == my_output[2]; }\n";
        let split = split(text, "output", &[1, 33]).unwrap();
        assert!(split.contains("@binding(33) var<storage, read_write> output_part_1: array<T>;"), "{split}");
        let line = "fn main() { set_element_of_output(u32(element_of_output(u32(i)) + 1), \
                    T(element_of_output(u32(i32(a[2]))) == 0)); params.output[1] == my_output[2]; }\n";
        assert!(split.ends_with(&format!("// output[\n{line}")), "{split}");
    }

    #[test]
    fn addresses_and_what_is_not_there_are_errors() {
        assert!(split("fn main() {}", "output", &[0, 33]).is_err());
        let text = "@group(0) @binding(0) var<storage, read> input: array<T>;\nfn main() { load(&input[0]); }\n";
        assert!(split(text, "input", &[0, 33]).is_err());
    }

    #[test]
    fn every_kernel_can_have_all_that_it_binds_in_parts() {
        for kernel in kernels::ALL {
            let mut parts = Parts { bytes: 1024, ..Parts::default() };
            for (at, storage) in kernel.storage.iter().enumerate() {
                parts.more[at] = u8::from(!is_addressed(kernel, storage));
            }
            // Pointwise rows differ in an expression that touches no array.
            let step = if kernel.variants.len() > 256 { 17 } else { 1 };
            for variant in (0..kernel.variants.len()).step_by(step) {
                let name = kernel.variant_name(variant);
                let text = kernel.render(variant, &parts).unwrap_or_else(|e| panic!("{name}: {e}"));
                let module = naga::front::wgsl::parse_str(&text);
                let module = module.unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(&text)));
                let valid = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module);
                valid.unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(&text)));
            }
        }
    }

    fn tensor(bytes: usize) -> Tensor {
        let shape = Shape::new(&[bytes / 4]).unwrap();
        Tensor { place: Place::Value(0), dtype: DType::F32, shape, window: None }
    }

    #[test]
    fn parts_cover_what_is_bound() {
        let caps = Caps { max_binding_bytes: 1000, ..Caps::webgpu_minimum() };
        let (kernel, tensors) = (&elementwise::KERNEL, [tensor(1600), tensor(64), tensor(1600)]);
        let parts = Parts::new(kernel, &tensors, &caps).unwrap();
        let of = |at: usize| parts.of(kernel, at, tensors[at].bytes());
        let whole = Part { binding: kernel.storage[1].binding, offset: 0, bytes: 64 };
        assert_eq!(of(1), [whole]);
        let first = Part { binding: kernel.storage[2].binding, offset: 0, bytes: 768 };
        let binding = FIRST_BINDING + 2 * MOST_PARTS;
        let more = |part: u32, offset, bytes| Part { binding: binding + part, offset, bytes };
        assert_eq!(of(2), [first, more(1, 768, 768), more(2, 1536, 64)]);
    }

    #[test]
    fn parts_are_no_more_than_a_device_binds() {
        let caps = Caps { max_binding_bytes: 1024, ..Caps::webgpu_minimum() };
        let bind = |bytes| Parts::new(&elementwise::KERNEL, &[tensor(bytes), tensor(64), tensor(64)], &caps);
        assert!(bind(6 << 10).is_ok());
        assert!(bind(7 << 10).is_err());
        let taken = q4_few::KERNEL.storage.iter().map(|_| tensor(2048)).collect::<Vec<_>>();
        let many = Caps { max_storage_buffers: 64, ..caps };
        let error = Parts::new(&q4_few::KERNEL, &taken, &many).unwrap_err().to_string();
        assert!(error.contains("address"), "{error}");
    }
}
