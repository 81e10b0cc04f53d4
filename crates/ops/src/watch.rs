//! Kernels that tell of what they touch outside their tensors, for tests.
//!
//! No kernel is written for it. In the text of a variant, `input[at]` becomes a call of a function that compares the index
//! with what is bound, and counts those that are not below it.

use std::fmt::Write as _;

use crate::kernel::Kernel;
use crate::kernels::MOST_STORAGE;
use crate::parts::{FIRST_BINDING, MOST_PARTS, rewritten};

impl Kernel {
    /// The binding of [`Kernel::watched`] beside those of the kernel: words that count what lies outside, and then say which
    /// of [`Kernel::storage`] it was and the index.
    #[expect(clippy::cast_possible_truncation, reason = "a kernel has a few bindings")]
    pub const WATCH_BINDING: u32 = FIRST_BINDING + MOST_PARTS * MOST_STORAGE as u32;

    /// A rendered text whose accesses are watched, and which touches nothing outside. Arrays that are bound in parts, or of
    /// whose elements an address is taken, are as they were.
    pub fn watched(&self, text: &str) -> Result<String, String> {
        let mut out = text.to_owned();
        let mut functions = format!(
            "@group(0) @binding({}) var<storage, read_write> outside: array<atomic<u32>>;\n",
            Self::WATCH_BINDING
        );
        for (number, storage) in self.storage.iter().enumerate() {
            let name = storage.name;
            let head = format!("> {name}: array<");
            let Some((_, declared)) = text.split_once(&head) else { continue };
            let element = declared.split_once(">;\n").map(|declared| declared.0);
            let element = element.ok_or_else(|| format!("the array {name} does not end"))?;
            if element.starts_with("atomic") || text.contains(&format!("&{name}[")) {
                continue;
            }
            out = rewritten(&out, name)?;
            let tell = format!(
                "if index >= arrayLength(&{name}) {{ atomicAdd(&outside[0], 1u); atomicStore(&outside[1], {number}u); \
                 atomicStore(&outside[2], index);"
            );
            let _ = writeln!(
                functions,
                "fn element_of_{name}(index: u32) -> {element} {{ {tell} return {name}[0]; }} return {name}[index]; }}"
            );
            if storage.writes {
                let _ = writeln!(
                    functions,
                    "fn set_element_of_{name}(index: u32, element: {element}) {{ {tell} return; }} {name}[index] = element; }}"
                );
            }
        }
        Ok(out + &functions)
    }
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use crate::kernels;
    use crate::parts::Parts;

    #[test]
    fn every_trusted_kernel_can_be_watched() {
        for kernel in kernels::ALL.iter().filter(|kernel| kernel.trusted) {
            for variant in 0..kernel.variants.len() {
                let name = kernel.variant_name(variant);
                let text = kernel.render(variant, &Parts::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
                let text = kernel.watched(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
                let module = naga::front::wgsl::parse_str(&text);
                let module = module.unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(&text)));
                let valid = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module);
                valid.unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(&text)));
            }
        }
    }
}
