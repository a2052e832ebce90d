import type { AccountCall, AccountCallOf, Guards } from "../accounts/guards.ts";
import { formatUsd } from "../catalogue/money.ts";
import { receiptToJson } from "../gateway/routes/account-routes.ts";
import { Fault } from "../lib/faults.ts";
import { checkFields } from "../lib/json/json-body.ts";
import { shownList } from "../lib/listing.ts";
import type { Route } from "../lib/route.ts";
import { SHOW_REQUEST } from "./contract/receipt.ts";
import {
  LIST_REQUESTS,
  REQUEST_SPAN,
  REQUEST_TAIL,
  type RequestStatus,
} from "./contract/requests.ts";
import type { ConsoleServices } from "./services.ts";
import type { RequestDetail, RequestRow } from "./store.ts";

function statusOf(row: Pick<RequestRow, "httpStatus" | "billingReason">): RequestStatus {
  if (row.httpStatus < 400) return "ok";
  return row.billingReason === "refused" ? "refused" : "error";
}

/** A line of the list. Which vendor answered is the operator's business. */
export function requestToJson(row: RequestRow, operator: boolean) {
  return {
    id: row.id,
    created_at: new Date(row.createdAtMs).toISOString(),
    key_id: row.keyId,
    key_name: row.keyName,
    model: row.model,
    served_model: row.servedModel,
    endpoint: row.endpoint,
    stream: row.stream,
    status: statusOf(row),
    http_status: row.httpStatus,
    billing_reason: row.billingReason,
    error_code: row.errorCode,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    cost: formatUsd(row.cost),
    duration_ms: row.durationMs,
    first_byte_ms: row.firstByteMs,
    requests: row.requests,
    last_at: row.lastAtMs === null ? null : new Date(row.lastAtMs).toISOString(),
    ...(operator ? { channel: row.channel } : {}),
  };
}

async function listRequests(
  { store }: ConsoleServices,
  { accountId, principal, ...call }: AccountCallOf<typeof LIST_REQUESTS>,
) {
  const asked = call.query();
  const { key: keyId, model, status, q: id, limit } = asked;
  const filter = { accountId, keyId, model, status };
  const toJson = (row: RequestRow) => requestToJson(row, principal.operator);
  if (id !== undefined) return shownList((await store.requestsById(accountId, id)).map(toJson));
  if (asked.since !== undefined) {
    const { since } = checkFields(REQUEST_TAIL, asked);
    return shownList((await store.requestsSince(filter, since, limit)).map(toJson));
  }
  const { after: beforeId, from: fromMs, to: toMs } = checkFields(REQUEST_SPAN, asked);
  const page = await store.listRequests({ ...filter, fromMs, toMs, beforeId, limit });
  return shownList(page.rows.map(toJson), page.next);
}

/** The hold and what became of it. */
function entriesToJson({ receipt, ends }: RequestDetail) {
  if (ends.length === 0) return [];
  const { held: amount, createdAtMs } = receipt;
  return [{ kind: "hold" as const, amount, createdAtMs }, ...ends].map((entry) => ({
    kind: entry.kind,
    amount: formatUsd(entry.amount),
    created_at: new Date(entry.createdAtMs).toISOString(),
  }));
}

function detailToJson(detail: RequestDetail, operator: boolean) {
  const { receipt, keyName } = detail;
  const own = {
    // Every role may see the wallet.
    ...receiptToJson(receipt, { operator, accountRead: true }),
    key_name: keyName,
    outcome: statusOf({ httpStatus: receipt.status, billingReason: receipt.billingReason }),
    entries: entriesToJson(detail),
    vendor_called: receipt.channel !== null || receipt.attempts.length > 0,
  };
  if (!operator) return own;
  const { priceVersion: price_version, vendorCost: vendor_cost } = receipt;
  const loss = formatUsd(receipt.loss);
  const input_loss = formatUsd(receipt.inputLoss);
  return { ...own, price_version, loss, input_loss, vendor_cost };
}

async function showRequest({ store }: ConsoleServices, call: AccountCall) {
  const id = call.incoming.params.id ?? "";
  const detail = await store.findRequest(call.accountId, id);
  if (!detail) throw new Fault("not_found", "There is no such request in this account.");
  return detailToJson(detail, call.principal.operator);
}

export function requestRoutes(services: ConsoleServices, guards: Guards): readonly Route[] {
  return [
    guards.account(LIST_REQUESTS, "viewer", (call) => listRequests(services, call)),
    guards.account(SHOW_REQUEST, "viewer", (call) => showRequest(services, call)),
  ];
}
