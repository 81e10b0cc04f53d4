// Errors, and promises that can be given up.

/** What every function here throws, and every promise rejects with, except for an abort. */
export class PteronError extends Error {
    constructor(message, { kind = "other", nodes, cause } = {}) {
        super(message, cause === undefined ? undefined : { cause });
        this.name = "PteronError";
        this.kind = kind;
        if (nodes !== undefined) this.nodes = nodes;
    }
}

/** An error of the module as one of ours. `device` tells whether it is lost. */
export function translate(error, device) {
    if (error instanceof PteronError || error?.name === "AbortError") return error;
    if (error instanceof WebAssembly.RuntimeError) {
        const message = `a defect in pteron ended the module (${error.message}): load the page again, and please report it`;
        return new PteronError(message, { kind: "other", cause: error });
    }
    if (error?.name !== "PteronError") return error;
    let { message, kind, nodes } = error;
    if (kind === "device" && isLost(device)) {
        kind = "lost";
        message += "; reload() of the program goes on with a new device";
    } else if (kind === "device" && /out of memory/i.test(message)) {
        kind = "memory";
        message += "; dispose of programs that are not needed, or take a smaller one";
    }
    return new PteronError(message, { kind, nodes, cause: error });
}

function isLost(device) {
    try {
        return device?.isLost() ?? false;
    } catch {
        return false;
    }
}

/** Awaits work of the module; what it throws is an error of ours. */
export async function translated(work, device) {
    try {
        return await work;
    } catch (error) {
        throw translate(error, device);
    }
}

/** A promise that an abort rejects at once. What comes too late is given to `discard`. */
export function abortable(promise, signal, discard = () => {}) {
    if (signal === undefined) return promise;
    return new Promise((resolve, reject) => {
        let aborted = false;
        const abort = () => {
            aborted = true;
            reject(signal.reason);
        };
        if (signal.aborted) abort();
        else signal.addEventListener("abort", abort, { once: true });
        promise.then(
            (value) => {
                signal.removeEventListener("abort", abort);
                if (aborted) discard(value);
                else resolve(value);
            },
            (error) => {
                signal.removeEventListener("abort", abort);
                reject(error);
            },
        );
    });
}
