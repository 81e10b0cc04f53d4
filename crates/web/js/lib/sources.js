// Where the bytes of a file come from: every kind of source becomes a reader with a name, a size and read(start, end).

import { BLOCK, hashPieces } from "./blocks.js";
import { checkHash, openRequest, openStream } from "./download.js";
import { PteronError } from "./errors.js";
import { hex } from "./stores.js";

/** Opens a source. What is loaded is told and can be given up, as far as it comes over a network. */
export async function openSource(source, options) {
    const { name = "program", integrity, sha256 } = options;
    const address = (text) => {
        try {
            return new Request(new URL(text, globalThis.location?.href));
        } catch (error) {
            throw new PteronError(`${text} is no address: ${error.message}`, { kind: "input" });
        }
    };
    if (typeof source === "string" || source instanceof URL) return openRequest(address(source), options);
    if (source instanceof Request) return openRequest(source, options);
    if (source instanceof Response) {
        if (!source.ok) {
            throw new PteronError(`${source.url || name}: the server answered ${source.status}`, { kind: "io" });
        }
        const encoded = source.headers.has("content-encoding");
        const length = source.headers.get("content-length");
        const size = length === null || encoded ? undefined : Number(length);
        return openStream(source.body, { ...options, name: source.url || name, size });
    }
    if (source instanceof ReadableStream) return openStream(source, { ...options, name });
    let reader;
    if (source instanceof Blob) reader = blobReader(source, source.name ?? name);
    else if (typeof source?.getFile === "function") {
        const file = await source.getFile();
        reader = blobReader(file, file.name);
    } else if (source instanceof ArrayBuffer) reader = arrayReader(new Uint8Array(source), name);
    else if (ArrayBuffer.isView(source)) {
        reader = arrayReader(new Uint8Array(source.buffer, source.byteOffset, source.byteLength), name);
    } else {
        const kinds = "a URL, Request, Response, Blob, File, ReadableStream, ArrayBuffer, typed array or file handle";
        throw new PteronError(`${name}: a source is ${kinds}`, { kind: "input" });
    }
    if (integrity !== undefined) checkHash(reader.name, await hashOf(reader, sha256()), integrity);
    return reader;
}

/** All bytes of a source. */
export async function readAll(source, options) {
    const reader = await openSource(source, options);
    return reader.read(0, reader.size);
}

function blobReader(blob, name) {
    const read = async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer());
    return { name, size: blob.size, read };
}

function arrayReader(array, name) {
    return { name, size: array.length, read: (start, end) => array.subarray(start, end) };
}

async function hashOf(reader, hash) {
    for (let start = 0; start < reader.size; start += BLOCK) {
        hashPieces(hash, await reader.read(start, Math.min(start + BLOCK, reader.size)));
    }
    const digest = hex(hash.digest());
    hash.free();
    return digest;
}
