// How long a method takes: calls over time, kernels as a chart, and files of both.

import { bytes, element, save, table, vector } from "./elements.mjs";

const CALLS = 30;
const BARS = 24;

/** Times calls and, where the browser lets timestamps be read, kernels. */
export async function measured(method, inputs) {
    await method.run(inputs);
    const begun = performance.now();
    const calls = [];
    for (let call = 0; call < CALLS; call++) {
        const start = performance.now();
        await method.run(inputs);
        calls.push({ start: start - begun, milliseconds: performance.now() - start });
    }
    const kernels = await method.profile(inputs).catch(() => []);
    const memory = await method.gpuBytes();
    const median = calls.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)[CALLS >> 1];
    const line = `${median.toFixed(2)} ms a call (median of ${CALLS}), ${method.dispatches} launches; on the GPU ${bytes(memory.constants)} of constants, ${bytes(memory.state)} of state, ${bytes(memory.scratch)} for calls`;
    const record = { method: method.name, device: method.device, calls, kernels, memory };
    const button = (name, work) => {
        const made = element("button", { type: "button" }, name);
        made.addEventListener("click", work);
        return made;
    };
    const files = element(
        "p",
        {},
        button("Save as JSON", () => save("pteron-times.json", JSON.stringify(record, null, 1))),
        " ",
        button("Save as a trace for Perfetto", () => save("pteron-trace.json", JSON.stringify(traceOf(record)))),
    );
    return [element("p", {}, line), files, element("h3", {}, "Calls over time"), callsChart(calls), element("h3", {}, "Time of each kernel"), kernelsChart(kernels)];
}

/** Calls as columns, in order. */
function callsChart(calls) {
    const most = Math.max(...calls.map(({ milliseconds }) => milliseconds));
    const [width, height] = [420, 110];
    const step = width / calls.length;
    const columns = calls.map(({ milliseconds }, at) => {
        const tall = (milliseconds / most) * (height - 16);
        return vector("rect", { x: at * step + 1, y: height - tall, width: step - 2, height: tall }, vector("title", {}, `call ${at + 1}: ${milliseconds.toFixed(2)} ms`));
    });
    const label = `${calls.length} calls, the longest ${most.toFixed(2)} ms`;
    return vector("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label }, vector("text", { x: 0, y: 11 }, `${most.toFixed(2)} ms`), ...columns);
}

/** Kernels by all of their launches, the longest first, as bars and as a table. */
function kernelsChart(kernels) {
    if (kernels.length === 0) return element("p", {}, "This browser gives no times of kernels: it has no timestamps, or the reference engine computes.");
    const sums = new Map();
    for (const { kernel, op, nanoseconds, bytes } of kernels) {
        const sum = sums.get(`${kernel} ${op}`) ?? { kernel, op, nanoseconds: 0, bytes: 0, launches: 0 };
        sums.set(`${kernel} ${op}`, { ...sum, nanoseconds: sum.nanoseconds + nanoseconds, bytes: sum.bytes + bytes, launches: sum.launches + 1 });
    }
    const rows = [...sums.values()].sort((a, b) => b.nanoseconds - a.nanoseconds);
    const all = rows.reduce((sum, { nanoseconds }) => sum + nanoseconds, 0) || 1;
    const [line, width] = [24, 420];
    const most = rows[0].nanoseconds || 1;
    const bars = rows.slice(0, BARS).flatMap(({ kernel, nanoseconds, launches }, at) => [
        vector("rect", { x: 0, y: at * line + 12, width: Math.max(1, (nanoseconds / most) * width), height: 8 }),
        vector("text", { x: 0, y: at * line + 10 }, `${kernel.replace(/\{.*/, "")} × ${launches}: ${(nanoseconds / 1e3).toFixed(1)} µs, ${((100 * nanoseconds) / all).toFixed(0)} %`),
    ]);
    const label = `${rows.length} kernels; the longest is ${rows[0].kernel} with ${(rows[0].nanoseconds / 1e3).toFixed(1)} microseconds`;
    const chart = vector("svg", { viewBox: `0 0 ${width} ${Math.min(rows.length, BARS) * line}`, class: "chart", role: "img", "aria-label": label }, ...bars);
    const cells = rows.map(({ kernel, op, nanoseconds, launches, bytes: moved }) => [kernel, op, launches, (nanoseconds / 1e3).toFixed(1), bytes(moved)]);
    return element("div", {}, chart, element("details", {}, element("summary", {}, "As a table"), table(["kernel", "operator", "launches", "µs", "moves"], cells)));
}

/** Calls and kernels in the format of Chrome's traces, which Perfetto opens. */
export function traceOf({ method, calls, kernels }) {
    const name = (tid, name) => ({ name: "thread_name", ph: "M", pid: 1, tid, args: { name } });
    let at = 0;
    const launches = kernels.map(({ kernel, op, nanoseconds, bytes }) => {
        const event = { name: kernel, cat: op, ph: "X", pid: 1, tid: 2, ts: at / 1e3, dur: nanoseconds / 1e3, args: { bytes } };
        at += nanoseconds;
        return event;
    });
    const runs = calls.map(({ start, milliseconds }) => ({ name: method, cat: "call", ph: "X", pid: 1, tid: 1, ts: start * 1e3, dur: milliseconds * 1e3 }));
    return { traceEvents: [name(1, "calls"), name(2, "kernels of one call"), ...runs, ...launches] };
}
