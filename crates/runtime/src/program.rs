//! A program: its files, and the methods that it holds.

use std::sync::Arc;

use bytes::Bytes;
use pteron_ops::Caps;
use pteron_pte::{self as pte, Blob, FileKind, Head};

use crate::append;
use crate::carry;
use crate::data::DataFiles;
use crate::device::Device;
use crate::engine::wgpu::SharedConstants;
use crate::error::{Error, Result};
use crate::graph::{DataRef, MethodGraph};
use crate::join;
use crate::limits::{Limits, total};
use crate::lower;
use crate::method::{Method, MethodSignature};
use crate::options::MethodOptions;
use crate::passes;
use crate::source::{self, MemorySource, Source};

/// An ExecuTorch program.
///
/// Opening one reads its structure only; [`Program::method`] loads a method onto a device.
#[derive(Clone, Debug)]
pub struct Program {
    /// The flatbuffer, from the file's first byte.
    front: Bytes,
    files: DataFiles,
    /// External data by name.
    external: Arc<Vec<(String, DataRef)>>,
    device: Option<Device>,
    constants: SharedConstants,
    limits: Limits,
}

impl Program {
    /// Opens a `.pte` file, or the program in a `.bpte` file. The file is mapped, not read.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Program> {
        Program::from_source(Arc::new(MemorySource::map(path.as_ref())?))
    }

    /// Opens a program in memory.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Program> {
        let bytes = bytes.into();
        if pte::sniff(&bytes) == Some(FileKind::Bpte) {
            let program = pte::bundle::Bundle::parse(&bytes)?.program();
            let inner = bytes.slice_ref(program);
            return Program::from_bytes(inner);
        }
        let head = Head::parse(&bytes, bytes.len() as u64)?;
        let size = usize::try_from(head.program_size).unwrap_or(usize::MAX).min(bytes.len());
        Program::new(bytes.slice(..size), Arc::new(MemorySource::new(bytes)))
    }

    /// Opens a program whose bytes come from anywhere, and waits for them. Only its structure is read.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn from_source(source: Arc<dyn Source>) -> Result<Program> {
        crate::block_on(Program::from_source_async(source))
    }

    /// Opens a program whose bytes come from anywhere. Only its structure is read.
    pub async fn from_source_async(source: Arc<dyn Source>) -> Result<Program> {
        let length = source.len();
        let first = source::read(&*source, 0..length.min(Head::SIZE as u64)).await?;
        if pte::sniff(&first) == Some(FileKind::Bpte) {
            return Program::from_bytes(source::read(&*source, 0..length).await?);
        }
        let head = Head::parse(&first, length)?;
        let front = source::read(&*source, 0..head.program_size.min(length)).await?;
        Program::new(front, source)
    }

    fn new(front: Bytes, source: Arc<dyn Source>) -> Result<Program> {
        pte::Program::parse(&front, source.len())?;
        Ok(Program {
            front,
            files: DataFiles(vec![source]),
            external: Arc::default(),
            device: None,
            constants: SharedConstants::default(),
            limits: Limits::default(),
        })
    }

    /// Adds a `.ptd` file with external data.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn with_data(self, path: impl AsRef<std::path::Path>) -> Result<Program> {
        self.with_data_source(Arc::new(MemorySource::map(path.as_ref())?))
    }

    /// Adds external data from anywhere, and waits for it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn with_data_source(self, source: Arc<dyn Source>) -> Result<Program> {
        crate::block_on(self.with_data_source_async(source))
    }

    /// Adds external data from anywhere.
    pub async fn with_data_source_async(mut self, source: Arc<dyn Source>) -> Result<Program> {
        let length = source.len();
        let first = source::read(&*source, 0..length.min(pte::ptd::DataFile::HEAD as u64)).await?;
        let front = pte::ptd::DataFile::front_size(&first, length);
        let front = source::read(&*source, 0..front).await?;
        let file = self.files.0.len();
        let mut external = (*self.external).clone();
        for entry in pte::ptd::DataFile::parse_front(&front, length)?.entries() {
            let entry = entry?;
            external.push((entry.key.to_owned(), DataRef::File(file, entry.range)));
        }
        self.external = Arc::new(external);
        self.files.0.push(source);
        Ok(self)
    }

    /// The same program, to be loaded onto this device.
    pub fn on(mut self, device: &Device) -> Program {
        self.device = Some(device.clone());
        self
    }

    /// The same program, which may take this much of the machine.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Program {
        self.limits = limits;
        self
    }

    /// How much of the machine it may take.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The device that it was put on. Without one its methods are loaded onto the [shared](Device::shared) device.
    pub fn device(&self) -> Option<&Device> {
        self.device.as_ref()
    }

    /// The parsed program.
    pub fn view(&self) -> Result<pte::Program<'_>> {
        self.files.check()?;
        let length = self.files.0.first().map_or(0, |file| file.len());
        Ok(pte::Program::parse(&self.front, length)?)
    }

    /// The names of the program's methods.
    pub fn methods(&self) -> Result<Vec<String>> {
        self.view()?.methods().map(|method| Ok(method?.name().to_owned())).collect()
    }

    /// What a method takes and gives, without loading it.
    pub fn signature(&self, name: &str) -> Result<MethodSignature> {
        let view = self.view()?;
        let method = view.method(name)?.ok_or_else(|| self.no_method(name))?;
        MethodSignature::of(&method)
    }

    /// Loads a method with the default options, and waits for it. Without [`Program::on`] it runs on the
    /// [shared](Device::shared) device.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn method(&self, name: &str) -> Result<Method> {
        self.load(name, &MethodOptions::default())
    }

    /// Loads a method with the default options. Without [`Program::on`] it runs on the [shared](Device::shared_async)
    /// device.
    pub async fn method_async(&self, name: &str) -> Result<Method> {
        self.load_async(name, &MethodOptions::default()).await
    }

    /// Loads a method, and waits for it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn load(&self, name: &str, options: &MethodOptions) -> Result<Method> {
        crate::block_on(self.load_async(name, options))
    }

    /// Loads a method: plans it, compiles its kernels, and moves its constants to the device.
    pub async fn load_async(&self, name: &str, options: &MethodOptions) -> Result<Method> {
        let device = match &self.device {
            Some(device) => device.clone(),
            None => Device::shared_async().await?,
        };
        let (graph, caps) = self.graph(name, options, &device).await?;
        let (files, progress) = (&self.files, &options.on_progress);
        let load = Method::load(&self.constants, device.clone(), caps, graph, files, self.limits, progress);
        Ok(device.scoped(load).await?.loaded_with(options))
    }

    /// The graph of a method as a device runs it, and what its plans depend on.
    pub(crate) async fn graph(
        &self,
        name: &str,
        options: &MethodOptions,
        device: &Device,
    ) -> Result<(MethodGraph, Caps)> {
        let caps = device.caps().with_precision(options.precision);
        let graph = self.lower(name, &caps).await?;
        let mut graph =
            if options.join { join::join(graph, &self.files, &caps).await? } else { join::leave_apart(graph) };
        append::append(&mut graph, &options.append, &caps)?;
        carry::carry(&mut graph, &options.carry)?;
        // The reference runs the program as it was written.
        if options.fuse && !device.is_cpu() {
            passes::fuse(&mut graph, &self.files, &caps).await?;
        }
        Ok((graph, caps))
    }

    /// The constants of the program on its devices.
    pub(crate) fn shared_constants(&self) -> &SharedConstants {
        &self.constants
    }

    /// The files that its data is in.
    pub(crate) fn data_files(&self) -> &DataFiles {
        &self.files
    }

    /// Lowers a method and plans it at its largest shapes, without a device: an error says what does not run.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn check(&self, name: &str, caps: &Caps) -> Result<MethodGraph> {
        crate::block_on(self.check_async(name, caps))
    }

    /// Lowers a method and plans it at its largest shapes, without a device: an error says what does not run.
    pub async fn check_async(&self, name: &str, caps: &Caps) -> Result<MethodGraph> {
        let graph = join::join(self.lower(name, caps).await?, &self.files, caps).await?;
        crate::plan::plan_largest(&graph, caps)?;
        Ok(graph)
    }

    /// Lowers a method without planning it.
    #[doc(hidden)]
    pub async fn lower_only(&self, name: &str, caps: &Caps) -> Result<MethodGraph> {
        self.lower(name, caps).await
    }

    async fn lower(&self, name: &str, caps: &Caps) -> Result<MethodGraph> {
        let view = self.view()?;
        let method = view.method(name)?.ok_or_else(|| self.no_method(name))?;
        self.limits.check_values(name, method.values() as u64)?;
        let instructions = method.chains().map(|chain| Ok(chain?.instructions().len() as u64));
        self.limits.check_nodes(name, total(instructions.collect::<Result<Vec<_>>>()?))?;
        let mut blobs = Vec::new();
        for index in 0..method.delegates() {
            let delegate = method.delegate(u32::try_from(index).unwrap_or(u32::MAX))?;
            blobs.push(match delegate.data {
                Blob::Inline(bytes) => self.front.slice_ref(bytes),
                Blob::File(range) => self.files.read(0, range).await?,
            });
        }
        let names = named_data(&view)?;
        let named = |key: &str| -> Result<Option<DataRef>> {
            if let Some(range) = names.get(key) {
                return Ok(Some(DataRef::File(0, range.clone())));
            }
            Ok(self.external.iter().find(|(name, _)| name == key).map(|(_, data)| data.clone()))
        };
        let mut graph = lower::method(&method, &blobs, &named, caps, &self.limits)?;
        self.limits.check_graph(&graph)?;
        self.thaw(&mut graph).await?;
        Ok(graph)
    }

    /// Gives delegates the buffers whose first contents they have as constants.
    async fn thaw(&self, graph: &mut MethodGraph) -> Result<()> {
        for frozen in lower::frozen::find(graph) {
            let Some((constant, buffer)) = lower::frozen::contents(graph, &frozen) else { continue };
            let length = buffer.shape.numel() as u64 * buffer.dtype.size() as u64;
            let held = self.files.load(&constant.data, length).await?;
            let same = match &buffer.data {
                Some(data) => held == self.files.load(data, length).await?,
                None => held.iter().all(|&byte| byte == 0),
            };
            if same {
                lower::frozen::thaw(graph, &frozen);
            }
        }
        Ok(())
    }

    fn no_method(&self, name: &str) -> Error {
        match self.methods() {
            Ok(known) => Error::NotFound(format!("the program has no method {name:?}; it has {}", known.join(", "))),
            Err(error) => error,
        }
    }
}

/// The program's named data, by name.
fn named_data<'a>(view: &pte::Program<'a>) -> Result<std::collections::HashMap<&'a str, std::ops::Range<u64>>> {
    view.named_data()
        .map(|entry| {
            let entry = entry?;
            Ok((entry.key, entry.range))
        })
        .collect()
}
