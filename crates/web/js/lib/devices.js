// What the module's library does not ask of browsers: subgroups, results as soon as they are there, and what self-tests found.

import { Outcomes } from "./outcomes.js";

/** The queues of devices, by what the module knows them by. */
const queues = new WeakMap();

/** Ends with the last device that was opened. */
let last = Promise.resolve();

/**
 * Opens a device, with subgroups where the adapter has them. `open` is told whether it will have them, and where what its
 * self-test finds is kept, if there is to be one; while it runs, every device of this page is requested with subgroups.
 */
export function openedBy(open, selfTest) {
    const opening = last.then(() => request(open, selfTest));
    last = opening.catch(() => {});
    return opening;
}

async function request(open, selfTest) {
    const adapter = await firstAdapter();
    // The module says what is missing.
    if (!adapter) return open(false);
    const outcomes = selfTest ? await Outcomes.of(adapter) : undefined;
    // Kernels ask which subgroup of their workgroup they are in, which browsers learned later than subgroups.
    const numbered = navigator.gpu?.wgslLanguageFeatures?.has("subgroup_id") ?? false;
    const has = (adapter) =>
        numbered && adapter.features.has("subgroups") && (adapter.info?.subgroupMinSize ?? 0) > 0;
    const prototype = Object.getPrototypeOf(adapter);
    const { requestDevice } = prototype;
    let queue;
    prototype.requestDevice = async function (descriptor = {}) {
        const features = new Set(descriptor.requiredFeatures);
        if (has(this)) features.add("subgroups");
        const device = await requestDevice.call(this, { ...descriptor, requiredFeatures: [...features] });
        queue = device.queue;
        return device;
    };
    try {
        const opened = await open(has(adapter), outcomes);
        if (queue !== undefined) queues.set(opened, queue);
        return opened;
    } finally {
        prototype.requestDevice = requestDevice;
        outcomes?.keep();
    }
}

/** The adapter. A browser that has just started may have none for a moment. */
async function firstAdapter() {
    const gpu = globalThis.navigator?.gpu;
    if (!gpu) return null;
    for (const pause of [0, 100, 300, 600]) {
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
        const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
        if (adapter) return adapter;
    }
    return null;
}

/** Milliseconds between looks at first, and after which a call is so long that looking gains nothing. */
const [BETWEEN, LONG] = [0.2, 10];

/**
 * Awaits a call on a device. A browser looks for results when commands come in, and otherwise every few milliseconds: so
 * commands that do nothing come in meanwhile.
 */
export async function attended(call, device) {
    const queue = queues.get(device);
    if (queue === undefined) return call;
    let settled = false;
    const settle = () => (settled = true);
    call.then(settle, settle);
    const began = performance.now();
    for (let next = began + BETWEEN; !settled; ) {
        await turn();
        const now = performance.now();
        if (now - began > LONG) break;
        if (!settled && now >= next) {
            queue.submit([]);
            next = now + Math.max(BETWEEN, (now - began) / 8);
        }
    }
    return call;
}

/** Ends after whatever else the page has to do first. Timers would take milliseconds. */
function turn() {
    channel ??= openChannel();
    return new Promise((resolve) => {
        channel.waiting.push(resolve);
        channel.port.postMessage(undefined);
    });
}

let channel;

function openChannel() {
    const { port1, port2 } = new MessageChannel();
    const waiting = [];
    port1.onmessage = () => waiting.shift()?.();
    return { port: port2, waiting };
}
