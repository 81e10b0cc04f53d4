// Tensors of the cases: reading safetensors files, and judging outputs as the native tests do.

const ARRAYS = {
    BOOL: ["bool", Uint8Array],
    U8: ["u8", Uint8Array],
    I8: ["i8", Int8Array],
    I16: ["i16", Int16Array],
    I32: ["i32", Int32Array],
    I64: ["i64", BigInt64Array],
    F16: ["f16", Uint16Array],
    BF16: ["bf16", Uint16Array],
    F32: ["f32", Float32Array],
    F64: ["f64", Float64Array],
};

/** The tensors of a safetensors file, as `[number, tensor]` in the order of the numbers that name them. */
export function readSafetensors(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const length = Number(view.getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
    const tensors = [];
    for (const [name, { dtype, shape, data_offsets }] of Object.entries(header)) {
        if (name === "__metadata__") continue;
        const [ours, TypedArray] = ARRAYS[dtype];
        // A copy, since the data of a file need not be aligned.
        const data = bytes.slice(8 + length + data_offsets[0], 8 + length + data_offsets[1]).buffer;
        tensors.push([Number(name), { dtype: ours, shape, data: new TypedArray(data) }]);
    }
    return tensors.sort(([a], [b]) => a - b);
}

/** The largest absolute difference of two tensors; throws where they differ by more than the tolerance. */
export function compare(got, expected, { atol, rtol }) {
    if (got?.dtype !== expected.dtype) throw new Error(`element type is ${got?.dtype}, expected ${expected.dtype}`);
    if (String(got.shape) !== String(expected.shape)) {
        throw new Error(`shape is [${got.shape}], expected [${expected.shape}]`);
    }
    if (got.data.constructor !== expected.data.constructor || got.data.length !== expected.data.length) {
        throw new Error(`data is ${got.data.constructor.name}(${got.data.length})`);
    }
    let largest = 0;
    for (let i = 0; i < got.data.length; i++) {
        const difference = distance(got.data[i], expected.data[i], got.dtype);
        const magnitude = Math.abs(number(expected.data[i], got.dtype));
        const allowed = Number.isFinite(magnitude) ? atol + rtol * magnitude : 0;
        // Written so that NaN fails.
        if (!(difference <= allowed)) {
            const [a, b] = [number(got.data[i], got.dtype), number(expected.data[i], got.dtype)];
            throw new Error(`element ${i} is ${a}, expected ${b}`);
        }
        largest = Math.max(largest, difference);
    }
    return largest;
}

/** Zero for equal values, two NaNs among them. 64-bit integers are subtracted before they lose bits. */
function distance(a, b, dtype) {
    if (dtype === "i64") return Number(a > b ? a - b : b - a);
    const [x, y] = [number(a, dtype), number(b, dtype)];
    return Object.is(x, y) || x === y ? 0 : Math.abs(x - y);
}

/** An element as a number. */
function number(element, dtype) {
    if (dtype === "f16") return fromHalf(element);
    if (dtype === "bf16") return new Float32Array(new Uint32Array([element << 16]).buffer)[0];
    return Number(element);
}

function fromHalf(bits) {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 0x1f;
    const fraction = bits & 0x3ff;
    if (exponent === 0x1f) return fraction ? NaN : sign * Infinity;
    return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}
