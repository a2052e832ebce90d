import type { AuditLog } from "../../accounts/audit.ts";
import { changesBetween } from "../../accounts/audit-changes.ts";
import type { AccountCall, AccountCallOf, Guards } from "../../accounts/guards.ts";
import type { DisplayCurrency } from "../../accounts/settings.ts";
import { formatUsd, type NanoUsd } from "../../catalogue/money.ts";
import { Fault } from "../../lib/faults.ts";
import { listBody } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import { REDEEM_CODE } from "../contract/codes.ts";
import {
  CREATE_ORDER,
  LIST_ORDERS,
  LIST_REFUNDS,
  REQUEST_REFUND,
  SHOW_ORDER,
  TEST_PAY,
} from "../contract/orders.ts";
import { CHANGE_AUTO_TOPUP, SHOW_WALLET } from "../contract/wallet.ts";
import type { Refund } from "../order.ts";
import type { Payments } from "../payments.ts";
import { entryId } from "./entry-id.ts";
import { autoTopUpToJson, balanceToJson, orderToJson, refundToJson } from "./json.ts";
import { noticeRoutes } from "./notice-routes.ts";
import { operatorRoutes } from "./operator-routes.ts";

interface PaymentServices {
  readonly payments: Payments;
  readonly audit: AuditLog;
  /** From what balance on the account is warned; undefined when it is not. */
  readonly lowBalance: (accountId: string) => Promise<NanoUsd | undefined>;
  readonly displayCurrency: () => DisplayCurrency | undefined;
  readonly limits: { readonly form_ms: number };
  /** What an account is called. */
  accountName(accountId: string): Promise<string | undefined>;
}

async function showWallet(services: PaymentServices, { accountId }: AccountCall) {
  const { payments } = services;
  const balance = await payments.ledger.balance(accountId);
  if (!balance) throw new Fault("not_found", "There is no such account.");
  const [testCredit, providers, autoTopUp, refundable, lowBalance] = await Promise.all([
    payments.testCredit(accountId),
    payments.providers(),
    payments.autoTopUps.glance(accountId),
    payments.refunds.refundable(accountId),
    services.lowBalance(accountId),
  ]);
  return {
    ...balanceToJson(balance),
    test_credit: formatUsd(testCredit),
    refundable: formatUsd(refundable),
    providers,
    auto_topup: autoTopUp ? autoTopUpToJson(autoTopUp) : null,
    low_balance: lowBalance === undefined ? null : { threshold: formatUsd(lowBalance) },
    display_currency: services.displayCurrency() ?? null,
  };
}

async function createOrder(
  { payments, audit }: PaymentServices,
  call: AccountCallOf<typeof CREATE_ORDER>,
) {
  const order = await payments.orders.create(call.accountId, await call.body());
  const detail = { provider: order.provider, amount: formatUsd(order.amount) };
  await audit.write({ ...call, action: "order.create", target: order.id, detail });
  return orderToJson(order);
}

async function listOrders({ payments }: PaymentServices, call: AccountCallOf<typeof LIST_ORDERS>) {
  const { after, limit } = call.query();
  const orders = await payments.orders.list(call.accountId, after, limit + 1);
  return listBody(orders, limit, ({ id }) => id, orderToJson);
}

async function showOrder({ payments }: PaymentServices, call: AccountCall) {
  const order = await payments.orders.find(call.accountId, call.incoming.params.id ?? "");
  return orderToJson(await payments.checkouts.glance(order));
}

async function testPay({ payments, audit }: PaymentServices, call: AccountCall) {
  const order = await payments.testPayments.pay(call.accountId, call.incoming.params.id ?? "");
  const detail = { amount: formatUsd(order.amount) };
  await audit.write({ ...call, action: "order.test_pay", target: order.id, detail });
  return orderToJson(order);
}

async function redeem({ payments }: PaymentServices, call: AccountCallOf<typeof REDEEM_CODE>) {
  const { accountId, principal, incoming } = call;
  const { code: typed } = await call.body();
  const code = await payments.codes.redeem(accountId, typed, incoming.address(), principal);
  return { id: code.id, amount: formatUsd(code.amount) };
}

async function changeAutoTopUp(
  { payments, audit }: PaymentServices,
  call: AccountCallOf<typeof CHANGE_AUTO_TOPUP>,
) {
  const { accountId } = call;
  const body = await call.body();
  const form = { ...body, dailyMax: body.daily_max };
  const { before, settings, setupUrl } = await payments.autoTopUps.change(accountId, form);
  const json = autoTopUpToJson(settings);
  const changes = changesBetween(before ? autoTopUpToJson(before) : {}, json);
  const note = { ...call, action: "auto_topup.change", target: accountId };
  await audit.write({ ...note, detail: json, changes });
  return { ...json, checkout_url: setupUrl };
}

/** All in one page: there are few. */
function refundList(refunds: readonly Refund[]) {
  return listBody(refunds, refunds.length, ({ id }) => id, refundToJson);
}

async function requestRefund(
  { payments, audit }: PaymentServices,
  call: AccountCallOf<typeof REQUEST_REFUND>,
) {
  const { amount } = await call.body();
  const id = entryId("ref_", call);
  const { accountId, principal } = call;
  const asked = await payments.refunds.request(accountId, amount, id, principal);
  const { refunds, replayed } = asked;
  for (const refund of replayed ? refunds : []) {
    const detail = { amount: formatUsd(refund.amount), replayed };
    await audit.write({ ...call, action: "refund.create", target: refund.id, detail });
  }
  return refundList(refunds);
}

async function listRefunds({ payments }: PaymentServices, call: AccountCall) {
  return refundList(await payments.refunds.list(call.accountId));
}

/** Everything under /api that has to do with money coming in or going back. */
export function paymentRoutes(services: PaymentServices, guards: Guards): readonly Route[] {
  const { money } = guards;
  const { payments, limits } = services;
  return [
    guards.account(SHOW_WALLET, "viewer", (call) => showWallet(services, call)),
    money.account(CREATE_ORDER, "owner", (call) => createOrder(services, call)),
    guards.account(LIST_ORDERS, "viewer", (call) => listOrders(services, call)),
    guards.account(SHOW_ORDER, "viewer", (call) => showOrder(services, call)),
    money.account(TEST_PAY, "owner", (call) => testPay(services, call)),
    money.account(REDEEM_CODE, "owner", (call) => redeem(services, call)),
    money.account(CHANGE_AUTO_TOPUP, "owner", (call) => changeAutoTopUp(services, call)),
    money.account(REQUEST_REFUND, "owner", (call) => requestRefund(services, call)),
    guards.account(LIST_REFUNDS, "viewer", (call) => listRefunds(services, call)),
    ...operatorRoutes(services, guards),
    ...noticeRoutes({ notices: payments.notices, formMs: limits.form_ms }),
  ];
}
