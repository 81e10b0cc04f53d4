//! Windows that slide over volumes: width, height and depth.

struct Volumes {
    size_in: vec3<u32>,
    size_out: vec3<u32>,
    window: vec3<u32>,
    stride: vec3<u32>,
    padding: vec3<u32>,
    dilation: vec3<u32>,
}

/// The place of a window among those of its volume.
fn place_of(volumes: Volumes, index: u32) -> vec3<u32> {
    let size = volumes.size_out;
    return vec3(index % size.x, index / size.x % size.y, index / (size.x * size.y) % size.z);
}

/// The first element of the volume that belongs to a window.
fn volume_of(volumes: Volumes, index: u32) -> u32 {
    let out = volumes.size_out;
    let own = volumes.size_in;
    return index / (out.x * out.y * out.z) * (own.x * own.y * own.z);
}
