// A worker that is told in which form the module comes, and opens a program with it.

import { load, setup } from "/dist/index.js";

const FORMS = {
    address: (given) => given,
    URL: (given) => new URL(given),
    Request: (given) => new Request(given),
    Response: (given) => fetch(given),
    bytes: async (given) => (await fetch(given)).arrayBuffer(),
    Module: (given) => given,
};

addEventListener("message", async ({ data: { form, given } }) => {
    try {
        await setup({ wasm: await FORMS[form](given) });
        const { methods } = await load("/fixtures/ops/embedding_q4gsw/small/model.pte", { device: "cpu" });
        postMessage({ methods });
    } catch (error) {
        postMessage({ error: String(error) });
    }
});
