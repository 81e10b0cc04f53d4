//! Compiled kernels, each once, in parallel, and kept on disk where the driver can.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use pteron_ops::Parts;
use pteron_ops::kernel::{Kernel, OverrideValues, UniformInfo};
use pteron_ops::plan::Dispatch;

#[cfg(not(target_arch = "wasm32"))]
use super::device::Gpu;
use super::faults::Faults;
#[cfg(feature = "launch-log")]
use super::launches::LaunchLog;
#[cfg(not(target_arch = "wasm32"))]
use crate::blocking::{apart, may_block};
use crate::device::PipelineCache;
use crate::error::{Error, Result};

/// A compiled kernel variant.
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
}

/// Kernel, variant, constants and how tensors are bound.
type Key = (&'static str, usize, OverrideValues, Parts);

/// Every pipeline that a device has compiled.
#[derive(Debug)]
pub(crate) struct Pipelines {
    compiled: Mutex<HashMap<Key, Arc<Pipeline>>>,
    cache: Option<DiskCache>,
    faults: Faults,
    /// Notes what is launched, where tests ask for it.
    #[cfg(feature = "launch-log")]
    pub(crate) launches: Option<LaunchLog>,
}

impl Pipelines {
    pub(super) fn new(
        device: &wgpu::Device,
        info: &wgpu::AdapterInfo,
        cache: &PipelineCache,
        faults: Faults,
    ) -> Pipelines {
        Pipelines {
            compiled: Mutex::default(),
            cache: DiskCache::open(device, info, cache),
            faults,
            #[cfg(feature = "launch-log")]
            launches: LaunchLog::from_environment(),
        }
    }

    /// The pipelines of these launches, compiling what is missing.
    pub(crate) fn get(&self, device: &wgpu::Device, dispatches: &[&Dispatch]) -> Result<Vec<Arc<Pipeline>>> {
        let missing = self.missing(dispatches)?;
        if !missing.is_empty() {
            let cache = self.cache.as_ref().map(|cache| &cache.cache);
            // It may run on several threads, and what goes wrong belongs to each.
            let compile =
                |dispatch: &Dispatch| self.faults.during(device, || compile(device, dispatch, cache, &self.faults));
            let fresh = compile_all(missing.into_iter().collect(), compile)?;
            #[cfg(feature = "launch-log")]
            self.note_compiled(&fresh, dispatches);
            self.compiled()?.extend(fresh);
            if let Some(cache) = &self.cache {
                cache.save();
            }
        }
        let compiled = self.compiled()?;
        let found = |dispatch: &&Dispatch| compiled.get(&key(dispatch)).cloned();
        let lost = || Error::Device("a compiled kernel is missing".to_owned());
        dispatches.iter().map(|dispatch| found(dispatch).ok_or_else(lost)).collect()
    }

    /// The launches that are to be compiled.
    fn missing<'a>(&self, dispatches: &[&'a Dispatch]) -> Result<HashMap<Key, &'a Dispatch>> {
        let compiled = self.compiled()?;
        let missing = dispatches.iter().filter(|dispatch| !compiled.contains_key(&key(dispatch)));
        Ok(missing.map(|&dispatch| (key(dispatch), dispatch)).collect())
    }

    fn compiled(&self) -> Result<MutexGuard<'_, HashMap<Key, Arc<Pipeline>>>> {
        self.compiled.lock().map_err(|_| Error::Device("compiling a kernel failed earlier".to_owned()))
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Gpu {
    /// Compiles launches without holding up who awaits it. Where the caller waits anyway they are compiled on use, and
    /// what fails here fails again there.
    pub(crate) async fn compile_ahead<'a>(self: &Arc<Gpu>, dispatches: impl Iterator<Item = &'a Dispatch>) {
        let dispatches: Vec<_> = dispatches.collect();
        let Ok(missing) = self.pipelines.missing(&dispatches) else { return };
        if may_block() || missing.is_empty() {
            return;
        }
        let missing: Vec<Dispatch> = missing.into_values().cloned().collect();
        let gpu = self.clone();
        let compile = move || gpu.pipelines.get(&gpu.device, &missing.iter().collect::<Vec<_>>()).map(drop);
        if let Err(error) | Ok(Err(error)) = apart(compile).await {
            tracing::debug!(%error, "not compiled ahead");
        }
    }
}

