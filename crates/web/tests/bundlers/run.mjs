// Builds a small project with each bundler from the packed package, and opens it in headless Chromium.
//
// Needs the package in ../../dist (`cargo xtask web`). $CHROMIUM names another browser than /usr/bin/chromium. Arguments
// name the projects to build.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

import { chromium } from "playwright-core";

import { serve } from "../browser/server.mjs";

const HERE = import.meta.dirname;
const FIXTURES = path.resolve(HERE, "../../../../fixtures");
const PATIENCE = 60_000;

const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
const run = (folder, ...command) => execFileSync(command[0], command.slice(1), { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] }).toString();
const tool = (name) => path.join(HERE, "node_modules/.bin", name);

const work = await mkdtemp(path.join(os.tmpdir(), "pteron-bundlers-"));
/** For a project that finds its tools by the folders above it. */
const beside = await mkdtemp(path.join(HERE, "built-"));
const [packed] = JSON.parse(run(path.resolve(HERE, "../../dist"), "npm", "pack", "--json", "--pack-destination", work));

/** A stranger's folder: the package from its tarball, and a project. */
async function project(name, within = work) {
    const folder = path.join(within, name);
    await cp(path.join(HERE, "shared"), folder, { recursive: true });
    await cp(path.join(HERE, name), folder, { recursive: true });
    await install(folder);
    return folder;
}

/** Installs the package from its tarball. */
async function install(folder) {
    await writeFile(path.join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    run(folder, "npm", "install", "--no-audit", "--no-fund", "--offline", path.join(work, packed.filename));
}

/** Sources of a policy for the scripts that a page has within it. */
async function scriptsIn(file) {
    const page = await readFile(file, "utf8");
    const scripts = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(([, text]) => text);
    return scripts.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
}

/** Each gives the folder to serve, with sources of scripts that its page has within it, or the address of its own server. */
const PROJECTS = {
    async plain() {
        const folder = await project("plain");
        // Without a bundler a page names files.
        for (const file of ["main.js", "worker.js"]) {
            const text = await readFile(path.join(folder, file), "utf8");
            const named = text.replaceAll(/"pteron(\/(\w+))?"/g, (_, _slash, name) => `"./node_modules/pteron/${name ?? "index"}.js"`);
            await writeFile(path.join(folder, file), named);
        }
        return folder;
    },
    async vite() {
        const folder = await project("vite");
        run(folder, "node", path.join(HERE, "node_modules/vite/bin/vite.js"), "build");
        return path.join(folder, "dist");
    },
    async "vite-dev"() {
        const folder = await project("vite", path.join(work, "dev"));
        const fixtures = await serve({ fixtures: FIXTURES });
        const { createServer } = await import("vite");
        const server = await createServer({ root: folder, configFile: path.join(folder, "vite.config.js"), base: "/", server: { host: "127.0.0.1", proxy: { "/fixtures": fixtures.origin } } });
        await server.listen();
        const close = async () => {
            await server.close();
            fixtures.close();
        };
        return { address: new URL("index.html", server.resolvedUrls.local[0]).href, close };
    },
    /** The page from nothing of docs/web.md, as its readers make it. */
    async docs() {
        const folder = path.join(work, "docs");
        const [, section] = (await readFile(path.resolve(HERE, "../../../../docs/web.md"), "utf8")).split(/^## A page from nothing$/m);
        await mkdir(path.join(folder, "public/chat"), { recursive: true });
        const [text] = section.split(/^## /m);
        for (const [, name, content] of text.matchAll(/^`([\w.]+)`:\n\n```\w+\n([^]*?)^```$/gm)) await writeFile(path.join(folder, name), content);
        await install(folder);
        const demo = path.resolve(HERE, "../../../cli/demo");
        await cp(path.join(FIXTURES, "demo/embedding/model.pte"), path.join(folder, "public/embedding.pte"));
        for (const name of ["model.pte", "tokenizer.json", "tokenizer_config.json"]) await cp(path.join(demo, name), path.join(folder, "public/chat", name));
        const { build, preview } = await import("vite");
        await build({ root: folder, logLevel: "warn" });
        const server = await preview({ root: folder, preview: { host: "127.0.0.1", port: 0 } });
        const shows = (page, words) => page.waitForFunction((words) => document.querySelector("pre").textContent.includes(words), words, { timeout: PATIENCE });
        const check = async (page) => {
            await shows(page, "f32[64,2048] on WebGPU");
            await page.click("button");
            await shows(page, "tokens a second");
            return JSON.stringify((await page.textContent("pre")).slice(0, 40));
        };
        return { address: server.resolvedUrls.local[0], close: () => server.close(), check };
    },
    async webpack() {
        const folder = await project("webpack");
        const { default: webpack } = await import("webpack");
        const { default: config } = await import(path.join(folder, "webpack.config.js"));
        await new Promise((resolve, reject) => {
            webpack(config, (error, stats) => {
                if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString("errors-only")));
                else resolve();
            });
        });
        await cp(path.join(folder, "index.html"), path.join(folder, "dist/index.html"));
        return path.join(folder, "dist");
    },
    async next() {
        const folder = await project("next", beside);
        run(folder, "node", path.join(HERE, "node_modules/next/dist/bin/next"), "build", "--webpack");
        const site = path.join(folder, "out");
        return { site, scripts: await scriptsIn(path.join(site, "index.html")) };
    },
};

/** Serves what was built, unless it has a server of its own. */
async function served(built) {
    if (built.address !== undefined) return built;
    const { site, scripts } = typeof built === "string" ? { site: built } : built;
    const { origin, close } = await serve({ site, fixtures: FIXTURES }, scripts);
    return { address: `${origin}/site/index.html`, close };
}

/** Waits for what the title of a page says. */
async function checkTitle(page) {
    await page.waitForFunction(() => document.title !== "running", undefined, { timeout: PATIENCE });
    const title = await page.title();
    if (!title.startsWith("ok: ")) throw new Error(title);
    return title.slice(4);
}

/** Opens a page and checks what became of it. */
async function open(browser, { address, check = checkTitle }) {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.log(`      page: ${error.message}`));
    await page.goto(address);
    try {
        return await check(page);
    } finally {
        await page.close();
    }
}

const args = ["--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args });
let failed = 0;
try {
    const wanted = process.argv.slice(2);
    for (const [name, build] of Object.entries(PROJECTS).filter(([name]) => wanted.length === 0 || wanted.includes(name))) {
        try {
            const site = await served(await build());
            try {
                console.log(`ok    ${name}: ${await open(browser, site)}`);
            } finally {
                await site.close();
            }
        } catch (error) {
            failed++;
            console.log(`FAIL  ${name}: ${error.message}`);
        }
    }
    const types = path.join(work, "types");
    await cp(path.join(HERE, "types"), types, { recursive: true });
    await install(types);
    run(types, tool("tsc"), "--project", ".");
    console.log("ok    types: the examples compile");
} catch (error) {
    failed++;
    console.log(`FAIL  types: ${error.stdout ?? error.message}`);
} finally {
    await browser.close();
    for (const folder of [work, beside]) await rm(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
