import { AT } from "../rows.ts";
import type { GroupCommit } from "./group-commit.ts";
import { isAdmitted, type Operation, type OperationResult } from "./operations.ts";

/** A promise where one needs more time than the others of its batch. */
type Written = OperationResult | Promise<OperationResult> | Error | undefined;
type Write = ConstructorParameters<typeof GroupCommit<Operation, OperationResult>>[0];

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

  #see(op: Operation, result: Written): void {
    if (result instanceof Error || result === undefined) return;
    if (result instanceof Promise) {
      result.then(
        (later) => this.#see(op, later),
        () => {},
      );
      return;
    }
    if (op.kind === "settle") this.#ids.delete(op.row[AT.id]);
    else if (op.kind === "admit" && isAdmitted(result)) this.#ids.add(op.request.requestId);
  }
}
