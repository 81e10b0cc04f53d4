// Where blocks of files are kept: files of the origin (OPFS), the Cache API, or blobs of this page.

import { PteronError } from "./errors.js";

/** The folder, and the name of the cache, that hold everything. */
const PLACE = "pteron";
/** Bytes of the hash before each block. */
const HASH = 32;
/** How often a file is opened again that was replaced while it was read. */
const TRIES = 8;

const digest = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The name of a file's folder, from what the caller calls it. */
const folderName = async (key) => hex(await digest(new TextEncoder().encode(key))).slice(0, 32);

/** A block with its hash before it. */
async function seal(bytes) {
    const sealed = new Uint8Array(HASH + bytes.length);
    sealed.set(await digest(bytes));
    sealed.set(bytes, HASH);
    return sealed;
}

/** The block, where it is what was put. */
async function open(sealed, what) {
    const bytes = sealed.subarray(HASH);
    const actual = await digest(bytes);
    if (sealed.length < HASH || actual.some((byte, at) => byte !== sealed[at])) {
        throw new PteronError(`${what}: what the cache holds is damaged; delete it with deleteCached, and load it again`, {
            kind: "integrity",
        });
    }
    return bytes;
}

function refused(error) {
    if (error?.name !== "QuotaExceededError") throw error;
    throw new PteronError("the browser's storage is full: delete what is cached, or load without a cache", {
        kind: "io",
        cause: error,
    });
}

/** Files of the origin: a folder for each file, in it a file for each block. */
class OriginStore {
    static async isThere() {
        try {
            return "createWritable" in FileSystemFileHandle.prototype && (await OriginStore.#root()) !== undefined;
        } catch {
            return false;
        }
    }

    static async #root() {
        return (await navigator.storage.getDirectory()).getDirectoryHandle(PLACE, { create: true });
    }

    static async openFile(key) {
        const folder = await (await OriginStore.#root()).getDirectoryHandle(await folderName(key), { create: true });
        return new OriginStore(key, folder);
    }

    static async list() {
        const found = [];
        for await (const [, folder] of (await OriginStore.#root()).entries()) {
            const meta = await new OriginStore("", folder).meta();
            if (meta !== undefined) found.push(meta);
        }
        return found;
    }

    static async delete(key) {
        const name = await folderName(key);
        await (await OriginStore.#root()).removeEntry(name, { recursive: true }).catch(() => {});
    }

    constructor(key, folder) {
        this.key = key;
        this.folder = folder;
    }

    async #write(name, bytes) {
        const file = await this.folder.getFileHandle(name, { create: true });
        // What is written takes the place of the file when it is closed, as a whole.
        const writable = await file.createWritable();
        try {
            await writable.write(bytes);
            await writable.close();
        } catch (error) {
            await writable.abort().catch(() => {});
            refused(error);
        }
    }

    async #read(name) {
        for (let tries = 1; ; tries++) {
            try {
                const file = await (await this.folder.getFileHandle(name)).getFile();
                return new Uint8Array(await file.arrayBuffer());
            } catch (error) {
                if (error.name === "NotFoundError") return undefined;
                // Another page, or a download of this one, may have put a file in the place of the one that was opened, which a
                // browser then does not read to its end. Firefox says that as if the caller had aborted something.
                if (tries === TRIES) throw new PteronError(`the cache cannot be read: ${error.message}`, { kind: "io", cause: error });
            }
        }
    }

    async meta() {
        const bytes = await this.#read("meta");
        try {
            return bytes === undefined ? undefined : JSON.parse(new TextDecoder().decode(bytes));
        } catch {
            return undefined;
        }
    }

    setMeta(meta) {
        return this.#write("meta", new TextEncoder().encode(JSON.stringify(meta)));
    }

    async put(index, bytes) {
        await this.#write(String(index), await seal(bytes));
    }

    async get(index) {
        const sealed = await this.#read(String(index));
        return sealed === undefined ? undefined : open(sealed, this.key);
    }
}

/** The Cache API: an answer for each block. */
class CacheStore {
    static async isThere() {
        try {
            return (await caches.open(PLACE)) !== undefined;
        } catch {
            return false;
        }
    }

    static async openFile(key) {
        return new CacheStore(key, await caches.open(PLACE), await folderName(key));
    }

    static async list() {
        const cache = await caches.open(PLACE);
        const metas = (await cache.keys()).filter((request) => request.url.endsWith("/meta"));
        const found = await Promise.all(metas.map(async (request) => (await cache.match(request))?.json()));
        return found.filter((meta) => meta !== undefined);
    }

    static async delete(key) {
        const cache = await caches.open(PLACE);
        const part = `/${PLACE}/${await folderName(key)}/`;
        const requests = (await cache.keys()).filter((request) => new URL(request.url).pathname.startsWith(part));
        await Promise.all(requests.map((request) => cache.delete(request)));
    }

    constructor(key, cache, folder) {
        this.key = key;
        this.cache = cache;
        this.folder = folder;
    }

    #url(name) {
        return `/${PLACE}/${this.folder}/${name}`;
    }

    async meta() {
        return (await this.cache.match(this.#url("meta")))?.json();
    }

    setMeta(meta) {
        return this.cache.put(this.#url("meta"), Response.json(meta)).catch(refused);
    }

    async put(index, bytes) {
        await this.cache.put(this.#url(index), new Response(await seal(bytes))).catch(refused);
    }

    async get(index) {
        const answer = await this.cache.match(this.#url(index));
        return answer === undefined ? undefined : open(new Uint8Array(await answer.arrayBuffer()), this.key);
    }
}

/** Blobs, which browsers hold outside of the page's memory. They are gone with the page. */
export class BlobStore {
    #blobs = new Map();

    async meta() {
        return undefined;
    }

    async setMeta() {}

    async put(index, bytes) {
        this.#blobs.set(index, new Blob([bytes]));
    }

    async get(index) {
        const blob = this.#blobs.get(index);
        if (blob === undefined) return undefined;
        try {
            return new Uint8Array(await blob.arrayBuffer());
        } catch {
            // A browser lets go of blobs that it has no room for.
            this.drop(index);
            return undefined;
        }
    }

    /** Lets a block go. */
    drop(index) {
        this.#blobs.delete(index);
    }
}

let chosen;

/** The kind of store that this browser has. */
export function persistentStore() {
    chosen ??= (async () => {
        if (await OriginStore.isThere()) return OriginStore;
        if (await CacheStore.isThere()) return CacheStore;
        throw new PteronError("this browser keeps no files for this page: load without a cache", { kind: "io" });
    })();
    return chosen;
}
