// What callers write, with the package's types.

import { connect } from "pteron/client";
import { type Value, PteronError, listCached, load, openDevice, setup } from "pteron";
import { type Message, loadModel } from "pteron/llm";

export async function program(file: File): Promise<Value[]> {
    await setup({ wasm: new URL("pteron_bg.wasm", import.meta.url) });
    const device = await openDevice("gpu");
    using program = await load(file, { device, onProgress: ({ phase, loaded, total }) => console.log(phase, loaded, total ?? 0) });
    const forward = await program.method("forward", { signal: AbortSignal.timeout(1000) });
    const [spec] = forward.inputs;
    if (spec?.kind !== "tensor") throw new Error("it takes a tensor");
    const [kept] = await forward.runOnDevice({ dtype: spec.dtype, shape: spec.shape, data: new Float32Array(4) });
    try {
        return await forward.run(kept!, [1, 2, 3], new Int32Array(2), 1n, null);
    } catch (error) {
        if (error instanceof PteronError && error.kind === "lost") await program.reload();
        throw error;
    }
}

export async function chat(messages: Message[]): Promise<string> {
    const { loadModel: inWorker } = connect(new Worker("worker.js", { type: "module" }));
    using model = await inWorker({ program: "/model.pte", tokenizer: "/tokenizer.json", cache: true });
    using conversation = await model.conversation();
    let text = "";
    for await (const { text: part, finish } of conversation.chat(messages, { temperature: 0.5, stop: ["\n"] })) {
        text += part;
        if (finish !== undefined) console.log(finish.usage.totalTokens, finish.timings.decodeTokensPerSecond);
    }
    const here = await loadModel({ program: new Blob() });
    here.dispose();
    return text + (await listCached()).map(({ url }) => url).join();
}
