// The service worker: what the page has loaded once is there without a network. Models are kept by the package's own cache.

const CACHE = "pteron-page";
const KEPT = /\.(html|css|js|mjs|wasm|svg|webmanifest|json|pte)$|\/$/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    const own = url.href.startsWith(self.registration.scope) && KEPT.test(url.pathname);
    if (request.method !== "GET" || !own || request.headers.has("range")) return;
    event.respondWith(answer(request));
});

/** The network's answer, and where there is none what it answered before. */
async function answer(request) {
    const cache = await caches.open(CACHE);
    try {
        const response = await fetch(request);
        if (response.status === 200) await cache.put(request, response.clone());
        return response;
    } catch (error) {
        const kept = await cache.match(request, { ignoreSearch: true });
        if (kept === undefined) throw error;
        return kept;
    }
}