#[cfg(feature = "launch-log")]
impl Pipelines {
    /// Tells the log the names of pipelines.
    fn note_compiled(&self, fresh: &[(Key, Arc<Pipeline>)], dispatches: &[&Dispatch]) {
        let Some(log) = &self.launches else { return };
        for (wanted, pipeline) in fresh {
            if let Some(dispatch) = dispatches.iter().find(|dispatch| key(dispatch) == *wanted) {
                log.compiled(&pipeline.pipeline, dispatch.kernel.variant_name(dispatch.variant));
            }
        }
    }
}

fn key(dispatch: &Dispatch) -> Key {
    (dispatch.kernel.name, dispatch.variant, dispatch.overrides, dispatch.parts)
}

#[cfg(not(target_arch = "wasm32"))]
fn compile_all(
    missing: Vec<(Key, &Dispatch)>,
    compile: impl Fn(&Dispatch) -> Result<Pipeline> + Sync,
) -> Result<Vec<(Key, Arc<Pipeline>)>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(missing.len());
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let work = || -> Result<Vec<(Key, Arc<Pipeline>)>> {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some((key, dispatch)) = missing.get(index) else { break Ok(done) };
                done.push((*key, Arc::new(compile(dispatch)?)));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut all = Vec::new();
        for worker in workers {
            all.extend(worker.join().map_err(|_| Error::Device("compiling a kernel failed".to_owned()))??);
        }
        Ok(all)
    })
}

#[cfg(target_arch = "wasm32")]
fn compile_all(
    missing: Vec<(Key, &Dispatch)>,
    compile: impl Fn(&Dispatch) -> Result<Pipeline>,
) -> Result<Vec<(Key, Arc<Pipeline>)>> {
    missing.into_iter().map(|(key, dispatch)| Ok((key, Arc::new(compile(dispatch)?)))).collect()
}

/// What is compiled in the place of a kernel, where a test has that fail.
#[cfg(feature = "fault-injection")]
fn failing_source(device: &wgpu::Device, faults: &Faults, source: String) -> String {
    use super::inject::{Fault, Site};

    match faults.injector().at(Site::Pipeline) {
        Some(Fault::Lost) => {
            faults.note_destroyed();
            device.destroy();
        }
        Some(Fault::OutOfMemory | Fault::Refused) => return "no kernel".to_owned(),
        Some(Fault::Stuck | Fault::Untold) | None => {}
    }
    source
}

fn compile(
    device: &wgpu::Device,
    dispatch: &Dispatch,
    cache: Option<&wgpu::PipelineCache>,
    faults: &Faults,
) -> Result<Pipeline> {
    let kernel = dispatch.kernel;
    let name = dispatch.name();
    let source = kernel.render(dispatch.variant, &dispatch.parts);
    let source = source.map_err(|e| Error::Device(format!("kernel {name}: {e}")))?;
    #[cfg(target_arch = "wasm32")]
    let source = for_browser(kernel, dispatch.variant, source);
    #[cfg(feature = "fault-injection")]
    let source = super::guards::guarded_source(faults, kernel, source)
        .map_err(|e| Error::Device(format!("kernel {name}, watched: {e}")))?;
    #[cfg(feature = "fault-injection")]
    let source = super::inject::spoilt_source(&name, source);
    #[cfg(feature = "fault-injection")]
    let source = failing_source(device, faults, source);
    let descriptor =
        wgpu::ShaderModuleDescriptor { label: Some(&name), source: wgpu::ShaderSource::Wgsl(source.into()) };
    #[expect(unsafe_code, reason = "kernels whose indices are proven run without the driver's checks")]
    let module = if kernel.trusted {
        // SAFETY: the kernel's header says why each index is in range; its loops end by counting.
        unsafe { device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) }
    } else {
        device.create_shader_module(descriptor)
    };
    let layout = bind_group_layout(device, kernel, &dispatch.parts, faults);
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(&name),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(&name),
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &kernel.constants(&dispatch.overrides),
            // Kernels write their workgroup memory before they read it.
            zero_initialize_workgroup_memory: false,
        },
        cache,
    });
    tracing::debug!(kernel = name, "compiled");
    Ok(Pipeline { pipeline, layout })
}

