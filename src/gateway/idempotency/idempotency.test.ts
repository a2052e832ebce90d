import { expect, test } from "bun:test";
import { readConfig } from "../../config/config.ts";
import type { Claim } from "../../conversations/claim.ts";
import { KeptAnswers } from "../../conversations/kept-answers.ts";
import type { Incoming } from "../../lib/route.ts";
import { Allowance } from "../../lib/threads/allowance.ts";
import { TaskGroup } from "../../lib/threads/task-group.ts";
import { Watchdog } from "../../lib/threads/watchdog.ts";
import type { Caller } from "../admitted-request.ts";
import { BodyReader } from "../arriving/body.ts";
import type { AnswerKeeper } from "./answer-keeper.ts";
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
    const caller = { requestId, key, allowance: new Allowance(5_000) } as unknown as Caller;
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
    ...{ limits, tasks, watchdog, bodies: new BodyReader(limits, watchdog) },
  });
  const ask = asking(idempotency);
  const first = (await ask("req_1")) as AnswerKeeper;
  await first.keep(Buffer.from("{}"));
  expect(await ask("req_2")).toBeInstanceOf(Response);
  tasks.run(first.drop());
  const again = ask("req_3");
  stalled.resolve();
  expect(await again).not.toBeInstanceOf(Response);
  await tasks.settled();
});

test("a large answer that is given again counts as a body does, until its client has taken it", async () => {
  const time = { nowMs: 0 };
  const watchdog = new Watchdog(() => time.nowMs, 3_600_000);
  const MAX = 500_000;
  const bodies = new BodyReader({ ...limits, body_bytes_in_flight_max: MAX }, watchdog);
  const idempotency = new Idempotency({
    answers: new KeptAnswers(storeOf(Promise.resolve()), limits, () => 0, true),
    books: CHARGED,
    ledger: { takeOver: async () => {} },
    ...{ limits, tasks: new TaskGroup(() => {}), watchdog, bodies },
  });
  const client = { isTaking: false };
  const ask = asking(idempotency, () => !client.isTaking);
  const first = (await ask("req_1")) as AnswerKeeper;
  await first.keep(Buffer.alloc(300_000, " "));
  expect(await ask("req_2")).toBeInstanceOf(Response);
  expect(bodies.bytesInFlight).toBe(300_000);
  await expect(ask("req_3")).rejects.toMatchObject({ fault: "overloaded" });
  client.isTaking = true;
  time.nowMs += 1_000;
  watchdog.tick();
  expect([bodies.bytesInFlight, watchdog.size]).toEqual([0, 0]);
  expect(await ask("req_4")).toBeInstanceOf(Response);
});
