// Accounts, keys, requests and receipts with everything filled in; a test says what matters to it.
import type { Account, NewKey } from "../../src/accounts/account.ts";
import type { BudgetTerms, KeyBudget } from "../../src/accounts/keys/budget.ts";
import type {
  AdmissionOutcome,
  AdmissionRequest,
  RaiseOutcome,
  RaiseRequest,
} from "../../src/admission/request.ts";
import type { AttemptRecord, Receipt, Settlement } from "../../src/ledger/receipt.ts";
import type { MoneyRefusal } from "../../src/ledger/refusal.ts";
import { newId } from "../../src/lib/ids.ts";
import type { MaybePromise } from "../../src/lib/maybe-promise.ts";
import { NO_USAGE } from "../../src/protocols/usage.ts";
import type { Store } from "../../src/store/store.ts";

export const NO_LIMITS = { requestsPerMinute: 0, tokensPerMinute: 0, concurrency: 0 };

export function account(over: Partial<Account> = {}): Account {
  return {
    id: newId("acct_"),
    name: "Ann",
    operator: false,
    enabled: true,
    hard: false,
    overdraft: 0n,
    createdAtMs: 1_000,
    ...over,
  };
}

export function key(accountId: string, over: Partial<NewKey> = {}): NewKey {
  const id = newId("key_");
  return {
    id,
    accountId,
    hash: `hash of ${id}`,
    lastFour: "abcd",
    name: "laptop",
    enabled: true,
    expiresAtMs: null,
    models: null,
    networks: null,
    requestsPerMinute: 3_000,
    tokensPerMinute: 0,
    concurrency: 0,
    hard: false,
    accountRead: false,
    showCost: true,
    createdAtMs: 2_000,
    lastUsedAtMs: null,
    deletedAtMs: null,
    budgets: [],
    ...over,
  };
}

/** The budgets of a key that may use so much in all. */
export function total(amount: bigint): BudgetTerms[] {
  return [{ amount, period: "total", timeZone: "UTC" }];
}

/** The only budget that a key has. */
export async function onlyBudget(store: Store, keyId: string): Promise<KeyBudget> {
  const [budget, ...others] = (await store.ledger.spending(keyId))?.budgets ?? [];
  if (!budget || others.length > 0) throw new Error(`${keyId} has not one budget`);
  return budget;
}

/** An account with this much credit and one key of this budget, or these. */
export async function customer(
  store: Store,
  money: { credit: bigint; budget?: bigint; budgets?: readonly BudgetTerms[] },
): Promise<NewKey> {
  const owner = account();
  await store.accounts.createAccount(owner);
  if (money.credit > 0n) await credit(store, owner.id, money.credit);
  const { budget, budgets = budget === undefined ? [] : total(budget) } = money;
  const made = key(owner.id, { budgets });
  await store.accounts.createKey(made);
  return made;
}

export function credit(
  store: Store,
  accountId: string,
  amount: bigint,
  id = newId("ref_"),
): Promise<boolean> {
  const kind = "topup";
  return store.ledger.credit({ id, accountId, amount, kind, note: "", createdAtMs: 3_000 });
}

/** Of requests that may pass soft budgets by as much as these have. */
export const SOFT = { overdraft: 0n, hard: false, loneMax: 5_000_000_000n, loneLeast: 0n };

type Holder = Pick<NewKey, "id" | "accountId">;

/** A request that costs so much and no less, unless told otherwise: it is let in with all or alone. */
export function request(
  { id, accountId }: Holder,
  cost: bigint,
  over: Partial<AdmissionRequest> = {},
): AdmissionRequest {
  return {
    requestId: newId("req_"),
    accountId,
    keyId: id,
    limits: NO_LIMITS,
    tokens: 0,
    countRate: true,
    behind: null,
    worst: cost,
    floor: cost,
    least: cost,
    ...SOFT,
    loneLeast: cost,
    inputCost: 7n,
    model: "model-1.0",
    endpoint: "chat",
    channel: "sandbox",
    stream: false,
    ...over,
  };
}

