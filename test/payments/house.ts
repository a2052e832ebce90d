// Payments with everything around them: a console database, a ledger of play, and providers that are ours.
import type { AuditEntry } from "../../src/accounts/audit.ts";
import type { Occurrence } from "../../src/notices/occurrence.ts";
import { openPayments, type Payments } from "../../src/payments/payments.ts";
import type { PaymentsStore } from "../../src/payments/store.ts";
import { openPaymentsStore } from "../../src/store/console/payments.ts";
import { PAYMENTS_TABLES } from "../../src/store/console/payments-tables.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { type ConsoleDatabase, consoleDatabases } from "../store/console.ts";
import { FakeStripe } from "./fake-stripe.ts";
import { PlayLedger } from "./play-ledger.ts";

export const EPAY = { url: "https://epay.invalid", pid: "1001", key: "key-of-the-tests" };
export const USD = 1_000_000_000n;
export const LOOKS_MAX = 2;
export const LOOK_REST_MS = 300_000;

export interface House {
  readonly payments: Payments;
  readonly store: PaymentsStore;
  readonly ledger: PlayLedger;
  readonly stripe: FakeStripe;
  /** Another instance on the same tables and the same ledger. */
  readonly second: () => Promise<Payments>;
  /** Events that were logged, by name. */
  readonly logged: (event: string) => readonly Record<string, unknown>[];
  readonly audited: readonly AuditEntry[];
  /** What owners are told, and of which account. */
  readonly told: readonly (Occurrence & { readonly account: string })[];
  readonly settings: { testAllowed: boolean; rate: string | undefined; clockMs: number };
  readonly close: () => Promise<void>;
}

export async function openHouse(database?: ConsoleDatabase): Promise<House> {
  const { open } = database ?? (consoleDatabases()[0] as ConsoleDatabase);
  const console = await open(PAYMENTS_TABLES);
  const ledger = new PlayLedger();
  ledger.open("acct_a");
  ledger.open("acct_b");
  const stripe = new FakeStripe();
  const lines: Record<string, unknown>[] = [];
  const audited: AuditEntry[] = [];
  const told: (Occurrence & { account: string })[] = [];
  /** `clockMs` is added to the time: Stripe's library looks at the real one. */
  const settings = { testAllowed: true, rate: "7.25" as string | undefined, clockMs: 0 };
  const build = (store: PaymentsStore) =>
    openPayments({
      store,
      ledger,
      publicUrl: "https://gate.invalid",
      stripe: stripe.settings,
      epay: EPAY,
      cnyRate: async () => settings.rate,
      testPaymentAllowed: () => settings.testAllowed,
      audit: { write: async (entry) => void audited.push(entry) },
      tell: async (account, occurrence) => void told.push({ ...occurrence, account }),
      limits: { checkout_looks_max: LOOKS_MAX, checkout_look_rest_ms: LOOK_REST_MS },
      clock: () => Date.now() + settings.clockMs,
      log: createLog("debug", (line) => void lines.push(JSON.parse(line))),
    });
  const store = openPaymentsStore(console.sql);
  return {
    payments: build(store),
    store,
    ledger,
    stripe,
    second: async () => build(openPaymentsStore(await console.again())),
    logged: (event) => lines.filter((line) => line.event === event),
    audited,
    told,
    settings,
    async close() {
      await stripe.stop();
      await console.close();
    },
  };
}

/** What a call was refused with; fails when it was not. */
export async function refusalOf(work: Promise<unknown>): Promise<{
  readonly message: string;
  readonly param: string | null;
  readonly status: number;
}> {
  try {
    await work;
  } catch (thrown) {
    return thrown as { message: string; param: string | null; status: number };
  }
  throw new Error("It was not refused.");
}
