import type { Leeway } from "../../accounts/account.ts";
import type {
  AdmissionOutcome,
  AdmissionRequest,
  RaiseOutcome,
  RaiseRequest,
} from "../../admission/request.ts";
import type { TokensUsed } from "../../ledger/receipt.ts";
import type { RefusalCount } from "../../ledger/store.ts";
import { AT, type ReceiptRow } from "../rows.ts";

/** What the money writer does, many at a time, in one transaction. */
export type Operation =
  | { readonly kind: "admit"; readonly request: AdmissionRequest }
  | { readonly kind: "raise"; readonly request: RaiseRequest }
  | {
      readonly kind: "settle";
      readonly post: boolean;
      readonly row: ReceiptRow;
      readonly leeway?: Leeway | undefined;
      readonly tokens?: TokensUsed | undefined;
    }
  /** Takes back an admission that was reported as failed but may have been recorded. */
  | {
      readonly kind: "cancel";
      readonly requestId: string;
      readonly accountId: string;
      readonly keyId: string;
    }
  | { readonly kind: "refuse"; readonly row: ReceiptRow; readonly count: RefusalCount };

/** The answer to each kind of operation. */
export interface OperationResults {
  admit: AdmissionOutcome;
  raise: RaiseOutcome;
  settle: "done" | "already";
  cancel: null;
  /** How long until the key may make its next request. */
  refuse: number;
}

export type OperationResult = OperationResults[keyof OperationResults];

export function isEndOf(op: Operation, requestId: string): boolean {
  return op.kind === "settle" && op.row[AT.id] === requestId;
}

export function isAdmitted(result: OperationResult | undefined): boolean {
  return typeof result === "object" && result !== null && result.kind === "admitted";
}

export function isGranted(result: OperationResult | undefined): boolean {
  return typeof result === "object" && result !== null && result.kind === "granted";
}
