// Programs, their methods, and tensors that stay on the GPU.

import { attended } from "./devices.js";
import { PteronError, abortable, translated } from "./errors.js";
import { toInputs } from "./values.js";

/** Something that is let go with `dispose()` or by `using`. */
export class Disposable {
    #inner;

    /** Puts something of the module in the place of what was there. */
    hold(inner) {
        this.#inner?.free?.();
        this.#inner = inner;
    }

    /** What it stands for, until it is disposed of. */
    get inner() {
        if (this.#inner === undefined) {
            throw new PteronError(`this ${this.constructor.name} was disposed of`, { kind: "input" });
        }
        return this.#inner;
    }

    get isDisposed() {
        return this.#inner === undefined;
    }

    dispose() {
        this.hold(undefined);
    }
}

// Browsers without `using` have no such symbol, and need none.
if (Symbol.dispose !== undefined) {
    Disposable.prototype[Symbol.dispose] = function () {
        this.dispose();
    };
}

/** A program on a device. */
export class Program extends Disposable {
    #open;
    #gate;
    #device;
    #live = new Set();
    #onProgress;

    /** `open()` opens the program on a device and gives both; `gate` stops its reads. */
    static async open(open, gate, onProgress) {
        const program = new Program();
        program.#open = open;
        program.#gate = gate;
        program.#onProgress = onProgress;
        await program.#begin();
        return program;
    }

    async #begin() {
        const { device, inner } = await this.#open();
        this.#device = device;
        this.hold(inner);
        /** The names of its methods. */
        this.methods = inner.methods();
        /** What it runs on. */
        this.device = device.info();
    }

    /** Loads a method: its constants go to the device, and its kernels are compiled. */
    async method(name = "forward", { onProgress = this.#onProgress, signal } = {}) {
        const load = () => this.load((inner) => inner.method(name, onProgress), signal);
        const method = new Method(await load(), this.#device, () => this.#live.delete(method));
        this.keep(method, async () => method.hold(await load(), this.#device));
        return method;
    }

    /** Loads something of this program that can be given up while it reads. */
    async load(work, signal) {
        signal?.throwIfAborted();
        const leave = this.#gate.enter(signal);
        const loading = this.#gate.explained(translated(work(this.inner), this.#device)).finally(leave);
        return abortable(loading, signal, (late) => late.free());
    }

    /** Takes note of what must be loaded again with the program. */
    keep(it, again) {
        it.again = again;
        this.#live.add(it);
    }

    forget(it) {
        this.#live.delete(it);
    }

    /** The device of the module. */
    get innerDevice() {
        return this.#device;
    }

    /** Methods, operators and where they run, and memory. */
    async inspect() {
        return translated(this.inner.inspect(), this.#device);
    }

    /** Goes on with a new device after one was lost. Methods that are in use are loaded again; their state begins anew. */
    async reload() {
        await this.#begin();
        for (const it of this.#live) await it.again();
    }

    dispose() {
        for (const it of [...this.#live]) it.dispose();
        super.dispose();
    }
}

/** A method on a device, with the state that persists between its calls. */
export class Method extends Disposable {
    #device;
    #forget;

    constructor(inner, device, forget) {
        super();
        this.#forget = forget;
        this.hold(inner, device);
    }

    hold(inner, device) {
        super.hold(inner);
        if (inner === undefined) return;
        this.#device = device;
        this.name = inner.name;
        /** What it takes and gives. */
        this.inputs = inner.inputs();
        this.outputs = inner.outputs();
        /** What a user should know about how it runs on this device. */
        this.notes = inner.notes();
        this.device = device.info();
        /** GPU launches of the last call that ended well. */
        this.dispatches = 0;
    }

    async #run(inputs, onDevice) {
        const call = this.inner.run(toInputs(inputs, this.inputs), onDevice);
        const result = await translated(attended(call, this.#device), this.#device);
        this.dispatches = result.dispatches;
        return result.outputs.map((value) => (value?.deviceTensor === undefined ? value : new DeviceTensor(value, this.inner)));
    }

    /** Runs it. Inputs are copied before this returns; a call that fails leaves the method as it was. */
    async run(...inputs) {
        return this.#run(inputs, false);
    }

    /** Runs it and leaves tensors on the GPU. */
    async runOnDevice(...inputs) {
        return this.#run(inputs, true);
    }

    /** Sets all state back to what it was when the method was loaded. */
    async reset() {
        await translated(this.inner.reset(), this.#device);
    }

    /** The memory that it holds on the GPU, in bytes. */
    async gpuBytes() {
        return translated(this.inner.gpuBytes(), this.#device);
    }

    /** Runs it with every launch timed. */
    async profile(...inputs) {
        return translated(this.inner.profile(toInputs(inputs, this.inputs)), this.#device);
    }

    dispose() {
        this.#forget();
        super.dispose();
    }
}

/** A tensor on the GPU: an output of `runOnDevice`, and an input of any method of its device. */
export class DeviceTensor {
    #module;

    constructor({ deviceTensor, dtype, shape }, method) {
        this.#module = method.constructor.tensors;
        /** What the module knows it by. */
        this.deviceTensor = deviceTensor;
        this.dtype = dtype;
        this.shape = shape;
        collected?.register(this, [this.#module, deviceTensor], this);
    }

    /** Copies it to the host. */
    async read() {
        return translated(this.#module.tensorToHost(this.deviceTensor));
    }

    dispose() {
        collected?.unregister(this);
        this.#module.releaseTensor(this.deviceTensor);
    }
}

if (Symbol.dispose !== undefined) {
    DeviceTensor.prototype[Symbol.dispose] = DeviceTensor.prototype.dispose;
}

/** Lets tensors go that nobody disposed of. */
const collected = globalThis.FinalizationRegistry && new FinalizationRegistry(([module, id]) => module.releaseTensor(id));
