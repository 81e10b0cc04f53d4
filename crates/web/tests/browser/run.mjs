// Runs fixtures, checks and the page in headless browsers, one line for each; exits with 1 when anything failed twice.
//
// Needs the module in ../../dist (`cargo xtask web`), the page in ../../site (`cargo xtask site`), and `npm ci`. $CHROMIUM and
// $FIREFOX name other browsers than Debian's. Arguments select browsers, and what runs by a part of its name.

import { readdir, stat } from "node:fs/promises";
import path from "node:path";

import { BROWSERS, PATIENCE } from "./browsers.mjs";
import { serve } from "./server.mjs";
import { VIEWS } from "./views.mjs";

const HERE = import.meta.dirname;
const ROOT = path.resolve(HERE, "../../../..");
/** What is too large for the repository, where it is: models, and cases of other exporters. */
const SHARED = path.resolve(ROOT, "../shared");
const SHARED_CASES = ["conformance", "networks", "xnnpack/cases"];
const SHARED_GOLDENS = ["models/families", "xnnpack/llm"];

/** The folders below one that hold a file, in order. */
async function find(file, root, folder) {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true });
    if (entries.some((entry) => entry.name === file)) return [folder];
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    const below = await Promise.all(folders.sort().map((name) => find(file, root, `${folder}/${name}`)));
    return below.flat();
}

/** Runs one thing and prints its line; gives that line where it failed. */
async function report(browser, name, work) {
    const start = performance.now();
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`nothing came back within ${PATIENCE / 1000} s`)), PATIENCE);
    });
    try {
        const line = await Promise.race([work(), late]);
        console.log(`ok    ${browser} ${name}: ${line} (${Math.round(performance.now() - start)} ms)`);
        return undefined;
    } catch (error) {
        // Playwright puts its own name before the message and the page's stack behind it.
        const line = `FAIL  ${browser} ${name}: ${error.message.replace(/^page\.evaluate: /, "").split("\n    at ")[0]}`;
        console.log(line);
        return line;
    } finally {
        clearTimeout(timer);
    }
}

const wanted = process.argv.slice(2);
const browsers = Object.keys(BROWSERS).filter((name) => wanted.includes(name));
const parts = wanted.filter((part) => BROWSERS[part] === undefined);
const chosen = (name) => parts.length === 0 || parts.some((part) => name.includes(part));

const beside = (await stat(SHARED).catch(() => undefined))?.isDirectory() ?? false;

/** All that runs in one browser: how much, and the lines of what failed, twice or once. */
class Suite {
    ran = 0;
    failures = [];
    unsteady = [];

    /** With a server of its own, since checks say how it serves. */
    static async open(browser) {
        const folders = {
            tests: HERE,
            dist: path.resolve(HERE, "../../dist"),
            site: path.resolve(HERE, "../../site"),
            fixtures: path.join(ROOT, "fixtures"),
            demo: path.join(ROOT, "crates/cli/demo"),
            shared: SHARED,
        };
        return new Suite(browser, await serve(folders));
    }

    constructor(browser, server) {
        this.browser = browser;
        this.server = server;
    }

    async close() {
        await this.browser.close();
        this.server.close();
    }

    /** A page with the module loaded. */
    async page(context, prepare) {
        const page = await context.page(prepare);
        await page.goto(`${this.server.origin}/tests/page.html`);
        await page.until("the tests are loaded", () => globalThis.tests !== undefined);
        return page;
    }

    /** What fails is repeated, since some thousand things in two browsers meet every chance; it is told of all the same. */
    async run(name, work) {
        if (!chosen(name)) return;
        this.ran += 1;
        const failure = await report(this.browser.short, name, work);
        if (failure === undefined) return;
        const again = await report(this.browser.short, `${name}, once more`, work);
        (again === undefined ? this.unsteady : this.failures).push(failure);
    }

    /** Checks by their names, in a page with storage of its own. */
    async checks(names, prepare) {
        const context = await this.browser.context();
        const page = await this.page(context, prepare);
        for (const name of names) await this.run(name, () => page.evaluate((name) => tests.check(name), name));
        for (const fault of page.faults.splice(0)) console.log(`      page: ${fault}`);
        await context.close();
    }

