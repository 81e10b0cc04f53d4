// Builds a small project with each bundler from the packed package, and opens it in headless Chromium.
//
// Needs the package in ../../dist (`cargo xtask web`). $CHROMIUM names another browser than /usr/bin/chromium. Arguments
// name the projects to build.

import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

import { chromium } from "playwright-core";

import { serve } from "../browser/server.mjs";

const HERE = import.meta.dirname;
const FIXTURES = path.resolve(HERE, "../../../../fixtures");
const PATIENCE = 60_000;

const run = (folder, ...command) => execFileSync(command[0], command.slice(1), { cwd: folder, stdio: ["ignore", "pipe", "inherit"] }).toString();
const tool = (name) => path.join(HERE, "node_modules/.bin", name);

const work = await mkdtemp(path.join(os.tmpdir(), "pteron-bundlers-"));
const [packed] = JSON.parse(run(path.resolve(HERE, "../../dist"), "npm", "pack", "--json", "--pack-destination", work));

/** A stranger's folder: the package from its tarball, and a project. */
async function project(name) {
    const folder = path.join(work, name);
    await cp(path.join(HERE, "shared"), folder, { recursive: true });
    await cp(path.join(HERE, name), folder, { recursive: true });
    await writeFile(path.join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    run(folder, "npm", "install", "--no-audit", "--no-fund", "--offline", path.join(work, packed.filename));
    return folder;
}

/** Each gives the folder to serve. */
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
};

/** Opens a page and waits for what its title says. */
async function open(browser, origin) {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.log(`      page: ${error.message}`));
    await page.goto(`${origin}/site/index.html`);
    await page.waitForFunction(() => document.title !== "running", undefined, { timeout: PATIENCE });
    const title = await page.title();
    await page.close();
    if (!title.startsWith("ok: ")) throw new Error(title);
    return title.slice(4);
}

const args = ["--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args });
let failed = 0;
try {
    const wanted = process.argv.slice(2);
    for (const [name, build] of Object.entries(PROJECTS).filter(([name]) => wanted.length === 0 || wanted.includes(name))) {
        try {
            const server = await serve({ site: await build(), fixtures: FIXTURES });
            console.log(`ok    ${name}: ${await open(browser, server.origin)}`);
            server.close();
        } catch (error) {
            failed++;
            console.log(`FAIL  ${name}: ${error.message}`);
        }
    }
    const types = path.join(work, "types");
    await cp(path.join(HERE, "types"), types, { recursive: true });
    await writeFile(path.join(types, "package.json"), '{ "private": true, "type": "module" }\n');
    run(types, "npm", "install", "--no-audit", "--no-fund", "--offline", path.join(work, packed.filename));
    run(types, tool("tsc"), "--project", ".");
    console.log("ok    types: the examples compile");
} catch (error) {
    failed++;
    console.log(`FAIL  types: ${error.stdout ?? error.message}`);
} finally {
    await browser.close();
    await rm(work, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
