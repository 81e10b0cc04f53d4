// The chat: a model, messages, and answers that come part by part.

import { bytes, element, fail, takeDrops } from "./elements.mjs";

const DEMO = { program: "demo/model.pte", tokenizer: "demo/tokenizer.json", tokenizerConfig: "demo/tokenizer_config.json" };

export function beginChat(pteron) {
    const [list, status] = ["#messages", "#chat-status"].map((name) => document.querySelector(name));
    const [question, send, stop, again] = ["#question", "#send", "#stop", "#again"].map((name) => document.querySelector(name));
    const settings = document.querySelector("#settings");
    let messages = [];
    let model;
    let files = Object.fromEntries(Object.entries(DEMO).map(([name, path]) => [name, new URL(path, document.baseURI).href]));
    let running;

    const busy = (controller) => {
        running = controller;
        send.disabled = controller !== undefined;
        stop.disabled = controller === undefined;
        again.disabled = controller !== undefined || messages.at(-1)?.role !== "assistant";
    };

    /** The model, loaded on first need. */
    async function loaded(signal) {
        model ??= await pteron.loadModel({
            ...files,
            signal,
            onProgress: ({ phase, loaded, total }) => {
                const of = total === undefined ? "" : ` of ${phase === "compile" ? total : bytes(total)}`;
                status.textContent = `${phase}: ${phase === "compile" ? loaded : bytes(loaded)}${of}`;
            },
        });
        return model;
    }

    function draw() {
        list.replaceChildren(
            ...messages.map(({ role, content }, index) => {
                const item = element("li", { className: role }, content);
                if (role === "user") {
                    const edit = element("button", { type: "button" }, "Edit");
                    edit.addEventListener("click", () => {
                        if (running !== undefined) return;
                        question.value = content;
                        messages = messages.slice(0, index);
                        draw();
                        question.focus();
                    });
                    item.append(edit);
                }
                return item;
            }),
        );
        document.querySelector("#welcome").hidden = messages.length > 0;
        busy(running);
    }

    async function answer() {
        const controller = new AbortController();
        busy(controller);
        const options = Object.fromEntries(["temperature", "topK", "topP", "minP", "repetitionPenalty", "maxTokens", "seed"].map((name) => [name, Number(settings.elements[name].value)]));
        const system = settings.elements.system.value.trim();
        const said = { role: "assistant", content: "" };
        let tell = () => {};
        try {
            const model = await loaded(controller.signal);
            status.textContent = "Reading…";
            const asked = [...(system === "" ? [] : [{ role: "system", content: system }]), ...messages];
            // A model without a template goes on with the text.
            const text = asked.map(({ content }) => content).join("\n");
            const parts = model.hasTemplate ? model.chat(asked, { ...options, signal: controller.signal }) : model.generate(text, { ...options, signal: controller.signal });
            messages.push(said);
            draw();
            const item = list.lastElementChild;
            for await (const { text, finish } of parts) {
                said.content += text;
                status.textContent = "Writing…";
                item.firstChild === null ? item.append(text) : item.firstChild.appendData(text);
                if (finish !== undefined) tell = () => report(finish, model.limits);
            }
        } catch (error) {
            tell = () => (error.name === "AbortError" ? (status.textContent = "Stopped.") : fail(status, error));
            if (error.kind === "lost") await model?.reload().catch(() => (model = undefined));
        }
        running = undefined;
        draw();
        // Last, since whoever reads it may ask again.
        tell();
    }

    function report({ usage, timings, reason }, { context }) {
        const rate = timings.decodeTokensPerSecond;
        const speed = rate === null ? "" : `${rate.toFixed(1)} tokens/s, `;
        status.textContent = `${speed}${usage.totalTokens} of ${context} tokens of context used, ended by ${reason}`;
    }

    document.querySelector("#ask").addEventListener("submit", (event) => {
        event.preventDefault();
        if (running !== undefined || question.value.trim() === "") return;
        messages.push({ role: "user", content: question.value.trim() });
        question.value = "";
        draw();
        answer();
    });
    question.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        event.target.form.requestSubmit();
    });
    stop.addEventListener("click", () => running?.abort());
    again.addEventListener("click", () => {
        messages.pop();
        draw();
        answer();
    });

    function use(name, chosen) {
        running?.abort();
        model?.dispose();
        [model, files, messages] = [undefined, chosen, []];
        document.querySelector("#model-name").textContent = name;
        status.textContent = "";
        draw();
    }
    document.querySelector("#use-demo").addEventListener("click", () => use("the built-in demo", DEMO));
    document.querySelector("#model-form").addEventListener("submit", (event) => {
        event.preventDefault();
        const { program, tokenizer, config, address } = event.target.elements;
        const [file] = program.files;
        if (file !== undefined) use(file.name, { program: file, tokenizer: tokenizer.files[0], tokenizerConfig: config.files[0] });
        else if (address.value !== "") {
            const folder = address.value.endsWith("/") ? address.value : `${address.value}/`;
            const at = (name) => new URL(name, folder).href;
            use(folder, { program: at("model.pte"), tokenizer: at("tokenizer.json"), tokenizerConfig: at("tokenizer_config.json"), cache: true });
        } else fail(status, new Error("Choose a program, or give an address."));
    });
    takeDrops(document.querySelector("#chat"), (dropped) => {
        const named = (pattern) => dropped.find(({ name }) => pattern.test(name));
        const program = named(/\.b?pte$/);
        if (program === undefined) return fail(status, new Error("Drop a program (.pte) with its tokenizer."));
        const [tokenizer, tokenizerConfig] = [named(/^tokenizer\.(json|model)$|\.(model|tiktoken)$|^tekken\.json$/), named(/^tokenizer_config\.json$/)];
        use(program.name, { program, tokenizer, tokenizerConfig });
    });
    draw();
}
