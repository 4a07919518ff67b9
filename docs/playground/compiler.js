// The compiler, from the page's side: questions to its worker, and their answers.

export class Compiler {
  #worker;
  #waiting = new Map();
  #number = 0;

  // `onProgress` gets a sentence while the worker loads, "" when it is ready; `onFailure` a sentence if it cannot.
  constructor(address, onProgress, onFailure) {
    this.#worker = new Worker(address, { type: "module" });
    this.#worker.onerror = () => onFailure("The compiler could not be loaded.");
    this.#worker.onmessage = ({ data }) => {
      if ("progress" in data) onProgress(data.progress);
      else if ("failure" in data) onFailure(data.failure);
      else this.#settle(data);
    };
  }

  // The answer to a request; rejects if the compiler has a defect.
  ask(request) {
    this.#number += 1;
    this.#worker.postMessage({ number: this.#number, request: JSON.stringify({ today: today(), ...request }) });
    return new Promise((resolve, reject) => this.#waiting.set(this.#number, { resolve, reject }));
  }

  #settle({ number, answer, error }) {
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
