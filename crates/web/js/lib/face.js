// What an entry exports, over the module that it brings.

import { openedBy } from "./devices.js";
import { PteronError, abortable, translated } from "./errors.js";
import { Disposable, Program } from "./program.js";
import { openSource, readAll } from "./sources.js";

/** A device. Programs that share one share its compiled kernels. */
class Device extends Disposable {
    constructor(inner) {
        super();
        this.hold(inner);
        this.info = inner.info();
    }

    /** Whether nothing runs on it any more. */
    get isLost() {
        return this.inner.isLost();
    }

    /** Ends it, and frees all of its memory. Programs on it are lost. */
    dispose() {
        if (!this.isDisposed) this.inner.close();
        super.dispose();
    }
}

/** The functions of an entry. `init` makes the module ready, once; language models are of the class `Model`. */
export function face(init, module, Model) {
    module.Method.tensors = module;
    const sha256 = () => new module.Sha256();

    /** Devices by what was asked for; programs share them. */
    const devices = new Map();

    /** Makes the module ready, from another place than beside this file where `wasm` names one. */
    async function setup({ wasm } = {}) {
        await init(wasm === undefined ? undefined : { module_or_path: wasm });
    }

    /** Opens a device. What is wrong with its kernels is said once, since programs go on with others. */
    async function open(choice, selfTest) {
        const opened = await translated(openedBy((...how) => module.openDevice(choice, ...how), selfTest));
        for (const warning of opened.info().warnings) console.warn(`pteron: ${warning}`);
        return opened;
    }

    async function sharedDevice(choice, selfTest) {
        const key = `${choice} ${selfTest}`;
        const known = await devices.get(key)?.catch(() => undefined);
        if (known !== undefined && !known.isLost()) return known;
        const opening = open(choice, selfTest);
        devices.set(key, opening);
        opening.catch(() => devices.delete(key));
        return opening;
    }

    /** Opens a device of one's own: "auto", "gpu" or "cpu". */
    async function openDevice(choice = "auto", { wasm, selfTest = true } = {}) {
        await setup({ wasm });
        return new Device(await open(choice, selfTest));
    }

    /** Opens a program. Only its structure is read; its constants are when a method is loaded. */
    async function load(source, options = {}) {
        const { device = "auto", selfTest = true, data = [], onProgress, signal, cache = false, integrity, limits, wasm } = options;
        signal?.throwIfAborted();
        const opening = (async () => {
            await setup({ wasm });
            const common = { onProgress, signal, cache, sha256 };
            const files = [openSource(source, { ...common, integrity })];
            files.push(...data.map((file) => openSource(file, { ...common, name: "external data" })));
            const [file, ...rest] = await Promise.all(files);
            const gate = new Gate();
            const readers = [file, ...rest].map((reader) => gate.guard(reader));
            const open = async () => {
                const inner = device instanceof Device ? device.inner : await sharedDevice(device, selfTest);
                const [program, ...external] = readers;
                const opened = module.openProgram(inner, program, external, limits ?? {});
                return { device: inner, inner: await gate.explained(translated(opened, inner)) };
            };
            return Program.open(open, gate, onProgress);
        })();
        return abortable(opening, signal, (late) => late.dispose());
    }

    /** Loads a language model, with its tokenizer and what belongs to that. */
    async function loadModel(options) {
        const { program: source, tokenizer, tokenizerConfig, chatTemplate, method, ...rest } = options;
        if (source === undefined) throw new PteronError("loadModel needs a program", { kind: "input" });
        const { signal, onProgress, cache = false } = rest;
        signal?.throwIfAborted();
        const loading = (async () => {
            await setup(rest);
            const common = { signal, onProgress, cache, sha256 };
            const text = (file, name) => (file === undefined ? undefined : readAll(file, { ...common, name }));
            const files = [text(tokenizer, "tokenizer"), text(tokenizerConfig, "tokenizer configuration")];
            const [program, ...read] = await Promise.all([load(source, rest), ...files]);
            try {
                const again = () => program.load((inner) => inner.model(...read, chatTemplate, method, onProgress), signal);
                const model = new Model(await again(), program, module);
                program.keep(model, async () => model.hold(await again()));
                return model;
            } catch (error) {
                program.dispose();
                throw error;
            }
        })();
        return abortable(loading, signal, (late) => late.dispose());
    }

    const memoryBytes = () => module.memoryBytes();
    return { setup, openDevice, load, loadModel, memoryBytes };
}

/** Stops the reads of a program when every load that needs them was given up, and knows why a read failed. */
class Gate {
    #loads = 0;
    #aborted = 0;
    #failure;

    /** Takes note of a load, and gives the function that ends it. */
    enter(signal) {
        const abort = () => this.#aborted++;
        this.#loads++;
        signal?.addEventListener("abort", abort, { once: true });
        return () => {
            signal?.removeEventListener("abort", abort);
            this.#loads--;
            if (signal?.aborted) this.#aborted--;
        };
    }

    /** A reader that reads no more when nobody wants it. */
    guard(reader) {
        const read = async (start, end) => {
            if (this.#loads > 0 && this.#aborted === this.#loads) throw new Error("the load was given up");
            try {
                return await reader.read(start, end);
            } catch (error) {
                this.#failure = error;
                throw error;
            }
        };
        return { name: reader.name, size: reader.size, read };
    }

    /** Awaits work that reads. Where a read failed, its error says more than what the module made of it. */
    async explained(work) {
        try {
            return await work;
        } catch (error) {
            const failure = this.#failure;
            this.#failure = undefined;
            throw error.kind === "io" && failure !== undefined ? failure : error;
        }
    }
}
