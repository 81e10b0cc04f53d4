//! Windows of which as many cover each side of a volume as its output has elements. They overlap where sizes do not divide.

/// Width, height and depth of the volumes, and how many windows cover each.
struct AdaptiveWindows {
    size_in: vec3<u32>,
    size_out: vec3<u32>,
}

/// The elements from the first to the one before the end, and where their volume begins.
struct AdaptiveWindow {
    first: vec3<u32>,
    end: vec3<u32>,
    volume: u32,
}

fn window_of(windows: AdaptiveWindows, index: u32) -> AdaptiveWindow {
    let size = windows.size_in;
    let count = windows.size_out;
    let place = vec3(index % count.x, index / count.x % count.y, index / (count.x * count.y) % count.z);
    let first = place * size / count;
    let end = ((place + 1u) * size + count - 1u) / count;
    return AdaptiveWindow(first, end, index / (count.x * count.y * count.z) * (size.x * size.y * size.z));
}
