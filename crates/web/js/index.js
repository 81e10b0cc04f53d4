// The package's entry: programs on WebGPU.

import init, * as module from "./pteron.js";
import { face } from "./lib/face.js";

export { clearCache, deleteCached, listCached } from "./lib/cache.js";
export { PteronError } from "./lib/errors.js";
export { DeviceTensor, Method, Program } from "./lib/program.js";

export const { setup, openDevice, load, memoryBytes } = face(init, module);