/** A request that must be let through. */
export async function admitted(
  store: Store,
  holder: Holder,
  cost: bigint,
  over: Partial<AdmissionRequest> = {},
): Promise<AdmissionRequest & Extract<AdmissionOutcome, { kind: "admitted" }>> {
  const asked = request(holder, cost, over);
  const outcome = await store.admission.admit(asked);
  if (outcome.kind !== "admitted") throw new Error(`not admitted but ${outcome.kind}`);
  return { ...asked, ...outcome };
}

/** So much more for a request that runs, or nothing. */
export function raise(
  store: Store,
  { requestId, accountId, keyId }: Asked,
  need: bigint,
  over: Partial<RaiseRequest> = {},
): MaybePromise<RaiseOutcome> {
  const asking = { need, floor: need, ...SOFT, ...over };
  return store.admission.raise({ requestId, accountId, keyId, ...asking });
}

/** A call to a vendor that served, unless told otherwise. */
export function attempt(over: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    channel: "sandbox",
    credential: null,
    model: null,
    status: 200,
    code: null,
    message: null,
    startedMs: 2,
    durationMs: 28,
    ...over,
  };
}

type Asked = Pick<AdmissionRequest, "requestId" | "accountId" | "keyId" | "model">;

export function receipt(asked: Asked, cost: bigint, over: Partial<Receipt> = {}): Receipt {
  const lines =
    cost === 0n
      ? []
      : [
          {
            item: "input" as const,
            quantity: 1,
            unitPico: cost * 1_000n,
            amountPico: cost * 1_000n,
          },
        ];
  return {
    requestId: asked.requestId,
    accountId: asked.accountId,
    keyId: asked.keyId,
    createdAtMs: 1_760_000_000_000,
    endpoint: "chat",
    model: asked.model,
    stream: false,
    status: 200,
    billingReason: "completed",
    errorCode: null,
    refusal: null,
    channel: "sandbox",
    servedModel: null,
    attempts: [],
    vendorRequestId: "vendor-1",
    responseId: "chatcmpl-1",
    usage: {
      ...NO_USAGE,
      fresh: 10,
      cacheRead: 3,
      cacheWrite: 2,
      cacheWriteLong: 1,
      output: 20,
      reasoning: 5,
    },
    usageSource: "vendor",
    priceVersion: "2026-01-01",
    charge: { lines, amount: cost },
    vendorCost: null,
    held: 100n,
    outputClamp: null,
    loss: 0n,
    firstByteMs: 12,
    durationMs: 30,
    requests: 1,
    lastAtMs: null,
    inputLoss: 0n,
    ...over,
  };
}

/** Of a budget that is used up. */
export const MONEY_REFUSAL: MoneyRefusal = {
  scope: "budget",
  period: "day",
  used: 1_100_000_000n,
  max: 1_000_000_000n,
  left: 0n,
  needed: null,
  fix: "Raise the key's daily budget.",
  resetsAtMs: 1_760_100_000_000,
};

export function refusal(asked: Asked): Receipt {
  return receipt(asked, 0n, {
    status: 400,
    billingReason: "refused",
    errorCode: "budget_exceeded",
    refusal: MONEY_REFUSAL,
    responseId: null,
    usage: NO_USAGE,
    usageSource: "none",
  });
}

export async function post(
  store: Store,
  asked: Asked,
  cost: bigint,
  over: Partial<Settlement> = {},
): Promise<"done" | "already"> {
  return store.ledger.settle({ kind: "post", receipt: receipt(asked, cost), ...over });
}

export async function voidHold(store: Store, asked: Asked): Promise<"done" | "already"> {
  const failed = receipt(asked, 0n, { status: 503, billingReason: "upstream_failed" });
  return store.ledger.settle({ kind: "void", receipt: failed });
}

/** How many holds of processes that are gone were voided. */
export async function recovered({ ledger }: Pick<Store, "ledger">): Promise<number> {
  return (await ledger.recover()).reduce((sum, { holds }) => sum + holds, 0);
}

/** What a promise is rejected with. `expect().rejects` waits in a way that starves the writer thread. */
export async function failureOf(promise: unknown): Promise<Error> {
  const outcome = await Promise.resolve(promise).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  if (!outcome) throw new Error("it was expected to fail and did not");
  return outcome;
}
