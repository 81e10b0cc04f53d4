// The worker's side of `connect`: does what messages ask for, and keeps what they name by number.

import { PteronError } from "./errors.js";
import { Conversation, Model } from "./model.js";
import { DeviceTensor, Method, Program } from "./program.js";

/** What the page is told of each kind of object, once and after it was loaded again. */
const KINDS = [
    [Program, "Program", ({ methods, device }) => ({ methods, device })],
    [Method, "Method", ({ name, inputs, outputs, notes, device, dispatches }) => ({ name, inputs, outputs, notes, device, dispatches })],
    [DeviceTensor, "DeviceTensor", ({ dtype, shape }) => ({ dtype, shape })],
    [Model, "Model", ({ limits, notes, hasTemplate, device }) => ({ limits, notes, hasTemplate, device })],
    [Conversation, "Conversation", () => ({})],
];

/** Serves calls of `connect` that come to a port, such as the global object of a worker. */
export function serve(pteron, port) {
    const objects = new Map();
    const aborts = new Map();
    let next = 1;

    const describe = (value) => {
        const kind = KINDS.find(([type]) => value instanceof type);
        if (kind === undefined) return Array.isArray(value) ? value.map(describe) : value;
        const handle = next++;
        objects.set(handle, value);
        return { $object: handle, kind: kind[1], data: kind[2](value) };
    };
    const state = (target) => KINDS.find(([type]) => target instanceof type)?.[2](target);

    /** Arguments as they were given, with signals and listeners in the place of what stands for them. */
    const restore = (call, value) => {
        if (Array.isArray(value)) return value.map((item) => restore(call, item));
        if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
        if (value.$object !== undefined) return objects.get(value.$object);
        const restored = {};
        for (const [name, item] of Object.entries(value)) {
            if (item?.$signal) {
                const controller = aborts.get(call) ?? new AbortController();
                aborts.set(call, controller);
                restored[name] = controller.signal;
            } else if (item?.$listener) restored[name] = (told) => port.postMessage({ call, listener: name, told });
            else restored[name] = restore(call, item);
        }
        return restored;
    };

    const answer = async ({ call, target, name, args }) => {
        const object = target === 0 ? pteron : objects.get(target);
        if (object === undefined) throw new PteronError("it was disposed of", { kind: "input" });
        const result = object[name](...args.map((argument) => restore(call, argument)));
        if (typeof result?.[Symbol.asyncIterator] === "function") {
            aborts.set(call, aborts.get(call) ?? new AbortController());
            for await (const part of result) {
                port.postMessage({ call, part });
                if (aborts.get(call).signal.aborted) break;
            }
            return undefined;
        }
        return result;
    };

    port.addEventListener("message", async ({ data: message }) => {
        if (message?.pteron !== true) return;
        const { call, target, name } = message;
        if (message.abort) return aborts.get(call)?.abort(message.reason);
        try {
            const result = await answer(message);
            if (name === "dispose") objects.delete(target);
            const value = describe(result);
            port.postMessage({ call, value, state: state(objects.get(target)) }, buffers(value));
        } catch (error) {
            const { message, kind, nodes } = error;
            port.postMessage({ call, error: { name: error.name, message, kind, nodes } });
        } finally {
            aborts.delete(call);
        }
    });
    port.start?.();
}

/** The memory of tensors, which goes to the page without a copy. */
function buffers(value) {
    const tensors = Array.isArray(value) ? value : [value];
    return tensors.map((tensor) => tensor?.data?.buffer).filter((buffer) => buffer instanceof ArrayBuffer);
}
