import { lowerPriority } from "./lower-priority.ts";

export interface Ears<Reply> {
  heard(reply: Reply): void;
  /** Once, however it ends; `cause` is what it died of, if it did. */
  ended(cause: unknown): void;
}

/**
 * The main thread's hold on a thread. It is one of Bun's own: those of `node:worker_threads` each bring
 * their streams along, and take seven times as long to start.
 */
export class Thread<Request, Reply> {
  readonly #worker: Worker;
  readonly #closed: Promise<unknown>;

  /** The worker is told its settings first, where it has any. */
  constructor(worker: Worker, settings: object | undefined, { heard, ended }: Ears<Reply>) {
    this.#worker = worker;
    let cause: unknown;
    worker.addEventListener("message", (event: MessageEvent<Reply>) => heard(event.data));
    worker.addEventListener("error", (event) => {
      cause = new Error(event.message);
    });
    this.#closed = new Promise((resolve) => {
      worker.addEventListener("close", resolve);
    });
    void this.#closed.then(() => ended(cause));
    if (settings !== undefined) worker.postMessage(settings);
  }

  /** What is handed over is the thread's from then on, and is not copied. */
  send(request: Request, handedOver?: readonly ArrayBuffer[]): void {
    if (handedOver) this.#worker.postMessage(request, [...handedOver]);
    else this.#worker.postMessage(request);
  }

  /** Resolves when it has ended. */
  async end(): Promise<void> {
    this.#worker.terminate();
    await this.#closed;
  }
}

/** What a thread has of the main one. */
interface Port<Reply> {
  post(reply: Reply): void;
  /** Answers whatever comes from now on. */
  answer<Request>(answer: (request: Request) => Reply): void;
  /** Waits for settings, as at the start. */
  startAnew(): void;
}

/** In the file of a thread: what it does with its settings. Nothing where another file only reads it. */
export function inThread<Settings, Reply>(
  main: (settings: Settings, port: Port<Reply>) => void | Promise<void>,
): void {
  if (Bun.isMainThread) return;
  const thread = globalThis as unknown as Worker;
  const post = (reply: Reply) => thread.postMessage(reply);
  const port: Port<Reply> = {
    post,
    answer(answer) {
      thread.onmessage = ({ data }) => post(answer(data));
    },
    startAnew() {
      thread.onmessage = ({ data }) => void main(data, port);
    },
  };
  port.startAnew();
}

/** In the file of a pool's thread: how it does one piece of work after another, behind whoever relays. */
export function workInThread<Task, Result>(work: (task: Task) => Promise<Result>): void {
  if (Bun.isMainThread) return;
  lowerPriority();
  const thread = globalThis as unknown as Worker;
  thread.onmessage = async ({ data }: MessageEvent<Task>) => {
    try {
      thread.postMessage({ result: await work(data) });
    } catch (thrown) {
      const failure = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      thread.postMessage({ failure });
    }
  };
}
