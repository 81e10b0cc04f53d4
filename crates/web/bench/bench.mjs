// Measures what bench.json lists, shows each line, and posts it to /result; the last has "done".

import { load, loadModel, memoryBytes, openDevice } from "./pteron/llm.js";

/** Calls before those that count, and those that do. */
const [WARM, CALLS] = [10, 150];

async function tell(line) {
    document.querySelector("#lines").textContent += `${JSON.stringify(line)}\n`;
    await fetch("/result", { method: "POST", body: JSON.stringify(line) }).catch(() => {});
}

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
const round = (time) => Math.round(time * 100) / 100;

/** The adapter may need a few seconds after a browser's start. */
async function device() {
    for (let tries = 0; tries < 20; tries++) {
        const device = await openDevice("gpu").catch(() => undefined);
        if (device !== undefined) return device;
        await new Promise((resolve) => setTimeout(resolve, 500));
    }
    return openDevice("gpu");
}

/** A tensor that a method takes, with numbers that are valid as ids and harmless as values. */
function tensor({ dtype, shape }) {
    const count = shape.reduce((product, size) => product * size, 1);
    if (dtype === "i64") return { dtype, shape, data: BigInt64Array.from({ length: count }, (_, at) => BigInt(at % 64)) };
    if (dtype === "i32") return { dtype, shape, data: Int32Array.from({ length: count }, (_, at) => at % 64) };
    return { dtype, shape, data: Float32Array.from({ length: count }, (_, at) => Math.sin(at)) };
}

async function program({ name, url }, device) {
    const started = performance.now();
    using program = await load(url, { device });
    const method = await program.method();
    const loaded = performance.now() - started;
    const inputs = method.inputs.map(tensor);
    const times = [];
    for (let call = 0; call < WARM + CALLS; call++) {
        const start = performance.now();
        await method.run(inputs);
        times.push(performance.now() - start);
    }
    const [first, calls] = [times[0], times.slice(WARM)];
    await tell({ name, load: round(loaded), first: round(first), call: round(median(calls)), launches: method.dispatches });
}

/** Requests for a file that left the page, as the browser counts them. */
const requests = (url) => performance.getEntriesByName(new URL(url, document.baseURI).href).length;

async function model({ name, tokens = 256, prompt = [1], golden, ...files }, device) {
    const started = performance.now();
    const line = { name };
    {
        using model = await loadModel({ ...files, device });
        line.load = round(performance.now() - started);
        const generate = async (ids, maxTokens) => {
            using conversation = await model.conversation();
            for await (const { finish } of conversation.generate(ids, { maxTokens, ignoreEnd: true })) if (finish) return finish;
        };
        if (golden !== undefined) {
            const { cases } = await (await fetch(golden)).json();
            const same = async ({ prompt_ids, generated_ids }) => {
                const { ids } = await generate(prompt_ids, generated_ids.length);
                return ids.every((id, at) => id === generated_ids[at]);
            };
            line.golden = [];
            for (const it of cases) line.golden.push(await same(it));
        }
        line.tokensPerSecond = [];
        for (let run = 0; run < 3; run++) line.tokensPerSecond.push(round((await generate(prompt, tokens)).timings.decodeTokensPerSecond));
    }
    if (files.cache) {
        const [before, again] = [requests(files.program), performance.now()];
        (await loadModel({ ...files, device })).dispose();
        line.secondLoad = { milliseconds: round(performance.now() - again), requests: requests(files.program) - before };
    }
    await tell({ ...line, memory: memoryBytes() });
}

try {
    const list = await (await fetch("bench.json")).json();
    const opened = await device();
    await tell({ device: opened.info });
    for (const it of list) await (it.program === undefined ? program : model)(it, opened).catch((error) => tell({ name: it.name, error: String(error) }));
    await tell({ done: true });
} catch (error) {
    await tell({ error: String(error), done: true });
}
