import type { Scope } from "../../src/admission/judge.ts";
import type { Receipt } from "../../src/ledger/receipt.ts";
import type { Store } from "../../src/store/store.ts";

/** As much of a store as the pipeline and the customers of a simulation need. */
export interface SimStore extends Pick<Store, "admission" | "ledger" | "close"> {
  readonly accounts: Pick<Store["accounts"], "findKey" | "createAccount" | "createKey">;
}

/** What can be seen of the books at once, between two events. */
export interface Books {
  receipt(id: string): Receipt | undefined;
  isHeld(id: string): boolean;
  /** The balance and the budgets of a key, as far as they can be seen while things happen. */
  scopes(accountId: string, keyId: string): readonly Scope[];
  /** Sums that are not the sums of their parts. */
  problems(): readonly string[];
  /** In the order in which they were written. */
  receipts(): readonly Receipt[];
  ids(): readonly string[];
  /** When a request was settled and what it held then, as far as that can be seen. */
  end(id: string): { readonly atMs: number; readonly held: bigint } | undefined;
}
