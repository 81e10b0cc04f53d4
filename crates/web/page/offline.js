// The service worker: the page is there without a network. Models are kept by the package's own cache.

const CACHE = "pteron-page";

self.addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
    const { request } = event;
    const own = request.url.startsWith(self.registration.scope);
    if (request.method === "GET" && own && !request.headers.has("range")) event.respondWith(answer(request));
});

/** Keeps every file of the page. */
async function keep() {
    const files = await (await fetch("files.json")).json();
    await (await caches.open(CACHE)).addAll(files);
}

/** The network's answer, and where there is none what it answered before. */
async function answer(request) {
    const cache = await caches.open(CACHE);
    try {
        const response = await fetch(request);
        const known = await cache.match(request, { ignoreSearch: true });
        if (response.status === 200 && known !== undefined) await cache.put(request, response.clone());
        return response;
    } catch (error) {
        const kept = await cache.match(request, { ignoreSearch: true });
        if (kept === undefined) throw error;
        return kept;
    }
}
