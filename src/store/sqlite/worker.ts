import type { Database } from "bun:sqlite";
import { systemClock } from "../../lib/clock.ts";
import type { Operation, OperationResult } from "../operations.ts";
import { AccountsWriter } from "./accounts-writer.ts";
import { packResults, unpackBatch } from "./batch-codec.ts";
import { ConsoleWriter } from "./console-writer.ts";
import { migrate, openFile } from "./database.ts";
import { KeptAnswersWriter } from "./kept-answers-writer.ts";
import { MoneyWriter } from "./money-writer.ts";
import { ResponsesWriter } from "./responses-writer.ts";
import { MONEY_VERSIONS, RESPONSE_VERSIONS } from "./schema.ts";
import { inThread } from "./thread.ts";
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
  write(batch: readonly Operation[]): readonly (OperationResult | Error)[];
  call(name: string, args: readonly unknown[]): unknown;
  close(): void;
}

type Method = (...args: unknown[]) => unknown;

function callOn(targets: readonly object[], name: string, args: readonly unknown[]): unknown {
  for (const target of targets) {
    const method = (target as Record<string, unknown>)[name];
    if (typeof method === "function") return (method as Method).apply(target, [...args]);
  }
  throw new Error(`the writer has no "${name}"`);
}

function handlerOf(db: Database, ...targets: readonly object[]): Handler {
  return {
    write: () => {
      throw new Error("only the file of money takes ledger operations");
    },
    call: (name, args) => callOn(targets, name, args),
    close: () => db.close(),
  };
}

function open(settings: WorkerSettings): Handler {
  if (settings.role === "money") {
    const db = openFile(settings.path, { create: settings.create, synchronous: "FULL" });
    migrate(db, MONEY_VERSIONS);
    const money = new MoneyWriter(db, settings.owner, systemClock);
    const targets = [new AccountsWriter(db, systemClock), money];
    return {
      write: (batch) => money.write(batch),
      call: (name, args) => callOn(targets, name, args),
      close: () => db.close(),
    };
  }
  if (settings.role === "console") {
    const db = openFile(settings.path, { create: true, synchronous: "FULL", safeIntegers: true });
    return handlerOf(db, new ConsoleWriter(db));
  }
  const db = openFile(settings.path, { create: true, synchronous: "NORMAL" });
  migrate(db, RESPONSE_VERSIONS);
  return handlerOf(db, new ResponsesWriter(db), new KeptAnswersWriter(db, settings.owner));
}

function failureOf(thrown: unknown): WorkerFailure {
  if (thrown instanceof Error) return { name: thrown.name, message: thrown.message };
  return { name: "Error", message: String(thrown) };
}

function batchReply(id: number, results: readonly (OperationResult | Error)[]): WorkerReply {
  const failures: [number, WorkerFailure][] = [];
  const plain = results.map((result, i) => {
    if (!(result instanceof Error)) return result;
    failures.push([i, failureOf(result)]);
    return null;
  });
  const result = packResults(plain);
  return failures.length === 0 ? { id, result } : { id, result, failures };
}

function answer(handler: Handler, request: WorkerRequest): WorkerReply {
  // Whatever is thrown becomes an answer: a writer that dies would leave every request hanging.
  try {
    if ("batch" in request)
      return batchReply(request.id, handler.write(unpackBatch(request.batch)));
    if (request.call === "close") {
      handler.close();
      return { id: request.id };
    }
    return { id: request.id, result: handler.call(request.call, request.args) };
  } catch (thrown) {
    return { id: request.id, failure: failureOf(thrown) };
  }
}

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
