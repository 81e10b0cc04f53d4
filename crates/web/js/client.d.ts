import type { LoadOptions, Program, SetupOptions, Source } from "./index.js";
import type { Model, ModelOptions } from "./llm.js";

export { PteronError, clearCache, deleteCached, listCached } from "./index.js";

/** What a worker does. The calls are those of the package; what they give lives in the worker. */
export interface Remote {
    setup(options?: SetupOptions): Promise<void>;
    load(source: Source, options?: LoadOptions): Promise<Program>;
    loadModel(options: ModelOptions): Promise<Model>;
    memoryBytes(): Promise<number>;
}

/** Calls a worker that was made of `pteron/worker`. */
export function connect(worker: Worker | SharedWorker | MessagePort): Remote;
