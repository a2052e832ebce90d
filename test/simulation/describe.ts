import type { Client } from "./client.ts";
import type { Moment } from "./time.ts";
import type { VendorCall } from "./vendor.ts";

function shown(values: object): string {
  return JSON.stringify(values, (_name, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

function describeCall(call: VendorCall, fromMs: number): string {
  const { script, model, text, startedAtMs, ended, failed, aborted, ...rest } = call;
  const at = (moment: Moment | undefined) =>
    moment && `${moment.atMs - fromMs} ms (${moment.order})`;
  const { texts, ...plan } = script;
  const chars = texts.join("").length;
  return `call ${shown({
    model: model.id,
    ...plan,
    pieces: texts.length,
    chars,
    startedMs: startedAtMs - fromMs,
    charsRead: text.length,
    ended: at(ended),
    failed: at(failed),
    aborted: at(aborted),
    ...rest,
  })}`;
}

/** What a request was and what its vendors did, for whoever has to find out why. */
export function describeRequest(client: Client, calls: readonly VendorCall[]): string {
  const { customer, prompt, model, ...planned } = client.planned;
  const { left, stopped, readToEnd, broken, fault, startedAtMs, endedAtMs } = client;
  const { text, ...reading } = client.reading;
  const ended = endedAtMs === undefined ? undefined : endedAtMs - startedAtMs;
  const leftMs = left && { ...left, atMs: left.atMs - startedAtMs };
  const seen = { left: leftMs, stopped, readToEnd, broken, fault: fault?.code, ended, ...reading };
  const asked = { ...planned, model: model.id, keyId: customer.keyId, promptChars: prompt.length };
  return [
    "",
    `wish ${shown(asked)}`,
    `client ${shown({ ...seen, chars: text.length })}`,
    ...calls.map((call) => describeCall(call, startedAtMs)),
  ].join("\n    ");
}
