import type { DeviceInfo, Disposable, GpuBytes, LoadOptions, Source } from "./index.js";

export * from "./index.js";

export interface Message {
    role: "system" | "user" | "assistant" | (string & {});
    content: string;
}

export interface GenerateOptions {
    /** Stops the answer. */
    signal?: AbortSignal;
    /** The most tokens to generate. */
    maxTokens?: number;
    /** 0, which is usual, takes the likeliest token, always. */
    temperature?: number;
    topK?: number;
    topP?: number;
    minP?: number;
    repetitionPenalty?: number;
    /** The same seed makes the same choices. */
    seed?: number;
    /** Strings that end the text, and are not part of it. */
    stop?: string | string[];
    /** Whether to go on where the model ends the text. */
    ignoreEnd?: boolean;
    /** Gets how much of the prompt is read. */
    onPrefill?: (progress: { tokens: number; of: number }) => void;
}

/** How an answer ended. Times are in milliseconds. */
export interface Finish {
    reason: "end" | "stop" | "length" | "context" | "cancelled" | "other";
    text: string;
    ids: Uint32Array;
    usage: { promptTokens: number; reusedTokens: number; completionTokens: number; totalTokens: number };
    timings: {
        prefill: number;
        firstToken: number | null;
        decode: number;
        prefillTokensPerSecond: number | null;
        decodeTokensPerSecond: number | null;
    };
}

/** A part of an answer. The last one has no text, and says how it ended. */
export interface Part {
    text: string;
    id?: number;
    finish?: Finish;
}

/** A chat on a model, with a key-value cache of its own. */
export interface Conversation extends Disposable {
    /** Answers messages: the whole chat so far. What it has in common with the last one is not computed again. */
    chat(messages: Message[], options?: GenerateOptions): AsyncGenerator<Part, void>;
    /** Goes on with a whole text, or with tokens. */
    generate(prompt: string | Uint32Array | number[], options?: GenerateOptions): AsyncGenerator<Part, void>;
    /** The logits after a whole prompt. */
    logits(prompt: string | Message[] | Uint32Array | number[], options?: { signal?: AbortSignal }): Promise<Float32Array>;
    /** The tokens that its cache holds. */
    ids(): Promise<Uint32Array>;
    /** Forgets all but the first `count` tokens. */
    rewind(count: number): Promise<void>;
}

/** A loaded language model. */
export interface Model extends Disposable {
    /** Tokens of the vocabulary, of a conversation, and of one call at most. */
    readonly limits: { vocabulary: number; context: number; chunk: number };
    readonly notes: string[];
    /** Whether it knows how messages are written. */
    readonly hasTemplate: boolean;
    readonly device: DeviceInfo;
    /** Answers messages, in a conversation that the model keeps for this. */
    chat(messages: Message[], options?: GenerateOptions): AsyncGenerator<Part, void>;
    generate(prompt: string | Uint32Array | number[], options?: GenerateOptions): AsyncGenerator<Part, void>;
    /** Begins a conversation, with a key-value cache of its own. */
    conversation(): Promise<Conversation>;
    /** The tokens of a text, or of messages up to where the answer begins. */
    encode(prompt: string | Message[]): Promise<Uint32Array>;
    decode(ids: Uint32Array | number[]): Promise<string>;
    gpuBytes(): Promise<GpuBytes>;
    /** Goes on with a new device after one was lost. Conversations begin anew. */
    reload(): Promise<void>;
}

export interface ModelOptions extends LoadOptions {
    program: Source;
    /** tokenizer.json, a sentencepiece model, or a Tekken or tiktoken file. Without one the model speaks in tokens. */
    tokenizer?: Source;
    /** tokenizer_config.json, which may hold the chat template. */
    tokenizerConfig?: Source;
    /** A chat template in Jinja, in the place of the configuration's. */
    chatTemplate?: string;
    /** The method; "forward" unless named. */
    method?: string;
}

/** Loads a language model, with its tokenizer and what belongs to that. */
export function loadModel(options: ModelOptions): Promise<Model>;
