// Inputs as callers like to give them: tensors, typed arrays and lists of numbers.

import { PteronError } from "./errors.js";

const ARRAYS = {
    bool: Uint8Array,
    u8: Uint8Array,
    i8: Int8Array,
    i16: Int16Array,
    i32: Int32Array,
    i64: BigInt64Array,
    f16: Uint16Array,
    bf16: Uint16Array,
    f32: Float32Array,
    f64: Float64Array,
};

/** A call's inputs as the module takes them: those that were given, or those in the one array that was. */
export function toInputs(inputs, specs) {
    const list = inputs.length === 1 && Array.isArray(inputs[0]) ? inputs[0] : inputs;
    return list.map((value, index) => toInput(value, specs[index], index));
}

function toInput(value, spec, index) {
    if (spec?.kind !== "tensor") return value;
    if (Array.isArray(value)) return tensor(numbers(value, spec, index), spec, index);
    if (ArrayBuffer.isView(value)) return tensor(value, spec, index);
    return value;
}

function numbers(list, spec, index) {
    const array = ARRAYS[spec.dtype];
    try {
        return spec.dtype === "i64" ? BigInt64Array.from(list, BigInt) : array.from(list, Number);
    } catch (error) {
        throw new PteronError(`input ${index}: ${error.message}`, { kind: "input", cause: error });
    }
}

/** A typed array as a tensor of the shape that the method takes; a dynamic one has its only size from the array. */
function tensor(data, spec, index) {
    const count = spec.shape.reduce((product, size) => product * size, 1);
    if (data.length === count) return { dtype: spec.dtype, shape: spec.shape, data };
    if (spec.dynamic && spec.shape.filter((size) => size !== 1).length <= 1) {
        const at = Math.max(0, spec.shape.findIndex((size) => size !== 1));
        return { dtype: spec.dtype, shape: spec.shape.map((size, dim) => (dim === at ? data.length : size)), data };
    }
    const shape = `[${spec.shape.join(", ")}]`;
    throw new PteronError(`input ${index}: ${data.length} elements do not fill ${shape}; give { dtype, shape, data }`, {
        kind: "input",
    });
}
