import type { AccountCall, Guards } from "../accounts/guards.ts";
import { formatUsd } from "../catalogue/money.ts";
import { receiptToWire } from "../gateway/routes/account-routes.ts";
import { Fault } from "../lib/faults.ts";
import { readPage } from "../lib/listing.ts";
import type { Route } from "../lib/route.ts";
import { answer, listAnswer, textParameter } from "./query.ts";
import { filterOf, placeParameter, spanOf } from "./request-query.ts";
import type { ConsoleServices } from "./services.ts";
import type { RequestDetail, RequestRow, RequestStatus } from "./store.ts";

function statusOf(row: Pick<RequestRow, "httpStatus" | "billingReason">): RequestStatus {
  if (row.httpStatus < 400) return "ok";
  return row.billingReason === "refused" ? "refused" : "error";
}

/** A line of the list. Which vendor answered is the operator's business. */
export function requestToWire(row: RequestRow, operator: boolean) {
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

async function listRequests({ store }: ConsoleServices, call: AccountCall): Promise<Response> {
  const { searchParams } = call.incoming.url;
  const filter = filterOf(call);
  const { limit } = readPage(call.incoming.url);
  const toWire = (row: RequestRow) => requestToWire(row, call.principal.operator);
  const id = textParameter(searchParams, "q");
  if (id !== undefined) {
    return listAnswer((await store.requestsById(call.accountId, id)).map(toWire), null);
  }
  const since = placeParameter(searchParams, "since");
  if (since !== undefined) {
    return listAnswer((await store.requestsSince(filter, since, limit)).map(toWire), null);
  }
  const beforeId = placeParameter(searchParams, "after");
  const page = await store.listRequests({ ...filter, ...spanOf(call), beforeId, limit });
  return listAnswer(page.rows.map(toWire), page.next);
}

/** The hold and what became of it. */
function entriesToWire({ receipt, end }: RequestDetail) {
  if (!end) return [];
  const at = (ms: number) => new Date(ms).toISOString();
  return [
    { kind: "hold", amount: formatUsd(receipt.held), created_at: at(receipt.createdAtMs) },
    { kind: end.kind, amount: formatUsd(end.amount), created_at: at(end.createdAtMs) },
  ];
}

function detailToWire(detail: RequestDetail, operator: boolean) {
  const { receipt, keyName } = detail;
  const wire = receiptToWire(receipt, operator);
  const own = {
    ...wire,
    key_name: keyName,
    outcome: statusOf({ httpStatus: receipt.status, billingReason: receipt.billingReason }),
    entries: entriesToWire(detail),
  };
  if (operator) {
    const { priceVersion: price_version, vendorCost: vendor_cost } = receipt;
    return { ...own, price_version, loss: formatUsd(receipt.loss), vendor_cost };
  }
  const attempts = wire.attempts.map((attempt) => ({
    ...attempt,
    channel: null,
    credential: null,
  }));
  return { ...own, channel: null, vendor_request_id: null, attempts };
}

async function showRequest({ store }: ConsoleServices, call: AccountCall): Promise<Response> {
  const id = call.incoming.params.id ?? "";
  const detail = await store.findRequest(call.accountId, id);
  if (!detail) throw new Fault("not_found", "There is no such request in this account.");
  return answer(detailToWire(detail, call.principal.operator));
}

export function requestRoutes(services: ConsoleServices, guards: Guards): readonly Route[] {
  return [
    guards.account("GET", "/requests", "viewer", (call) => listRequests(services, call)),
    guards.account("GET", "/requests/:id", "viewer", (call) => showRequest(services, call)),
  ];
}
