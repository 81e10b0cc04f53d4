//! Looks rows up in a 4-bit embedding table: `cargo run --example embedding -- [model.pte] [id…]`.

use pteron::{Device, DeviceChoice, HostTensor, Program, Spec};

/// A table of 31 rows.
const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/embedding.pte");

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| SMALL.to_owned());
    let mut ids = arguments.map(|id| id.parse()).collect::<Result<Vec<i64>, _>>()?;
    if ids.is_empty() {
        ids = vec![0, 7, 30];
    }

    let device = Device::open(DeviceChoice::Auto)?;
    let mut forward = Program::open(path)?.on(&device).method("forward")?;
    if let Some(Spec::Tensor { dtype, shape, .. }) = forward.inputs().first() {
        println!("forward takes {dtype}{shape} and runs on {}", device.name());
    }

    let input = HostTensor::from_slice(&ids, &[ids.len()])?;
    let outputs = forward.run(&[input.into()])?;
    let rows = outputs.first().and_then(|output| output.tensor()).ok_or("the program gives no tensor")?;
    let columns = rows.shape().last().copied().unwrap_or(1).max(1);
    for (id, row) in ids.iter().zip(rows.as_slice::<f32>()?.chunks(columns)) {
        println!("row {id}: {:?} …", &row[..columns.min(4)]);
    }
    Ok(())
}
