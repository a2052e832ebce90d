// A line whose store takes long to answer: nobody stands in it for longer than he may.
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { readConfig } from "../config/config.ts";
import { Fault } from "../lib/faults.ts";
import { TimeBudget } from "../lib/threads/time-budget.ts";
import { Admission } from "./admission.ts";
import type { AdmissionRequest } from "./request.ts";
import type { AdmissionStore } from "./store.ts";

const { limits } = readConfig({ FAREGATE_ADMISSION_WAIT_MS: "10000" });
const STAYS = new AbortController().signal;
const WAIT = { kind: "wait", scopeId: "acct" } as const;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function line(store: Pick<AdmissionStore, "admit">) {
  let nowMs = 0;
  const admission = new Admission(store as AdmissionStore, limits, () => nowMs);
  const told: string[] = [];
  const enter = (requestId: string, timeBudget?: TimeBudget) => {
    const request = { requestId, accountId: "acct", keyId: "key" } as AdmissionRequest;
    Promise.resolve(admission.admit(request, { signal: STAYS }, timeBudget)).then(
      () => told.push(`${requestId} is in`),
      (thrown) => told.push(`${requestId} ${thrown instanceof Fault ? thrown.code : thrown}`),
    );
  };
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at += 100) {
      nowMs += 100;
      jest.advanceTimersByTime(100);
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    }
  };
  return { admission, enter, pass, told };
}

test("those behind whoever is asked about leave when their time is over", async () => {
  const hanging: (() => void)[] = [];
  const asked = new Set<string>();
  const { admission, enter, pass, told } = line({
    admit({ requestId }) {
      if (!asked.has(requestId)) {
        asked.add(requestId);
        return WAIT;
      }
      return new Promise((resolve) => hanging.push(() => resolve(WAIT)));
    },
  });
  for (let nth = 1; nth <= 18; nth++) enter(`r${nth}`);
  await pass(9_900);
  expect([told, hanging.length]).toEqual([[], 16]);
  await pass(400);
  expect(told).toEqual(["r17 budget_busy", "r18 budget_busy"]);
  // What is asked about is waited for, since it may be let in.
  for (const answer of hanging.splice(0)) answer();
  await pass(100);
  expect([told.length, admission.waiting, hanging.length]).toEqual([18, 0, 0]);
});

test("each question in line may take what was left for storage, however many there are", async () => {
  const left: (number | undefined)[] = [];
  const { enter, pass, told } = line({
    async admit(_request, timeBudget) {
      left.push(timeBudget?.leftMs);
      if (timeBudget) timeBudget.leftMs -= 1_000;
      return WAIT;
    },
  });
  enter("r1", new TimeBudget(5_000));
  await pass(11_000);
  expect(told).toEqual(["r1 budget_busy"]);
  expect(left.length).toBeGreaterThan(10);
  expect([left[0], new Set(left.slice(1))]).toEqual([5_000, new Set([4_000])]);
});
