// Runs fixtures and checks in headless Chromium, one line for each; exits with 1 when anything failed.
//
// Needs the module in ../../dist (`cargo xtask web`) and playwright-core (`npm ci`). $CHROMIUM names another browser
// than /usr/bin/chromium. Arguments select what runs by a part of its name.

import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { serve } from "./server.mjs";
import { VIEWS } from "./views.mjs";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.resolve(HERE, "../../../..");
/** Models that are too large for the repository, where they are. */
const SHARED = path.resolve(ROOT, "../shared");
/** The longest that one case may take, in milliseconds. */
const PATIENCE = 120_000;

/** The folders below one that hold a case, in order. */
async function findCases(folder) {
    const entries = await readdir(path.join(ROOT, folder), { withFileTypes: true });
    if (entries.some((entry) => entry.name === "case.json")) return [folder];
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    const below = await Promise.all(folders.sort().map((name) => findCases(`${folder}/${name}`)));
    return below.flat();
}

/** Runs one thing and prints its line; gives whether it passed. */
async function report(name, work) {
    const start = performance.now();
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`nothing came back within ${PATIENCE / 1000} s`)), PATIENCE);
    });
    try {
        const line = await Promise.race([work(), late]);
        console.log(`ok    ${name}: ${line} (${Math.round(performance.now() - start)} ms)`);
        return true;
    } catch (error) {
        // Playwright puts its own name before the message and the page's stack behind it.
        console.log(`FAIL  ${name}: ${error.message.replace(/^page\.evaluate: /, "").split("\n    at ")[0]}`);
        return false;
    } finally {
        clearTimeout(timer);
    }
}

const wanted = process.argv.slice(2);
const chosen = (name) => wanted.length === 0 || wanted.some((part) => name.includes(part));

const server = await serve({ tests: HERE, dist: path.resolve(HERE, "../../dist"), fixtures: path.join(ROOT, "fixtures"), shared: SHARED, site: path.resolve(HERE, "../../site") });
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: [
        "--no-sandbox",
        "--enable-unsafe-webgpu",
        "--use-webgpu-adapter=swiftshader",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ],
});

/** A page with the module loaded. What it logs as a warning or worse is shown. */
async function openPage(prepare, context = browser) {
    const page = await context.newPage();
    if (prepare) await page.addInitScript(prepare);
    page.on("console", (message) => {
        // Downloads that break off are part of the tests.
        const wanted = message.text().startsWith("Failed to load resource");
        if (["error", "warning"].includes(message.type()) && !wanted) console.log(`      page: ${message.text()}`);
    });
    page.on("pageerror", (error) => console.log(`      page: ${error.message}`));
    await page.goto(`${server.origin}/tests/page.html`);
    await page.waitForFunction(() => globalThis.tests !== undefined, undefined, { timeout: PATIENCE });
    return page;
}

/** Loads one program in two tabs at once. */
async function shareDownload() {
    const context = await browser.newContext();
    const [one, other] = await Promise.all([openPage(undefined, context), openPage(undefined, context)]);
    await one.evaluate(() => tests.beginTabs());
    const sums = await Promise.all([one, other].map((tab) => tab.evaluate(() => tests.loadInThisTab())));
    const { requests, files } = await one.evaluate(() => tests.endTabs());
    await context.close();
    const right = sums[0] === sums[1] && requests === 1 && files.length === 1 && files[0].complete;
    if (!right) throw new Error(`sums ${sums}, ${requests} requests, ${JSON.stringify(files)}`);
    return `${files[0].size} bytes with one request`;
}

const results = [];
try {
    const page = await openPage();
    for (const name of await page.evaluate(() => tests.checks)) {
        if (chosen(name)) results.push(await report(name, () => page.evaluate((name) => tests.check(name), name)));
    }
    const beside = await stat(path.join(SHARED, "models/smollm2")).catch(() => undefined);
    if (beside === undefined) console.log("not run: there is no shared/models beside this checkout");
    for (const name of beside === undefined ? [] : await page.evaluate(() => tests.checksOfSharedModels)) {
        if (chosen(name)) results.push(await report(name, () => page.evaluate((name) => tests.check(name), name)));
    }
    const tabs = "two tabs share one download";
    if (chosen(tabs)) results.push(await report(tabs, shareDownload));
    const cases = await findCases("fixtures");
    if (cases.length === 0) throw new Error("there are no fixtures");
    for (const folder of cases) {
        if (chosen(folder)) results.push(await report(folder, () => page.evaluate((it) => tests.runCase(`/${it}`), folder)));
    }
    for (const [name, check] of Object.entries(VIEWS)) {
        const tried = () => check(browser, `${server.origin}/site/index.html`);
        if (chosen(name)) results.push(await report(name, tried));
    }
    const bare = await openPage(() => Object.defineProperty(Navigator.prototype, "gpu", { get: () => undefined }));
    for (const name of await bare.evaluate(() => tests.checksWithoutWebGpu)) {
        if (chosen(name)) results.push(await report(name, () => bare.evaluate((name) => tests.check(name), name)));
    }
} finally {
    await browser.close();
    server.close();
}
const failed = results.filter((passed) => !passed).length;
console.log(`\n${results.length - failed} of ${results.length} passed in Chromium ${browser.version()}`);
process.exitCode = failed > 0 || results.length === 0 ? 1 : 0;
