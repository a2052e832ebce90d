// The places in all lines together, of which no account can have so many that another has none.
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { readConfig } from "../config/config.ts";
import { Fault } from "../lib/faults.ts";
import { Admission } from "./admission.ts";
import type { AdmissionRequest, RaiseRequest } from "./request.ts";
import type { AdmissionStore } from "./store.ts";

const WAIT_MS = 10_000;
const STAYS = new AbortController().signal;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Lines of accounts that have nothing left, until they are paid. */
function lines(waitingMax: number) {
  const { limits } = readConfig({
    FAREGATE_ADMISSION_WAIT_MS: String(WAIT_MS),
    FAREGATE_RAISE_WAIT_MS: String(WAIT_MS),
    FAREGATE_ADMISSION_WAITING_MAX: String(waitingMax),
  });
  const time = { nowMs: 0 };
  const paid = new Set<string>();
  const state: { broken: Error | undefined } = { broken: undefined };
  const outcome = async ({ accountId }: { readonly accountId: string }) => {
    if (state.broken) throw state.broken;
    return paid.has(accountId) ? { kind: "admitted" } : { kind: "wait", scopeId: accountId };
  };
  const store = { admit: outcome, raise: outcome } as unknown as AdmissionStore;
  const admission = new Admission(store, limits, () => time.nowMs);
  const told: string[] = [];
  const faults: Fault[] = [];
  const enter = async (requestId: string, accountId: string, signal = STAYS) => {
    const request = { requestId, accountId, keyId: `key of ${accountId}` } as AdmissionRequest;
    try {
      await admission.admit(request, { signal });
      told.push(`${requestId} is in`);
    } catch (thrown) {
      if (thrown instanceof Fault) faults.push(thrown);
      told.push(`${requestId} ${thrown instanceof Fault ? thrown.code : thrown}`);
    }
  };
  const ask = (requestId: string, accountId: string) =>
    admission.raise({ requestId, accountId, keyId: `key of ${accountId}` } as RaiseRequest);
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at += 100) {
      time.nowMs += 100;
      jest.advanceTimersByTime(100);
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    }
  };
  return { admission, paid, state, told, faults, enter, ask, pass };
}

test("one account cannot fill them: a request of another waits as if nobody else did", async () => {
  const { admission, paid, told, faults, enter, pass } = lines(4);
  for (const id of ["1", "2", "3", "4", "5"]) void enter(id, "many");
  void enter("6", "few");
  await pass(100);
  expect(told).toEqual(["4 budget_busy", "5 budget_busy"]);
  expect(admission.waiting).toBe(4);
  expect(faults[0]).toMatchObject({
    status: 429,
    message:
      "What is left of the budget is held by requests that are still running, and 3 requests of this account wait " +
      "already. Try again shortly.",
    headers: { "retry-after": "2", "retry-after-ms": "2000", "x-faregate-scope": "balance" },
  });
  paid.add("few");
  await pass(400);
  expect(told.slice(2)).toEqual(["6 is in"]);
});

test("they come back from those who are let in, leave, are late or fail", async () => {
  const { admission, paid, state, told, enter, pass } = lines(1);
  const leave = new AbortController();
  void enter("left", "a", leave.signal);
  leave.abort();
  await pass(400);
  void enter("late", "a");
  await pass(WAIT_MS + 400);
  void enter("failed", "a");
  await pass(100);
  state.broken = new Error("disk full");
  await pass(400);
  state.broken = undefined;
  void enter("let in", "a");
  await pass(100);
  void enter("refused", "b");
  await pass(100);
  paid.add("a");
  await pass(400);
  void enter("waits", "b");
  await pass(100);
  expect(told).toEqual([
    "left LeftTheLine",
    "late budget_busy",
    "failed Error: disk full",
    "refused budget_busy",
    "let in is in",
  ]);
  expect(admission.waiting).toBe(1);
});

test("those who run already and wait for more have none of them", async () => {
  const { admission, paid, told, enter, ask, pass } = lines(1);
  const asking = ["1", "2", "3"].map((id) => ask(id, "many"));
  await pass(100);
  void enter("4", "few");
  await pass(100);
  expect([admission.waiting, told]).toEqual([4, []]);
  for (const account of ["few", "many"]) paid.add(account);
  await pass(400);
  await Promise.all(asking);
  expect([admission.waiting, told]).toEqual([0, ["4 is in"]]);
});
