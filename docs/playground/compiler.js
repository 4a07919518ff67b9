// The compiler, from the page's side: questions to its worker, and their answers.
//
// Policies come from anybody, in a link. The compiler bounds its own work (decision 0045), and counts only what dominates it; so a worker
// that is at an answer for longer than the slowest computer needs is ended, and another one is started for the next question.

const MOST_SECONDS = 30; // for one answer, without the time that the worker loads

// The worker was ended: the question takes too long.
export class TookTooLong extends Error {
  constructor() {
    super(`This takes more than ${MOST_SECONDS} seconds, so the compiler was stopped.`);
  }
}

export class Compiler {
  #address;
  #onProgress;
  #onFailure;
  #worker = null;
  #waiting = new Map();
  #number = 0;
  #timer = 0;

  // `onProgress` gets a sentence while the worker loads, "" when it is ready; `onFailure` a sentence if it cannot.
  constructor(address, onProgress, onFailure) {
    [this.#address, this.#onProgress, this.#onFailure] = [address, onProgress, onFailure];
    this.#start();
  }

  // The answer to a request; rejects with TookTooLong, or if the compiler has a defect. `onBegin` is called when the worker begins with it.
  ask(request, onBegin = () => {}) {
    this.#number += 1;
    this.#worker.postMessage({ number: this.#number, request: JSON.stringify({ today: today(), ...request }) });
    return new Promise((resolve, reject) => this.#waiting.set(this.#number, { resolve, reject, onBegin }));
  }

  #start() {
    const worker = new Worker(this.#address, { type: "module" });
    this.#worker = worker;
    worker.onerror = () => this.#onFailure("The compiler could not be loaded.");
    worker.onmessage = ({ data }) => {
      if (worker !== this.#worker) return; // it was ended, and had answered meanwhile
      if ("progress" in data) this.#onProgress(data.progress);
      else if ("failure" in data) this.#onFailure(data.failure);
      else if ("begun" in data) this.#begin(data.begun);
      else this.#settle(data);
    };
  }

  #begin(number) {
    this.#waiting.get(number).onBegin();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), MOST_SECONDS * 1000);
  }

  #end() {
    this.#worker.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#start();
    for (const { reject } of waiting) reject(new TookTooLong());
  }

  #settle({ number, answer, error }) {
    clearTimeout(this.#timer);
    const { resolve, reject } = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (error === undefined) resolve(JSON.parse(answer));
    else reject(new Error(error));
  }
}

// The user's day, in ISO form.
function today() {
  const now = new Date();
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((number) => String(number).padStart(2, "0"));
  return `${now.getFullYear()}-${month}-${day}`;
}
