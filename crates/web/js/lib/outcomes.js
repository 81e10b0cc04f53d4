// What self-tests of devices found, kept for as long as the browser stays as it is.

import { persistentStore } from "./stores.js";

/** Outcomes of this page, and those that the browser kept: by adapter and what the module tells of it. */
let known;

/** Ends when all that was to be kept is. */
let keeping = Promise.resolve();

const file = async () => (await persistentStore()).openFile("self-test");

async function read() {
    try {
        const { agent, outcomes } = await (await file()).meta();
        if (agent === navigator.userAgent) return new Map(outcomes);
    } catch {
        // There are none, they are damaged, or this browser keeps nothing for this page.
    }
    return new Map();
}

/** Outcomes for an adapter. */
export class Outcomes {
    #known;
    #adapter;
    #isNew = false;

    static async of({ info = {} }) {
        const { vendor, architecture, device, description } = info;
        known ??= read();
        return new Outcomes(await known, [vendor, architecture, device, description].join());
    }

    constructor(known, adapter) {
        this.#known = known;
        this.#adapter = adapter;
    }

    get(subject) {
        return this.#known.get(`${this.#adapter}: ${subject}`);
    }

    set(subject, outcome) {
        this.#known.set(`${this.#adapter}: ${subject}`, outcome);
        this.#isNew = true;
    }

    /** Has the browser keep them, where there are new ones and it can. Otherwise they hold for this page. */
    keep() {
        if (!this.#isNew) return;
        const kept = { agent: navigator.userAgent, outcomes: [...this.#known] };
        keeping = keeping.then(async () => (await file()).setMeta(kept)).catch(() => {});
    }
}

/** Has devices that are opened from here on tested again. */
export async function forgetOutcomes() {
    known = undefined;
    await keeping;
    await (await persistentStore()).delete("self-test");
}
