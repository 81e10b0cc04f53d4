// Checks of loading: sources, progress, aborts, broken downloads, the cache, disposal and lost devices.

import { clearCache, deleteCached, listCached, load, memoryBytes } from "/dist/index.js";
import { equal, refused } from "./assert.mjs";

const PROGRAM = "/fixtures/demo/embedding/model.pte";
const SMALL = "/fixtures/ops/embedding_q4gsw/small/model.pte";

/** What a program answers, in a form that can be compared. */
async function answer(program, options) {
    const method = await program.method("forward", options);
    const { shape, dtype } = method.inputs[0];
    const ids = BigInt64Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, at) => BigInt(at % 7));
    const [output] = await method.run({ dtype, shape, data: ids });
    method.dispose();
    return [...output.data];
}

/** Tells the server how to treat the next requests for a file. */
const serve = (behaviour) => fetch("/control", { method: "POST", body: JSON.stringify(behaviour) });
const served = async () => (await fetch("/control")).json();

async function expected() {
    using program = await load(await (await fetch(PROGRAM)).arrayBuffer());
    return answer(program);
}

/** The first file handle that this origin can give. */
async function handleOf(bytes) {
    const root = await navigator.storage.getDirectory();
    const handle = await root.getFileHandle("program.pte", { create: true });
    const writable = await handle.createWritable();
    await writable.write(bytes);
    await writable.close();
    return handle;
}

