import type {
  AdmissionOutcome,
  AdmissionRequest,
  RaiseOutcome,
  RaiseRequest,
} from "../../admission/request.ts";
import type { AdmissionStore } from "../../admission/store.ts";
import type { Receipt, Settlement } from "../../ledger/receipt.ts";
import type { LedgerStore, RefusalCount } from "../../ledger/store.ts";
import { StorageError } from "../../lib/faults.ts";
import { writeReceipt } from "../rows.ts";
import { GroupCommit } from "./group-commit.ts";
import {
  isEndOf,
  type Operation,
  type OperationResult,
  type OperationResults,
} from "./operations.ts";

const NOT_COUNTED: RefusalCount = { requests: 0, max: 0 };

type Write = ConstructorParameters<typeof GroupCommit<Operation, OperationResult>>[0];
type Withdraw = (requestId: string, reason: Error) => void;

/** The half of the ports that moves money: operations, written in batches. */
export class MoneyQueue
  implements AdmissionStore, Pick<LedgerStore, "settle" | "withdraw" | "refuse">
{
  readonly #queue: GroupCommit<Operation, OperationResult>;
  readonly #withdraw: Withdraw;

  /** `withdraw` is for whoever puts aside what it was handed over and could not write yet. */
  constructor(write: Write, withdraw: Withdraw = () => {}) {
    this.#queue = new GroupCommit(write);
    this.#withdraw = withdraw;
  }

  submit<Op extends Operation>(op: Op): Promise<OperationResults[Op["kind"]]> {
    return this.#queue.submit(op).promise() as Promise<OperationResults[Op["kind"]]>;
  }

  admit(request: AdmissionRequest): Promise<AdmissionOutcome> {
    return this.submit({ kind: "admit", request });
  }

  raise(request: RaiseRequest): Promise<RaiseOutcome> {
    return this.submit({ kind: "raise", request });
  }

  settle(settlement: Settlement): PromiseLike<"done" | "already"> {
    const { kind, receipt, leeway, tokens } = settlement;
    const row = writeReceipt(receipt);
    const post = kind === "post";
    const ended = this.#queue.submit({ kind: "settle", post, row, leeway, tokens });
    return ended as PromiseLike<OperationResults["settle"]>;
  }

  withdraw(requestId: string): void {
    const reason = new StorageError("nobody waits for it any more");
    this.#queue.withdraw((op) => isEndOf(op, requestId), reason);
    this.#withdraw(requestId, reason);
  }

  refuse(receipt: Receipt, count: RefusalCount = NOT_COUNTED): Promise<number> {
    return this.submit({ kind: "refuse", row: writeReceipt(receipt), count });
  }

  /** Writes what is waiting and refuses what comes after. */
  async close(): Promise<void> {
    await this.#queue.idle();
    this.#queue.close(new StorageError("the store is closed"));
  }
}
