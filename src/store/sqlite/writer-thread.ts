import { StorageError } from "../../lib/faults.ts";
import { Thread } from "../../lib/thread.ts";
import type { Operation, OperationResult } from "../operations.ts";
import { packBatch, unpackResults } from "./batch-codec.ts";
import type {
  WorkerFailure,
  WorkerReply,
  WorkerRequest,
  WorkerSettings,
} from "./worker-protocol.ts";

const FILES: Readonly<Record<WorkerSettings["role"], URL>> = {
  money: new URL("./money-worker.ts", import.meta.url),
  responses: new URL("./responses-worker.ts", import.meta.url),
  console: new URL("./console-worker.ts", import.meta.url),
};

/** Without the number that it is answered under. */
type Asked =
  | { readonly batch: string }
  | { readonly call: string; readonly args: readonly unknown[] };

interface Pending {
  readonly resolve: (reply: WorkerReply) => void;
  readonly reject: (reason: Error) => void;
}

function toError(failure: WorkerFailure): Error {
  return new StorageError(failure.message);
}

/** The main thread's end of a writer thread. */
export class WriterThread {
  readonly #thread: Thread<WorkerRequest, WorkerReply>;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #dead: Error | undefined;
  #closing: Promise<void> | undefined;
  /** Resolves when the thread has ended unasked. Nothing can be written any more. */
  readonly failed: Promise<Error>;
  #fail: (reason: Error) => void = () => {};

  private constructor(settings: WorkerSettings) {
    this.failed = new Promise((resolve) => {
      this.#fail = resolve;
    });
    const worker = new Worker(FILES[settings.role]);
    this.#thread = new Thread(worker, settings, {
      heard: (reply) => this.#receive(reply),
      ended: (cause) => this.#end(cause),
    });
  }

  static async start(settings: WorkerSettings): Promise<WriterThread> {
    const thread = new WriterThread(settings);
    try {
      await new Promise<WorkerReply>((resolve, reject) => {
        thread.#pending.set(0, { resolve, reject });
      });
    } catch (thrown) {
      await thread.#thread.end();
      throw thrown;
    }
    return thread;
  }

  async write(batch: readonly Operation[]): Promise<(OperationResult | Error)[]> {
    const reply = await this.#send({ batch: packBatch(batch) });
    const results = unpackResults(reply.result as string);
    for (const [position, failure] of reply.failures ?? []) results[position] = toError(failure);
    return results;
  }

  async call<T>(name: string, ...args: unknown[]): Promise<T> {
    const reply = await this.#send({ call: name, args });
    return reply.result as T;
  }

  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  async #shut(): Promise<void> {
    if (this.#dead) return;
    const closed = this.#send({ call: "close", args: [] });
    // What is asked from now on is refused at once; behind the last message it would never be heard.
    this.#dead = new StorageError("the store is closed");
    await closed;
    await this.#thread.end();
  }

  #send(request: Asked): Promise<WorkerReply> {
    // A message to a dead thread raises no error and gets no answer.
    if (this.#dead) return Promise.reject(this.#dead);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#thread.send({ id, ...request });
    });
  }

  #receive(reply: WorkerReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (reply.failure) pending?.reject(toError(reply.failure));
    else pending?.resolve(reply);
  }

  #end(reason: unknown): void {
    const dead = this.#dead ?? new StorageError("the writer thread has ended", { cause: reason });
    this.#dead = dead;
    for (const pending of this.#pending.values()) pending.reject(dead);
    this.#pending.clear();
    if (!this.#closing) this.#fail(dead);
  }
}
