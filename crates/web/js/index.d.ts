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

/** An output of a method. An integer is a bigint. */
export type Value = Tensor | bigint | number | boolean | string | null;

/** An input of a method. An array stands for a tensor of the type and shape that the method takes. */
export type Input = Value | DeviceTensor | TensorData | number[] | bigint[];

/** What a method takes or gives at one position. The sizes of a dynamic tensor are upper bounds. */
export type Spec =
    | { kind: "tensor"; dtype: DType; shape: number[]; dynamic: boolean }
    | { kind: "null" | "int" | "float" | "bool" | "string" | "list" | "other" };

/** What to run on: the best there is, WebGPU or an error, or the reference engine. */
export type DeviceChoice = "auto" | "gpu" | "cpu";

/** What programs run on. */
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
    /** What the device was opened with; the reference engine has no limits. */
    limits?: { bindingBytes: number; bufferBytes: number; workgroupBytes: number; invocations: number; storageBuffers: number };
    /** Kernels that its self-test found wrong, and what takes their place. */
    warnings: string[];
    /** Why "auto" did not take WebGPU. */
    fallback?: string;
}

/** Where the bytes of a file come from. */
export type Source =
    | string
    | URL
    | Request
    | Response
    | Blob
    | ReadableStream<Uint8Array>
    | ArrayBuffer
    | ArrayBufferView
    | FileSystemFileHandle;

/** How far something is loaded: bytes of a download or of an upload to the GPU, or graphs whose kernels are compiled. */
export interface Progress {
    phase: "download" | "upload" | "compile";
    loaded: number;
    /** Nothing where a server does not say. */
    total?: number;
    /** The file that is downloaded. */
    name?: string;
}

export interface SetupOptions {
    /** The module, where it is not beside the package's files. */
    wasm?: string | URL | Request | Response | Promise<Response> | WebAssembly.Module | BufferSource;
}

export interface DeviceOptions extends SetupOptions {
    /**
     * Whether kernels are compared with the reference engine when this browser meets a GPU for the first time; those that are
     * wrong are not used, and the console is told which. True unless given. What was found is kept with the cache.
     */
    selfTest?: boolean;
}

export interface LoadOptions extends DeviceOptions {
    /** "auto" unless given. Programs that ask for the same choice share a device. */
    device?: DeviceChoice | Device;
    /** Files with external data (.ptd). */
    data?: Source[];
    /** Gets what is downloaded and, unless `method` is given another, what is uploaded and compiled. */
    onProgress?: (progress: Progress) => void;
    /** Stops the download. */
    signal?: AbortSignal;
    /** Whether files that come from an address are kept in the browser, and read from there the next time. */
    cache?: boolean;
    /** The file's SHA-256: "sha256-" and base64, or hexadecimal digits. */
    integrity?: string;
    /** How much of the machine the program may take. What needs more is an error of kind "limit". */
    limits?: Limits;
}

/** How much of the machine a program may take; what is left out is as usual. */
export interface Limits {
    /** Memory on the GPU of each method that is loaded: constants, one state, and its largest call. */
    gpuBytes?: number;
    /** Tensors in the module's memory, of each method that is loaded and of a call. */
    hostBytes?: number;
    /** Operators and instructions of a method. */
    nodes?: number;
    /** Values of a method. */
    values?: number;
    /** How long one call may take, in seconds. */
    callSeconds?: number;
}

export interface MethodOptions {
    onProgress?: (progress: Progress) => void;
    /** Stops the load. */
    signal?: AbortSignal;
}

/** A node of a program, and what is wrong with it. */
export interface ProgramNode {
    at: string;
    op: string;
    reason: string;
}

/** What every function here throws, and every promise rejects with, except for an abort. */
export class PteronError extends Error {
    readonly name: "PteronError";
    readonly kind:
        | "io" /* a file cannot be read */
        | "format" /* a file is broken */
        | "integrity" /* a file is another than was asked for */
        | "unsupported" /* the program needs what this version lacks */
        | "not-found"
        | "input"
        | "device" /* there is no WebGPU, or it failed */
        | "memory" /* the GPU has no room */
        | "limit" /* the program needs more than its limits allow */
        | "lost" /* the device was lost, and reload() goes on */
        | "other";
    /** The nodes of the program that it tells of. */
    readonly nodes?: ProgramNode[];
}

