// The worker: Python with the compiler in it. What it loads is in the folder `compiler`, which docs/playground/assemble.py makes.
//
// The first archive has what a plan needs, with the caches of the grammar and of the knowledge base; the second one has the libraries that only
// artifacts need, and is loaded after the first answer. Python itself comes as the memory of one that has started.

const FOLDER = new URL("compiler/", import.meta.url);
const NEEDS_LIBRARIES = new Set(["artifacts", "compare"]);

const START = `
import gc, sys
sys.path.insert(0, "/app/site")
from setpoint.compiler.playground.answers import Playground
gc.freeze()
Playground().answer
`;

let libraries = null;
const compiler = start();

onmessage = async ({ data: { number, request } }) => {
  const ready = await compiler;
  if (!ready) return; // the page was told why
  const { python, answer } = ready;
  try {
    const needed = NEEDS_LIBRARIES.has(JSON.parse(request).ask);
    if (needed) await (libraries ??= unpack(python, archive("libraries.tar.gz")));
    postMessage({ begun: number });
    postMessage({ number, answer: answer(request) });
    libraries ??= unpack(python, archive("libraries.tar.gz"));
  } catch (error) {
    console.error(error);
    postMessage({ number, error: sentence(error) });
  }
};

// Python and the function that answers; null if something of it cannot be loaded.
async function start() {
  try {
    postMessage({ progress: "Loading the compiler…" });
    const [started, first] = ["started.bin.gz", "plans.tar.gz"].map(archive);
    for (const each of [started, first]) each.catch(() => {}); // which is reported where it is awaited
    const { loadPyodide } = await import(new URL("pyodide.mjs", FOLDER)).catch(() => missing("pyodide.mjs"));
    const options = { indexURL: FOLDER.href, env: { HOME: "/app" }, _loadSnapshot: await started };
    const python = await loadPyodide(options);
    await unpack(python, first);
    const answer = python.runPython(START);
    postMessage({ progress: "" });
    return { python, answer };
  } catch (error) {
    console.error(error);
    postMessage({ failure: `The compiler could not be loaded: ${sentence(error)}` });
    return null;
  }
}

function missing(name) {
  throw new Error(`${name} is missing. Has "make playground" been run?`);
}

// What an error says; of a traceback of Python, the last line.
function sentence(error) {
  return String(error.message ?? error).trim().split("\n").at(-1);
}

// The bytes of a packed file. Some servers unpack what is named .gz, so its first bytes decide.
async function archive(name) {
  const response = await fetch(new URL(name, FOLDER));
  if (!response.ok) missing(name);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

async function unpack(python, bytes) {
  python.unpackArchive(await bytes, "tar", { extractDir: "/" });
}
