import { systemClock } from "../../lib/clock.ts";
import { failureOf, serveMethods } from "../../lib/threads/worker-port.ts";
import type { OperationResult } from "../money/operations.ts";
import { AccountsWriter } from "./accounts-writer.ts";
import { packResults, unpackBatch } from "./batch-codec.ts";
import { migrate, openFile } from "./database.ts";
import { MONEY_VERSIONS } from "./money-schema.ts";
import { MoneyWriter } from "./money-writer.ts";
import type { PartlyFailed, WorkerSettings, WriterTargets } from "./worker-protocol.ts";

function packed(results: readonly (OperationResult | Error)[]): string | PartlyFailed {
  const failures: [number, string][] = [];
  const plain = results.map((result, i) => {
    if (!(result instanceof Error)) return result;
    failures.push([i, failureOf(result)]);
    return null;
  });
  const text = packResults(plain);
  return failures.length === 0 ? text : { results: text, failures };
}

serveMethods<WorkerSettings, WriterTargets["money"]>(({ path, create, owner }) => {
  const db = openFile(path, { create, synchronous: "FULL" });
  migrate(db, MONEY_VERSIONS);
  const money = new MoneyWriter(db, owner, systemClock);
  const writeBatch = (batch: string) => packed(money.write(unpackBatch(batch)));
  return {
    targets: [{ writeBatch }, new AccountsWriter(db, systemClock), money],
    close: () => db.close(),
  };
});