/** What is let go with `dispose()`, or at the end of a `using` block. */
export interface Disposable {
    dispose(): void;
    [Symbol.dispose](): void;
}

/** A device of one's own. */
export interface Device extends Disposable {
    readonly info: DeviceInfo;
    /** Whether nothing runs on it any more. */
    readonly isLost: boolean;
}

/** A tensor on the GPU: an output of `runOnDevice`, and an input of any method of its device. */
export interface DeviceTensor extends Disposable {
    readonly dtype: DType;
    readonly shape: number[];
    /** Copies it to the host. */
    read(): Promise<Tensor>;
}

/** The time of one launch. */
export interface KernelTime {
    kernel: string;
    op: string;
    nanoseconds: number;
    /** Bytes that it moves at least. */
    bytes: number;
}

export interface GpuBytes {
    constants: number;
    state: number;
    scratch: number;
}

/** A method on a device, with the state that persists between its calls. */
export interface Method extends Disposable {
    readonly name: string;
    readonly inputs: Spec[];
    readonly outputs: Spec[];
    /** What a user should know about how it runs on this device. */
    readonly notes: string[];
    readonly device: DeviceInfo;
    /** GPU launches of the last call that ended well. */
    readonly dispatches: number;
    /** Runs it. Inputs are copied before this returns; a call that fails leaves the method as it was. */
    run(...inputs: Input[]): Promise<Value[]>;
    run(inputs: Input[]): Promise<Value[]>;
    /** Runs it and leaves tensors on the GPU. */
    runOnDevice(...inputs: Input[]): Promise<(Value | DeviceTensor)[]>;
    /** Sets all state back to what it was when the method was loaded. */
    reset(): Promise<void>;
    gpuBytes(): Promise<GpuBytes>;
    /** Runs it with every launch timed, where the browser lets timestamps be read. */
    profile(...inputs: Input[]): Promise<KernelTime[]>;
}

export interface MethodReport {
    name: string;
    inputs: Spec[];
    outputs: Spec[];
    /** Why it does not run here. */
    error?: PteronError;
    /** How often each operator is used, within delegates and outside. */
    operators: { op: string; count: number; delegated: boolean }[];
    /** Operators outside delegates that run on the host, and why. */
    onHost: { op: string; reason: string }[];
    /** What runs on the device, in order, with the values that each node reads and writes. */
    nodes: { graph: number; op: string; reads: string[]; writes: string[] }[];
    /** Bytes at the largest shapes. */
    memory?: { constants: number; state: number; boundary: number; intermediates: number | null };
}

/** A program on a device. */
export interface Program extends Disposable {
    /** The names of its methods. */
    readonly methods: string[];
    readonly device: DeviceInfo;
    /** Loads a method, "forward" unless named: its constants go to the device, and its kernels are compiled. */
    method(name?: string, options?: MethodOptions): Promise<Method>;
    /** Methods, operators and where they run, and memory. */
    inspect(): Promise<{ methods: MethodReport[] }>;
    /** Goes on with a new device after one was lost. Methods that are in use are loaded again; their state begins anew. */
    reload(): Promise<void>;
}

/** Makes the module ready. Other functions do so by themselves, from beside the package's files. */
export function setup(options?: SetupOptions): Promise<void>;

/** Opens a device of one's own. */
export function openDevice(choice?: DeviceChoice, options?: DeviceOptions): Promise<Device>;

/** Opens a program (.pte or .bpte). Only its structure is read; its constants are when a method is loaded. */
export function load(source: Source, options?: LoadOptions): Promise<Program>;

/** Bytes of the module's memory. */
export function memoryBytes(): number;

/** A file in the cache. */
export interface CachedFile {
    url: string;
    size: number;
    /** In hexadecimal digits; nothing while it is not complete. */
    sha256?: string;
    complete: boolean;
}

/** Every file in the cache of this origin. */
export function listCached(): Promise<CachedFile[]>;

/** Deletes a file from the cache. */
export function deleteCached(url: string | URL): Promise<void>;

/** Deletes every file from the cache, and what self-tests of devices found. */
export function clearCache(): Promise<void>;
