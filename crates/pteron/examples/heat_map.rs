//! Draws an output where it is: `cargo run -p pteron --features wgpu --example heat_map -- [picture.ppm]`.
//!
//! The application opens a device with `wgpu`, runs a program on it, and draws the program's output in a render pass. The
//! output never leaves the GPU; only the finished picture does.

use pteron::wgpu;
use pteron::{Device, HostTensor, Program, TensorBuffer, Value};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embedding.pte");
/// Rows of the table, and how often each is drawn below itself.
const ROWS: [i64; 8] = [0, 1, 2, 3, 16, 17, 29, 30];
const HEIGHT: u32 = 8;

/// One triangle covers the picture; each pixel looks its element up.
const SHADER: &str = "
    @group(0) @binding(0) var<storage, read> elements: array<f32>;
    override COLUMNS: u32;
    override HEIGHT: u32;

    @vertex fn corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
        return vec4f(f32(index & 1) * 4 - 1, f32(index >> 1) * 4 - 1, 0, 1);
    }

    @fragment fn pixel(@builtin(position) at: vec4f) -> @location(0) vec4f {
        let value = elements[u32(at.y) / HEIGHT * COLUMNS + u32(at.x)];
        return vec4f(saturate(value), 0.25, saturate(-value), 1);
    }
";

/// Pixels of 8-bit red, green, blue and alpha.
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixels: Vec<u8>,
}

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "heat_map.ppm".to_owned());
    let Picture { width, height, pixels } = draw(&ROWS)?;
    let mut file = format!("P6\n{width} {height}\n255\n").into_bytes();
    file.extend(pixels.chunks_exact(4).flat_map(|pixel| &pixel[..3]));
    std::fs::write(&path, file)?;
    println!("{path}: {width} × {height} pixels");
    Ok(())
}

/// Draws rows of the table, one below the other.
pub(crate) fn draw(rows: &[i64]) -> Result<Picture, Box<dyn std::error::Error>> {
    pteron::block_on(async {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapter = instance.request_adapter(&Default::default()).await?;
        let (device, queue) = adapter.request_device(&Default::default()).await?;

        let shared = Device::from_wgpu(&adapter, device.clone(), queue.clone())?;
        let mut forward = Program::open(DEMO)?.on(&shared).method_async("forward").await?;
        let ids = HostTensor::from_slice(rows, &[rows.len()])?;
        let outputs = forward.run_on_device_async(&[ids.into()]).await?;
        let Some(Value::Device(output)) = outputs.first() else { return Err("the program gives no tensor".into()) };
        render(&device, &queue, output.buffer()?)
    })
}

/// Draws a matrix of 32-bit floats and reads the picture.
fn render(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    matrix: TensorBuffer<'_>,
) -> Result<Picture, Box<dyn std::error::Error>> {
    let (pteron::DType::F32, &[rows, columns]) = (matrix.dtype, matrix.shape.dims()) else {
        return Err(format!("{}{} is no matrix of floats", matrix.dtype, matrix.shape).into());
    };
    let (width, height) = (u32::try_from(columns)?, u32::try_from(rows)? * HEIGHT);
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let pipeline = pipeline(device, width, texture.format());
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: matrix.buffer.as_entire_binding() }],
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let view = texture.create_view(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: Default::default(),
            })],
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
    let line = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let copy = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(line) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(line), rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: &copy, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, size);
    // After the program on the same queue, so its output is there.
    queue.submit([encoder.finish()]);
    copy.map_async(wgpu::MapMode::Read, .., |_| {});
    device.poll(wgpu::PollType::wait_indefinitely())?;
    let lines = copy.get_mapped_range(..)?;
    let pixels = lines.chunks_exact(line as usize).flat_map(|line| line[..width as usize * 4].to_vec()).collect();
    Ok(Picture { width, height, pixels })
}

fn pipeline(device: &wgpu::Device, columns: u32, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(SHADER.into()),
    });
    let constants = [("COLUMNS", f64::from(columns)), ("HEIGHT", f64::from(HEIGHT))];
    let options = || wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("corner"),
            compilation_options: options(),
            buffers: &[],
        },
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("pixel"),
            compilation_options: options(),
            targets: &[Some(format.into())],
        }),
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        multiview_mask: None,
        cache: None,
    })
}
