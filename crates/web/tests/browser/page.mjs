// What runs inside the page: cases and checks by name, called by run.mjs. Each gives one line, or throws.

import { load, openDevice } from "/dist/index.js";
import { equal, refused, watchGpu } from "./assert.mjs";
import { DEVICES, DEVICES_WITHOUT_STORAGE } from "./devices.mjs";
import { LOADING, LOADING_TIMES, LOADING_WITHOUT_FILES, beginTabs, endTabs, loadInThisTab } from "./loading.mjs";
import { MODELS, MODEL_TIMES, SHARED_MODELS, runGolden } from "./models.mjs";
import { compare, readSafetensors } from "./tensors.mjs";

watchGpu();

async function bytes(path) {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
}

/** The values of a list in a case's description that are no tensors, as `[number, value]`. */
function plainValues(list) {
    return [...list.entries()].filter(([, { kind }]) => kind !== undefined).map(([index, { value }]) => [index, value ?? null]);
}

async function readCase(folder) {
    const description = JSON.parse(new TextDecoder().decode(await bytes(`${folder}/case.json`)));
    const program = await bytes(`${folder}/model.pte`);
    const data = await Promise.all((description.data ?? []).map((name) => bytes(`${folder}/${name}`)));
    const read = async (name) => readSafetensors(await bytes(`${folder}/${name}`));
    const steps = description.steps.map(async ({ inputs_file, expected_file, inputs = [] }) => ({
        // What is no tensor has its value in the description.
        inputs: [...plainValues(inputs), ...(await read(inputs_file))].sort(([a], [b]) => a - b).map(([, value]) => value),
        expected: await read(expected_file),
    }));
    return { method: "forward", ...description, program, data, steps: await Promise.all(steps) };
}

/** One device for all cases; whether it is the right one is a check of its own. */
let opened;
const gpu = () => (opened ??= openDevice("gpu"));

/** Compares every expected output of a step; gives the largest difference. */
function judge(outputs, step, tolerance) {
    const differences = step.expected.map(([index, expected]) => {
        try {
            return compare(outputs[index], expected, tolerance);
        } catch (error) {
            throw new Error(`output ${index}: ${error.message}`);
        }
    });
    return Math.max(0, ...differences);
}

/** Runs a case of the fixtures on a device, from another file of its folder where one is named. */
async function runCase(device, folder, file) {
    const it = await readCase(folder);
    if (file !== undefined) it.program = await bytes(`${folder}/${file}`);
    let loaded;
    try {
        const program = await load(it.program, { device, data: it.data });
        loaded = { program, method: await program.method(it.method) };
    } catch (error) {
        if (it.rejected === undefined || error.name !== "PteronError") throw error;
        return `refused: ${error.message}`;
    }
    if (it.rejected !== undefined) throw new Error(`the program was accepted, and must be refused: ${it.rejected}`);
    const { program, method } = loaded;
    let [largest, launches] = [0, 0];
    for (const [number, step] of it.steps.entries()) {
        if (number > 0 && !it.stateful) await method.reset();
        const outputs = await method.run(step.inputs);
        launches += method.dispatches;
        try {
            largest = Math.max(largest, judge(outputs, step, it));
        } catch (error) {
            throw new Error(`step ${number}, ${error.message}`);
        }
    }
    for (const [name, expected] of Object.entries(it.constants ?? {})) {
        const constant = await program.method(name);
        const values = (await constant.run([])).map((value) => (typeof value === "bigint" ? Number(value) : value));
        if (String(values) !== String([expected].flat())) throw new Error(`${name} gives ${values}, not ${expected}`);
        constant.dispose();
    }
    program.dispose();
    return `${it.steps.length} step(s), ${launches} launch(es), largest error ${largest}`;
}

const EMBEDDING = "/fixtures/ops/embedding_q4gsw/small";
const STATE = "/fixtures/programs/state/in_delegate";

/** Runs work with the embedding's method, and checks that the method still gives the right answer afterwards. */
async function withEmbedding(work) {
    const it = await readCase(EMBEDDING);
    const program = await load(it.program, { device: await gpu() });
    const method = await program.method("forward");
    const line = await work(method, it.steps[0].inputs[0], program);
    judge(await method.run(it.steps[0].inputs), it.steps[0], it);
    return line;
}

