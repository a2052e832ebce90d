import { systemClock } from "../../lib/clock.ts";
import type { OperationResult } from "../operations.ts";
import { AccountsWriter } from "./accounts-writer.ts";
import { packResults, unpackBatch } from "./batch-codec.ts";
import { migrate, openFile } from "./database.ts";
import { MONEY_VERSIONS } from "./money-schema.ts";
import { MoneyWriter } from "./money-writer.ts";
import { failureOf, handlerOf, serveWriter } from "./worker.ts";
import type { WorkerFailure } from "./worker-protocol.ts";

function packed(results: readonly (OperationResult | Error)[]) {
  const failures: [number, WorkerFailure][] = [];
  const plain = results.map((result, i) => {
    if (!(result instanceof Error)) return result;
    failures.push([i, failureOf(result)]);
    return null;
  });
  const result = packResults(plain);
  return failures.length === 0 ? { result } : { result, failures };
}

serveWriter(({ path, create, owner }) => {
  const db = openFile(path, { create, synchronous: "FULL" });
  migrate(db, MONEY_VERSIONS);
  const money = new MoneyWriter(db, owner, systemClock);
  return {
    ...handlerOf(db, new AccountsWriter(db, systemClock), money),
    write: (batch) => packed(money.write(unpackBatch(batch))),
  };
});
