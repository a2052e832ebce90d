import type { Database } from "bun:sqlite";
import { inThread } from "../../lib/thread.ts";
import type {
  WorkerFailure,
  WorkerReply,
  WorkerRequest,
  WorkerSettings,
} from "./worker-protocol.ts";

/**
 * The thread that owns a file's writing connection. Commits and their flushes happen here, so that
 * a slow disk never stalls the loop that relays bytes.
 */
interface Handler {
  /** Takes packed operations, where the file is that of money. */
  write?(batch: string): Omit<WorkerReply, "id">;
  call(name: string, args: readonly unknown[]): unknown;
  close(): void;
}

type Method = (...args: unknown[]) => unknown;

/** Calls go to whichever of the targets has a method of that name. */
export function handlerOf(db: Database, ...targets: readonly object[]): Handler {
  return {
    call(name, args) {
      for (const target of targets) {
        const method = (target as Record<string, unknown>)[name];
        if (typeof method === "function") return (method as Method).apply(target, [...args]);
      }
      throw new Error(`the writer has no "${name}"`);
    },
    close: () => db.close(),
  };
}

export function failureOf(thrown: unknown): WorkerFailure {
  if (thrown instanceof Error) return { name: thrown.name, message: thrown.message };
  return { name: "Error", message: String(thrown) };
}

function answer(handler: Handler, request: WorkerRequest): WorkerReply {
  const { id } = request;
  // Whatever is thrown becomes an answer: a writer that dies would leave every request hanging.
  try {
    if ("batch" in request) {
      if (!handler.write) throw new Error("only the file of money takes ledger operations");
      return { id, ...handler.write(request.batch) };
    }
    if (request.call === "close") {
      handler.close();
      return { id };
    }
    return { id, result: handler.call(request.call, request.args) };
  } catch (thrown) {
    return { id, failure: failureOf(thrown) };
  }
}

/** In the file of a writer thread, each of which loads no more than its own file needs. */
export function serveWriter(open: (settings: WorkerSettings) => Handler): void {
  inThread<WorkerSettings, WorkerReply>((settings, port) => {
    let handler: Handler;
    try {
      handler = open(settings);
    } catch (thrown) {
      port.post({ id: 0, failure: failureOf(thrown) });
      return;
    }
    port.answer((request: WorkerRequest) => answer(handler, request));
    port.post({ id: 0 });
  });
}
