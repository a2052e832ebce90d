import type { AuditLog } from "../accounts/audit.ts";
import type { TryWindows } from "../accounts/stored-throttle.ts";
import type { NanoUsd } from "../catalogue/money.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../telemetry/log.ts";
import { AutoTopUps } from "./auto-topup.ts";
import { CardMoney } from "./balance/card-money.ts";
import { type CheckoutLimits, Checkouts } from "./checkouts.ts";
import { Codes } from "./codes.ts";
import { Disputes } from "./disputes.ts";
import { Notices } from "./notices.ts";
import { Orders } from "./orders.ts";
import { type CnyRate, EpayGate, type EpaySettings } from "./providers/epay.ts";
import { returnUrls, StripeGate, type StripeSettings } from "./providers/stripe.ts";
import { type TestPaymentAllowed, TestPayments, TestProvider } from "./providers/test-payment.ts";
import { Refunds } from "./refunds.ts";
import type { PaymentLedger } from "./store.ts";
import type { PaymentsStore } from "./tables/open.ts";
import type { Tell } from "./tell.ts";

export const STRIPE_WEBHOOK_PATH = "/api/payments/stripe/webhook";
export const EPAY_NOTIFY_PATH = "/api/payments/epay/notify";

interface PaymentsParts {
  readonly store: PaymentsStore;
  readonly ledger: PaymentLedger;
  readonly tries: TryWindows;
  /** The address that people use, without a slash at its end. */
  readonly publicUrl: string;
  readonly stripe: StripeSettings | undefined;
  readonly epay: EpaySettings | undefined;
  readonly cnyRate: CnyRate;
  readonly testPaymentAllowed: TestPaymentAllowed;
  /** Whether an account is enabled: the card of one that is suspended is not charged by itself. */
  readonly isEnabled: (accountId: string) => Promise<boolean>;
  readonly audit: AuditLog;
  readonly tell: Tell;
  readonly limits: CheckoutLimits;
  readonly clock: Clock;
  readonly log: Log;
}

export type Payments = ReturnType<typeof openPayments>;

/** The parts of this room, put together. */
export function openPayments(parts: PaymentsParts) {
  const { store, ledger, tries, clock, log, audit, tell, limits } = parts;
  const urls = returnUrls(parts.publicUrl);
  const stripe = parts.stripe && new StripeGate(parts.stripe, urls);
  const epay =
    parts.epay &&
    new EpayGate(parts.epay, parts.cnyRate, urls, `${parts.publicUrl}${EPAY_NOTIFY_PATH}`);
  const allowed = parts.testPaymentAllowed;
  const gates = [stripe, epay, new TestProvider(allowed)].filter((gate) => gate !== undefined);
  const shared = { ledger, stripe, tries, clock, log };
  const orders = new Orders({ ...shared, store: store.orders, providers: gates });
  const codes = new Codes({ ...shared, audit, store: store.codes });
  const autoTopUps = new AutoTopUps({
    ...shared,
    settings: store.autoTopUps,
    store: store.orders,
    orders,
    tell,
    isEnabled: parts.isEnabled,
  });
  const checkouts = new Checkouts({ ...shared, store: store.orders, orders, limits });
  const disputes = new Disputes({
    ...{ ledger, clock, log, autoTopUps, audit, tell },
    store: store.disputes,
    orders: store.orders,
    refunds: store.refunds,
  });
  const { reversals } = store;
  const testPayments = new TestPayments({
    ...{ ledger, clock, log, orders, reversals, allowed },
    store: store.orders,
  });
  const freeOfPlay = (accountId: string, credited: NanoUsd) =>
    testPayments.freeOfPlay(accountId, credited);
  const cardMoney = new CardMoney({ ...store, ledger, freeOfPlay });
  const refunds = new Refunds({ ...shared, cardMoney, autoTopUps, audit, store: store.refunds });
  const notices = new Notices({
    store: store.orders,
    ...{ orders, checkouts, autoTopUps, refunds, disputes, stripe, epay, log },
  });
  return {
    ...{ ledger, orders, checkouts, codes, refunds, autoTopUps, testPayments, notices, clock },
    /** Ways to top up that can be used now; a code always can. */
    providers: async () => [...(await orders.available()), "code"] as const,
    /** What of the account's balance is play money. */
    testCredit: (accountId: string) => testPayments.left(accountId),
    freeOfPlay,
    /** Takes up what a process that ended has left undone. At the start, and now and then. */
    async reconcile() {
      const healed = {
        orders: await orders.reconcile(),
        codes: await codes.reconcile(),
        refunds: await refunds.reconcile(),
        disputes: await disputes.reconcile(),
      };
      if (healed.orders + healed.codes > 0) log.warn("payments_healed", healed);
      await testPayments.reverseTestCredit();
      await checkouts.sweep();
    },
  };
}
