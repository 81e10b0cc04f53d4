// Takes pictures of every view, light and dark, for a desk and a phone, into a folder: node pictures.mjs FOLDER [VIEW…].

import { mkdir } from "node:fs/promises";
import path from "node:path";

import { BROWSERS } from "./browsers.mjs";
import { serve } from "./server.mjs";
import { FILLED, visit } from "./views.mjs";

const [folder = "pictures", ...views] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const server = await serve({ site: path.resolve(import.meta.dirname, "../../site") });
const browser = await BROWSERS.chromium.launch();
try {
    for (const [size, look] of Object.entries({ desk: { width: 1100, height: 800 }, phone: { width: 390, height: 800 } })) {
        for (const scheme of ["light", "dark"]) {
            for (const [view, fill] of Object.entries(FILLED).filter(([view]) => views.length === 0 || views.includes(view))) {
                await visit(browser, `${server.origin}/site/index.html#${view}`, { ...look, scheme }, async (page) => {
                    await fill(page);
                    await page.evaluate(() => document.querySelector("#report .results")?.scrollIntoView());
                    await page.picture(path.join(folder, `${view}-${size}-${scheme}.png`));
                });
            }
        }
    }
} finally {
    await browser.close();
    server.close();
}
