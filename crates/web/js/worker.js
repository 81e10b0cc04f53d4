// A worker that does what `connect` asks it for: new Worker(new URL("pteron/worker", import.meta.url), { type: "module" }).

import { serve } from "./lib/server.js";
import * as pteron from "./llm.js";

serve(pteron, globalThis);