const CHECKS = {
    ...LOADING,
    ...MODELS,
    ...DEVICES,

    "the device is WebGPU": async () => {
        const { info } = await gpu();
        equal([info.engine, info.fallback], ["webgpu", undefined]);
        const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
        const { architecture } = adapter.info;
        // Some browsers tell nothing of an adapter.
        if (!info.name.includes(architecture)) throw new Error(`${info.name} does not name the architecture ${architecture}`);
        equal(info.features.includes("subgroups"), adapter.features.has("subgroups"), "subgroups");
        const automatic = await openDevice();
        equal(automatic.info, info);
        automatic.dispose();
        return `${info.description}${info.software ? ", in software" : ""}; features: ${info.features.join(", ")}`;
    },

    "a GPU computes, not the host": async () => {
        const line = await withEmbedding(async (method, ids) => {
            await method.run([ids]);
            if (!(method.dispatches > 0)) throw new Error("a call on WebGPU launched nothing");
            return `${method.dispatches} launch(es)`;
        });
        const it = await readCase(EMBEDDING);
        const reference = await (await load(it.program, { device: "cpu" })).method("forward");
        judge(await reference.run(it.steps[0].inputs), it.steps[0], it);
        equal([reference.device.engine, reference.dispatches], ["reference", 0]);
        return line;
    },

    "specs and names": () =>
        withEmbedding(async (method, ids, program) => {
            equal(program.methods, ["forward"]);
            equal(method.name, "forward");
            const [input] = method.inputs;
            equal([input.kind, input.dtype, input.shape, input.dynamic], ["tensor", "i64", ids.shape, false]);
            equal(method.outputs[0].dtype, "f32");
            return `${input.dtype}[${input.shape}] to ${method.outputs[0].dtype}[${method.outputs[0].shape}]`;
        }),

    "a bundle holds a program": async () => runCase(await gpu(), "/fixtures/formats/bundled/linear", "model.bpte"),

    "an id out of range is an error": () =>
        withEmbedding(async (method, ids) => {
            let line;
            for (const id of [1000000n, -1n, 2n ** 31n, 2n ** 40n]) {
                const data = ids.data.slice();
                data[1] = id;
                line = await refused("input", String(id), method.run([{ ...ids, data }]));
            }
            return line;
        }),

    "wrong inputs are errors": () =>
        withEmbedding(async (method, ids) => {
            const run = (...inputs) => method.run(...inputs);
            const longer = { ...ids, shape: [ids.data.length + 1], data: new BigInt64Array(ids.data.length + 1) };
            await refused("input", "takes 1 inputs, and 0", run());
            await refused("input", "takes 1 inputs, and 0", run([]));
            await refused("input", "takes 1 inputs, and 2", run(ids, ids));
            await refused("input", "a null was given", run(null));
            await refused("input", "a float was given", run(1.5));
            await refused("input", "dtype, shape and data", run({}));
            await refused("input", "is no element type", run({ ...ids, dtype: "i65" }));
            await refused("input", "shape is no array", run({ ...ids, shape: 3 }));
            await refused("input", "is no size", run({ ...ids, shape: [-1] }));
            await refused("input", "bytes", run({ ...ids, shape: [ids.data.length + 1] }));
            await refused("input", "data is no typed array", run({ ...ids, data: [1, 2, 3] }));
            await refused("input", "elements do not fill", run([[1, 2]]));
            await refused("input", "elements do not fill", run(new BigInt64Array(1)));
            await refused("input", "data is a Float32Array", run({ ...ids, data: new Float32Array(ids.data.length) }));
            await refused("input", "f32", run({ ...ids, dtype: "f32", data: new Float32Array(ids.data.length) }));
            return refused("input", "its shape is", run(longer));
        }),

    "broken files are errors": async () => {
        const whole = await bytes(`${EMBEDDING}/model.pte`);
        const device = await gpu();
        const loaded = (bytes, options) => load(bytes, { device, ...options });
        await refused("input", "a source is", loaded([1, 2, 3]));
        await refused("input", "a source is", loaded());
        await refused("format", "", loaded(new Uint8Array(0)));
        await refused("format", "", loaded(new Uint8Array(4096)));
        await refused("format", "", loaded(whole, { data: [new Uint8Array(64)] }));
        await refused("not-found", "nowhere", loaded(whole).then((program) => program.method("nowhere")));
        await refused("not-found", "404", loaded("/nowhere.pte"));
        await refused("input", "no address", loaded("http://"));
        await refused("input", "one of", load(whole, { device: "tpu" }));
        const open = async (bytes) => {
            const program = await loaded(bytes);
            try {
                return await program.method("forward");
            } finally {
                program.dispose();
            }
        };
        for (let cut = 0; cut < 64; cut++) {
            await refused("format", "", open(whole.slice(0, Math.floor((whole.length * cut) / 64))));
        }
        // One byte changed may change only a weight; anything else must be an error and no trap.
        let refusals = 0;
        for (let flip = 0; flip < 256; flip++) {
            const damaged = whole.slice();
            damaged[(flip * 2654435761) % whole.length] ^= 1 << flip % 8;
            await open(damaged).catch((error) => {
                if (error.name !== "PteronError") throw error;
                refusals++;
            });
        }
        return `64 cuts refused, 256 changed bytes met with ${refusals} errors and no trap`;
    },

    "calls take turns in the order they were made": async () => {
        const it = await readCase(STATE);
        const method = await (await load(it.program, { device: await gpu() })).method(it.method);
        const wrong = refused("input", "takes", method.run([1, 2, 3, 4, 5, 6, 7]));
        const first = it.steps.map((step) => method.run(step.inputs));
        const reset = method.reset();
        const second = it.steps.map((step) => method.run(step.inputs));
        for (const calls of [first, second]) {
            for (const [number, call] of calls.entries()) judge(await call, it.steps[number], it);
        }
        await Promise.all([wrong, reset]);
        return `${2 * it.steps.length} calls with state, none awaited before the next`;
    },

    "inputs are read when a call is made": () =>
        withEmbedding(async (method, ids) => {
            const [changing, padded] = [ids.data.slice(), new BigInt64Array(ids.data.length + 2)];
            padded.set(ids.data, 1);
            const call = method.run([{ ...ids, data: changing }]);
            changing.fill(0n);
            const within = method.run([{ ...ids, data: padded.subarray(1, 1 + ids.data.length) }]);
            equal([...(await call)[0].data], [...(await within)[0].data]);
            return "later changes of the array do not matter; a view into a larger array does";
        }),
};

