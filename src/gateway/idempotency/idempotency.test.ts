import { expect, test } from "bun:test";
import { readConfig } from "../../config/config.ts";
import type { Claim } from "../../conversations/claim.ts";
import { KeptAnswers } from "../../conversations/kept-answers.ts";
import { HttpResponse } from "../../lib/net/http-response.ts";
import type { Incoming } from "../../lib/route.ts";
import { TaskGroup } from "../../lib/threads/task-group.ts";
import { TimeBudget } from "../../lib/threads/time-budget.ts";
import { Watchdog } from "../../lib/threads/watchdog.ts";
import { AnswerBudget } from "../../upstream/transport/answer-budget.ts";
import type { Caller } from "../admitted-request.ts";
import type { AnswerRecorder } from "./answer-recorder.ts";
import { Idempotency } from "./idempotency.ts";

const { limits } = readConfig({});

type KeptAnswerStore = ConstructorParameters<typeof KeptAnswers>[0];

/** Values in memory. Whoever lets go of one waits for `freeing`, as where a disk stalls. */
function storeOf(freeing: Promise<void>) {
  let held: { claim: Claim; body: Uint8Array | undefined } | undefined;
  const store: KeptAnswerStore = {
    async claim({ requestId, fingerprint }) {
      held ??= {
        claim: { requestId, fingerprint, state: "running", alive: true },
        body: undefined,
      };
      return held.claim;
    },
    findClaim: async () => held?.claim,
    async keepAnswer(_claimant, { body }) {
      if (held) held = { claim: { ...held.claim, state: "kept" }, body: body ?? undefined };
      return held !== undefined;
    },
    findAnswer: async () => held?.body,
    async freeClaim(_name, requestId, state) {
      if (requestId === "req_1") await freeing;
      const { claim } = held ?? {};
      if (claim?.requestId === requestId && claim.state === state) held = undefined;
    },
    sweepAnswers: async () => 0,
  };
  return store;
}

/** Who asks the same again and again, under one value. */
function asking(idempotency: Idempotency, isBeingAnswered = () => false) {
  const url = new URL("http://gateway.invalid/v1/responses");
  const request = new Request(url.href, { method: "POST" });
  const incoming = { url, request, isBeingAnswered } as Incoming;
  return (requestId: string) => {
    const key = { id: "key_1", accountId: "acct_1" };
    const caller = { requestId, key, timeBudget: new TimeBudget(5_000) } as unknown as Caller;
    return idempotency.open(caller, incoming, "v", "{}");
  };
}

/** The commit of the first is there; what it charged may be being given back. */
const CHARGED = {
  findReceipt: async () => ({ status: 200, billingReason: "completed" }) as never,
  accountOfEntry: async () => undefined,
};

test("an answer that its client was told to be none is not given again, though it is charged for a moment", async () => {
  const stalled = Promise.withResolvers<void>();
  const tasks = new TaskGroup(() => {});
  const watchdog = new Watchdog(() => 0);
  const idempotency = new Idempotency({
    answers: new KeptAnswers(storeOf(stalled.promise), limits, () => 0, true),
    books: CHARGED,
    ledger: { takeOver: async () => {} },
    ...{ limits, tasks, watchdog, budget: new AnswerBudget(limits) },
  });
  const ask = asking(idempotency);
  const first = (await ask("req_1")) as AnswerRecorder;
  await first.keep(Buffer.from("{}"));
  expect(await ask("req_2")).toBeInstanceOf(HttpResponse);
  tasks.run(first.drop());
  const again = ask("req_3");
  stalled.resolve();
  expect(await again).not.toBeInstanceOf(HttpResponse);
  await tasks.settled();
});

/** Two thirds of what there is room for. */
const LARGE_BYTES = 400_000;

/** Kept answers, and room for one large one of an account and for one of another. */
function roomy() {
  const time = { nowMs: 0 };
  const watchdog = new Watchdog(() => time.nowMs, 3_600_000);
  const budget = new AnswerBudget({
    answer_bytes_in_flight_max: 1_200_000,
    answer_bytes_account_percent: 50,
  });
  const idempotency = new Idempotency({
    answers: new KeptAnswers(storeOf(Promise.resolve()), limits, () => 0, true),
    books: CHARGED,
    ledger: { takeOver: async () => {} },
    ...{ limits, tasks: new TaskGroup(() => {}), watchdog, budget },
  });
  const client = { isTaking: false };
  const ask = asking(idempotency, () => !client.isTaking);
  const takeAll = () => {
    client.isTaking = true;
    time.nowMs += 1_000;
    watchdog.tick();
  };
  return { ask, budget, watchdog, takeAll };
}

test("a large answer that is given again has room among answers, until its client has taken it", async () => {
  const { ask, budget, watchdog, takeAll } = roomy();
  const first = (await ask("req_1")) as AnswerRecorder;
  await first.keep(Buffer.alloc(LARGE_BYTES, " "));
  expect(await ask("req_2")).toBeInstanceOf(HttpResponse);
  expect(budget.bytesInFlight).toBeGreaterThanOrEqual(LARGE_BYTES);
  await expect(ask("req_3")).rejects.toMatchObject({ fault: "overloaded" });
  // Those of other accounts have theirs.
  expect(budget.enter("acct_2").weigh(LARGE_BYTES)).toBeUndefined();
  takeAll();
  expect([budget.bytesInFlight, watchdog.size]).toEqual([LARGE_BYTES, 0]);
  expect(await ask("req_4")).toBeInstanceOf(HttpResponse);
});

test("of many who ask for a large answer again at once none is given more than there is room for", async () => {
  const { ask, budget, takeAll } = roomy();
  const first = (await ask("req_1")) as AnswerRecorder;
  await first.keep(Buffer.alloc(LARGE_BYTES, " "));
  const asked = Array.from({ length: 20 }, (_, i) => ask(`req_again_${i}`));
  const heard = await Promise.all(asked.map((each) => each.catch(({ fault }) => fault)));
  expect(heard[0]).toBeInstanceOf(HttpResponse);
  expect(heard.slice(1)).toEqual(Array.from({ length: 19 }, () => "overloaded"));
  takeAll();
  expect(budget.bytesInFlight).toBe(0);
});

test("a small one is given again though there is no room", async () => {
  const { ask, budget, watchdog } = roomy();
  void budget.enter("acct_1").weigh(10 * LARGE_BYTES);
  const first = (await ask("req_1")) as AnswerRecorder;
  await first.keep(Buffer.from("{}"));
  expect(await ask("req_2")).toBeInstanceOf(HttpResponse);
  expect(watchdog.size).toBe(0);
});