/** The file in the cache, complete or as it is after long: its last note is written while the program answers. */
async function cachedFile() {
    const end = performance.now() + 30_000;
    for (;;) {
        const [file] = await listCached();
        if (file?.complete || performance.now() > end) return file;
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

/** Loads a program into the cache and deletes it there. */
async function loadAndDelete(wanted) {
    using program = await load(PROGRAM, { cache: true });
    equal(await answer(program), wanted);
    await deleteCached(PROGRAM);
}

/** Loads a program twice, the second time from the cache. */
async function spareRequest() {
    await clearCache();
    await serve({});
    const wanted = await expected();
    {
        using program = await load(PROGRAM, { cache: true });
        equal(await answer(program), wanted);
    }
    const file = await cachedFile();
    const digest = await crypto.subtle.digest("SHA-256", await (await fetch(PROGRAM)).arrayBuffer());
    const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    equal([file.url, file.sha256, file.complete], [new URL(PROGRAM, location.href).href, hex, true]);
    await serve({ refuse: true });
    {
        using program = await load(PROGRAM, { cache: true, integrity: hex });
        equal(await answer(program), wanted);
    }
    await refused("integrity", "was asked for", load(PROGRAM, { cache: true, integrity: "0".repeat(64) }));
    await serve({});
    await deleteCached(PROGRAM);
    equal(await listCached(), []);
    return `${file.size} bytes, SHA-256 ${hex.slice(0, 8)}…`;
}

/** Lists the cache again and again while files come into it and go. */
async function listWhileWritten() {
    await clearCache();
    const wanted = await expected();
    let [listed, ended] = [0, false];
    const list = async () => {
        for (; !ended; listed++) await listCached();
    };
    const write = async () => {
        for (let round = 0; round < 20; round++) await loadAndDelete(wanted);
    };
    await Promise.all([list(), write().finally(() => (ended = true))]);
    equal(await listCached(), []);
    return `${listed} times`;
}

/** Loads a program of `tools/export/large.py`, and compares one in so many of its parts with what it should hold. */
async function loadLarge(name, every) {
    const { rows, columns, ids, parts } = await (await fetch(`/fixtures/web/${name}/large.json`)).json();
    const started = performance.now();
    using program = await load(`/${name}.pte`);
    const method = await program.method();
    const took = performance.now() - started;
    let count = 0;
    for (let row = 0; row < rows; row += ids * every) {
        const outputs = await method.run(BigInt64Array.from({ length: ids }, (_, at) => BigInt(row + at)));
        for (const { table } of parts) {
            const { data } = outputs[table];
            for (let at = 0; at < data.length; at++) {
                const wanted = (Math.imul(row * columns + at, 2_654_435_761) + table * 40_503) & 0xff_ffff;
                if (data[at] !== wanted) throw new Error(`table ${table}, row ${row}, ${at}: ${data[at]} is not ${wanted}`);
            }
            count += data.length;
        }
    }
    equal(memoryBytes() < 64 << 20, true, `${memoryBytes()} bytes of memory`);
    return `${count} elements are right, ${memoryBytes() >> 20} MiB of memory, loaded in ${took.toFixed(0)} ms`;
}

export const LOADING = {
    "a program takes no more than its limits allow": async () => {
        const limits = { gpuBytes: 1, hostBytes: 1, nodes: 0, values: NaN, callSeconds: -1 };
        for (const [name, most] of Object.entries(limits)) {
            using program = await load(PROGRAM, { device: name === "gpuBytes" ? "gpu" : "cpu", limits: { [name]: most } });
            await refused("limit", `limits.${name} allows more`, answer(program));
        }
        using program = await load(PROGRAM, { limits: { nodes: 1e4, gpuBytes: 2 ** 30, callSeconds: Infinity } });
        equal(await answer(program), await expected());
        return Object.keys(limits).join(", ");
    },

    "a call ends when its time is over": async () => {
        const wanted = await expected();
        using program = await load(PROGRAM, { device: "gpu", limits: { callSeconds: 3 } });
        equal(await answer(program), wanted);
        const { mapAsync } = GPUBuffer.prototype;
        // A GPU that does not come to an end.
        GPUBuffer.prototype.mapAsync = () => new Promise(() => {});
        const started = performance.now();
        let line;
        try {
            line = await refused("limit", "limits.callSeconds allows more", answer(program));
        } finally {
            GPUBuffer.prototype.mapAsync = mapAsync;
        }
        const took = performance.now() - started;
        equal(took >= 3000, true, `${took} ms`);
        equal(await answer(program), wanted);
        return `${line}, after ${took.toFixed(0)} ms`;
    },

    "every kind of source gives the same program": async () => {
        const wanted = await expected();
        const bytes = new Uint8Array(await (await fetch(PROGRAM)).arrayBuffer());
        const padded = new Uint8Array(bytes.length + 3);
        padded.set(bytes, 3);
        const sources = {
            address: PROGRAM,
            URL: new URL(PROGRAM, location.href),
            Request: new Request(PROGRAM),
            Response: await fetch(PROGRAM),
            Blob: new Blob([bytes]),
            File: new File([bytes], "model.pte"),
            ReadableStream: (await fetch(PROGRAM)).body,
            ArrayBuffer: bytes.buffer,
            view: padded.subarray(3),
            handle: await handleOf(bytes),
        };
        for (const [kind, source] of Object.entries(sources)) {
            using program = await load(source);
            equal(await answer(program), wanted, kind);
        }
        return Object.keys(sources).join(", ");
    },

    "progress tells of every phase": async () => {
        const told = [];
        using program = await load(PROGRAM, { onProgress: (progress) => told.push(progress) });
        await answer(program);
        const last = (phase) => told.filter((progress) => progress.phase === phase).at(-1);
        equal([last("download").loaded, last("upload").loaded], [last("download").total, last("upload").total]);
        equal(last("compile").total >= 1, true);
        return `${told.length} reports, ${last("download").total} bytes downloaded, ${last("upload").total} uploaded`;
    },

    "an abort stops the load of a method": async () => {
        using program = await load(PROGRAM);
        const controller = new AbortController();
        const loading = program.method("forward", { signal: controller.signal, onProgress: () => controller.abort() });
        const error = await loading.catch((error) => error);
        equal(error.name, "AbortError");
        equal(await answer(program), await expected());
        return "and the method can be loaded afterwards";
    },

    "a broken download goes on where it was": async () => {
        const wanted = await expected();
        for (const ranges of [true, false]) {
            await serve({ breakAfter: 100_001, times: 4, ranges });
            using program = await load(PROGRAM);
            equal(await answer(program), wanted, `ranges ${ranges}`);
            const { requests } = await served();
            equal(requests.length, 5);
            equal(requests.slice(1).every(({ range }) => range !== undefined), true);
        }
        await serve({ breakAfter: 1000, times: 100, ranges: true, stuck: true });
        await refused("io", "could not be downloaded", load(PROGRAM).then(answer));
        await serve({});
        return "with ranges and without; a server that gives nothing more is an error";
    },

    "what a browser has no room for is downloaded again": async () => {
        const wanted = await expected();
        await serve({});
        const { arrayBuffer } = Blob.prototype;
        let lost = 0;
        Blob.prototype.arrayBuffer = function () {
            return lost++ === 0 ? Promise.reject(new DOMException("gone", "NotReadableError")) : arrayBuffer.call(this);
        };
        try {
            using program = await load(PROGRAM);
            equal(await answer(program), wanted);
            const again = (await served()).requests.filter(({ range }) => range !== undefined).length;
            equal([lost > 0, again], [true, 1]);
            await serve({ ranges: false });
            lost = 0;
            return await refused("io", "load it with a cache", load(PROGRAM).then(answer));
        } finally {
            Blob.prototype.arrayBuffer = arrayBuffer;
            await serve({});
        }
    },

    "a compressed answer is read whole": async () => {
        await serve({ gzip: true });
        using program = await load(PROGRAM);
        equal(await answer(program), await expected());
        await serve({});
        return "its length is not known beforehand";
    },

    "the cache spares the second request": spareRequest,

    "the cache is listed while it is written": listWhileWritten,

    "a damaged cache is an error": async () => {
        await clearCache();
        using first = await load(PROGRAM, { cache: true });
        await answer(first);
        const root = await (await navigator.storage.getDirectory()).getDirectoryHandle("pteron");
        for await (const [, folder] of root.entries()) {
            const handle = await folder.getFileHandle("0");
            const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
            bytes[bytes.length >> 1] ^= 1;
            const writable = await handle.createWritable();
            await writable.write(bytes);
            await writable.close();
        }
        const line = await refused("integrity", "damaged", load(PROGRAM, { cache: true }).then(answer));
        await clearCache();
        return line;
    },

    "integrity is compared": async () => {
        const bytes = await (await fetch(SMALL)).arrayBuffer();
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
        const integrity = `sha256-${btoa(String.fromCharCode(...digest))}`;
        for (const source of [SMALL, bytes, new Blob([bytes])]) (await load(source, { integrity })).dispose();
        for (const source of [SMALL, bytes]) {
            await refused("integrity", "was asked for", load(source, { integrity: "f".repeat(64) }));
        }
        return refused("input", "hexadecimal", load(SMALL, { integrity: "md5-abc" }));
    },

    "nothing is left after 200 loads": async () => {
        const bytes = await (await fetch(SMALL)).arrayBuffer();
        const round = async () => {
            using program = await load(bytes);
            const method = await program.method("forward");
            const [spec] = method.inputs;
            const ids = { dtype: spec.dtype, shape: spec.shape, data: new BigInt64Array(spec.shape[0]) };
            const [tensor] = await method.runOnDevice(ids);
            equal((await tensor.read()).dtype, "f32");
            tensor.dispose();
        };
        await round();
        const before = globalThis.gpuBytes();
        const memory = memoryBytes();
        for (let count = 0; count < 200; count++) await round();
        const grown = globalThis.gpuBytes() - before;
        // Uniforms of a few words wait for the garbage collector.
        equal([grown < 200 * 4096, memoryBytes() - memory < 1 << 20], [true, true], `${grown} bytes, ${memoryBytes() - memory} of memory`);
        return `${globalThis.gpuBytes()} bytes of GPU buffers, ${before} before`;
    },

    "what was disposed of says so": async () => {
        const program = await load(SMALL);
        const method = await program.method();
        program.dispose();
        await refused("input", "was disposed of", method.run([]));
        return refused("input", "was disposed of", program.inspect());
    },

    "a GPU without room says what helps": async () => {
        using program = await load(PROGRAM, { device: "gpu" });
        globalThis.gpuIsFull = true;
        try {
            return await refused("memory", "take a smaller one", program.method());
        } finally {
            globalThis.gpuIsFull = false;
            equal(await answer(program), await expected());
        }
    },

    "the module is given in every form": async () => {
        const place = new URL("/dist/pteron_bg.wasm", location.href).href;
        const forms = { address: place, URL: place, Request: place, Response: place, bytes: place, Module: await WebAssembly.compileStreaming(fetch(place)) };
        for (const [form, given] of Object.entries(forms)) {
            const worker = new Worker("/tests/forms.mjs", { type: "module" });
            worker.postMessage({ form, given });
            const { data } = await new Promise((resolve) => worker.addEventListener("message", resolve));
            worker.terminate();
            equal(data, { methods: ["forward"] }, form);
        }
        return Object.keys(forms).join(", ");
    },

    "a program goes on after its device is lost": async () => {
        const wanted = await expected();
        using program = await load(PROGRAM);
        const method = await program.method();
        const { shape, dtype } = method.inputs[0];
        const ids = { dtype, shape, data: BigInt64Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, at) => BigInt(at % 7)) };
        globalThis.loseDevices();
        await new Promise((resolve) => setTimeout(resolve, 50));
        const line = await refused("lost", "reload()", method.run(ids));
        await program.reload();
        equal([...(await method.run(ids))[0].data], wanted);
        return line;
    },

    "a program of 300 MB goes through little memory": () => loadLarge("large", 1),

    "a program of 1 GB goes through little memory": async () => {
        const { limits } = (await navigator.gpu.requestAdapter()) ?? {};
        // Its tables are smaller than the least that WebGPU promises of a binding, so every adapter may have them.
        equal(limits.maxStorageBufferBindingSize >= 128 << 20, true);
        return loadLarge("larger", 20);
    },

    "a program tells what it is": async () => {
        using program = await load(PROGRAM);
        const { methods } = await program.inspect();
        equal([methods[0].name, methods[0].error], ["forward", undefined]);
        const [operator] = methods[0].operators;
        return `${operator.count} × ${operator.op}, ${methods[0].memory.constants} bytes of constants, ${methods[0].nodes.length} node(s)`;
    },
};

