// What programs run on, and what is kept in this browser.

import { clearCache, deleteCached, listCached } from "./pteron/client.js";

import { bytes, element } from "./elements.mjs";

const PROGRAM = "demo/embedding.pte";

export function beginDevice(pteron) {
    const facts = document.querySelector("#device-facts");
    const list = document.querySelector("#cached");

    async function show() {
        const program = await pteron.load(new URL(PROGRAM, document.baseURI).href);
        const { description, features, limits, software } = program.device;
        program.dispose();
        const lines = [["Device", `${description}${software ? ", in software" : ""}`], ["Features", features.join(", ") || "none"]];
        if (limits !== undefined) {
            lines.push(["Largest binding", bytes(limits.bindingBytes)], ["Largest buffer", bytes(limits.bufferBytes)]);
            lines.push(["Workgroup", `${limits.invocations} invocations, ${bytes(limits.workgroupBytes)}`]);
        }
        lines.push(["Memory of the module", bytes(await pteron.memoryBytes())]);
        facts.replaceChildren(...lines.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
        document.querySelector("#device-help").textContent = help(program.device);
    }

    async function files() {
        const cached = await listCached().catch(() => []);
        const item = ({ url, size, complete }) => {
            const remove = element("button", { type: "button" }, "Delete");
            remove.addEventListener("click", () => deleteCached(url).then(files));
            return element("li", {}, `${url}, ${bytes(size ?? 0)}${complete ? "" : ", not complete"} `, remove);
        };
        list.replaceChildren(...(cached.length === 0 ? [element("li", {}, "nothing")] : cached.map(item)));
    }

    document.querySelector("#clear").addEventListener("click", () => clearCache().then(files));
    document.querySelector("#tab-device").addEventListener("shown", () => {
        show().catch((error) => (document.querySelector("#device-help").textContent = error.message));
        files();
    });
}

/** What a user can do for more. */
function help({ engine, software, features, fallback }) {
    if (engine === "reference") return `Programs run without a GPU: ${fallback}. Chrome and Edge have WebGPU from version 113, Safari from 26; in Firefox it is dom.webgpu.enabled in about:config.`;
    if (software) return "The adapter computes in software. Turn on hardware acceleration in the browser's settings.";
    const missing = [["f16", "16-bit floats"], ["subgroups", "subgroups"]].filter(([name]) => !features.includes(name)).map(([, name]) => name);
    return missing.length === 0 ? "Nothing is missing." : `This browser does not give ${missing.join(" and ")}; programs run without.`;
}
