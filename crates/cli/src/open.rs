//! Opening what the arguments name: files, programs, methods, devices.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use bytes::Bytes;
use pteron_pte::{FileKind, bundle::Bundle};
use pteron_runtime::{Device, DeviceChoice, DeviceOptions, MemorySource, Program, Read, Source};
use pteron_testkit::{FilledSource, Manifest};

use crate::args::{DeviceArgs, ProgramArgs};
use crate::failure::Usage;
use crate::output::note;

/// A file that was opened.
pub(crate) struct Opened {
    /// What the file is.
    pub(crate) kind: FileKind,
    /// The whole file.
    pub(crate) file: Arc<dyn Source>,
}

/// Opens a file of any kind that pteron knows. Nothing but its first bytes is read.
pub(crate) fn file(path: &Path, fill_missing: bool) -> Result<Opened> {
    if path.is_dir() {
        return Err(Usage::error(format!("{} is a folder: name a .pte, .ptd or .bpte file", path.display())));
    }
    let file: Arc<dyn Source> = if fill_missing {
        let manifest = Manifest::beside(path).context("--fill-missing needs the manifest beside the skeleton")?;
        Arc::new(FilledSource::new(path, &manifest)?)
    } else {
        Arc::new(MemorySource::map(path)?)
    };
    let first = read(&*file, 0..file.len().min(8))?;
    let kind = pteron_pte::sniff(&first).ok_or_else(|| {
        Usage::error(format!("{}: this is no .pte, .ptd or .bpte file by its first bytes", path.display()))
    })?;
    Ok(Opened { kind, file })
}

/// Opens a program with its data files.
pub(crate) fn program(arguments: &ProgramArgs) -> Result<Program> {
    program_through(arguments, |file| file)
}

/// Opens a program whose file is read through another source, which may watch.
pub(crate) fn program_through(
    arguments: &ProgramArgs,
    through: impl FnOnce(Arc<dyn Source>) -> Arc<dyn Source>,
) -> Result<Program> {
    let path = &arguments.file;
    let mut opened = file(path, arguments.fill_missing)?;
    opened.file = through(opened.file);
    if opened.kind == FileKind::Ptd {
        let text = format!("{} holds data and no program: give the .pte file, with --data {0}", path.display());
        return Err(Usage::error(text));
    }
    with_data(program_of(&opened, path, arguments.fill_missing)?, arguments)
}

/// The program in a file.
pub(crate) fn program_of(opened: &Opened, path: &Path, filled: bool) -> Result<Program> {
    let program = Program::from_source(program_source(opened)?);
    let skeleton = !filled && Manifest::beside(path).is_ok();
    program.with_context(|| {
        let hint = if skeleton { ": a skeleton without its constants, so add --fill-missing" } else { "" };
        format!("{}{hint}", path.display())
    })
}

/// The source that a program's offsets count in: the file, or the program inside a bundle.
pub(crate) fn program_source(opened: &Opened) -> Result<Arc<dyn Source>> {
    if opened.kind != FileKind::Bpte {
        return Ok(opened.file.clone());
    }
    let bytes = read(&*opened.file, 0..opened.file.len())?;
    let program = Bundle::parse(&bytes)?.program();
    Ok(Arc::new(MemorySource::new(bytes.slice_ref(program))))
}

/// Adds the data files and sets the limits that the arguments name.
pub(crate) fn with_data(program: Program, arguments: &ProgramArgs) -> Result<Program> {
    let mut program = program.with_limits(arguments.limits.limits());
    for data in &arguments.data {
        program = program.with_data(data).with_context(|| data.display().to_string())?;
    }
    Ok(program)
}

/// A range of a source that is at hand.
pub(crate) fn read(source: &dyn Source, range: std::ops::Range<u64>) -> Result<Bytes> {
    let bytes = match source.read(range) {
        Read::Ready(bytes) => bytes,
        Read::Later(bytes) => pteron_runtime::block_on(bytes),
    };
    bytes.map_err(|error| Usage::error(format!("{}: {error}", source.name())))
}

/// The method that was asked for: the named one, else `forward`, else the only one.
pub(crate) fn method_name(program: &Program, wanted: Option<&str>) -> Result<String> {
    let methods = program.methods()?;
    let known = || methods.join(", ");
    match (wanted, methods.as_slice()) {
        (Some(name), _) if methods.iter().any(|method| method == name) => Ok(name.to_owned()),
        (Some(name), _) => Err(Usage::error(format!("the program has no method {name:?}: it has {}", known()))),
        (None, _) if methods.iter().any(|method| method == "forward") => Ok("forward".to_owned()),
        (None, [only]) => Ok(only.clone()),
        (None, []) => Err(Usage::error("the program has no methods")),
        (None, _) => Err(Usage::error(format!("choose a method with --method: {}", known()))),
    }
}

/// Opens the device that was asked for, and says so where `auto` found no adapter.
pub(crate) fn device(arguments: &DeviceArgs) -> Result<Device> {
    let options = DeviceOptions::new(arguments.device.clone())
        .with_pipeline_cache(arguments.pipeline_cache.clone())
        .with_self_test(!arguments.no_self_test);
    let options = arguments.without.iter().fold(options, |options, feature| feature.left_out(options));
    let device = Device::open(options).map_err(|error| match arguments.device {
        // A device that is not there is for the user to put right.
        DeviceChoice::Gpu | DeviceChoice::Named(_) | DeviceChoice::Pci(_) => Usage::error(error.to_string()),
        _ => error.into(),
    })?;
    if arguments.device == DeviceChoice::Auto && device.is_cpu() {
        let what = match Device::adapters().first() {
            None => "no WebGPU adapter was found".to_owned(),
            Some(adapter) => format!("{} cannot be opened", adapter.name),
        };
        note(format_args!("{what}: running on the reference engine (pteron doctor says why)"));
    }
    Ok(device)
}
