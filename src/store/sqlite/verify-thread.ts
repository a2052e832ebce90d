import { Worker } from "node:worker_threads";
import type { Verification } from "../../ledger/books.ts";
import { StorageError } from "../../lib/faults.ts";
import type { VerifyReply } from "./verify-worker.ts";

/**
 * Adds up all the books in a thread that lives for as long as that takes: millions of receipts take
 * a while, in which the loop that relays bytes has other things to do.
 */
export async function verifyInThread(path: string): Promise<Verification> {
  const worker = new Worker(new URL("./verify-worker.ts", import.meta.url), {
    workerData: { path },
  });
  const asked = Promise.withResolvers<VerifyReply>();
  worker.once("message", (reply: VerifyReply) => asked.resolve(reply));
  worker.once("error", (thrown) => asked.reject(StorageError.from(thrown)));
  worker.once("exit", () => asked.reject(new StorageError("the verifying thread has ended")));
  try {
    const { verification, failure } = await asked.promise;
    if (verification) return verification;
    throw new StorageError(failure ?? "the books could not be read");
  } finally {
    await worker.terminate();
  }
}
