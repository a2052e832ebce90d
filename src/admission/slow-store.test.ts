// A line whose store takes long to answer: nobody stands in it for longer than he may.
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { readConfig } from "../config/config.ts";
import { Fault } from "../lib/faults.ts";
import { Allowance } from "../lib/threads/allowance.ts";
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
  const enter = (requestId: string, allowance?: Allowance) => {
    const wish = { requestId, accountId: "acct", keyId: "key" } as AdmissionRequest;
    Promise.resolve(admission.admit(wish, STAYS, allowance)).then(
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
  return { enter, pass, told };
}

test("each question in line may take what was left for storage, however many there are", async () => {
  const left: (number | undefined)[] = [];
  const { enter, pass, told } = line({
    async admit(_wish, allowance) {
      left.push(allowance?.leftMs);
      if (allowance) allowance.leftMs -= 1_000;
      return WAIT;
    },
  });
  enter("r1", new Allowance(5_000));
  await pass(11_000);
  expect(told).toEqual(["r1 budget_busy"]);
  expect(left.length).toBeGreaterThan(10);
  expect([left[0], new Set(left.slice(1))]).toEqual([5_000, new Set([4_000])]);
});
