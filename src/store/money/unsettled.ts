import { AT } from "../rows.ts";
import type { Operation, OperationResult } from "./operations.ts";

type Results = readonly (OperationResult | Error)[];
type Write = (batch: readonly Operation[]) => Promise<Results>;

/**
 * Which requests this process has let in and not ended, for whoever shares the books with others: the
 * database knows it too, but a process must be able to say so when the database does not answer.
 */
export class Unsettled {
  readonly #ids = new Set<string>();

  /** The same writing, looked at once for each batch. */
  follow(write: Write): Write {
    return async (batch) => {
      const results = await write(batch);
      for (const [at, op] of batch.entries()) this.#see(op, results[at]);
      return results;
    };
  }

  list(): readonly string[] {
    return [...this.#ids];
  }

  #see(op: Operation, result: OperationResult | Error | undefined): void {
    if (result instanceof Error || result === undefined) return;
    if (op.kind === "settle") this.#ids.delete(op.row[AT.id]);
    else if (op.kind === "admit" && isAdmitted(result)) this.#ids.add(op.request.requestId);
  }
}

function isAdmitted(result: OperationResult): boolean {
  return result !== null && typeof result === "object" && result.kind === "admitted";
}
