// The same calls as of the package, done in a worker, so that the page stays responsive.

import { PteronError } from "./lib/errors.js";

export { clearCache, deleteCached, listCached } from "./lib/cache.js";
export { PteronError } from "./lib/errors.js";

const CALLS = {
    Program: ["method", "inspect", "reload"],
    Method: ["run", "runOnDevice", "reset", "gpuBytes", "profile"],
    DeviceTensor: ["read"],
    Model: ["conversation", "encode", "decode", "gpuBytes", "reload"],
    Conversation: ["logits", "ids", "rewind"],
};
const STREAMS = { Model: ["chat", "generate"], Conversation: ["chat", "generate"] };

/** Calls the worker that serves them: one of `pteron/worker`, or any that calls `serve`. */
export function connect(worker) {
    const port = worker.port ?? worker;
    const calls = new Map();
    let next = 1;

    port.addEventListener("message", ({ data }) => {
        const call = calls.get(data?.call);
        if (call === undefined) return;
        if (data.listener !== undefined) call.listeners[data.listener]?.(data.told);
        else if ("part" in data) call.onPart?.(data.part);
        else {
            calls.delete(data.call);
            if (data.error === undefined) call.resolve(data);
            else call.reject(toError(data.error));
        }
    });
    port.addEventListener("error", (event) => {
        const error = new PteronError(`the worker does not run: ${event.message ?? "its script was not loaded"}`, { kind: "other" });
        for (const call of calls.values()) call.reject(error);
        calls.clear();
    });
    port.start?.();

    /** Sends a call. `onPart` gets what comes before its end. */
    const send = (target, name, args, onPart) => {
        const call = next++;
        const listeners = {};
        const transfer = [];
        let signal;
        const prepare = (value, key) => {
            if (value instanceof AbortSignal) {
                signal = value;
                return { $signal: true };
            }
            if (typeof value === "function") {
                listeners[key] = value;
                return { $listener: true };
            }
            if (value instanceof URL) return String(value);
            if (value instanceof Request) return value.url;
            if (value instanceof Response) value = value.body;
            if (value instanceof ReadableStream) transfer.push(value);
            if (value?.$object !== undefined) return { $object: value.$object };
            if (Array.isArray(value)) return value.map((item) => prepare(item, key));
            if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
            return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, prepare(item, key)]));
        };
        const result = new Promise((resolve, reject) => {
            const prepared = args.map((value) => prepare(value));
            signal?.throwIfAborted();
            const abort = () => {
                port.postMessage({ pteron: true, call, abort: true });
                reject(signal.reason);
            };
            signal?.addEventListener("abort", abort, { once: true });
            const end = (settle) => (value) => (signal?.removeEventListener("abort", abort), settle(value));
            calls.set(call, { resolve: end(resolve), reject: end(reject), listeners, onPart });
            port.postMessage({ pteron: true, call, target, name, args: prepared }, transfer);
        });
        return { call, result, signal };
    };

    /** What an answer names, as objects that call. */
    const build = (value) => {
        if (Array.isArray(value)) return value.map(build);
        if (value?.$object === undefined) return value;
        const { $object: handle, kind, data } = value;
        const object = { ...data };
        Object.defineProperty(object, "$object", { value: handle });
        for (const name of CALLS[kind]) {
            object[name] = async (...args) => {
                const { value, state } = await send(handle, name, args).result;
                Object.assign(object, state);
                return build(value);
            };
        }
        for (const name of STREAMS[kind] ?? []) object[name] = (...args) => stream(handle, name, args);
        object.dispose = () => void send(handle, "dispose", []).result.catch(() => {});
        if (Symbol.dispose !== undefined) object[Symbol.dispose] = object.dispose;
        return object;
    };

    async function* stream(target, name, args) {
        const [parts, waiting] = [[], []];
        let ended;
        const wake = () => waiting.splice(0).forEach((resolve) => resolve());
        const { call, result } = send(target, name, args, (part) => (parts.push(part), wake()));
        result.then(
            () => ((ended = {}), wake()),
            (error) => ((ended = { error }), wake()),
        );
        try {
            for (;;) {
                if (ended?.error?.name === "AbortError") throw ended.error;
                if (parts.length > 0) yield parts.shift();
                else if (ended?.error !== undefined) throw ended.error;
                else if (ended !== undefined) return;
                else await new Promise((resolve) => waiting.push(resolve));
            }
        } finally {
            if (ended === undefined) port.postMessage({ pteron: true, call, abort: true });
        }
    }

    const root = (name) => async (...args) => build((await send(0, name, args).result).value);
    return {
        setup: root("setup"),
        load: root("load"),
        loadModel: root("loadModel"),
        memoryBytes: root("memoryBytes"),
    };
}

function toError({ name, message, kind, nodes }) {
    if (name === "PteronError") return new PteronError(message, { kind, nodes });
    if (name === "AbortError") return new DOMException(message, "AbortError");
    return Object.assign(new Error(message), { name });
}
