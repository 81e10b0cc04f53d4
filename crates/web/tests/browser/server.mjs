// A static server on localhost for one test run.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

/**
 * Serves folders under the first word of a path: `{ fixtures: folder }` answers `/fixtures/…`. Gives the origin and a
 * function that ends it.
 */
export async function serve(folders) {
    const server = createServer(async (request, response) => {
        const file = locate(folders, new URL(request.url, "http://localhost").pathname);
        const found = file !== undefined && (await stat(file).catch(() => undefined))?.isFile();
        if (!found) {
            response.writeHead(404).end();
            return;
        }
        response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" });
        createReadStream(file).pipe(response);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** The file that a path names, if it lies within its folder. */
function locate(folders, name) {
    const [, first, ...rest] = decodeURIComponent(name).split("/");
    const folder = folders[first];
    if (folder === undefined) return undefined;
    const file = path.join(folder, ...rest);
    return file.startsWith(folder + path.sep) ? file : undefined;
}
