// A file that comes over the network, in blocks. What breaks off goes on where it was.

import { BLOCK, BlockReader, Blocker, hashPieces } from "./blocks.js";
import { locked } from "./cache.js";
import { PteronError } from "./errors.js";
import { BlobStore, hex, persistentStore } from "./stores.js";

/** How often a download that makes no headway is tried again, and how long the first pause is, in milliseconds. */
const TRIES = 6;
const PAUSE = 200;
/** Blocks that were read and are kept, where others can be had from the server again. */
const KEPT = 8;

/** Reads a file of the network or of the cache. `sha256` makes a hash that goes on with the bytes it is given. */
export async function openRequest(request, { cache, integrity, onProgress, signal, sha256 }) {
    const download = new Download(request, { onProgress, signal, hash: sha256(), integrity });
    return cache ? download.throughCache() : download.fromNetwork();
}

/** Reads a stream, which comes once. */
export async function openStream(stream, { name, size, integrity, onProgress, signal, sha256 }) {
    const download = new Download(undefined, { name, onProgress, signal, hash: sha256(), integrity });
    return download.fromStream(stream, size);
}

/** The hash that an `integrity` names, in hexadecimal digits. */
export function expectedHash(integrity) {
    const base64 = /^sha256-([A-Za-z0-9+/]{43}=)$/.exec(integrity)?.[1];
    if (base64 !== undefined) return hex(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
    if (/^[0-9a-f]{64}$/i.test(integrity)) return integrity.toLowerCase();
    throw new PteronError(`integrity is "sha256-" and base64, or 64 hexadecimal digits, not ${integrity}`, { kind: "input" });
}

/** Says so where a file is not the one that was asked for. */
export function checkHash(name, actual, integrity) {
    if (integrity !== undefined && actual !== expectedHash(integrity)) {
        throw new PteronError(`${name}: its SHA-256 is ${actual}, and ${expectedHash(integrity)} was asked for`, {
            kind: "integrity",
        });
    }
}

class Download {
    #request;
    #onProgress;
    #signal;
    #hash;
    #integrity;
    #store = new BlobStore();
    #size;
    #tag;
    /** Blocks that are there, and who waits for the others. */
    #blocks = 0;
    #waiting = new Map();
    #failure;
    /** Whether the server gives parts of the file. */
    #ranges = false;
    #read = [];

    constructor(request, { name, onProgress, signal, hash, integrity }) {
        this.#request = request;
        this.#onProgress = onProgress;
        this.#signal = signal;
        this.#hash = hash;
        this.#integrity = integrity;
        this.name = name ?? request.url;
        if (integrity !== undefined) expectedHash(integrity);
    }

    async fromNetwork() {
        return this.#overlapping((ready) => this.#fetchAll(ready));
    }

    async fromStream(stream, size) {
        this.#size = size;
        return this.#overlapping(async (ready) => {
            if (size !== undefined) ready();
            const blocker = this.#blocker(0);
            await this.#pump(stream, blocker, 0);
            await this.#finish(blocker, size);
        });
    }

    async throughCache() {
        const kind = await persistentStore();
        const key = this.#request.url;
        this.#store = await kind.openFile(key);
        return this.#overlapping((ready) =>
            locked(key, this.#signal, async () => {
                // Another tab may have deleted the folder while this one waited.
                this.#store = await kind.openFile(key);
                const meta = await this.#store.meta();
                if (meta?.complete) {
                    checkHash(this.name, meta.sha256, this.#integrity);
                    this.#size = meta.size;
                    this.#blocks = Math.ceil(meta.size / BLOCK);
                    this.#tell(meta.size);
                    return;
                }
                await this.#fetchAll(ready, meta);
                await this.#store.setMeta({ ...this.#meta(), sha256: this.sha256, complete: true });
            }),
        );
    }

    /** Begins to download, and gives a reader as soon as the size is known; with an integrity, when all is there. */
    async #overlapping(work) {
        let ready;
        const known = new Promise((resolve) => (ready = resolve));
        const done = work(ready);
        done.catch((error) => this.#fail(error));
        await (this.#integrity === undefined ? Promise.race([known, done]) : done);
        return new BlockReader(this.name, this.#size, (index) => this.#block(index));
    }

    /** A block, when it is there. */
    async #block(index) {
        if (index >= this.#blocks) {
            if (this.#failure !== undefined) throw this.#failure;
            await new Promise((resolve, reject) => {
                const waiting = this.#waiting.get(index) ?? [];
                this.#waiting.set(index, [...waiting, { resolve, reject }]);
            });
        }
        const block = await this.#store.get(index);
        const cached = !(this.#store instanceof BlobStore);
        if (block === undefined && this.#ranges && !cached) return this.#fetchBlock(index);
        if (block === undefined) {
            const why = cached
                ? "a part of it was deleted from the cache; load it again"
                : "the browser has no room for what was downloaded; load it with a cache";
            throw new PteronError(`${this.name}: ${why}`, { kind: "io" });
        }
        this.#forgetOld(index);
        return block;
    }

    /** Lets blocks go that were read some time ago, where they can be had again. */
    #forgetOld(index) {
        if (!this.#ranges || !(this.#store instanceof BlobStore)) return;
        this.#read = [...this.#read.filter((read) => read !== index), index];
        if (this.#read.length > KEPT) this.#store.drop(this.#read.shift());
    }

    #fail(error) {
        this.#failure = error;
        for (const { reject } of [...this.#waiting.values()].flat()) reject(error);
        this.#waiting.clear();
    }

    #blocker(index) {
        return new Blocker(index, async (number, bytes) => {
            await this.#store.put(number, bytes);
            this.#blocks = number + 1;
            for (const { resolve } of this.#waiting.get(number) ?? []) resolve();
            this.#waiting.delete(number);
        });
    }

    #meta() {
        return { key: this.#request.url, size: this.#size, tag: this.#tag, complete: false };
    }

    #tell(loaded) {
        this.#onProgress?.({ phase: "download", loaded, total: this.#size, name: this.name });
    }

    /** Downloads what the store has not. `before` is what an earlier download noted. */
    async #fetchAll(ready, before) {
        let index = before === undefined ? 0 : await this.#takeUp(before);
        let blocker = this.#blocker(index);
        let failures = 0;
        for (;;) {
            const from = blocker.position;
            try {
                const response = await this.#answer(from, before);
                if (from > 0 && response === undefined) {
                    // The file is another than it was.
                    this.#hash.digest();
                    [index, before, this.#blocks] = [0, undefined, 0];
                    blocker = this.#blocker(0);
                    continue;
                }
                await this.#store.setMeta(this.#meta());
                if (this.#size !== undefined) ready();
                const skip = response.status === 206 ? 0 : from;
                await this.#pump(response.body, blocker, skip);
                if (this.#size !== undefined && blocker.position < this.#size) throw new Broken(`it ended after ${blocker.position} bytes`);
                break;
            } catch (error) {
                if (this.#signal?.aborted) throw this.#signal.reason;
                if (!(error instanceof Broken)) throw error;
                failures = blocker.position > from ? 1 : failures + 1;
                if (failures >= TRIES) {
                    const message = `${this.name} could not be downloaded: ${error.message}`;
                    throw new PteronError(message, { kind: "io", cause: error });
                }
                await pause(PAUSE * 2 ** (failures - 1), this.#signal);
            }
        }
        await this.#finish(blocker, this.#size);
    }

    /** Goes on with what an earlier download left: its whole blocks. */
    async #takeUp(before) {
        this.#tag = before.tag;
        let index = 0;
        for (;;) {
            const block = await this.#store.get(index).catch(() => undefined);
            if (block?.length !== BLOCK || (index + 1) * BLOCK > before.size) break;
            hashPieces(this.#hash, block);
            this.#blocks = ++index;
        }
        return index;
    }

    /** The server's answer from a byte on; nothing where the file has changed since. */
    async #answer(from, before) {
        const headers = new Headers(this.#request.headers);
        if (from > 0) headers.set("range", `bytes=${from}-`);
        const response = await this.#ask(headers);
        if (from > 0 && response.status === 416) return undefined;
        if (!response.ok) {
            const kind = response.status === 404 ? "not-found" : "io";
            const message = `${this.name}: the server answered ${response.status} ${response.statusText}`.trim();
            if (response.status >= 500 || response.status === 429) throw new Broken(message);
            throw new PteronError(message, { kind });
        }
        const tag = response.headers.get("etag") ?? response.headers.get("last-modified") ?? undefined;
        const rest = length(response);
        const size = rest === undefined ? undefined : response.status === 206 ? rest + from : rest;
        const known = this.#size ?? before?.size;
        const changed = (this.#tag !== undefined && tag !== undefined && tag !== this.#tag) || (known !== undefined && size !== undefined && size !== known);
        if (from > 0 && changed) {
            await response.body?.cancel();
            return undefined;
        }
        this.#tag = tag;
        this.#size = size;
        this.#ranges ||= response.status === 206 || response.headers.get("accept-ranges") === "bytes";
        return response;
    }

    async #ask(headers) {
        try {
            return await fetch(new Request(this.#request, { headers, signal: this.#signal }));
        } catch (error) {
            if (this.#signal?.aborted) throw this.#signal.reason;
            throw new Broken(error.message);
        }
    }

    /** Takes a body in, without its first bytes. */
    async #pump(body, blocker, skip) {
        const reader = body.getReader();
        const abort = () => reader.cancel(this.#signal.reason).catch(() => {});
        this.#signal?.addEventListener("abort", abort, { once: true });
        try {
            for (;;) {
                this.#signal?.throwIfAborted();
                const { done, value } = await reader.read().catch((error) => {
                    throw new Broken(error.message);
                });
                this.#signal?.throwIfAborted();
                if (done) return;
                const skipped = Math.min(skip, value.length);
                skip -= skipped;
                const bytes = value.subarray(skipped);
                if (this.#size !== undefined && blocker.position + bytes.length > this.#size) {
                    throw new PteronError(`${this.name}: the server sends more than the ${this.#size} bytes that it announced`, { kind: "io" });
                }
                hashPieces(this.#hash, bytes);
                await blocker.push(bytes);
                this.#tell(blocker.position);
            }
        } finally {
            this.#signal?.removeEventListener("abort", abort);
            reader.cancel().catch(() => {});
        }
    }

    async #finish(blocker, size) {
        const total = blocker.position;
        if (size !== undefined && total < size) throw new PteronError(`${this.name}: it ended too early`, { kind: "io" });
        await blocker.end();
        this.#size = total;
        this.sha256 = hex(this.#hash.digest());
        this.#hash.free();
        checkHash(this.name, this.sha256, this.#integrity);
    }

    /** One block from the server, which has given it before. */
    async #fetchBlock(index) {
        const from = index * BLOCK;
        const headers = new Headers(this.#request.headers);
        headers.set("range", `bytes=${from}-${Math.min(from + BLOCK, this.#size) - 1}`);
        const response = await this.#ask(headers);
        if (response.status !== 206) {
            throw new PteronError(`${this.name}: the server does not give a part of it again`, { kind: "io" });
        }
        const block = new Uint8Array(await response.arrayBuffer());
        await this.#store.put(index, block);
        this.#forgetOld(index);
        return block;
    }
}

/** Why a download broke off. It is tried again. */
class Broken extends Error {}

/** Bytes of an answer's body, where they are known: those of a compressed one are not. */
function length(response) {
    const text = response.headers.get("content-length");
    const encoded = (response.headers.get("content-encoding") ?? "identity") !== "identity";
    return text === null || encoded ? undefined : Number(text);
}

/** Waits, or rejects when it is aborted. */
function pause(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, milliseconds);
        signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
    });
}
