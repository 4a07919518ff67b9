// Run the compiler once in Node, in the Python that browsers run, so that a page need not: modules are compiled, and the caches of the
// grammar and of the knowledge base are made.
//
//   node warm.mjs FOLDER TREE.tar PLANS.tar LIBRARIES.tar STARTED
//
// FOLDER has Pyodide. TREE is unpacked at the root; what a plan needs of the result goes into PLANS, the rest into LIBRARIES. STARTED
// gets the memory of a Python that has started and done nothing else: loading that takes a fifth of the time of starting.

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, tree, plans, libraries, started] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(folder, "pyodide.mjs")));
const options = { env: { HOME: "/app" } };
const python = await loadPyodide(options);
python.unpackArchive(new Uint8Array(readFileSync(tree)), "tar", { extractDir: "/" });
python.runPython(readFileSync(new URL("warm.py", import.meta.url), "utf8"));
writeFileSync(plans, python.FS.readFile("/tmp/plans.tar"));
writeFileSync(libraries, python.FS.readFile("/tmp/libraries.tar"));
const fresh = await loadPyodide({ ...options, _makeSnapshot: true });
writeFileSync(started, fresh.makeMemorySnapshot());
