// As docs/web.md says, and to be served from any folder.
export default { base: "./", optimizeDeps: { exclude: ["pteron"] }, worker: { format: "es" }, logLevel: "warn" };
