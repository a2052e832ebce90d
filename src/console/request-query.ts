import type { AccountCall } from "../accounts/guards.ts";
import { idTime } from "../lib/ids.ts";
import { choiceParameter, textParameter, wrongParameter } from "./query.ts";
import { REQUEST_STATUSES, type RequestFilter, type RequestQuery } from "./store.ts";

function momentParameter(parameters: URLSearchParams, name: string): number | undefined {
  const text = textParameter(parameters, name);
  if (text === undefined) return undefined;
  const ms = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw wrongParameter(name, `'${name}' must be a time such as 2026-01-31T12:00:00Z.`);
}

export function placeParameter(parameters: URLSearchParams, name: string): string | undefined {
  const text = textParameter(parameters, name);
  if (text === undefined || idTime(text) !== undefined) return text;
  throw wrongParameter(name, `'${name}' must be the id of a request.`);
}

export function filterOf(call: AccountCall): RequestFilter {
  const { searchParams } = call.incoming.url;
  return {
    accountId: call.accountId,
    keyId: textParameter(searchParams, "key"),
    model: textParameter(searchParams, "model"),
    status: choiceParameter(searchParams, "status", REQUEST_STATUSES),
  };
}

/** Which times are asked for. */
export function spanOf(call: AccountCall): Pick<RequestQuery, "fromMs" | "toMs"> {
  const { searchParams } = call.incoming.url;
  return {
    fromMs: momentParameter(searchParams, "from"),
    toMs: momentParameter(searchParams, "to"),
  };
}
