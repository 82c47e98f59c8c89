// Where the worker's program is: beside this module, among the sources as in dist/. Alone in its file, because tests put a
// freshly built worker in its place.

/** An address for `new Worker`. */
export const workerFile = new URL("./search-worker.js", import.meta.url);
