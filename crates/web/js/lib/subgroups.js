// Devices with subgroups, which the module's library does not ask browsers for.

/** Ends with the last device that was opened so. */
let last = Promise.resolve();

/**
 * Opens a device with subgroups where the adapter has them. `open` is told whether it will have them; while it runs, every
 * device of this page is requested with them.
 */
export function withSubgroups(open) {
    const opening = last.then(() => request(open));
    last = opening.catch(() => {});
    return opening;
}

async function request(open) {
    const gpu = globalThis.navigator?.gpu;
    const adapter = await gpu?.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
    const has = (adapter) => adapter.features.has("subgroups") && (adapter.info?.subgroupMinSize ?? 0) > 0;
    if (!adapter || !has(adapter)) return open(false);
    const prototype = Object.getPrototypeOf(adapter);
    const { requestDevice } = prototype;
    prototype.requestDevice = function (descriptor = {}) {
        const features = new Set(descriptor.requiredFeatures);
        if (has(this)) features.add("subgroups");
        return requestDevice.call(this, { ...descriptor, requiredFeatures: [...features] });
    };
    try {
        return await open(true);
    } finally {
        prototype.requestDevice = requestDevice;
    }
}