/** Checks that measure time, for a browser that has the machine for itself. */
export const LOADING_TIMES = {
    "an abort stops a download at once": async () => {
        await serve({ delay: 5000 });
        const started = performance.now();
        const signal = AbortSignal.timeout(150);
        const error = await load(PROGRAM, { signal }).catch((error) => error);
        const took = performance.now() - started - 150;
        equal([error.name, took < 100], ["TimeoutError", true]);
        await serve({});
        const controller = new AbortController();
        using program = await load(PROGRAM, { signal: controller.signal });
        controller.abort();
        return `after ${took.toFixed(1)} ms`;
    },
};

/** Checks for a page whose browser lets no file of the origin be written, and keeps blocks with the Cache API. */
export const LOADING_WITHOUT_FILES = {
    "without files of the origin, the cache spares the second request": spareRequest,

    "without files of the origin, the cache is listed while it is written": listWhileWritten,

    "without files of the origin, a damaged cache is an error": async () => {
        await clearCache();
        using first = await load(PROGRAM, { cache: true });
        await answer(first);
        const cache = await caches.open("pteron");
        const blocks = (await cache.keys()).filter(({ url }) => url.endsWith("/0"));
        equal(blocks.length, 1);
        const bytes = new Uint8Array(await (await cache.match(blocks[0])).arrayBuffer());
        bytes[bytes.length >> 1] ^= 1;
        await cache.put(blocks[0], new Response(bytes));
        const line = await refused("integrity", "damaged", load(PROGRAM, { cache: true }).then(answer));
        await clearCache();
        equal(await listCached(), []);
        return line;
    },
};

/** Loads a program through the cache in this tab, and gives a digest of what it answers. */
export async function loadInThisTab() {
    using program = await load("/large.pte", { cache: true });
    const method = await program.method();
    const [output] = await method.run(BigInt64Array.from({ length: 1024 }, (_, at) => BigInt(at * 100)));
    equal(memoryBytes() < 64 << 20, true, `${memoryBytes()} bytes of memory`);
    return output.data.reduce((sum, value) => sum + value, 0);
}

/** Empties the cache, and forgets the requests so far. */
export async function beginTabs() {
    await clearCache();
    await serve({});
}

/** The requests since, and what is in the cache, which is emptied. */
export async function endTabs() {
    const { requests } = await served();
    const files = await listCached();
    await clearCache();
    return { requests: requests.length, files };
}
