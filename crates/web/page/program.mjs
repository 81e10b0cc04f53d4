// A program: what it is, what it gives, and how long it takes.

import { bytes, describe, element, fail, save, table } from "./elements.mjs";

const CALLS = 20;

export function beginProgram(pteron) {
    const status = document.querySelector("#program-status");
    const report = document.querySelector("#report");
    const form = document.querySelector("#open");
    const section = document.querySelector("#program");
    let program;

    async function open(source, data = []) {
        program?.dispose();
        report.replaceChildren();
        status.textContent = "Opening…";
        try {
            program = await pteron.load(source, { data });
            const { methods } = await program.inspect();
            report.replaceChildren(...methods.map((method) => card(method)));
            status.textContent = `${methods.length} method(s), on ${program.device.description}`;
        } catch (error) {
            fail(status, error);
        }
    }

    /** All that is known of a method, and what can be done with it. */
    function card(method) {
        const made = element("section", {}, element("h2", {}, method.name));
        const lines = [["Takes", method.inputs.map(describe).join("; ") || "nothing"], ["Gives", method.outputs.map(describe).join("; ") || "nothing"]];
        if (method.memory !== undefined) {
            const { constants, state, boundary, intermediates } = method.memory;
            lines.push(["Memory", `${bytes(constants)} of constants, ${bytes(state)} of state, ${bytes(boundary)} of inputs and outputs, ${intermediates === null ? "unknown" : bytes(intermediates)} between`]);
        }
        made.append(element("dl", {}, ...lines.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])));
        if (method.error !== undefined) {
            made.append(element("p", { className: "error" }, "It does not run here:"));
            made.append(table(["operator", "where", "why"], (method.error.nodes ?? []).map(({ op, at, reason }) => [op, at, reason])));
        } else made.append(runner(method));
        made.append(part("Operators", table(["operator", "uses", "where"], method.operators.map(({ op, count, delegated }) => [op, count, delegated ? "device" : "outside delegates"]))));
        if (method.onHost.length > 0) made.append(part("On the host", table(["operator", "why"], method.onHost.map(({ op, reason }) => [op, reason]))));
        if (method.nodes.length > 0) made.append(part("Nodes", nodes(method.nodes)));
        return made;
    }

    const part = (name, content) => element("details", {}, element("summary", {}, name), content);

    /** The nodes in order, which can be searched. */
    function nodes(list) {
        const search = element("input", { type: "search", placeholder: "Search nodes", ariaLabel: "Search nodes" });
        const rows = list.map(({ op, reads, writes }, index) => [index, op, reads.join(", "), writes.join(", ")]);
        const shown = element("div");
        const draw = () => {
            const wanted = search.value.toLowerCase();
            shown.replaceChildren(table(["", "operator", "reads", "writes"], rows.filter((row) => row.join(" ").toLowerCase().includes(wanted)).slice(0, 500)));
        };
        search.addEventListener("input", draw);
        draw();
        return element("div", {}, search, shown);
    }

    /** Runs a method with inputs of the user's choice, and measures it. */
    function runner(method) {
        const choices = method.inputs.map((spec, index) => {
            const select = element("select", {}, ...["random", "zeros", "ones", "numbers"].map((value) => element("option", { value }, value)));
            const numbers = element("input", { placeholder: "1, 2, 3 …", hidden: true, ariaLabel: `Numbers of input ${index}` });
            select.addEventListener("change", () => (numbers.hidden = select.value !== "numbers"));
            return { spec, select, numbers, label: element("label", {}, `Input ${index}: ${describe(spec)}`, select, numbers) };
        });
        const [run, measure] = [element("button", { type: "button" }, "Run"), element("button", { type: "button" }, "Measure")];
        const results = element("div", { ariaLive: "polite" });
        let loaded;
        const ready = async () => (loaded ??= await program.method(method.name));
        const inputs = () => choices.map(({ spec, select, numbers }) => (spec.kind === "tensor" ? tensor(spec, select.value, numbers.value) : scalar(spec)));
        const during = (work) => async () => {
            [run.disabled, measure.disabled] = [true, true];
            results.textContent = "Running…";
            try {
                results.replaceChildren(...(await work(await ready(), inputs())));
            } catch (error) {
                fail(results, error);
            }
            [run.disabled, measure.disabled] = [false, false];
        };
        run.addEventListener("click", during(async (method, inputs) => (await method.run(inputs)).map(output)));
        measure.addEventListener("click", during((method, inputs) => measured(method, inputs)));
        return element("div", {}, element("form", {}, ...choices.map(({ label }) => label), run, measure), results);
    }

    form.addEventListener("change", () => {
        const [file] = form.elements.program.files;
        if (file !== undefined) open(file, [...form.elements.data.files]);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    document.querySelector("#open-demo").addEventListener("click", () => open(new URL("demo/embedding.pte", document.baseURI).href));
    section.addEventListener("dragover", (event) => {
        event.preventDefault();
        section.classList.add("dropping");
    });
    section.addEventListener("dragleave", () => section.classList.remove("dropping"));
    section.addEventListener("drop", (event) => {
        event.preventDefault();
        section.classList.remove("dropping");
        const files = [...event.dataTransfer.files];
        const found = files.find(({ name }) => /\.b?pte$/.test(name));
        if (found !== undefined) open(found, files.filter(({ name }) => name.endsWith(".ptd")));
    });
}

const scalar = ({ kind }) => ({ int: 0n, float: 0, bool: false, string: "" })[kind] ?? null;

/** A tensor of the user's choice. Whole numbers stay small, since they are often ids. */
function tensor({ dtype, shape }, choice, text) {
    const count = shape.reduce((product, size) => product * size, 1);
    const whole = !["f16", "bf16", "f32", "f64"].includes(dtype);
    const given = text.split(/[\s,]+/).filter((word) => word !== "").map(Number);
    const number = { random: () => (whole ? Math.floor(Math.random() * 8) : Math.random() * 2 - 1), zeros: () => 0, ones: () => 1, numbers: (at) => given[at % given.length] ?? 0 }[choice];
    const values = Array.from({ length: count }, (_, at) => number(at));
    if (dtype === "f16" || dtype === "bf16") return { dtype, shape, data: Uint16Array.from(values, (value) => bits(value, dtype)) };
    if (dtype === "i64") return { dtype, shape, data: BigInt64Array.from(values, (value) => BigInt(Math.round(value))) };
    const array = { bool: Uint8Array, u8: Uint8Array, i8: Int8Array, i16: Int16Array, i32: Int32Array, f32: Float32Array, f64: Float64Array }[dtype];
    return { dtype, shape, data: array.from(values) };
}

/** The bits of a number as a 16-bit float, cut off. */
function bits(value, dtype) {
    const word = new Uint32Array(Float32Array.of(value).buffer)[0];
    if (dtype === "bf16") return word >>> 16;
    const exponent = ((word >>> 23) & 0xff) - 112;
    return ((word >>> 16) & 0x8000) | (exponent <= 0 ? 0 : (exponent << 10) | ((word >>> 13) & 0x3ff));
}

/** An output: its numbers, and a picture of its last two dimensions. */
function output(value, index) {
    if (value === null || typeof value !== "object") return element("p", {}, `Output ${index}: ${value}`);
    const numbers = Array.from(value.data, Number);
    const finite = numbers.filter(Number.isFinite);
    const [least, most] = finite.reduce(([least, most], number) => [Math.min(least, number), Math.max(most, number)], [Infinity, -Infinity]);
    const mean = finite.reduce((sum, number) => sum + number, 0) / finite.length;
    const title = `Output ${index}: ${value.dtype}[${value.shape.join(", ")}], ${least.toPrecision(4)} to ${most.toPrecision(4)}, mean ${mean.toPrecision(4)}`;
    const made = element("div", {}, element("p", {}, title));
    const [rows, columns] = [value.shape.at(-2) ?? 1, value.shape.at(-1) ?? 1];
    if (rows * columns > 1 && rows <= 2048 && columns <= 2048) made.append(heatMap(numbers, rows, columns, least, most, title));
    made.append(element("p", { className: "scroll" }, numbers.slice(0, 64).map((number) => Number(number.toPrecision(5))).join(", ") + (numbers.length > 64 ? ", …" : "")));
    return made;
}

function heatMap(numbers, rows, columns, least, most, label) {
    const canvas = element("canvas", { width: columns, height: rows, ariaLabel: label, role: "img" });
    const context = canvas.getContext("2d");
    const picture = context.createImageData(columns, rows);
    for (let at = 0; at < rows * columns; at++) {
        const share = most > least ? (numbers[at] - least) / (most - least) : 0;
        picture.data.set([255 * share, 90 + 90 * (1 - Math.abs(2 * share - 1)), 255 * (1 - share), 255], at * 4);
    }
    context.putImageData(picture, 0, 0);
    return canvas;
}

/** Times calls and, where the browser lets timestamps be read, kernels. */
async function measured(method, inputs) {
    await method.run(inputs);
    const times = [];
    for (let call = 0; call < CALLS; call++) {
        const start = performance.now();
        await method.run(inputs);
        times.push(performance.now() - start);
    }
    const kernels = await method.profile(inputs).catch(() => []);
    const memory = await method.gpuBytes();
    const median = times.toSorted((a, b) => a - b)[CALLS >> 1];
    const most = Math.max(1, ...kernels.map(({ nanoseconds }) => nanoseconds));
    const bar = (nanoseconds) => element("meter", { max: most, value: nanoseconds, ariaLabel: "share of the longest" });
    const rows = kernels.toSorted((a, b) => b.nanoseconds - a.nanoseconds).map(({ kernel, op, nanoseconds }) => [kernel, op, (nanoseconds / 1e3).toFixed(1), bar(nanoseconds)]);
    const keep = element("button", { type: "button" }, "Save as JSON");
    keep.addEventListener("click", () => save("pteron-times.json", JSON.stringify({ method: method.name, device: method.device, times, kernels, memory }, null, 1)));
    const trace = element("button", { type: "button" }, "Save as a trace");
    trace.addEventListener("click", () => save("pteron-trace.json", JSON.stringify(traceOf(kernels))));
    const line = `${median.toFixed(2)} ms a call (median of ${CALLS}), ${method.dispatches} launches, ${bytes(memory.constants + memory.state + memory.scratch)} on the GPU`;
    return [element("p", {}, line), keep, trace, table(["kernel", "operator", "µs", ""], rows)];
}

/** Kernels one after the other, in the format of Chrome's traces, which Perfetto opens. */
function traceOf(kernels) {
    let at = 0;
    return kernels.map(({ kernel, op, nanoseconds }) => {
        const event = { name: kernel, cat: op, ph: "X", pid: 1, tid: 1, ts: at / 1e3, dur: nanoseconds / 1e3 };
        at += nanoseconds;
        return event;
    });
}
