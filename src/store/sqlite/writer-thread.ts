import { Worker } from "node:worker_threads";
import { StorageError } from "../../lib/faults.ts";
import type { Operation, OperationResult } from "../operations.ts";
import { MissingDatabaseError } from "../store.ts";
import { packBatch, unpackResults } from "./batch-codec.ts";
import type { WorkerFailure, WorkerReply, WorkerSettings } from "./worker-protocol.ts";

interface Pending {
  readonly resolve: (reply: WorkerReply) => void;
  readonly reject: (reason: Error) => void;
}

function toError(failure: WorkerFailure): Error {
  if (failure.name === "MissingDatabaseError") return new MissingDatabaseError(failure.message);
  return new StorageError(failure.message);
}

/** The main thread's end of a writer thread. */
export class WriterThread {
  readonly #worker: Worker;
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
    this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: settings });
    this.#worker.on("message", (reply: WorkerReply) => this.#receive(reply));
    this.#worker.on("error", (thrown) => this.#end(thrown));
    this.#worker.on("exit", () => this.#end(new Error("the writer thread has ended")));
  }

  static async start(settings: WorkerSettings): Promise<WriterThread> {
    const thread = new WriterThread(settings);
    try {
      await new Promise<WorkerReply>((resolve, reject) => {
        thread.#pending.set(0, { resolve, reject });
      });
    } catch (thrown) {
      await thread.#worker.terminate();
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
    await this.#worker.terminate();
  }

  #send(request: object): Promise<WorkerReply> {
    // A message to a dead thread raises no error and gets no answer.
    if (this.#dead) return Promise.reject(this.#dead);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...request });
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
