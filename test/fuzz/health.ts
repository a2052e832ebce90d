/** How the server answered somebody else since it was asked last. */
interface Seen {
  readonly longestMs: number;
  readonly asked: number;
}

/** Watches a server's `/healthz` from another thread. */
export class Health {
  readonly #worker: Worker;

  constructor(url: string) {
    this.#worker = new Worker(new URL("./health-watch.ts", import.meta.url).href);
    this.#worker.postMessage({ watch: url });
  }

  /** The longest answer since the last look. */
  async look(): Promise<Seen> {
    const { promise, resolve, reject } = Promise.withResolvers<Seen>();
    this.#worker.onmessage = ({ data }: MessageEvent<Seen & { broke?: string }>) => {
      if (data.broke === undefined) resolve(data);
      else reject(new Error(data.broke));
    };
    this.#worker.postMessage({});
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
