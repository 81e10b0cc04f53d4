// A site of files alone, in the folder that the test serves it from.
export default { output: "export", basePath: "/site" };
