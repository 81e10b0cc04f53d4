// Checks of language models, in the page and in a worker.

import { clearCache, load, loadModel, memoryBytes } from "/dist/llm.js";
import { connect } from "/dist/client.js";
import { equal, refused } from "./assert.mjs";

const TINY = "/fixtures/llm/tiny";
const FILES = { program: `${TINY}/model.pte`, tokenizer: `${TINY}/tokenizer.json`, tokenizerConfig: `${TINY}/tokenizer_config.json` };

/** All text of an answer, and how it ended. */
async function collect(parts) {
    let [text, finish] = ["", undefined];
    for await (const part of parts) {
        text += part.text;
        finish ??= part.finish;
    }
    return { text, finish };
}

const golden = async () => (await fetch(`${TINY}/golden.json`)).json();

/** Generates what a model's golden runs have, and compares the tokens. */
async function checkGolden(model) {
    const { cases } = await golden();
    for (const { prompt_ids, generated_ids } of cases) {
        const options = { maxTokens: generated_ids.length, ignoreEnd: true };
        const { finish } = await collect(model.generate(prompt_ids, options));
        equal([...finish.ids], generated_ids);
    }
    return cases.reduce((count, { generated_ids }) => count + generated_ids.length, 0);
}

let worker;
const remote = () => (worker ??= connect(new Worker("/dist/worker.js", { type: "module" })));