    /** The names of checks, by groups. */
    async groups() {
        const context = await this.browser.context();
        const groups = await (await this.page(context)).evaluate(() => tests.groups);
        await context.close();
        return groups;
    }

    /** What measures times, and comes last: nothing else runs by then. */
    async times() {
        await this.checks((await this.groups()).times);
    }

    /** What is promised of the package and of the page. */
    async promises() {
        const groups = await this.groups();
        await this.checks(groups.checks);
        if (beside) await this.checks(groups.sharedModels);
        await this.run("two tabs share one download", () => this.shareDownload());
        const address = `${this.server.origin}/site/index.html`;
        for (const [name, check] of Object.entries(VIEWS)) await this.run(name, () => check(this.browser, address));
        await this.checks(groups.withoutWebGpu, () => Object.defineProperty(Navigator.prototype, "gpu", { get: () => undefined }));
        await this.checks(groups.withoutFiles, () => delete FileSystemFileHandle.prototype.createWritable);
        await this.checks(groups.withoutStorage, () => {
            delete FileSystemFileHandle.prototype.createWritable;
            Object.defineProperty(globalThis, "caches", { get: () => undefined });
        });
    }

    /** Loads one program in two tabs at once. */
    async shareDownload() {
        const context = await this.browser.context();
        const tabs = [await this.page(context), await this.page(context)];
        await tabs[0].evaluate(() => tests.beginTabs());
        const sums = await Promise.all(tabs.map((tab) => tab.evaluate(() => tests.loadInThisTab())));
        const { requests, files } = await tabs[0].evaluate(() => tests.endTabs());
        await context.close();
        const right = sums[0] === sums[1] && requests === 1 && files.length === 1 && files[0].complete;
        if (!right) throw new Error(`sums ${sums}, ${requests} requests, ${JSON.stringify(files)}`);
        return `${files[0].size} bytes with one request`;
    }

    /** Every case, and every model with golden tokens. */
    async cases() {
        const cases = await find("case.json", ROOT, "fixtures");
        const goldens = ["demo"];
        if (cases.length === 0) throw new Error("there are no fixtures");
        const add = async (list, file, folders) => {
            for (const folder of folders) list.push(...(await find(file, SHARED, folder)).map((it) => `shared/${it}`));
        };
        if (beside) await add(cases, "case.json", SHARED_CASES);
        if (beside) await add(goldens, "golden.json", SHARED_GOLDENS);
        const context = await this.browser.context();
        const page = await this.page(context);
        for (const folder of goldens) await this.run(`${folder} generates`, () => page.evaluate((it) => tests.runGolden(`/${it}/golden.json`), folder));
        for (const folder of cases) await this.run(folder, () => page.evaluate((it) => tests.runCase(`/${it}`), folder));
        await context.close();
    }
}

if (!beside) console.log("not run: models and cases of other exporters, since there is no folder `shared` beside this checkout");
const suites = [];
try {
    for (const name of browsers.length === 0 ? Object.keys(BROWSERS) : browsers) suites.push(await Suite.open(await BROWSERS[name].launch()));
    // Nothing waits for another browser, so that several use several cores.
    const most = async (suite) => {
        await suite.promises();
        await suite.cases();
    };
    await Promise.all(suites.map(most));
    for (const suite of suites) await suite.times();
} finally {
    await Promise.all(suites.map((suite) => suite.close()));
}
console.log();
// Once more, since they are far above by now.
for (const { failures, unsteady } of suites) {
    for (const line of unsteady) console.log(`${line} (it passed when it was repeated)`);
    for (const line of failures) console.log(line);
}
for (const { browser, ran, failures, unsteady } of suites) {
    const repeated = unsteady.length > 0 ? `, ${unsteady.length} of them when repeated` : "";
    console.log(`${ran - failures.length} of ${ran} passed in ${browser.name}${repeated}`);
}
process.exitCode = suites.every(({ ran, failures }) => ran > 0 && failures.length === 0) ? 0 : 1;
