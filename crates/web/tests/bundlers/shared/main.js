// What a stranger's page does: a program here, a chat in a worker. The page's title says how it went.

import { connect } from "pteron/client";
import { load } from "pteron";

async function main() {
    const program = await load("/fixtures/demo/embedding/model.pte");
    const forward = await program.method("forward");
    const [spec] = forward.inputs;
    const [output] = await forward.run(new BigInt64Array(spec.shape.reduce((a, b) => a * b, 1)));
    program.dispose();

    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    const tiny = "/fixtures/llm/tiny";
    const model = await connect(worker).loadModel({
        program: `${tiny}/model.pte`,
        tokenizer: `${tiny}/tokenizer.json`,
        tokenizerConfig: `${tiny}/tokenizer_config.json`,
    });
    let text = "";
    for await (const part of model.chat([{ role: "user", content: "A wing" }], { maxTokens: 4 })) text += part.text;
    return `${output.data.length} elements on ${program.device.engine}, ${text.length} letters`;
}

main().then(
    (line) => (document.title = `ok: ${line}`),
    (error) => (document.title = `failed: ${error.stack}`),
);
