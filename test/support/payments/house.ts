// Payments with everything around them: a console database, a ledger of play, and providers that are ours.
import type { AuditEntry } from "../../../src/accounts/audit.ts";
import { TryWindowsTable } from "../../../src/accounts/tables/try-windows.ts";
import { ACCOUNTS_TABLES } from "../../../src/accounts/tables/versions.ts";
import { StorageError } from "../../../src/lib/faults.ts";
import type { Occurrence } from "../../../src/notices/occurrence.ts";
import { openPayments } from "../../../src/payments/payments.ts";
import type { PaymentsStore } from "../../../src/payments/tables/open.ts";
import { openPaymentsStore } from "../../../src/payments/tables/open.ts";
import { PAYMENTS_TABLES } from "../../../src/payments/tables/versions.ts";
import { SQLITE, tablesOn } from "../../store/engines.ts";
import type { Parts } from "../houses/house.ts";
import { keptLog } from "../logs.ts";
import { FakeStripe } from "./fake-stripe.ts";
import { PlayLedger } from "./play-ledger.ts";

export const EPAY = { url: "https://epay.invalid", pid: "1001", key: "key-of-the-tests" };
export const USD = 1_000_000_000n;
export const LOOKS_MAX = 2;
export const LOOK_REST_MS = 300_000;

export async function paymentsHouse(parts: Parts, engine = SQLITE) {
  const { sql, again } = await tablesOn(parts, engine, ACCOUNTS_TABLES, PAYMENTS_TABLES);
  const ledger = new PlayLedger();
  ledger.open("acct_a");
  ledger.open("acct_b");
  const stripe = parts.keep(new FakeStripe());
  const { log, logged } = keptLog();
  const audited: AuditEntry[] = [];
  const told: (Occurrence & { account: string })[] = [];
  /** How often what is told, or written to the audit log, is still lost. */
  const lost = { tell: 0, audit: 0 };
  const reach = (what: keyof typeof lost) => {
    if (lost[what] === 0) return;
    lost[what] -= 1;
    throw new StorageError(`lost: ${what}`);
  };
  const write = async (entry: AuditEntry) => {
    reach("audit");
    const wordsOf = ({ principal, detail }: AuditEntry) => JSON.stringify([principal.name, detail]);
    const isSame = (other: AuditEntry) =>
      other.action === entry.action &&
      other.target === entry.target &&
      (entry.once !== "as_said" || wordsOf(other) === wordsOf(entry));
    const isTold = entry.kept && audited.some(({ kept }) => kept?.id === entry.kept?.id);
    if (!isTold && (!entry.once || !audited.some(isSame))) audited.push(entry);
  };
  const audit = { write };
  /** `clockMs` is added to the time: Stripe's library looks at the real one. */
  const settings = {
    ...{ testAllowed: true, rate: "7.25" as string | undefined, clockMs: 0 },
    suspended: new Set<string>(),
  };
  const build = (store: PaymentsStore, tries: TryWindowsTable, hasStripe = true) =>
    openPayments({
      ...{ store, tries },
      ledger,
      publicUrl: "https://gate.invalid",
      stripe: hasStripe ? stripe.settings : undefined,
      epay: EPAY,
      cnyRate: async () => settings.rate,
      testPaymentAllowed: () => settings.testAllowed,
      isEnabled: async (id) => !settings.suspended.has(id),
      audit,
      async tell(account, occurrence) {
        reach("tell");
        told.push({ ...occurrence, account });
      },
      limits: { checkout_looks_max: LOOKS_MAX, checkout_look_rest_ms: LOOK_REST_MS },
      clock: () => Date.now() + settings.clockMs,
      log,
    });
  const store = openPaymentsStore(sql);
  return {
    payments: build(store, new TryWindowsTable(sql)),
    store,
    ledger,
    stripe,
    /** Another instance on the same tables and the same ledger. */
    async second({ hasStripe = true } = {}) {
      const other = await again();
      return build(openPaymentsStore(other), new TryWindowsTable(other), hasStripe);
    },
    logged,
    audit,
    audited,
    /** What owners are told, and of which account. */
    told,
    lost,
    settings,
  };
}
