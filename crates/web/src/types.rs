//! TypeScript types for what crosses the boundary as plain objects.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The type of a tensor's elements. */
export type DType = "bool" | "u8" | "i8" | "i16" | "i32" | "i64" | "f16" | "bf16" | "f32" | "f64";

/** Elements: one kind of array for each type. f16 and bf16 are the bits of each number. */
export type TensorData =
    | Uint8Array /* bool, u8 */
    | Int8Array /* i8 */
    | Int16Array /* i16 */
    | Int32Array /* i32 */
    | BigInt64Array /* i64 */
    | Uint16Array /* f16, bf16 */
    | Float32Array /* f32 */
    | Float64Array /* f64 */;

/** A tensor: contiguous, row-major. */
export interface Tensor {
    dtype: DType;
    shape: number[];
    data: TensorData;
}

/** An input or output of a method. An integer comes out as a bigint; a number may go in for one. */
export type Value = Tensor | bigint | number | boolean | string | null;

/** What a method takes or gives at one position. The sizes of a dynamic tensor are upper bounds. */
export type Spec =
    | { kind: "tensor"; dtype: DType; shape: number[]; dynamic: boolean }
    | { kind: "null" | "int" | "float" | "bool" | "string" | "list" | "other" };

/** What to run on: the best there is, WebGPU or an error, or the reference engine. */
export type DeviceChoice = "auto" | "gpu" | "cpu";

/** Where programs run. */
export interface DeviceInfo {
    /** One line for people. After a fallback it says why. */
    description: string;
    engine: "webgpu" | "reference";
    /** The adapter's name, as far as the browser tells it. */
    name: string;
    /** Whether the adapter computes in software. */
    software: boolean;
    /** Optional features that are there, such as "f16". */
    features: string[];
    /** Why "auto" did not take WebGPU. */
    fallback?: string;
}

export interface LoadOptions {
    /** "auto" unless given. */
    device?: DeviceChoice;
    /** Files with external data (.ptd). */
    data?: Uint8Array[];
}

/** What every function here throws, and every promise rejects with. */
export interface PteronError extends Error {
    name: "PteronError";
    kind: "io" | "format" | "unsupported" | "not-found" | "input" | "device" | "other";
}
"#;
