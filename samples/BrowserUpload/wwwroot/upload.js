// Uploads a file in parts to URLs that the server signs. It has no dependencies, and no credentials.

const CONCURRENCY = 4;
const ATTEMPTS = 5;

export class Upload {
  #file;
  #key;
  #ticket;
  #missing = [];
  #sent = 0;
  #stop = null;

  /** @param {File} file The file. @param {(sent: number, total: number) => void} onProgress Called when a part was stored. */
  constructor(file, onProgress) {
    this.#file = file;
    this.onProgress = onProgress;
    // The same file, as far as a browser can tell. After a reload, its upload continues.
    this.#key = `upload:${file.name}:${file.size}:${file.lastModified}`;
    this.#ticket = localStorage.getItem(this.#key);
  }

  /** Whether an upload of the same file was begun before. */
  get isResumed() { return this.#ticket !== null; }

  /** Sends what is missing, and publishes the object. Rejects with an AbortError after pause() or cancel(). */
  async run() {
    this.#stop = new AbortController();
    const signal = this.#stop.signal;
    await this.#plan(signal);
    this.#report(0);
    const worker = async () => {
      for (let part; !signal.aborted && (part = this.#missing.shift()); ) {
        try {
          await this.#send(part, signal);
        } catch (error) {
          this.#stop.abort(error); // the other parts stop, too
          throw error;
        }
        this.#report(part.length);
      }
    };
    const workers = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
    const failed = workers.find((one) => one.status === "rejected");
    if (failed || signal.aborted) throw signal.aborted ? signal.reason : failed.reason;
    const result = await post("/uploads/complete", { ticket: this.#ticket }, signal);
    localStorage.removeItem(this.#key);
    return result;
  }

  /** Stops. run() continues, also after a reload of the page. */
  pause() { this.#stop?.abort(new DOMException("Paused", "AbortError")); }

  /** Stops, and removes what was stored. */
  async cancel() {
    this.pause();
    localStorage.removeItem(this.#key);
    if (this.#ticket) await post("/uploads/abort", { ticket: this.#ticket });
    this.#ticket = null;
  }

  async #plan(signal) {
    if (this.#ticket) {
      try {
        const rest = await post("/uploads/missing", { ticket: this.#ticket }, signal);
        this.#missing = rest.parts;
        this.#sent = this.#file.size - rest.parts.reduce((sum, part) => sum + part.length, 0);
        return;
      } catch (error) {
        // Aborted, or from a server with other keys: begin again.
        if (error.status !== 400 && error.status !== 410) throw error;
      }
    }
    const upload = await post("/uploads/", { name: this.#file.name, size: this.#file.size }, signal);
    this.#ticket = upload.ticket;
    this.#missing = upload.parts;
    this.#sent = 0;
    localStorage.setItem(this.#key, this.#ticket);
  }

  async #send(part, signal) {
    const body = await this.#file.slice(part.offset, part.offset + part.length).arrayBuffer(); // fails if the file has changed
    const checksum = toBase64(await crypto.subtle.digest("SHA-256", body));
    for (let attempt = 1; ; attempt++) {
      try {
        const signed = await post("/uploads/part", { ticket: this.#ticket, number: part.number, checksum }, signal);
        const response = await fetch(signed.url, { method: "PUT", headers: signed.headers, body, signal });
        if (response.ok) return;
        throw Object.assign(new Error(`The store refused part ${part.number} (status ${response.status}).`), { status: response.status });
      } catch (error) {
        const isFinal = signal.aborted || attempt === ATTEMPTS || (error.status >= 400 && error.status < 500 && ![403, 408, 429].includes(error.status));
        if (isFinal) throw signal.aborted ? signal.reason : error;
        await delay(2 ** attempt * 250 * (0.5 + Math.random()), signal);
      }
    }
  }

  #report(bytes) {
    this.#sent += bytes;
    this.onProgress(this.#sent, this.#file.size);
  }
}

async function post(path, value, signal) {
  const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value), signal });
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw Object.assign(new Error(problem.title ?? `The server answered with status ${response.status}.`), { status: response.status });
  }
  const text = await response.text();
  return text ? JSON.parse(text) : null;
}

function toBase64(buffer) { return btoa(String.fromCharCode(...new Uint8Array(buffer))); }

function delay(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
}
