// What checks in the page are written with.

/** The message of the error that a promise rejects with, which must be of this kind and say this. */
export async function refused(kind, text, promise) {
    const error = await promise.then(
        () => undefined,
        (error) => error,
    );
    if (error === undefined) throw new Error(`nothing was refused, and it should be: ${text}`);
    const right = error instanceof Error && error.name === "PteronError" && error.kind === kind;
    if (!right || !error.message.includes(text)) {
        throw new Error(`expected ${kind} with ${JSON.stringify(text)}, got ${error.kind}: ${error}`);
    }
    return error.message;
}

export function equal(got, expected, what = "") {
    if (JSON.stringify(got) !== JSON.stringify(expected)) {
        throw new Error(`${what}: ${JSON.stringify(got).slice(0, 200)} is not ${JSON.stringify(expected).slice(0, 200)}`);
    }
}

/** Counts what lies in GPU buffers, and lets tests lose devices and fill them. It must come before anything opens a device. */
export function watchGpu() {
    if (globalThis.GPUDevice === undefined) return;
    let bytes = 0;
    const sizes = new WeakMap();
    const devices = [];
    const { createBuffer } = GPUDevice.prototype;
    GPUDevice.prototype.createBuffer = function (descriptor) {
        const buffer = createBuffer.call(this, descriptor);
        sizes.set(buffer, descriptor.size);
        bytes += descriptor.size;
        return buffer;
    };
    const { destroy } = GPUBuffer.prototype;
    GPUBuffer.prototype.destroy = function () {
        bytes -= sizes.get(this) ?? 0;
        sizes.delete(this);
        destroy.call(this);
    };
    const { requestDevice } = GPUAdapter.prototype;
    GPUAdapter.prototype.requestDevice = async function (...descriptor) {
        const device = await requestDevice.apply(this, descriptor);
        devices.push(device);
        return device;
    };
    const { popErrorScope } = GPUDevice.prototype;
    GPUDevice.prototype.popErrorScope = async function () {
        const found = await popErrorScope.call(this);
        return globalThis.gpuIsFull ? new GPUOutOfMemoryError("there is no room") : found;
    };
    globalThis.gpuBytes = () => bytes;
    globalThis.loseDevices = () => devices.splice(0).forEach((device) => device.destroy());
}