export const MODELS = {
    "a model gives its golden tokens": async () => {
        using model = await loadModel(FILES);
        const count = await checkGolden(model);
        return `${count} tokens; vocabulary ${model.limits.vocabulary}, context ${model.limits.context}`;
    },

    "an answer comes in parts, and ends with its usage": async () => {
        using model = await loadModel(FILES);
        const messages = [{ role: "user", content: "A wing" }];
        const first = await collect(model.chat(messages, { maxTokens: 8 }));
        equal(first.text, first.finish.text);
        const { usage, timings, reason } = first.finish;
        equal([usage.totalTokens, usage.reusedTokens], [usage.promptTokens + usage.completionTokens, 0]);
        equal([timings.decode >= 0, typeof reason], [true, "string"]);
        const second = await collect(model.chat(messages, { maxTokens: 8 }));
        equal([second.text, second.finish.usage.reusedTokens > 0], [first.text, true]);
        return `${usage.promptTokens} + ${usage.completionTokens} tokens, ended by ${reason}`;
    },

    "an abort stops an answer at once": async () => {
        using model = await loadModel(FILES);
        const controller = new AbortController();
        let asked;
        const error = await (async () => {
            for await (const part of model.generate("A wing", { ignoreEnd: true, signal: controller.signal })) {
                if (part.id !== undefined && asked === undefined) {
                    asked = performance.now();
                    controller.abort();
                }
            }
        })().catch((error) => error);
        const took = performance.now() - asked;
        equal([error?.name, took < 100], ["AbortError", true]);
        equal((await collect(model.generate("A wing", { maxTokens: 2 }))).finish.usage.completionTokens <= 2, true);
        return `after ${took.toFixed(1)} ms, and the model answers afterwards`;
    },

    "conversations have caches of their own": async () => {
        using model = await loadModel(FILES);
        using one = await model.conversation();
        using other = await model.conversation();
        const alone = await collect(one.generate("A wing", { maxTokens: 6 }));
        await collect(other.generate("The sea", { maxTokens: 6 }));
        await one.rewind(1);
        equal((await one.ids()).length, 1);
        const again = await collect(one.generate("A wing", { maxTokens: 6 }));
        equal(again.text, alone.text);
        const encoded = await model.encode("A wing");
        equal((await one.logits("A wing")).length, model.limits.vocabulary);
        return `${encoded.length} tokens; decoded: ${await model.decode(encoded)}`;
    },

    "wrong models and prompts are errors": async () => {
        await refused("input", "needs a program", loadModel({}));
        await refused("format", "tokenizer", loadModel({ ...FILES, tokenizer: new Blob(["{}"]) }));
        await refused("unsupported", "", loadModel({ program: "/fixtures/demo/embedding/model.pte" }));
        using model = await loadModel({ program: FILES.program });
        await refused("input", "tokenizer", collect(model.generate("text")));
        await refused("input", "vocabulary", collect(model.generate([100_000])));
        await refused("input", "temperature", collect(model.generate([1], { temperature: -1 })));
        return await refused("input", "no number", collect(model.generate([1], { topP: "much" })));
    },

    "a model goes on after its device is lost": async () => {
        using model = await loadModel(FILES);
        const before = await collect(model.generate("A wing", { maxTokens: 5 }));
        globalThis.loseDevices();
        await new Promise((resolve) => setTimeout(resolve, 50));
        const line = await refused("lost", "reload()", collect(model.generate("A wing and", { maxTokens: 5 })));
        await model.reload();
        equal((await collect(model.generate("A wing", { maxTokens: 5 }))).text, before.text);
        return line;
    },

    "a worker does the same, and the page stays responsive": async () => {
        // Told of tasks of 50 ms and more.
        const long = [];
        const observer = new PerformanceObserver((list) => long.push(...list.getEntries()));
        observer.observe({ type: "longtask" });
        const phases = new Set();
        const model = await remote().loadModel({ ...FILES, onProgress: ({ phase }) => phases.add(phase) });
        const count = await checkGolden(model);
        const { text, finish } = await collect(model.chat([{ role: "user", content: "A wing" }], { maxTokens: 6 }));
        long.push(...observer.takeRecords());
        observer.disconnect();
        equal(text, finish.text);
        equal([...phases].sort(), ["compile", "download", "upload"]);
        equal(long.map(({ duration }) => duration), [], "long tasks");
        const controller = new AbortController();
        const stopped = await (async () => {
            for await (const _ of model.generate("A", { ignoreEnd: true, signal: controller.signal })) controller.abort();
        })().catch((error) => error.name);
        equal(stopped, "AbortError");
        const error = await remote().load(new Uint8Array(64)).catch((error) => error);
        equal([error.name, error.kind], ["PteronError", "format"]);
        model.dispose();
        return `${count} golden tokens, and no task of 50 ms`;
    },

    "a worker runs programs": async () => {
        const program = await remote().load("/fixtures/demo/embedding/model.pte");
        const method = await program.method("forward");
        const { shape, dtype } = method.inputs[0];
        const ids = { dtype, shape, data: new BigInt64Array(shape.reduce((a, b) => a * b, 1)) };
        const [output] = await method.run(ids);
        const [tensor] = await method.runOnDevice(ids);
        equal([...(await tensor.read()).data], [...output.data]);
        tensor.dispose();
        using own = await load("/fixtures/demo/embedding/model.pte");
        const here = await own.method();
        equal([...(await here.run(ids))[0].data], [...output.data]);
        program.dispose();
        return `${method.dispatches} launch(es), ${output.data.length} elements`;
    },
};

/** Checks of a model that lies beside a checkout. */
export const SHARED_MODELS = {
    "a model of 88 MB answers from the network, and then from the cache": async () => {
        const folder = "/shared/models/smollm2";
        const files = { program: `${folder}/smollm2_135m_q4g32_ctx512.pte`, tokenizer: `${folder}/tokenizer.json`, cache: true };
        const [{ prompt_ids, generated_ids }] = (await (await fetch(`${folder}/golden.json`)).json()).cases;
        await clearCache();
        {
            using model = await loadModel(files);
            // A software adapter takes long for a token.
            const { finish } = await collect(model.generate(prompt_ids, { maxTokens: 1, ignoreEnd: true }));
            equal([...finish.ids], generated_ids.slice(0, 1));
        }
        await fetch("/control", { method: "POST", body: JSON.stringify({ refuse: true }) });
        (await loadModel(files)).dispose();
        await fetch("/control", { method: "POST", body: "{}" });
        await clearCache();
        equal(memoryBytes() < 64 << 20, true, `${memoryBytes()} bytes of memory`);
        return `the golden token after ${prompt_ids.length}, ${memoryBytes() >> 20} MiB of memory with the tokenizer`;
    },
};
