// What programs run on, and what is kept in this browser.

import { clearCache, deleteCached, listCached } from "./pteron/client.js";

import { bytes, element } from "./elements.mjs";

const PROGRAM = "demo/embedding.pte";

export function beginDevice(pteron) {
    const facts = document.querySelector("#device-facts");
    const list = document.querySelector("#cached");

    async function show() {
        const program = await pteron.load(new URL(PROGRAM, document.baseURI).href);
        const { description, features, limits, software, warnings } = program.device;
        program.dispose();
        const lines = [["Device", `${description}${software ? ", in software" : ""}`], ["Features", features.join(", ") || "none"]];
        lines.push(...warnings.map((warning) => ["Warning", warning]));
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

/** How WebGPU is turned on in this browser. */
function howTo() {
    const agent = navigator.userAgent;
    if (agent.includes("Firefox")) return "In Firefox, set dom.webgpu.enabled to true in about:config, and gfx.webgpu.ignore-blocklist where the GPU is not trusted.";
    if (agent.includes("Chrome") && agent.includes("Linux")) return "In Chrome on Linux, turn on chrome://flags/#enable-unsafe-webgpu and chrome://flags/#enable-vulkan.";
    if (agent.includes("Chrome")) return "Chrome and Edge have it from version 113: update the browser, and turn on hardware acceleration in its settings.";
    return "Safari has it from version 26; Chrome and Edge from 113; Firefox from 141.";
}

/** What is missing, and what a visitor can do about it. */
function help({ engine, software, features, fallback }) {
    if (engine === "reference") return `Programs run without a GPU: ${fallback}. ${howTo()}`;
    if (software) return `The adapter computes in software, which is slow. Turn on hardware acceleration in the browser's settings. ${howTo()}`;
    const wanted = { f16: "16-bit floats", subgroups: "subgroups", timestamps: "times of kernels" };
    const missing = Object.entries(wanted).filter(([name]) => !features.includes(name)).map(([, name]) => name);
    if (missing.length === 0) return "Nothing is missing.";
    return `This browser does not give ${missing.join(" and ")}; programs run without. A newer browser, or a newer driver, may give them.`;
}
