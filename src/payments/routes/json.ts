import { shown } from "../../accounts/shown.ts";
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

export function orderToJson(order: Order): OrderAnswer {
  return {
    ...shown(order, "id", "status", "provider", "method", "automatic", "amount", "refunded"),
    ...shown(order, "failure", "createdAtMs", "paidAtMs"),
    test: order.provider === "test",
    payment_currency: order.currency.toUpperCase(),
    payment_amount: formatMinor(order.minor),
    checkout_url: order.status === "created" ? order.checkoutUrl : null,
  };
}

export function refundToJson(refund: Refund): RefundAnswer {
  const over = refund.status === "done" || refund.status === "failed";
  return {
    ...shown(refund, "id", "orderId", "amount", "failure", "createdAtMs"),
    status: over ? refund.status : "pending",
  };
}

export function autoTopUpToJson(settings: AutoTopUp): AutoTopUpAnswer {
  return {
    // Without a card nothing is charged, whatever is wished.
    enabled: settings.enabled && settings.method !== null,
    waiting_for_card: settings.enabled && settings.method === null,
    ...shown(settings, "threshold", "amount", "dailyMax", "failure"),
  };
}

export function balanceToJson(balance: Balance) {
  return {
    balance: formatUsd(balance.credited - balance.charged),
    ...shown(balance, "held", "credited", "charged"),
  };
}

export function batchToJson(batch: Batch): CodeBatch {
  return {
    ...shown(batch, "id", "amount", "note", "redeemed", "revoked", "expiresAtMs", "createdAtMs"),
    count: batch.codes,
    outstanding: formatUsd(outstanding(batch)),
  };
}

/** `account` is what the account that has redeemed it is called. */
export function codeToJson(code: CodeState, account: string | null): CodeAnswer {
  const { redeemedBy, redeemedPerson: person } = code;
  return {
    ...shown(code, "id", "lastFour", "redeemedAtMs", "revokedAtMs"),
    state: stateOf(code),
    redeemed_by:
      redeemedBy === null ? null : { account_id: redeemedBy, account_name: account, person },
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
  return ms === null ? "" : new Date(ms).toISOString();
}