/** Checks for a page whose browser hides WebGPU. */
const CHECKS_WITHOUT_WEBGPU = {
    "without WebGPU, auto says what it fell back to": async () => {
        await refused("device", "no WebGPU adapter was found", openDevice("gpu"));
        await refused("device", "no WebGPU adapter was found", load(new Uint8Array(0), { device: "gpu" }));
        const { info } = await openDevice("auto");
        equal([info.engine, info.fallback.includes("no WebGPU adapter")], ["reference", true]);
        return info.description;
    },
    "without WebGPU, the reference engine computes": async () => runCase(await openDevice("auto"), EMBEDDING),
};

const GROUPS = {
    times: { ...LOADING_TIMES, ...MODEL_TIMES },
    checks: CHECKS,
    sharedModels: SHARED_MODELS,
    withoutWebGpu: CHECKS_WITHOUT_WEBGPU,
    withoutFiles: LOADING_WITHOUT_FILES,
    withoutStorage: DEVICES_WITHOUT_STORAGE,
};
const ALL = Object.assign({}, ...Object.values(GROUPS));

globalThis.tests = {
    beginTabs,
    endTabs,
    loadInThisTab,
    groups: Object.fromEntries(Object.entries(GROUPS).map(([name, checks]) => [name, Object.keys(checks)])),
    check: (name) => ALL[name](),
    runGolden,
    runCase: async (folder) => runCase(await gpu(), folder),
};
