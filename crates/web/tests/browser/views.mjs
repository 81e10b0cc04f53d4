// The page for visitors, tried by click and key. It is in ../../site (`cargo xtask site`).

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";

import { serve } from "./server.mjs";

const FIXTURES = path.resolve(import.meta.dirname, "../../../../fixtures");
const SITE = path.resolve(import.meta.dirname, "../../site");
const PHONE = { width: 390, height: 800 };
/** A network that takes a picture of 16 by 12 and gives five classes. */
const NETWORK = path.join(FIXTURES, "xnnpack/network");
/** A picture of four colours. */
const PICTURE = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==", "base64");

/** Opens the page, does something with it, and lets nothing be wrong on its console. */
export async function visit(browser, address, look, work, prepare) {
    const context = await browser.context(look);
    try {
        const page = await context.page(prepare);
        await page.goto(address);
        const line = await work(page, context);
        if (page.faults.length > 0) throw new Error(`the console says: ${page.faults.join("; ")}`);
        return line;
    } finally {
        await context.close();
    }
}

function same(got, wanted, what) {
    if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(got)} is not ${JSON.stringify(wanted)}`);
}

/** Opens a program of the fixtures by its file. */
async function openProgram(page, folder, file = "model.pte") {
    await page.give("#open [name=program]", file, await readFile(path.join(folder, file)));
    await page.see("#report h2");
}

/** Waits until the status of the chat says something. */
const chatSays = (page, words) => page.until(`the chat says ${words}`, (words) => document.querySelector("#chat-status").textContent.includes(words), words);

/** Clicks on stop as soon as there is an answer, in the page itself: from outside, the answer may have ended by then. */
const stopWhenItAnswers = () =>
    new Promise((resolve) => {
        const observer = new MutationObserver(() => {
            if (document.querySelector("#messages .assistant") === null) return;
            observer.disconnect();
            document.querySelector("#stop").click();
            resolve();
        });
        observer.observe(document.querySelector("#messages"), { childList: true });
    });

/** What the page saved as a file, which a test reads instead of the disk. */
const keepSaved = () => {
    globalThis.saved = [];
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob) => (globalThis.saved.push(blob.text()), createObjectURL(blob));
    HTMLAnchorElement.prototype.click = () => {};
};
const saved = async (page) => JSON.parse(await page.evaluate(async () => (await Promise.all(globalThis.saved)).at(-1)));

/** What the rules of accessibility find wrong with the page as it is. */
export async function accessibility(page) {
    const source = await readFile(path.join(import.meta.dirname, "node_modules/axe-core/axe.min.js"), "utf8");
    await page.evaluate(`(() => { ${source}; return undefined; })()`);
    const found = await page.evaluate(async () => (await axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 90)).join(" ")}`));
    if (found.length > 0) throw new Error(found.join("\n"));
}

/** Each view, filled: what to do until it is. */
export const FILLED = {
    chat: async (page) => {
        await page.fill("[name=maxTokens]", "24");
        await page.fill("#question", "The sea");
        await page.click("#send");
        await chatSays(page, "ended by");
    },
    program: async (page) => {
        await page.click("#open-network");
        await page.see("#report h2");
        await page.click("#report .run");
        await page.see("#report .output");
        await page.click("#report .measure");
        await page.see("#report .chart");
        await page.evaluate(() => document.querySelectorAll("#report details").forEach((it) => (it.open = true)));
        await page.see("#report .graph");
    },
    device: (page) => page.see("#device-facts dd"),
};

