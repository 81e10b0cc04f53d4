// Checks of language models, in the page and in a worker.

import { clearCache, load, loadModel, memoryBytes } from "/dist/llm.js";
import { connect } from "/dist/client.js";
import { equal, refused } from "./assert.mjs";

const TINY = "/fixtures/llm/tiny";
const FILES = { program: `${TINY}/model.pte`, tokenizer: `${TINY}/tokenizer.json`, tokenizerConfig: `${TINY}/tokenizer_config.json` };

/** A model whose vocabulary is larger than that of any tokenizer here. */
const DEMO = "/site/demo/model.pte";

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

/** Watches the tasks of this thread; what it gives ends that, and fails where one was long. */
function watchTasks() {
    if (PerformanceObserver.supportedEntryTypes.includes("longtask")) {
        // Told of tasks of 50 ms and more.
        const long = [];
        const observer = new PerformanceObserver((list) => long.push(...list.getEntries()));
        observer.observe({ type: "longtask" });
        return () => {
            long.push(...observer.takeRecords());
            observer.disconnect();
            equal(long.map(({ duration }) => duration), [], "long tasks");
            return "and no task of 50 ms";
        };
    }
    // Elsewhere the gaps between ticks are measured, in which other processes have their turns too.
    let [last, longest] = [performance.now(), 0];
    const timer = setInterval(() => {
        const time = performance.now();
        [last, longest] = [time, Math.max(longest, time - last)];
    }, 5);
    return () => {
        clearInterval(timer);
        equal(longest < 250, true, `${longest} ms between two ticks`);
        return `and at most ${longest.toFixed(0)} ms between two ticks`;
    };
}

let worker;
const remote = () => (worker ??= connect(new Worker("/dist/worker.js", { type: "module" })));

export const MODELS = {
    "a model gives its golden tokens": async () => {
        using model = await loadModel(FILES);
        const count = await checkGolden(model);
        return `${count} tokens; vocabulary ${model.limits.vocabulary}, context ${model.limits.context}`;
    },

    "a model takes no longer for a call than its limits allow": async () => {
        using model = await loadModel({ ...FILES, limits: { callSeconds: 0 } });
        const line = await refused("limit", "limits.callSeconds allows more", collect(model.generate("A wing", { maxTokens: 8 })));
        using remoteModel = await remote().loadModel({ ...FILES, limits: { callSeconds: 0 } });
        await refused("limit", line, collect(remoteModel.generate("A wing", { maxTokens: 8 })));
        return line;
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

    "tokenizers of every format give the ids of the original libraries": async () => {
        const cases = await (await fetch("/fixtures/llm/tokenizers/cases.json")).json();
        let count = 0;
        // The file of tiktoken is one of no model that is known.
        for (const [name, list] of Object.entries(cases).filter(([name]) => name !== "tiktoken")) {
            const file = { bpe: "bpe.model", unigram: "unigram.model", symbols: "symbols.model" }[name] ?? `${name}.json`;
            using model = await loadModel({ program: DEMO, tokenizer: `/fixtures/llm/tokenizers/${file}` });
            for (const { text, ids, whole, decoded } of list) {
                // `encode` adds the tokens that a text begins with, which only some of the files tell.
                if (whole !== undefined) equal([...(await model.encode(text))], whole, `${name}: ${text}`);
                equal(await model.decode(ids), decoded, `${name}: ${text}`);
                count++;
            }
        }
        return `${count} texts`;
    },

    "expressions of tokenizers find what another library finds": async () => {
        const cases = await (await fetch("/fixtures/llm/tokenizers/patterns.json")).json();
        const base = await (await fetch("/fixtures/llm/tokenizers/byte_level.json")).json();
        base.pre_tokenizer = { type: "ByteLevel", add_prefix_space: false, use_regex: false };
        for (const expression of new Set(cases.map(({ expression }) => expression))) {
            const normalizer = { type: "Replace", pattern: { Regex: expression }, content: "|" };
            const tokenizer = new Blob([JSON.stringify({ ...base, normalizer })]);
            using model = await loadModel({ program: FILES.program, tokenizer });
            for (const { text, replaced } of cases.filter((it) => it.expression === expression)) {
                equal(await model.decode(await model.encode(text)), replaced, expression);
            }
        }
        const wrong = { ...base, normalizer: { type: "Replace", pattern: { Regex: "(a" }, content: "" } };
        const line = await refused("format", "does not end", loadModel({ program: FILES.program, tokenizer: new Blob([JSON.stringify(wrong)]) }));
        return `${cases.length} cases; ${line}`;
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

/** Checks that measure time, for a browser that has the machine for itself. */
export const MODEL_TIMES = {
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

    "an abort stops the load of a model at once": async () => {
        const lines = [];
        for (const phase of ["download", "upload", "compile"]) {
            const controller = new AbortController();
            let asked;
            const onProgress = (told) => {
                if (told.phase !== phase || asked !== undefined) return;
                asked = performance.now();
                controller.abort();
            };
            const error = await remote().loadModel({ ...FILES, onProgress, signal: controller.signal }).catch((error) => error);
            const took = performance.now() - asked;
            equal([error?.name, took < 100], ["AbortError", true], phase);
            lines.push(`${phase} after ${took.toFixed(1)} ms`);
        }
        return lines.join(", ");
    },

    "a worker does the same, and the page stays responsive": async () => {
        const responsive = watchTasks();
        const phases = new Set();
        const model = await remote().loadModel({ ...FILES, onProgress: ({ phase }) => phases.add(phase) });
        const count = await checkGolden(model);
        const { text, finish } = await collect(model.chat([{ role: "user", content: "A wing" }], { maxTokens: 6 }));
        const tasks = responsive();
        equal(text, finish.text);
        equal([...phases].sort(), ["compile", "download", "upload"]);
        const controller = new AbortController();
        const stopped = await (async () => {
            for await (const _ of model.generate("A", { ignoreEnd: true, signal: controller.signal })) controller.abort();
        })().catch((error) => error.name);
        equal(stopped, "AbortError");
        const error = await remote().load(new Uint8Array(64)).catch((error) => error);
        equal([error.name, error.kind], ["PteronError", "format"]);
        model.dispose();
        return `${count} golden tokens, ${tasks}`;
    },
};

/** Runs the goldens of a model freely, each up to where its two best logits were too close to tell. */
export async function runGolden(file) {
    const { pte, cases } = await (await fetch(file)).json();
    using model = await loadModel({ program: new URL(pte, new URL(file, location.href)).href });
    let count = 0;
    for (const { name, prompt_ids, generated_ids, top2_gap } of cases) {
        const unclear = top2_gap.findIndex((gap) => gap < (file.includes("fp16") ? 2e-2 : 1e-3));
        const clear = generated_ids.slice(0, unclear < 0 ? undefined : unclear);
        if (clear.length === 0) continue;
        const { finish } = await collect(model.generate(prompt_ids, { maxTokens: clear.length, ignoreEnd: true }));
        equal([...finish.ids], clear, name);
        count += clear.length;
    }
    if (count === 0) throw new Error("no token is clear");
    return `${count} golden tokens`;
}

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
