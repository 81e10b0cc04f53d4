// Language models: messages or text in, text out, part by part.

import { PteronError, abortable, translate, translated } from "./errors.js";
import { Disposable } from "./program.js";

/** A loaded language model. */
export class Model extends Disposable {
    #program;
    #module;
    /** The conversation of `chat` and `generate`, which makes use of what it has in common with the last one. */
    #own;

    constructor(inner, program, module) {
        super();
        this.#program = program;
        this.#module = module;
        this.hold(inner);
    }

    hold(inner) {
        super.hold(inner);
        this.#own?.dispose();
        this.#own = undefined;
        if (inner === undefined) return;
        /** Tokens of the vocabulary, of a conversation, and of one call at most. */
        this.limits = inner.limits();
        this.notes = inner.notes();
        /** Whether it knows how messages are written. */
        this.hasTemplate = inner.hasTemplate();
        this.device = this.#program.innerDevice.info();
    }

    async #conversation() {
        this.#own ??= await this.conversation();
        return this.#own;
    }

    /** Begins a conversation, with a key-value cache of its own. */
    async conversation() {
        const device = this.#program.innerDevice;
        return new Conversation(await translated(this.inner.conversation(), device), device, this.#module);
    }

    /** Answers messages. Each part has a text; the last has `finish`, which says how it ended. */
    async *chat(messages, options) {
        yield* (await this.#conversation()).chat(messages, options);
    }

    /** Goes on with a text, or with tokens. */
    async *generate(prompt, options) {
        yield* (await this.#conversation()).generate(prompt, options);
    }

    /** The tokens of a text, or of messages up to where the answer begins. */
    async encode(prompt) {
        return translated(Promise.resolve().then(() => this.inner.encode(prompt)));
    }

    /** The text of tokens. */
    async decode(ids) {
        return translated(Promise.resolve().then(() => this.inner.decode(Uint32Array.from(ids))));
    }

    /** The memory on the GPU, with the caches of all conversations, in bytes. */
    async gpuBytes() {
        return translated(this.inner.gpuBytes(), this.#program.innerDevice);
    }

    /** Goes on with a new device after one was lost. Conversations begin anew. */
    async reload() {
        await this.#program.reload();
    }

    dispose() {
        super.dispose();
        this.#program.forget(this);
        this.#program.dispose();
    }
}

/** A chat on a model, with a key-value cache of its own. */
export class Conversation extends Disposable {
    #device;
    #module;

    constructor(inner, device, module) {
        super();
        this.#device = device;
        this.#module = module;
        this.hold(inner);
    }

    /** Answers messages: the whole chat so far. What it has in common with the last one is not computed again. */
    chat(messages, options) {
        if (!Array.isArray(messages)) throw new PteronError("messages are given as an array", { kind: "input" });
        return this.#parts(messages, options);
    }

    /** Goes on with a whole text, or with tokens. */
    generate(prompt, options) {
        const isText = typeof prompt === "string";
        return this.#parts(isText ? prompt : Uint32Array.from(prompt), options);
    }

    async *#parts(prompt, { signal, onPrefill, ...options } = {}) {
        signal?.throwIfAborted();
        const cancel = new this.#module.Cancel();
        const [parts, waiting] = [[], []];
        let ended;
        const wake = () => waiting.splice(0).forEach((resolve) => resolve());
        const listen = (kind, first, second) => {
            if (kind === "prefill") onPrefill?.({ tokens: first, of: second });
            else if (kind === "token") parts.push({ text: second, id: first });
            else parts.push({ text: first });
            wake();
        };
        const stop = () => (cancel.cancel(), wake());
        signal?.addEventListener("abort", stop, { once: true });
        const running = this.inner.generate(prompt, options, cancel, listen).then(
            (finish) => ((ended = { finish }), wake()),
            (error) => ((ended = { error }), wake()),
        );
        try {
            for (;;) {
                signal?.throwIfAborted();
                if (parts.length > 0) yield parts.shift();
                else if (ended?.error !== undefined) throw translate(ended.error, this.#device);
                else if (ended !== undefined) return yield { text: "", finish: ended.finish };
                else await new Promise((resolve) => waiting.push(resolve));
            }
        } finally {
            cancel.cancel();
            signal?.removeEventListener("abort", stop);
            running.then(() => cancel.free());
        }
    }

    /** The logits after a whole prompt. */
    async logits(prompt, { signal } = {}) {
        const asked = Array.isArray(prompt) && typeof prompt[0] === "number" ? Uint32Array.from(prompt) : prompt;
        return abortable(translated(this.inner.logits(asked), this.#device), signal);
    }

    /** The tokens that its cache holds. */
    async ids() {
        return translated(this.inner.ids(), this.#device);
    }

    /** Forgets all but the first `count` tokens. */
    async rewind(count) {
        await translated(this.inner.rewind(count), this.#device);
    }
}
