//! result = the words of a report, which are zero afterwards, followed by those of a value: what the host reads of a call
//! before the next one overwrites it. One workgroup takes all.

#import tensor

@group(0) @binding(0) var<storage, read> value: array<u32>;
@group(0) @binding(1) var<storage, read_write> report: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(local_invocation_index) lane: u32) {
    let reported = arrayLength(&report);
    for (var i = lane; i < reported; i += WG_SIZE) {
        result[i] = report[i];
        report[i] = 0u;
    }
    for (var i = lane; i < arrayLength(&value); i += WG_SIZE) {
        result[reported + i] = value[i];
    }
}
