// A static server on localhost for one test run, which breaks off and refuses where a test asks for it.

import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
};

/** Nothing from elsewhere, nothing inline but what is named by its hash, and of what evaluates only wasm. */
const policy = (scripts) =>
    `default-src 'none'; script-src 'self' 'wasm-unsafe-eval' ${scripts.join(" ")}; worker-src 'self'; connect-src 'self'; style-src 'self'; ` +
    "manifest-src 'self'; img-src 'self' data: blob:; media-src blob:";

/**
 * Serves folders under the first word of a path: `{ fixtures: folder }` answers `/fixtures/…`. Gives the origin and a
 * function that ends it. `scripts` are sources that the policy allows besides the folders' own.
 *
 * `POST /control` says how programs are served from then on, and `GET /control` gives the requests for them since.
 */
export async function serve(folders, scripts = []) {
    let control = { behaviour: {}, requests: [] };
    const server = createServer(async (request, response) => {
        const name = new URL(request.url, "http://localhost").pathname;
        if (name === "/control") {
            if (request.method === "POST") {
                const text = await new Response(request).text();
                control = { behaviour: JSON.parse(text), requests: [] };
            }
            response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(control));
            return;
        }
        const [, large] = /^\/(larger?)\.pte$/.exec(name) ?? [];
        if (large !== undefined) {
            control.requests.push({ range: request.headers.range });
            await sendLarge(request, response, path.join(folders.fixtures, "web", large));
            return;
        }
        const file = locate(folders, name.endsWith("/") ? `${name}index.html` : name);
        const found = file !== undefined && (await stat(file).catch(() => undefined))?.isFile();
        if (!found) {
            response.writeHead(404).end();
            return;
        }
        const headers = {
            "content-type": TYPES[path.extname(file)] ?? "application/octet-stream",
            "content-security-policy": policy(scripts),
            "cache-control": "no-store",
        };
        const bytes = await readFile(file);
        if (path.extname(file) === ".pte") await send(request, response, headers, bytes, control);
        else response.writeHead(200, headers).end(bytes);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { origin: `http://127.0.0.1:${server.address().port}`, close: () => (server.close(), server.closeAllConnections()) };
}

/** Sends a program, whole or from where it is asked for, as well or as badly as a test wants it. */
async function send(request, response, headers, bytes, { behaviour, requests }) {
    const { ranges = true, delay = 0, breakAfter, times = 0, stuck, refuse, gzip } = behaviour;
    const { range } = request.headers;
    requests.push({ range });
    if (refuse) {
        response.writeHead(403).end();
        return;
    }
    if (gzip) {
        const packed = gzipSync(bytes);
        response.writeHead(200, { ...headers, "content-encoding": "gzip", "content-length": packed.length }).end(packed);
        return;
    }
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
    const partial = ranges && first !== undefined;
    const start = partial ? Number(first) : 0;
    const end = partial && last !== "" ? Number(last) + 1 : bytes.length;
    const part = bytes.subarray(start, end);
    if (ranges) headers["accept-ranges"] = "bytes";
    if (partial) headers["content-range"] = `bytes ${start}-${end - 1}/${bytes.length}`;
    response.writeHead(partial ? 206 : 200, { ...headers, "content-length": part.length });
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    if (breakAfter !== undefined && requests.length <= times) {
        // Without ranges a client sees the first bytes again each time, so each time a little more gets through.
        const count = stuck && requests.length > 1 ? (ranges ? 0 : breakAfter) : ranges ? breakAfter : breakAfter * requests.length;
        // What a browser has not read by then it may lose with the connection.
        response.write(part.subarray(0, count), () => setTimeout(() => response.destroy(), 200));
        return;
    }
    response.end(part);
}

/** Sends a program of `tools/export/large.py`, whose tables are computed on the way. */
async function sendLarge(request, response, folder) {
    const { size, rows, columns, parts } = JSON.parse(await readFile(path.join(folder, "large.json"), "utf8"));
    const front = await readFile(path.join(folder, "front.bin"));
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const start = Number(first ?? 0);
    const end = last ? Number(last) + 1 : size;
    const headers = { "accept-ranges": "bytes", "content-length": end - start, "content-type": "application/octet-stream" };
    response.writeHead(first === undefined ? 200 : 206, headers);
    let open = true;
    const closed = new Promise((resolve) => response.once("close", resolve)).then(() => (open = false));
    // Not a whole number of elements, as networks have it.
    for (let at = start; at < end && open; ) {
        const piece = Buffer.alloc(Math.min(end - at, 1_000_003));
        for (let done = 0; done < piece.length; ) {
            const part = parts.findLast(({ offset }) => offset <= at + done);
            if (part === undefined) {
                done += front.copy(piece, done, at + done);
                continue;
            }
            const place = Math.floor((at + done - part.offset) / 4);
            const skip = (at + done - part.offset) % 4;
            const count = Math.min(rows * columns - place, Math.ceil((piece.length - done + skip) / 4));
            const values = new Float32Array(count);
            for (let index = 0; index < count; index++) values[index] = element(part.table, place + index);
            done += Buffer.from(values.buffer, skip).copy(piece, done);
        }
        at += piece.length;
        if (!response.write(piece)) await Promise.race([closed, new Promise((go) => response.once("drain", go))]);
    }
    response.end();
}

/** What a table of a large program holds at a place. */
const element = (table, place) => (Math.imul(place, 2_654_435_761) + table * 40_503) & 0xff_ffff;

/** The file that a path names, if it lies within its folder. */
function locate(folders, name) {
    const [, first, ...rest] = decodeURIComponent(name).split("/");
    const folder = folders[first];
    if (folder === undefined) return undefined;
    const file = path.join(folder, ...rest);
    return file.startsWith(folder + path.sep) ? file : undefined;
}
