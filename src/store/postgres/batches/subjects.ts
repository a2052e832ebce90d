import type { AdmissionRequest } from "../../../admission/request.ts";
import type { Operation } from "../../money/operations.ts";
import { AT, type ReceiptRow } from "../../rows.ts";
import type { Load } from "./money-sql.ts";

/** What a batch is about, gathered from its operations. */
export interface Subjects {
  /** Accounts and keys. Whoever ends or raises a hold names those that it was taken from. */
  readonly scopes: Set<string>;
  readonly loads: Readonly<Record<Exclude<Load, "budgets">, Set<string>>>;
}

function addScopes({ scopes }: Subjects, accountId: string, keyId: string): void {
  scopes.add(accountId);
  scopes.add(keyId);
}

function addAdmission(subjects: Subjects, request: AdmissionRequest): void {
  const { accountId, keyId, limits } = request;
  addScopes(subjects, accountId, keyId);
  const { seconds, open_holds } = subjects.loads;
  if (limits.requestsPerMinute > 0 || limits.tokensPerMinute > 0) seconds.add(keyId);
  if (limits.concurrency > 0) open_holds.add(keyId);
}

function addReceipt(subjects: Subjects, row: ReceiptRow): void {
  addScopes(subjects, row[AT.accountId], row[AT.keyId]);
  subjects.loads.receipts.add(row[AT.id]);
}

export function subjectsOf(operations: readonly Operation[]): Subjects {
  const loads: Subjects["loads"] = {
    holds: new Set(),
    seconds: new Set(),
    open_holds: new Set(),
    receipts: new Set(),
  };
  const subjects: Subjects = { scopes: new Set(), loads };
  for (const op of operations) {
    switch (op.kind) {
      case "admit":
        addAdmission(subjects, op.request);
        break;
      case "raise":
        addScopes(subjects, op.request.accountId, op.request.keyId);
        loads.holds.add(op.request.requestId);
        loads.receipts.add(op.request.requestId);
        break;
      case "cancel":
        addScopes(subjects, op.accountId, op.keyId);
        loads.holds.add(op.requestId);
        break;
      case "settle":
        addReceipt(subjects, op.row);
        loads.holds.add(op.row[AT.id]);
        if (op.tokens) loads.seconds.add(op.row[AT.keyId]);
        break;
      case "refuse":
        addReceipt(subjects, op.row);
        if (op.count.requests > 0) loads.seconds.add(op.row[AT.keyId]);
        break;
    }
  }
  return subjects;
}
