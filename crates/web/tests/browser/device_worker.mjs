// A worker that opens a device, and tells how many kernels are compiled for that.

import { openDevice } from "/dist/index.js";

let kernels = 0;
const { createShaderModule } = GPUDevice.prototype;
GPUDevice.prototype.createShaderModule = function (descriptor) {
    kernels++;
    return createShaderModule.call(this, descriptor);
};

try {
    (await openDevice("gpu")).dispose();
    postMessage({ kernels });
} catch (error) {
    postMessage({ error: String(error) });
}
