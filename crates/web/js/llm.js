// The entry for language models. It has all that the package's own has, with a module of its own.

import init, * as module from "./pteron_llm.js";
import { face } from "./lib/face.js";
import { Model } from "./lib/model.js";

export { clearCache, deleteCached, listCached } from "./lib/cache.js";
export { PteronError } from "./lib/errors.js";
export { Conversation, Model } from "./lib/model.js";
export { DeviceTensor, Method, Program } from "./lib/program.js";

export const { setup, openDevice, load, loadModel, memoryBytes } = face(init, module, Model);
