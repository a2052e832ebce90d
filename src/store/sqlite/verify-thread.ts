import type { Verification } from "../../ledger/books.ts";
import { StorageError } from "../../lib/faults.ts";
import { Thread } from "../../lib/threads/thread.ts";
import type { VerifyReply, VerifySettings } from "./verify-worker.ts";

/**
 * Adds up all the books in a thread that lives for as long as that takes: millions of receipts take
 * a while, in which the loop that relays bytes has other things to do.
 */
export async function verifyInThread(path: string): Promise<Verification> {
  const asked = Promise.withResolvers<VerifyReply>();
  const settings: VerifySettings = { path };
  const worker = new Worker(new URL("./verify-worker.ts", import.meta.url));
  const thread = new Thread<never, VerifyReply>(worker, settings, {
    heard: asked.resolve,
    ended: (cause) => asked.reject(new StorageError("the verifying thread has ended", { cause })),
  });
  try {
    const { verification, failure } = await asked.promise;
    if (verification) return verification;
    throw new StorageError(failure ?? "the books could not be read");
  } finally {
    await thread.end();
  }
}
