//! Tensors in files: safetensors and npy, told apart by the file's name.

use std::path::Path;

use anyhow::{Context as _, Result};
use pteron_runtime::HostTensor;
use safetensors::SafeTensors;

use crate::failure::Usage;
use crate::npy;
use crate::whole_file;

/// A kind of file that holds tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Safetensors,
    Npy,
}

impl Format {
    /// The format that a file's name says.
    pub(crate) fn of(path: &Path) -> Result<Format> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("safetensors") => Ok(Format::Safetensors),
            Some("npy") => Ok(Format::Npy),
            _ => Err(Usage::error(format!("{}: name a .safetensors or a .npy file", path.display()))),
        }
    }
}

/// The tensors of a file with their names, in file order. An array in a `.npy` file has an empty name.
pub(crate) fn read(path: &Path) -> Result<Vec<(String, HostTensor)>> {
    let format = Format::of(path)?;
    let bytes = std::fs::read(path).map_err(|error| Usage::error(format!("{}: {error}", path.display())))?;
    let tensors = match format {
        Format::Npy => npy::read(&bytes).map(|tensor| vec![(String::new(), tensor)]),
        Format::Safetensors => parse_safetensors(&bytes),
    };
    tensors.with_context(|| path.display().to_string())
}

/// The tensors of a safetensors file with their names, in file order.
pub(crate) fn parse_safetensors(bytes: &[u8]) -> Result<Vec<(String, HostTensor)>> {
    let file = SafeTensors::deserialize(bytes).map_err(|error| Usage::error(error.to_string()))?;
    let mut tensors: Vec<(usize, String, HostTensor)> = Vec::new();
    for (name, view) in file.iter() {
        let tensor = HostTensor::try_from(&view).map_err(|error| Usage::error(format!("tensor {name}: {error}")))?;
        // The order of the data is the order of the file.
        tensors.push((view.data().as_ptr().addr(), name.to_owned(), tensor));
    }
    tensors.sort_by_key(|tensor| tensor.0);
    Ok(tensors.into_iter().map(|(_, name, tensor)| (name, tensor)).collect())
}

/// Writes tensors under their names. A `.npy` file takes one.
pub(crate) fn write(path: &Path, tensors: &[(String, &HostTensor)]) -> Result<()> {
    let bytes = match (Format::of(path)?, tensors) {
        (Format::Safetensors, _) => {
            let named = tensors.iter().map(|(name, tensor)| (name, *tensor));
            safetensors::serialize(named, None).with_context(|| path.display().to_string())?
        }
        (Format::Npy, [(_, tensor)]) => npy::write(tensor).with_context(|| path.display().to_string())?,
        (Format::Npy, _) => {
            let text = format!(
                "{}: a .npy file holds one array, and there are {}: name one with --output N={0}",
                path.display(),
                tensors.len()
            );
            return Err(Usage::error(text));
        }
    };
    whole_file::write(path, &bytes).map_err(|error| Usage::error(format!("{}: {error}", path.display())))
}
