// Nothing but what every project needs.
import path from "node:path";

export default {
    mode: "production",
    entry: path.resolve(import.meta.dirname, "main.js"),
    output: { path: path.resolve(import.meta.dirname, "dist"), filename: "main.js", module: true, publicPath: "auto" },
    experiments: { outputModule: true, topLevelAwait: true },
    performance: { hints: false },
};
