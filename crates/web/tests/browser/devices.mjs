// Checks of the self-test that a device goes through when a browser meets it for the first time.

import { clearCache, listCached, load, openDevice } from "/dist/index.js";
import { equal, refused } from "./assert.mjs";

const PROGRAM = "/fixtures/ops/embedding_q4gsw/small/model.pte";

/** The names of the kernels that are compiled meanwhile; those whose text or name holds `spoilt` do nothing. */
async function compiled(work, spoilt) {
    const names = [];
    const { createShaderModule } = GPUDevice.prototype;
    GPUDevice.prototype.createShaderModule = function ({ label, code, ...rest }) {
        names.push(label);
        if (spoilt !== undefined && (code.includes(spoilt) || label.includes(spoilt))) {
            const main = code.indexOf("fn main(");
            code = code.slice(0, main) + code.slice(main).replace("{", "{ if true { return; }");
        }
        return createShaderModule.call(this, { label, code, ...rest });
    };
    try {
        await work();
    } finally {
        GPUDevice.prototype.createShaderModule = createShaderModule;
    }
    return names;
}

/** Opens a device and lets it go; gives what it was. */
async function opened(choice, options) {
    using device = await openDevice(choice, options);
    return device.info;
}

/** What a new worker compiles when it opens a device. */
async function compiledInWorker() {
    const worker = new Worker("/tests/device_worker.mjs", { type: "module" });
    const { data } = await new Promise((resolve) => worker.addEventListener("message", resolve));
    worker.terminate();
    if (data.error !== undefined) throw new Error(data.error);
    return data.kernels;
}

/** Waits until a browser has kept what a test found, which nobody waits for. */
async function untilKept() {
    const end = performance.now() + 60_000;
    while ((await compiledInWorker()) > 0) {
        if (performance.now() > end) throw new Error("what the self-test found was not kept");
    }
}

async function testedOnce() {
    await clearCache();
    const started = performance.now();
    const first = await compiled(() => opened("gpu"));
    const took = performance.now() - started;
    equal(first.length > 10, true, `${first.length} kernels`);
    equal(await compiled(() => opened("gpu")), []);
    return `${first.length} kernels, ${took.toFixed(0)} ms`;
}

export const DEVICES = {
    "a device is tested once for all pages and workers": async () => {
        const line = await testedOnce();
        await untilKept();
        equal(await listCached(), []);
        await clearCache();
        equal((await compiled(() => opened("gpu"))).length > 10, true, "it was forgotten, and is tested again");
        return line;
    },

    "a device is not tested where nobody wants it": async () => {
        await clearCache();
        equal(await compiled(() => opened("gpu", { selfTest: false })), []);
        const loaded = async () => (await load(PROGRAM, { device: "gpu", selfTest: false })).dispose();
        equal(await compiled(loaded), []);
        await openDevice("gpu").then((device) => device.dispose());
        return "neither by openDevice nor by load";
    },

    "kernels that are wrong are named and not used": async () => {
        const { features } = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
        const noticed = [];
        const { warn } = console;
        for (const [feature, text, without] of [
            ["subgroups", "enable subgroups", "subgroups"],
            ["shader-f16", "T=f16", "16-bit floats"],
        ]) {
            if (!features.has(feature)) continue;
            await clearCache();
            const warned = [];
            console.warn = (line) => warned.push(line);
            let info;
            try {
                await compiled(async () => (info = await opened("gpu")), text);
            } finally {
                console.warn = warn;
            }
            equal(warned, info.warnings.map((warning) => `pteron: ${warning}`));
            equal([warned.length, warned[0].includes(`kernels without ${without} take their place`)], [1, true], warned[0]);
            // The driver is as bad as it was, though nothing is tested again.
            equal(await compiled(async () => equal((await opened("gpu")).warnings, info.warnings)), []);
            noticed.push(without);
        }
        await clearCache();
        await compiled(async () => {
            await refused("device", "there are no plainer kernels", openDevice("gpu"));
            const info = await opened("auto");
            equal([info.engine, info.fallback.includes("matmul_tiled")], ["reference", true], info.fallback);
        }, "matmul_tiled");
        equal((await opened("gpu")).warnings, [], "what cannot be used is tested again");
        return [...noticed, "all"].join(", ");
    },
};

/** Checks for a page whose browser keeps nothing for it, as in a private window. */
export const DEVICES_WITHOUT_STORAGE = {
    "without storage, a device is tested once for this page": async () => {
        await refused("io", "keeps no files", clearCache());
        const line = await compiled(() => opened("gpu"));
        equal(line.length > 10, true, `${line.length} kernels`);
        equal(await compiled(() => opened("gpu")), []);
        return `${line.length} kernels`;
    },
};
