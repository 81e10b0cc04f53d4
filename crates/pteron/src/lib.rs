//! Runs programs that PyTorch exports with ExecuTorch (`.pte` files) on WebGPU: natively on Vulkan, Metal and DX12, and
//! in the browser.
//!
//! # Open a program and run it
//!
//! [`Program::open`] maps a file and reads its structure. [`Program::method`] loads a method onto a device: it plans the
//! method, compiles its kernels and moves its constants. [`Method::run`] calls it.
//!
//! ```
//! use pteron::{HostTensor, Program};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embedding.pte");
//! # let program = Program::open(path)?.on(&pteron::Device::cpu());
//! # /*
//! let program = Program::open("model.pte")?;
//! # */
//! let mut forward = program.method("forward")?;
//!
//! let ids = HostTensor::from_slice(&[0i64, 7, 30], &[3])?;
//! let outputs = forward.run(&[ids.into()])?;
//!
//! let rows = outputs[0].tensor().expect("an embedding gives a tensor");
//! assert_eq!(rows.shape().dims(), [3, 32]);
//! println!("{:?}", &rows.as_slice::<f32>()?[..4]);
//! # Ok::<(), pteron::Error>(())
//! ```
//!
//! Inputs may be smaller than the largest shapes of the export, from call to call; [`Method::inputs`] says which may.
//! A program that uses an operator this version lacks is refused when the method is loaded, by an error that names every
//! such node.
//!
//! # Choose a device
//!
//! Without a word a program runs on the best WebGPU adapter, or on the reference engine where there is none: plain Rust,
//! slow, and right. All programs share that device, which is opened on first need. [`Program::on`] takes a [`Device`] that
//! was opened by [`DeviceChoice`]; [`DeviceOptions`] say more, such as where compiled kernels are kept.
//!
//! ```
//! use pteron::{Device, DeviceChoice, HostTensor, Program};
//!
//! // Bytes from anywhere: part of the executable, a download, a test.
//! # /*
//! static MODEL: &[u8] = include_bytes!("model.pte");
//! # */
//! # static MODEL: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embedding.pte"));
//! let program = Program::from_bytes(MODEL)?;
//!
//! let best = Device::open(DeviceChoice::Auto)?;
//! let reference = Device::cpu();
//! let ids = HostTensor::from_slice(&[3i64, 4], &[2])?;
//!
//! let on_best = program.clone().on(&best).method("forward")?.run(&[(&ids).into()])?;
//! let on_reference = program.on(&reference).method("forward")?.run(&[(&ids).into()])?;
//!
//! let close = pteron::Tolerance { atol: 1e-6, rtol: 1e-6 };
//! let (a, b) = (on_best[0].tensor().unwrap(), on_reference[0].tensor().unwrap());
//! assert!(close.compare(a, b).unwrap().passed());
//! # Ok::<(), pteron::Error>(())
//! ```
//!
//! # 64-bit integers at the boundary
//!
//! PyTorch's ids are int64, and GPUs count in 32 bits. An int64 input is narrowed on its way in, and an output widened on
//! its way out. A value that does not fit, or an id that no row has, is an error that names the input and the element;
//! nothing wraps.
//!
//! ```
//! use pteron::{ErrorKind, HostTensor};
//! # use pteron::{Device, Program};
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embedding.pte");
//! # let mut forward = Program::open(path)?.on(&Device::cpu()).method("forward")?;
//!
//! let too_large = HostTensor::from_slice(&[1, 1i64 << 40, 2], &[3])?;
//! let error = forward.run(&[too_large.into()]).unwrap_err();
//! assert_eq!(error.kind(), ErrorKind::Input);
//! assert_eq!(
//!     error.to_string(),
//!     "input 0: element 1 is index 1099511627776, out of range for node 0 of delegate 0 of method forward (et_vk.embedding_q4gsw.default): valid are 0 to 30"
//! );
//! # Ok::<(), pteron::Error>(())
//! ```
//!
//! # Errors are values
//!
//! Nothing that a file, an input or a device does makes a call panic. [`Error::kind`] says who can do something about
//! it. What the host can know is found before any work is submitted, and the method stays usable.
//!
//! ```
//! use pteron::{ErrorKind, HostTensor, Program};
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embedding.pte");
//! # let program = Program::open(path)?.on(&pteron::Device::cpu());
//!
//! assert_eq!(Program::from_bytes(&b"not a program"[..]).unwrap_err().kind(), ErrorKind::Format);
//! assert_eq!(program.method("backward").unwrap_err().kind(), ErrorKind::NotFound);
//!
//! let mut forward = program.method("forward")?;
//! let outside = HostTensor::from_slice(&[31i64], &[1])?; // the table has rows 0 to 30
//! assert_eq!(forward.run(&[outside.into()]).unwrap_err().kind(), ErrorKind::Input);
//!
//! let inside = HostTensor::from_slice(&[30i64], &[1])?;
//! assert!(forward.run(&[inside.into()]).is_ok());
//! # Ok::<(), pteron::Error>(())
//! ```
//!
//! # Files from strangers
//!
//! A program takes no more of the machine than its [`Limits`] allow. What needs more is an error that says how much, before
//! anything is allocated. The defaults leave room for models that people run; [`Program::with_limits`] sets others.
//!
//! ```
//! use pteron::{ErrorKind, Limits, Program};
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embedding.pte");
//!
//! # /*
//! let program = Program::open("model.pte")?.with_limits(Limits::default().with_nodes(0));
//! # */
//! # let program = Program::open(path)?.with_limits(Limits::default().with_nodes(0));
//! let error = program.method("forward").unwrap_err();
//! assert_eq!(error.kind(), ErrorKind::Limit);
//! # Ok::<(), pteron::Error>(())
//! ```
//!
//! # Stay on the device
//!
//! [`Device::upload`] makes a [`DeviceTensor`] that serves several calls, and [`Method::run_on_device`] leaves outputs
//! where they are, to be inputs of the next call. [`DeviceTensor::to_host`] reads one back.
//!
//! ```
//! use pteron::{Device, DeviceChoice, HostTensor, Program, Value};
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embedding.pte");
//!
//! let device = Device::open(DeviceChoice::Auto)?;
//! # /*
//! let mut forward = Program::open("model.pte")?.on(&device).method("forward")?;
//! # */
//! # let mut forward = Program::open(path)?.on(&device).method("forward")?;
//!
//! let ids = HostTensor::from_slice(&[0i64, 1], &[2])?;
//! // The reference engine has no memory of its own, and takes host tensors.
//! let ids = if device.is_cpu() { Value::from(ids) } else { device.upload(&ids)?.into() };
//! for _ in 0..3 {
//!     let outputs = forward.run_on_device(&[ids.clone()])?;
//!     let rows = match &outputs[0] {
//!         Value::Device(tensor) => tensor.to_host()?,
//!         Value::Tensor(tensor) => tensor.clone(),
//!         other => panic!("an embedding gives a tensor, not {other:?}"),
//!     };
//!     assert_eq!(rows.shape().dims(), [2, 32]);
//! }
//! # Ok::<(), pteron::Error>(())
//! ```
//!
//! # Without blocking
//!
//! Every call that waits has an `_async` twin, which needs no particular executor. In a browser, where nothing may block,
//! only those exist. Natively their futures may move between threads, and are woken by a thread that waits for the GPU: it
//! is started on first need, and sleeps while there is nothing to wait for. So calls of several methods can be awaited
//! together, and their executor does other things meanwhile. One after the other, calls that block take less time, since
//! nobody has to be woken.
//!
//! Three things are done on the thread that polls: planning, operators outside delegates, and everything on the reference
//! engine. Dropping a future gives up its results; what was submitted to the GPU runs.
//!
//! ```
//! use pteron::{Device, DeviceChoice, HostTensor, Program};
//!
//! async fn embed(model: &'static [u8], ids: &[i64]) -> pteron::Result<HostTensor> {
//!     let device = Device::open_async(DeviceChoice::Auto).await?;
//!     let mut forward = Program::from_bytes(model)?.on(&device).method_async("forward").await?;
//!     let ids = HostTensor::from_slice(ids, &[ids.len()])?;
//!     let outputs = forward.run_async(&[ids.into()]).await?;
//!     Ok(outputs[0].tensor().expect("an embedding gives a tensor").clone())
//! }
//! # let model = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embedding.pte"));
//! # assert_eq!(pollster::block_on(embed(model, &[5]))?.numel(), 32);
//! # Ok::<(), pteron::Error>(())
//! ```
//!
//! # With `wgpu` of your own
//!
//! With the feature `wgpu`, `Device::from_wgpu` takes a device that the application draws with, and `DeviceTensor::buffer`
//! gives the memory of a tensor to its commands, without a copy. `examples/heat_map.rs` draws an output.
//!
//! # Language models
//!
//! With the feature `llm`, [`llm`](https://docs.rs/pteron-llm) drives programs that `export_llama` made: tokenizer, chat
//! template, sampling, and conversations that keep their key-value caches. `examples/generate.rs` shows it.
//!
//! # Features
//!
//! All are off by default.
//!
//! - `llm`: language models, as the module `llm`.
//! - `ndarray`: [`HostTensor`] to and from `ndarray` arrays.
//! - `safetensors`: [`HostTensor`] from the views of a safetensors file, and into one.
//! - `wgpu`: devices and buffers that are shared with an application, and the crate `wgpu` itself.

#![forbid(unsafe_code)]

#[cfg(feature = "llm")]
pub use pteron_llm as llm;
#[cfg(not(target_arch = "wasm32"))]
pub use pteron_runtime::block_on;
pub use pteron_runtime::{
    AdapterReport, Appended, AppendedPorts, Argument, Bytes, Caps, Carry, Comparison, Condition, DType, Device,
    DeviceChoice, DeviceOptions, DeviceTensor, Diagnosis, Dim, Element, Error, ErrorKind, Finding, GpuBytes,
    HostTensor, KeepOutcomes, KernelTime, Later, Limit, Limits, MAX_RANK, MaybeSend, MemoryEstimate, MemorySource,
    Method, MethodGraph, MethodOptions, MethodSignature, Mismatch, NodeError, OpError, Outcomes, PipelineCache, Port,
    Precision, Program, Read, RepeatedRun, Result, Shape, ShapeError, Source, Spec, State, SubgroupSizes, Submitted,
    TensorError, TensorType, Tolerance, Unsupported, UnsupportedNode, Value, Wrong, pte,
};
#[cfg(feature = "wgpu")]
pub use pteron_runtime::{TensorBuffer, wgpu};