/// The text as browsers take it: unlike naga they want the extension named, and they do not see that the branches around
/// subgroup operations are uniform.
#[cfg(target_arch = "wasm32")]
fn for_browser(kernel: &Kernel, variant: usize, source: String) -> String {
    match kernel.variants[variant].requires.subgroups {
        true => format!("enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n{source}"),
        false => source,
    }
}

fn bind_group_layout(
    device: &wgpu::Device,
    kernel: &Kernel,
    parts: &Parts,
    #[cfg_attr(not(feature = "fault-injection"), expect(unused_variables, reason = "tests have kernels watched"))]
    faults: &Faults,
) -> wgpu::BindGroupLayout {
    let moving_entry = |binding, ty, has_dynamic_offset| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
        count: None,
    };
    let entry = |binding, ty| moving_entry(binding, ty, false);
    let mut entries = Vec::new();
    for (storage, info) in kernel.storage.iter().enumerate() {
        let kind = wgpu::BufferBindingType::Storage { read_only: !info.writes };
        entries.extend(parts.bindings(kernel, storage).into_iter().map(|binding| entry(binding, kind)));
    }
    if let Some(binding) = kernel.status {
        entries.push(entry(binding, wgpu::BufferBindingType::Storage { read_only: false }));
    }
    entries.extend(kernel.params.as_ref().map(|params| entry(params.binding, wgpu::BufferBindingType::Uniform)));
    // Calls that are submitted together have their values side by side.
    let call = |call: &UniformInfo| moving_entry(call.binding, wgpu::BufferBindingType::Uniform, true);
    entries.extend(kernel.call.as_ref().map(call));
    #[cfg(feature = "fault-injection")]
    if super::guards::is_watched(faults, kernel) {
        entries.push(entry(Kernel::WATCH_BINDING, wgpu::BufferBindingType::Storage { read_only: false }));
    }
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(kernel.name), entries: &entries })
}

/// The driver's compiled code, kept in the user's cache folder between runs.
#[derive(Debug)]
struct DiskCache {
    cache: wgpu::PipelineCache,
    #[cfg(not(target_arch = "wasm32"))]
    path: std::path::PathBuf,
}

#[cfg(target_arch = "wasm32")]
impl DiskCache {
    fn open(_: &wgpu::Device, _: &wgpu::AdapterInfo, _: &PipelineCache) -> Option<DiskCache> {
        None
    }

    fn save(&self) {}
}

#[cfg(not(target_arch = "wasm32"))]
impl DiskCache {
    /// Opens the cache of this adapter and driver, where the driver has one and there is a folder for it.
    fn open(device: &wgpu::Device, info: &wgpu::AdapterInfo, cache: &PipelineCache) -> Option<DiskCache> {
        if !device.features().contains(wgpu::Features::PIPELINE_CACHE) {
            return None;
        }
        let key = wgpu::util::pipeline_cache_key(info)?;
        let path = cache.folder()?.join(key);
        let data = std::fs::read(&path).ok();
        // SAFETY: the bytes are what this driver wrote for this adapter: the key names both, and the driver checks its
        // own header and falls back to an empty cache.
        #[expect(unsafe_code, reason = "compiled kernels are kept")]
        let cache = unsafe {
            device.create_pipeline_cache(&wgpu::PipelineCacheDescriptor {
                label: Some("pteron"),
                data: data.as_deref(),
                fallback: true,
            })
        };
        Some(DiskCache { cache, path })
    }

    /// Writes the cache. A failure costs only time at the next start.
    fn save(&self) {
        let Some(data) = self.cache.get_data() else { return };
        if let Err(error) = write_whole(&self.path, &data) {
            tracing::debug!(%error, path = %self.path.display(), "compiled pipelines were not saved");
        }
    }
}

/// Writes a file beside the old one and renames it, so that a reader never sees half of it.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn write_whole(path: &std::path::Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::sync::atomic::{AtomicU64, Ordering};

    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    // Other processes and other devices of this one may write at the same time.
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let partial = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
    let written = std::fs::write(&partial, bytes).and_then(|()| std::fs::rename(&partial, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    written
}
