// What pages of this origin have in the cache.

import { forgetOutcomes } from "./outcomes.js";
import { persistentStore } from "./stores.js";

/** Every file in the cache: its address, its bytes, its SHA-256, and whether it is there as a whole. */
export async function listCached() {
    const files = await (await persistentStore()).list();
    return files.filter(({ key }) => key !== undefined).map(({ key, size, sha256, complete }) => ({ url: key, size, sha256, complete }));
}

/** Deletes a file from the cache. A download of it that is under way ends first. */
export async function deleteCached(url) {
    const key = String(new URL(url, globalThis.location?.href));
    await locked(key, undefined, async () => (await persistentStore()).delete(key));
}

/** Deletes every file from the cache, and what self-tests of devices found. */
export async function clearCache() {
    await forgetOutcomes();
    for (const { url } of await listCached()) await deleteCached(url);
}

/** Does something with a file of the cache while no other tab or worker does. */
export function locked(key, signal, work) {
    if (globalThis.navigator?.locks === undefined) return work();
    return navigator.locks.request(`pteron:${key}`, { signal }, work);
}
