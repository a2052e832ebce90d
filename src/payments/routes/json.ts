import { formatUsd } from "../../catalogue/money.ts";
import type { Balance } from "../../ledger/books.ts";
import { formatMinor } from "../amounts.ts";
import type { AutoTopUp } from "../auto-topup.ts";
import { type Batch, type CodeState, stateOf } from "../code.ts";
import { outstanding } from "../codes.ts";
import type { Code as CodeAnswer, CodeBatch } from "../contract/codes.ts";
import type { Order as OrderAnswer, Refund as RefundAnswer } from "../contract/orders.ts";
import type { AutoTopUp as AutoTopUpAnswer } from "../contract/wallet.ts";
import type { Order, Refund } from "../order.ts";

const time = (ms: number) => new Date(ms).toISOString();
const moment = (ms: number | null) => (ms === null ? null : time(ms));

export function orderToJson(order: Order): OrderAnswer {
  return {
    id: order.id,
    status: order.status,
    provider: order.provider,
    method: order.method,
    automatic: order.automatic,
    test: order.provider === "test",
    amount: formatUsd(order.amount),
    payment_currency: order.currency.toUpperCase(),
    payment_amount: formatMinor(order.minor),
    refunded: formatUsd(order.refunded),
    checkout_url: order.status === "created" ? order.checkoutUrl : null,
    failure: order.failure,
    created_at: time(order.createdAtMs),
    paid_at: moment(order.paidAtMs),
  };
}

export function refundToJson(refund: Refund): RefundAnswer {
  const over = refund.status === "done" || refund.status === "failed";
  return {
    id: refund.id,
    order_id: refund.orderId,
    amount: formatUsd(refund.amount),
    status: over ? refund.status : "pending",
    failure: refund.failure,
    created_at: time(refund.createdAtMs),
  };
}

export function autoTopUpToJson(settings: AutoTopUp): AutoTopUpAnswer {
  return {
    // Without a card nothing is charged, whatever is wished.
    enabled: settings.enabled && settings.method !== null,
    waiting_for_card: settings.enabled && settings.method === null,
    threshold: formatUsd(settings.threshold),
    amount: formatUsd(settings.amount),
    daily_max: formatUsd(settings.dailyMax),
    failure: settings.failure,
  };
}

export function balanceToJson(balance: Balance) {
  return {
    balance: formatUsd(balance.credited - balance.charged),
    held: formatUsd(balance.held),
    credited: formatUsd(balance.credited),
    charged: formatUsd(balance.charged),
  };
}

export function batchToJson(batch: Batch): CodeBatch {
  return {
    id: batch.id,
    amount: formatUsd(batch.amount),
    note: batch.note,
    count: batch.codes,
    redeemed: batch.redeemed,
    revoked: batch.revoked,
    outstanding: formatUsd(outstanding(batch)),
    expires_at: moment(batch.expiresAtMs),
    created_at: time(batch.createdAtMs),
  };
}

/** `account` is what the account that has redeemed it is called. */
export function codeToJson(code: CodeState, account: string | null): CodeAnswer {
  return {
    id: code.id,
    last_four: code.lastFour,
    state: stateOf(code),
    redeemed_at: moment(code.redeemedAtMs),
    redeemed_by:
      code.redeemedBy === null
        ? null
        : { account_id: code.redeemedBy, account_name: account, person: code.redeemedPerson },
    revoked_at: moment(code.revokedAtMs),
  };
}

/** A file to be saved. Its cells are ids, codes and times of ours and need no quoting. */
export function csvFile(fileName: string, rows: readonly (readonly string[])[]): Response {
  return new Response(rows.map((cells) => `${cells.join(",")}\r\n`).join(""), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });
}

export function csvTime(ms: number | null): string {
  return moment(ms) ?? "";
}