export const VIEWS = {
    "the page chats, stops, answers again and lets messages be edited": (browser, address) =>
        visit(browser, address, PHONE, async (page) => {
            await page.evaluate(() => document.querySelectorAll("#chat details").forEach((it) => (it.open = true)));
            await page.fill("[name=system]", "Be brief.");
            await page.fill("[name=maxTokens]", "3");
            await page.fill("#question", "The sea");
            await page.press("Enter");
            await chatSays(page, "ended by length");
            const [answer, told] = [await page.text("#messages .assistant"), await page.text("#chat-status")];
            if (!/[\d.]+ tokens\/s, \d+ of \d+ tokens of context used/.test(told)) throw new Error(told);
            // What it says while it answers may be gone before anybody looks.
            await page.evaluate(() => document.querySelector("#chat-status").replaceChildren());
            await page.click("#again");
            await chatSays(page, "ended by length");
            same(await page.text("#messages .assistant"), answer, "the second answer");
            await page.fill("[name=maxTokens]", "200");
            await page.click("#messages .user button");
            same(await page.evaluate(() => document.querySelector("#question").value), "The sea", "the message that is edited");
            await page.fill("#question", "A house");
            const stopping = page.evaluate(stopWhenItAnswers);
            await page.click("#send");
            await stopping;
            await chatSays(page, "Stopped.");
            return `${JSON.stringify(answer)}, ${told}`;
        }),

    "the page takes a model that is dropped in": (browser, address) =>
        visit(browser, address, PHONE, async (page) => {
            const files = await Promise.all(["model.pte", "tokenizer.json", "tokenizer_config.json"].map(async (name) => [name, (await readFile(path.join(FIXTURES, "llm/tiny", name))).toString("base64")]));
            await page.evaluate((files) => {
                const dataTransfer = new DataTransfer();
                for (const [name, text] of files) dataTransfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
                for (const kind of ["dragover", "drop"]) document.querySelector("#chat").dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
            }, files);
            same(await page.text("#model-name"), "model.pte", "the model's name");
            await page.fill("[name=maxTokens]", "2");
            await page.fill("#question", "A wing");
            await page.click("#send");
            await chatSays(page, "of 64 tokens of context used");
            return page.text("#chat-status");
        }),

    "the page tells of a program, runs it and measures it": (browser, address) =>
        visit(browser, `${address}#program`, PHONE, async (page) => {
            await page.click("#open-demo");
            await page.see("#report h2");
            await page.click("#report .run");
            await page.see("#report canvas");
            const output = await page.text("#report .output h3");
            await page.click("#report .measure");
            await page.see("#report .chart");
            await page.click("#report .results button");
            const { calls, memory, device } = await saved(page);
            same([calls.length, memory.constants > 0, device.engine], [30, true, "webgpu"], "the saved times");
            await page.click("#report .results button:nth-of-type(2)");
            const { traceEvents } = await saved(page);
            same([traceEvents.filter(({ ph, cat }) => ph === "X" && cat === "call").length, traceEvents.every(({ pid }) => pid === 1)], [30, true], "the trace");
            const charts = await page.evaluate(() => document.querySelectorAll("#report .chart").length);
            await page.give("#open [name=program]", "broken.pte", Buffer.alloc(64));
            await page.see("#program-status .error");
            return `${output}; ${charts} charts; a broken file: ${await page.text("#program-status")}`;
        }, keepSaved),

    "the page draws a graph that is searched, moved and zoomed": (browser, address) =>
        visit(browser, `${address}#program`, undefined, async (page) => {
            await openProgram(page, NETWORK);
            await page.evaluate(() => document.querySelectorAll("#report details").forEach((it) => (it.open = true)));
            await page.see("#report .graph");
            const shown = () => page.evaluate(() => document.querySelector(".graph").getAttribute("viewBox").split(" ").map(Number));
            const [, , width] = await shown();
            await page.click('[aria-label="Zoom in"]');
            const [x, , closer] = await shown();
            await page.evaluate(() => document.querySelector(".graph").focus());
            await page.press("ArrowRight");
            await page.press("-");
            const [moved, , back] = await shown();
            same([closer < width, moved !== x, Math.abs(back - width) < 1], [true, true, true], "zoom and move");
            await page.fill('[aria-label="Search nodes of the graph"]', "conv");
            const found = await page.text("#report .details");
            same([/conv/.test(found), await page.evaluate(() => document.querySelectorAll(".graph .found").length > 0)], [true, true], "the search");
            await page.fill('[aria-label="Search nodes of the graph"]', "no such node");
            same(await page.text("#report .details"), "Nothing is found.", "a search in vain");
            await page.fill('[aria-label="Search the list of nodes"]', "no such node");
            same(await page.evaluate(() => [...document.querySelectorAll("details[open]")].at(-1).querySelectorAll("tbody tr").length), 0, "rows");
            return found;
        }),

    "the page runs a network on files, pictures, drawings and the camera": (browser, address) =>
        visit(browser, `${address}#program`, undefined, async (page) => {
            await openProgram(page, NETWORK);
            const choose = (kind) => page.fill('[aria-label="What input 0 is"]', kind);
            const run = async () => {
                await page.evaluate(() => document.querySelector("#report .results").replaceChildren());
                await page.click("#report .run");
                await page.see("#report .output");
                return (await page.text("#report .numbers")).split(", ").map(Number);
            };
            await page.give('[aria-label^="Names of classes"]', "names.txt", Buffer.from("cat\ndog\nbird\nfish\nhouse\n"));
            await choose("file");
            await page.give('[aria-label="File of input 0"]', "inputs.safetensors", await readFile(path.join(NETWORK, "step0.inputs.safetensors")));
            const bytes = await readFile(path.join(NETWORK, "step0.expected.safetensors"));
            const expected = [...new Float32Array(bytes.buffer.slice(bytes.byteOffset + bytes.length - 20, bytes.byteOffset + bytes.length))];
            const close = (got) => got.every((number, at) => Math.abs(number - expected[at]) <= 1e-3 * Math.max(1, Math.abs(expected[at])));
            const first = await run();
            same([first.length, close(first)], [5, true], `${first} for ${expected}`);
            const [inputs, header] = [await readFile(path.join(NETWORK, "step0.inputs.safetensors")), "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 16, 12), }"];
            const numpy = Buffer.concat([Buffer.from([0x93, ...Buffer.from("NUMPY"), 1, 0, header.length, 0]), Buffer.from(header), inputs.subarray(-3 * 16 * 12 * 4)]);
            await page.give('[aria-label="File of input 0"]', "input.npy", numpy);
            same(await run(), first, "a file of numpy");
            const best = await page.text("#report .output tbody td");
            if (!["cat", "dog", "bird", "fish", "house"].includes(best)) throw new Error(`the best class is ${best}`);
            await choose("picture");
            const black = await run();
            await page.give('[aria-label="Picture of input 0"]', "picture.png", PICTURE);
            const coloured = () => document.querySelector(".pad").getContext("2d").getImageData(0, 0, 224, 224).data.some((byte, at) => at % 4 < 3 && byte > 0);
            await page.until("the picture is shown", coloured);
            const seen = await run();
            await choose("drawing");
            await page.evaluate(() => {
                const pad = document.querySelector(".pad");
                pad.setPointerCapture = () => {};
                for (const [kind, x, y] of [["pointerdown", 20, 20], ["pointermove", 120, 150], ["pointerup", 120, 150]]) {
                    const { left, top } = pad.getBoundingClientRect();
                    pad.dispatchEvent(new PointerEvent(kind, { clientX: left + x, clientY: top + y, bubbles: true }));
                }
            });
            const drawn = await run();
            same([String(seen) === String(black), String(drawn) === String(black)], [false, false], "a picture and a drawing make a difference");
            await choose("camera");
            await page.until("the camera gives something", coloured);
            await run();
            await choose("numbers");
            await page.fill('[aria-label="Numbers of input 0"]', "one, two");
            await page.click("#report .run");
            await page.see("#report .results .error");
            return `best: ${best}; ${await page.text("#report .results .error")}`;
        }),

    "the page says why a program does not run": (browser, address) =>
        visit(browser, `${address}#program`, PHONE, async (page) => {
            await openProgram(page, path.join(FIXTURES, "formats/rejected/returned_states"));
            await page.see("#report .error");
            return page.text("#report .error");
        }),

    "the page tells of the device, by keys": (browser, address) =>
        visit(browser, address, PHONE, async (page) => {
            await page.evaluate(() => document.querySelector("#tab-chat").focus());
            await page.press("ArrowLeft");
            await page.see("#device-facts dd");
            return page.text("#device-facts dd");
        }),

    "the page is there without a network after the first visit": async (browser) => {
        const server = await serve({ site: SITE });
        const address = `${server.origin}/site/`;
        return visit(browser, `${address}index.html`, PHONE, async (page) => {
            const kept = await page.evaluate(async () => {
                await navigator.serviceWorker.ready;
                return (await (await caches.open("pteron-page")).keys()).length;
            });
            server.close();
            await page.goto(`${address}index.html`);
            await page.fill("[name=maxTokens]", "2");
            await page.fill("#question", "The sea");
            await page.click("#send");
            await chatSays(page, "ended by");
            const manifest = await page.evaluate(async () => (await fetch(document.querySelector("[rel=manifest]").href)).json());
            same([manifest.display, manifest.icons.length > 0], ["standalone", true], "the manifest");
            page.faults.splice(0);
            return `${kept} files are kept`;
        });
    },

    "the command serves the page": async (browser) => {
        const command = process.env.PTERON;
        if (command === undefined) throw new Error("$PTERON names no command");
        const served = spawn(command, ["web", "--port", "0", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
        try {
            let document = "";
            for await (const part of served.stdout) {
                document += part;
                if (document.includes("}")) break;
            }
            const { address } = JSON.parse(document);
            return await visit(browser, address, PHONE, async (page) => {
                await page.fill("[name=maxTokens]", "2");
                await page.fill("#question", "The sea");
                await page.click("#send");
                await chatSays(page, "ended by");
                return `at ${address}: ${await page.text("#chat-status")}`;
            });
        } finally {
            served.kill();
        }
    },

    "the page can be used by everybody": async (browser, address) => {
        for (const scheme of ["light", "dark"]) {
            for (const [view, fill] of Object.entries(FILLED)) {
                await visit(browser, `${address}#${view}`, { ...PHONE, scheme }, async (page) => {
                    await fill(page);
                    await accessibility(page);
                });
            }
        }
        return "axe finds nothing in any view, light or dark";
    },
};
