// Loaded before the suites of a step: the store's threads are kept for the next store that is opened, since tests
// open thousands, and to start a thread takes twenty times as long as to open a file in one that is there. So are
// those that render articles and that filter them: they load for up to a tenth of a second. Servers in processes of
// their own start theirs as ever. Only what has closed its file and owes nobody an answer is kept.
const KEPT_THREADS =
  /\/src\/(?:store\/sqlite\/(?:console|money|read|responses\/responses|verify)|drafts\/render-pool\/render|platform\/draftbox\/content)-worker\.ts$/;
/** Has nothing open once it has answered. */
const CLOSED_BY_ITSELF = /\/(?:verify|render|content)-worker\.ts$/;
/** No call has it: those of a port are counted from 1, and 0 says that its thread is ready. */
const CLOSE_ID = -1;

interface WorkerReply {
  readonly id: number;
  readonly failure?: string;
}

const StartedWorker = globalThis.Worker;
const free = new Map<string, Worker[]>();

class KeptThread extends EventTarget {
  readonly #file: string;
  readonly #worker: Worker;
  readonly #listening = new AbortController();
  #unanswered = 0;
  #isClosed: boolean;
  #isBroken = false;
  #isLeft = false;

  constructor(file: string) {
    super();
    this.#file = file;
    this.#isClosed = CLOSED_BY_ITSELF.test(file);
    const worker = free.get(file)?.pop();
    worker?.ref();
    this.#worker = worker ?? new StartedWorker(file);
    const { signal } = this.#listening;
    const heard = (event: MessageEvent<WorkerReply>) => this.#hear(event);
    this.#worker.addEventListener("message", heard, { signal });
    const told = (event: Event) => {
      this.dispatchEvent(Object.assign(new Event(event.type), { message: messageOf(event) }));
    };
    for (const type of ["error", "close"]) this.#worker.addEventListener(type, told, { signal });
  }

  postMessage(message: object, handedOver?: ArrayBuffer[]): void {
    if ("name" in message && message.name === "close") this.#isClosed = true;
    this.#unanswered++;
    this.#worker.postMessage(message, handedOver ?? []);
  }

  unref(): void {
    this.#worker.unref();
  }

  terminate(): void {
    if (this.#unanswered > 0 || this.#isBroken) this.#worker.terminate();
    else if (this.#isClosed) this.#leave();
    else {
      this.#isLeft = true;
      this.postMessage({ id: CLOSE_ID, name: "close", args: [] });
    }
  }

  #hear({ data }: MessageEvent<WorkerReply>): void {
    this.#unanswered--;
    if (data.failure !== undefined) this.#isBroken = true;
    if (!this.#isLeft) this.dispatchEvent(new MessageEvent("message", { data }));
    else if (data.failure === undefined) this.#leave();
    else this.#worker.terminate();
  }

  /** To whoever has it, it has ended. */
  #leave(): void {
    this.#listening.abort();
    this.#worker.unref();
    free.set(this.#file, [...(free.get(this.#file) ?? []), this.#worker]);
    queueMicrotask(() => this.dispatchEvent(new Event("close")));
  }
}

function messageOf(event: Event): string {
  return "message" in event ? String(event.message) : "";
}

globalThis.Worker = new Proxy(StartedWorker, {
  construct(target, [file, ...options]) {
    const path = String(file);
    return KEPT_THREADS.test(path)
      ? new KeptThread(path)
      : Reflect.construct(target, [file, ...options]);
  },
});
