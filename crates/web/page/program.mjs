// A program: what it is, what it gives, and how long it takes.

import { bytes, describe, element, fail, table, takeDrops } from "./elements.mjs";
import { graphView } from "./graph.mjs";
import { inputField } from "./inputs.mjs";
import { measured } from "./measure.mjs";
import { outputView } from "./outputs.mjs";

/** Nodes that a table shows. */
const MOST = 500;

export function beginProgram(pteron) {
    const status = document.querySelector("#program-status");
    const report = document.querySelector("#report");
    const form = document.querySelector("#open");
    let program;
    let opened = 0;

    async function open(source, data = []) {
        const mine = ++opened;
        program?.dispose();
        program = undefined;
        report.replaceChildren();
        status.textContent = "Opening…";
        try {
            const loaded = await pteron.load(source, { data });
            if (mine !== opened) return loaded.dispose();
            program = loaded;
            const { methods } = await program.inspect();
            report.replaceChildren(...methods.map((method) => card(method)));
            status.textContent = `${methods.length} method(s), on ${program.device.description}`;
        } catch (error) {
            if (mine === opened) fail(status, error);
        }
    }

    /** All that is known of a method, and what can be done with it. */
    function card(method) {
        const made = element("section", { className: "method" }, element("h2", {}, method.name));
        const lines = [["Takes", method.inputs.map(describe).join("; ") || "nothing"], ["Gives", method.outputs.map(describe).join("; ") || "nothing"]];
        if (method.memory !== undefined) {
            const { constants, state, boundary, intermediates } = method.memory;
            lines.push(["Memory", `${bytes(constants)} of constants, ${bytes(state)} of state, ${bytes(boundary)} of inputs and outputs, ${intermediates === null ? "unknown" : bytes(intermediates)} between`]);
        }
        made.append(element("dl", {}, ...lines.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])));
        if (method.error !== undefined) {
            made.append(element("p", { className: "error" }, `It does not run here: ${method.error.message}`));
            const wrong = method.error.nodes ?? [];
            if (wrong.length > 0) made.append(table(["operator", "where", "why"], wrong.map(({ op, at, reason }) => [op, at, reason])));
        } else made.append(runner(method));
        if (method.nodes.length > 0) made.append(part("Graph", () => graphView(method.nodes)));
        made.append(part("Operators", () => table(["operator", "uses", "where"], method.operators.map(({ op, count, delegated }) => [op, count, delegated ? "device" : "outside delegates"]))));
        if (method.onHost.length > 0) made.append(part("On the host", () => table(["operator", "why"], method.onHost.map(({ op, reason }) => [op, reason]))));
        if (method.nodes.length > 0) made.append(part("Nodes", () => nodes(method.nodes)));
        return made;
    }

    /** Runs a method with inputs of the visitor's choice, and measures it. */
    function runner(method) {
        const fields = method.inputs.map(inputField);
        const [run, measure] = ["Run", "Measure"].map((name) => element("button", { type: "button", className: name.toLowerCase() }, name));
        const labels = element("input", { type: "file", accept: ".txt,.json", ariaLabel: "Names of classes, one in each line" });
        const results = element("div", { className: "results", ariaLive: "polite" });
        let loaded;
        const ready = async () => {
            loaded ??= await program.method(method.name, {
                onProgress: ({ phase, loaded, total }) => (results.textContent = `${phase}: ${phase === "compile" ? `${loaded} of ${total}` : `${bytes(loaded)} of ${bytes(total ?? loaded)}`}`),
            });
            return loaded;
        };
        const during = (work) => async () => {
            [run.disabled, measure.disabled] = [true, true];
            results.textContent = "Running…";
            try {
                const inputs = await Promise.all(fields.map(({ value }) => value()));
                results.replaceChildren(...(await work(await ready(), inputs)));
            } catch (error) {
                fail(results, error);
                if (error.kind === "lost") await program.reload().catch(() => {});
            }
            [run.disabled, measure.disabled] = [false, false];
        };
        run.addEventListener("click", during(async (method, inputs) => {
            const [outputs, names] = [await method.run(inputs), await namesIn(labels.files[0])];
            return outputs.map((output, index) => outputView(output, index, names));
        }));
        measure.addEventListener("click", during(measured));
        const named = element("label", {}, "Names of classes", labels);
        return element("div", {}, element("form", { className: "inputs" }, ...fields.map(({ field }) => field), named, run, measure), results);
    }

    form.addEventListener("change", () => {
        const [file] = form.elements.program.files;
        if (file !== undefined) open(file, [...form.elements.data.files]);
    });
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const address = form.elements.address.value;
        if (address !== "") open(address);
    });
    for (const [button, file] of [["#open-demo", "demo/embedding.pte"], ["#open-network", "demo/network.pte"]]) {
        document.querySelector(button).addEventListener("click", () => open(new URL(file, document.baseURI).href));
    }
    takeDrops(document.querySelector("#program"), (files) => {
        const found = files.find(({ name }) => /\.b?pte$/.test(name));
        if (found !== undefined) open(found, files.filter(({ name }) => name.endsWith(".ptd")));
    });
}

/** Something that is made when it is looked at. */
function part(name, make) {
    const made = element("details", {}, element("summary", {}, name));
    made.addEventListener("toggle", () => made.childElementCount === 1 && made.append(make()), { once: true });
    return made;
}

/** Names in a file: one in each line, or a list of JSON. */
async function namesIn(file) {
    const text = (await file?.text()) ?? "";
    return text.trimStart().startsWith("[") ? JSON.parse(text).map(String) : text.split(/\r?\n/).filter((line) => line !== "");
}

/** The nodes in order, which can be searched. */
function nodes(list) {
    const search = element("input", { type: "search", placeholder: "Search nodes", ariaLabel: "Search the list of nodes" });
    const rows = list.map(({ op, reads, writes }, index) => [index, op, reads.join(", "), writes.join(", ")]);
    const shown = element("div");
    const draw = () => {
        const wanted = search.value.toLowerCase();
        const found = rows.filter((row) => row.join(" ").toLowerCase().includes(wanted));
        const more = found.length > MOST ? [element("p", {}, `${found.length - MOST} more are not shown.`)] : [];
        shown.replaceChildren(table(["number", "operator", "reads", "writes"], found.slice(0, MOST)), ...more);
    };
    search.addEventListener("input", draw);
    draw();
    return element("div", {}, search, shown);
}
