import { z } from "zod";
import type { AuditLog } from "../../accounts/audit.ts";
import { changesBetween } from "../../accounts/audit-changes.ts";
import type { AccountCall, Guards } from "../../accounts/guards.ts";
import type { DisplayCurrency } from "../../accounts/settings.ts";
import { formatUsd, type NanoUsd } from "../../catalogue/money.ts";
import { Fault } from "../../lib/faults.ts";
import { readJson } from "../../lib/json/json-body.ts";
import { listBody, readPage } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import { PROVIDER_NAMES } from "../order.ts";
import type { Payments } from "../payments.ts";
import { noticeRoutes } from "./notice-routes.ts";
import { operatorRoutes } from "./operator-routes.ts";
import { answer, autoTopUpToWire, balanceToWire, orderToWire, refundToWire } from "./wire.ts";

interface PaymentServices {
  readonly payments: Payments;
  readonly audit: AuditLog;
  /** From what balance on the account is warned; undefined when it is not. */
  readonly lowBalance: (accountId: string) => Promise<NanoUsd | undefined>;
  readonly displayCurrency: () => DisplayCurrency | undefined;
  /** What an account is called. */
  accountName(accountId: string): Promise<string | undefined>;
}

const ORDER = z.strictObject({
  provider: z.enum(PROVIDER_NAMES, {
    error: `The provider must be one of ${PROVIDER_NAMES.join(", ")}.`,
  }),
  amount: z.string('Write the amount as a text, such as "12.50".'),
  method: z.string().max(20).optional(),
});

const CODE = z.strictObject({ code: z.string("Write the code.").max(100) });
const REFUND = z.strictObject({ amount: z.string().optional() });
const AUTO_TOPUP = z.strictObject({
  enabled: z.boolean("Say whether it is on: true or false."),
  threshold: z.string('Write the amount as a text, such as "5".'),
  amount: z.string('Write the amount as a text, such as "20".'),
  daily_max: z.string().optional(),
});

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
  return answer({
    ...balanceToWire(balance),
    test_credit: formatUsd(testCredit),
    refundable: formatUsd(refundable),
    providers,
    auto_topup: autoTopUp ? autoTopUpToWire(autoTopUp) : null,
    low_balance: lowBalance === undefined ? null : { threshold: formatUsd(lowBalance) },
    display_currency: services.displayCurrency() ?? null,
  });
}

async function createOrder({ payments, audit }: PaymentServices, call: AccountCall) {
  const { accountId, principal } = call;
  const order = await payments.orders.create(
    accountId,
    await readJson(call.incoming.request, ORDER),
  );
  const detail = { provider: order.provider, amount: formatUsd(order.amount) };
  await audit.write({ principal, accountId, action: "order.create", target: order.id, detail });
  return answer(orderToWire(order), 201);
}

async function listOrders({ payments }: PaymentServices, call: AccountCall) {
  const { after, limit } = readPage(call.incoming.url);
  const orders = await payments.orders.list(call.accountId, after, limit + 1);
  return answer(listBody(orders, limit, ({ id }) => id, orderToWire));
}

async function showOrder({ payments }: PaymentServices, call: AccountCall) {
  const order = await payments.orders.find(call.accountId, call.incoming.params.id ?? "");
  return answer(orderToWire(await payments.checkouts.glance(order)));
}

async function testPay({ payments, audit }: PaymentServices, call: AccountCall) {
  const { accountId, principal } = call;
  const order = await payments.testPayments.pay(accountId, call.incoming.params.id ?? "");
  const detail = { amount: formatUsd(order.amount) };
  await audit.write({ principal, accountId, action: "order.test_pay", target: order.id, detail });
  return answer(orderToWire(order));
}

async function redeem({ payments, audit }: PaymentServices, call: AccountCall) {
  const { accountId, principal, incoming } = call;
  const { code: typed } = await readJson(incoming.request, CODE);
  const code = await payments.codes.redeem(accountId, typed, incoming.address(), principal.name);
  const amount = formatUsd(code.amount);
  const entry = {
    principal,
    accountId,
    action: "code.redeem",
    target: code.id,
    detail: { amount },
  };
  await audit.write(entry);
  return answer({ id: code.id, amount });
}

async function changeAutoTopUp({ payments, audit }: PaymentServices, call: AccountCall) {
  const { accountId, principal } = call;
  const body = await readJson(call.incoming.request, AUTO_TOPUP);
  const wish = { ...body, dailyMax: body.daily_max };
  const { before, settings, setupUrl } = await payments.autoTopUps.change(accountId, wish);
  const wire = autoTopUpToWire(settings);
  const changes = changesBetween(before ? autoTopUpToWire(before) : {}, wire);
  const note = { principal, accountId, action: "auto_topup.change", target: accountId };
  await audit.write({ ...note, detail: wire, changes });
  return answer({ ...wire, checkout_url: setupUrl });
}

async function requestRefund({ payments, audit }: PaymentServices, call: AccountCall) {
  const { accountId, principal } = call;
  const { amount } = await readJson(call.incoming.request, REFUND);
  const refunds = await payments.refunds.request(accountId, amount);
  for (const { id: target, amount: part } of refunds) {
    const detail = { amount: formatUsd(part) };
    await audit.write({ principal, accountId, action: "refund.create", target, detail });
  }
  return answer({ object: "list", data: refunds.map(refundToWire), next: null }, 201);
}

async function listRefunds({ payments }: PaymentServices, call: AccountCall) {
  const refunds = await payments.refunds.list(call.accountId);
  return answer({ object: "list", data: refunds.map(refundToWire), next: null });
}

/** Everything under /api that has to do with money coming in or going back. */
export function paymentRoutes(services: PaymentServices, guards: Guards): readonly Route[] {
  return [
    guards.account("GET", "/wallet", "viewer", (call) => showWallet(services, call)),
    guards.money.account("POST", "/orders", "owner", (call) => createOrder(services, call)),
    guards.account("GET", "/orders", "viewer", (call) => listOrders(services, call)),
    guards.account("GET", "/orders/:id", "viewer", (call) => showOrder(services, call)),
    guards.money.account("POST", "/orders/:id/test-pay", "owner", (call) =>
      testPay(services, call),
    ),
    guards.money.account("POST", "/codes/redeem", "owner", (call) => redeem(services, call)),
    guards.money.account("PUT", "/auto-topup", "owner", (call) => changeAutoTopUp(services, call)),
    guards.money.account("POST", "/refunds", "owner", (call) => requestRefund(services, call)),
    guards.account("GET", "/refunds", "viewer", (call) => listRefunds(services, call)),
    ...operatorRoutes(services, guards),
    ...noticeRoutes(services.payments.notices),
  ];
}
