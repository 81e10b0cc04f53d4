// Tensors for visitors: made up, read from files of numpy and safetensors, and made of pictures.

const ARRAYS = { bool: Uint8Array, u8: Uint8Array, i8: Int8Array, i16: Int16Array, i32: Int32Array, i64: BigInt64Array, f16: Uint16Array, bf16: Uint16Array, f32: Float32Array, f64: Float64Array };
const FLOATS = ["f16", "bf16", "f32", "f64"];
const NUMPY = { "|b1": "bool", "|u1": "u8", "|i1": "i8", "<i2": "i16", "<i4": "i32", "<i8": "i64", "<f2": "f16", "<f4": "f32", "<f8": "f64" };
const SAFETENSORS = { BOOL: "bool", U8: "u8", I8: "i8", I16: "i16", I32: "i32", I64: "i64", F16: "f16", BF16: "bf16", F32: "f32", F64: "f64" };

export const product = (shape) => shape.reduce((product, size) => product * size, 1);
export const isFloat = (dtype) => FLOATS.includes(dtype);

/** A tensor of these numbers; whole ones are rounded. */
export function tensorOf(dtype, shape, values) {
    if (dtype === "f16" || dtype === "bf16") return { dtype, shape, data: Uint16Array.from(values, (value) => toBits(value, dtype)) };
    if (dtype === "i64") return { dtype, shape, data: BigInt64Array.from(values, (value) => BigInt(Math.round(value))) };
    return { dtype, shape, data: ARRAYS[dtype].from(values, isFloat(dtype) ? undefined : Math.round) };
}

/** The numbers of a tensor. */
export function numbersOf({ dtype, data }) {
    return dtype === "f16" || dtype === "bf16" ? Array.from(data, (bits) => fromBits(bits, dtype)) : Array.from(data, Number);
}

/** The bits of a number as a 16-bit float, to the nearest. */
function toBits(value, dtype) {
    const word = new Uint32Array(Float32Array.of(value).buffer)[0];
    if (dtype === "bf16") return ((word + 0x7fff + ((word >>> 16) & 1)) >>> 16) & 0xffff;
    const sign = (word >>> 16) & 0x8000;
    const size = Math.abs(value);
    if (Number.isNaN(value)) return 0x7e00;
    if (size >= 65520) return sign | 0x7c00;
    if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24);
    const rounded = (word & 0x7fffffff) + 0xfff + ((word >>> 13) & 1);
    return sign | ((rounded - (112 << 23)) >>> 13);
}

function fromBits(bits, dtype) {
    if (dtype === "bf16") return new Float32Array(Uint32Array.of(bits << 16).buffer)[0];
    const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 0x1f, bits & 0x3ff];
    if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
    return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

const typed = (dtype, shape, bytes) => {
    const array = ARRAYS[dtype];
    if (bytes.length !== product(shape) * array.BYTES_PER_ELEMENT) throw new Error(`the file has ${bytes.length} bytes, which do not fill ${dtype}[${shape.join(", ")}]`);
    return { dtype, shape, data: new array(bytes.slice().buffer) };
};

/** The tensor of a `.npy` file, or the tensor of a safetensors file with this number for a name, or else its only one. */
export async function readTensor(file, index) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const view = new DataView(bytes.buffer);
    if (bytes[0] === 0x93 && bytes.length > 12) {
        const long = bytes[6] > 1;
        const start = (long ? 12 : 10) + (long ? view.getUint32(8, true) : view.getUint16(8, true));
        const header = new TextDecoder().decode(bytes.subarray(long ? 12 : 10, start));
        const [, kind] = /'descr':\s*'([^']+)'/.exec(header) ?? [];
        const [, sizes] = /'shape':\s*\(([^)]*)\)/.exec(header) ?? [];
        if (NUMPY[kind] === undefined || sizes === undefined) throw new Error(`${file.name}: arrays of ${kind} are not known`);
        if (/'fortran_order':\s*True/.test(header)) throw new Error(`${file.name}: its columns come first; save it with np.ascontiguousarray`);
        return typed(NUMPY[kind], sizes.split(",").filter((size) => size.trim() !== "").map(Number), bytes.subarray(start));
    }
    const length = bytes.length > 8 ? Number(view.getBigUint64(0, true)) : Infinity;
    if (length > bytes.length) throw new Error(`${file.name}: this is neither a .npy nor a .safetensors file`);
    const { __metadata__: _, ...header } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
    const names = Object.keys(header);
    const found = header[index] ?? (names.length === 1 ? header[names[0]] : undefined);
    if (found === undefined) throw new Error(`${file.name}: no tensor is called ${index}; there are ${names.slice(0, 10).join(", ")}`);
    const [start, end] = found.data_offsets;
    return typed(SAFETENSORS[found.dtype], found.shape, bytes.subarray(8 + length + start, 8 + length + end));
}

/** Where a tensor has its channels, rows and columns, if it may be a picture. */
export function pictureOf({ dtype, shape }) {
    if (!["u8", "f16", "bf16", "f32"].includes(dtype) || shape.length < 3 || product(shape.slice(0, -3)) !== 1) return undefined;
    const [a, b, c] = shape.slice(-3);
    const large = (size) => size >= 8 && size <= 4096;
    if ([1, 3].includes(a) && large(b) && large(c)) return { channels: a, rows: b, columns: c, first: true };
    if ([1, 3].includes(c) && large(a) && large(b)) return { channels: c, rows: a, columns: b, first: false };
    return undefined;
}

/** How a network was taught to see the values 0 to 1 of each channel. */
export const SCALES = {
    "0 to 1": { mean: [0, 0, 0], deviation: [1, 1, 1] },
    "-1 to 1": { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] },
    ImageNet: { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] },
    "0 to 255": { mean: [0, 0, 0], deviation: [1 / 255, 1 / 255, 1 / 255] },
};

/** A tensor of what a canvas shows. */
export function tensorOfPicture(source, spec, scale) {
    const { channels, rows, columns, first } = pictureOf(spec);
    const canvas = new OffscreenCanvas(columns, rows);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(source, 0, 0, columns, rows);
    const { data } = context.getImageData(0, 0, columns, rows);
    const { mean, deviation } = SCALES[spec.dtype === "u8" ? "0 to 255" : scale];
    const values = new Float32Array(channels * rows * columns);
    for (let place = 0; place < rows * columns; place++) {
        for (let channel = 0; channel < channels; channel++) {
            const byte = channels === 1 ? 0.299 * data[4 * place] + 0.587 * data[4 * place + 1] + 0.114 * data[4 * place + 2] : data[4 * place + channel];
            values[first ? channel * rows * columns + place : place * channels + channel] = (byte / 255 - mean[channel]) / deviation[channel];
        }
    }
    return tensorOf(spec.dtype, spec.shape, values);
}
