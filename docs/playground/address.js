// The policies in the page's address: behind the `#`, which browsers do not send to a server.
//
// `#v1.` is followed by JSON, compressed (raw deflate) and in the alphabet of base64url. An address comes from anybody, so what is in it
// is bounded, and only texts are taken from it.

const VERSION = "v1";
const NAMES = ["policy", "other", "knowledge", "view", "platform"];
const MOST = 1_000_000; // characters, of all texts together

export async function written(state) {
  const kept = Object.fromEntries(NAMES.filter((name) => state[name]).map((name) => [name, state[name]]));
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(kept)));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `#${VERSION}.${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

// The state in an address; null if there is none. Throws an Error with a sentence for the reader.
export async function read(hash) {
  const [version, packed] = hash.slice(1).split(".");
  if (!/^v\d+$/.test(version) || packed === undefined) return null;
  if (version !== VERSION) throw new Error("This link was made by another version of the playground.");
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const found = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
    return Object.fromEntries(NAMES.filter((name) => typeof found[name] === "string").map((name) => [name, found[name]]));
  } catch {
    throw new Error("This link is damaged: it may have been cut off.");
  }
}

async function through(stream, bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length > MOST) throw new Error("too long");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
