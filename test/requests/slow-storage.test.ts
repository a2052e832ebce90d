// A storage that answers every question, and each of them slowly: nobody waits longer for all than for one.
import { expect, test } from "bun:test";
import { Conversations } from "../../src/conversations/conversations.ts";
import { KeptAnswers } from "../../src/conversations/kept-answers.ts";
import { pack } from "../../src/conversations/packing.ts";
import { Idempotency } from "../../src/gateway/idempotency/idempotency.ts";
import type { Settlement } from "../../src/ledger/receipt.ts";
import { Watchdog } from "../../src/lib/threads/watchdog.ts";
import { guardedStore } from "../../src/store/guard/guarded-store.ts";
import type { Store } from "../../src/store/store.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import { CHAT, gateway, RESPONSES } from "../support/houses/pipeline.ts";
import { SILENT } from "../support/logs.ts";
import { eventually } from "../support/waiting.ts";

const RATES = { requestsLeft: null, requestsResetMs: 0, tokensLeft: null, tokensResetMs: 0 };

/** An item that a request may refer to, as it is stored with its turn. */
async function storedItem(id: string) {
  const item = { type: "message", role: "user", id, content: "Hello." };
  const body = await pack({ input: [item], response: {} }, 10_000);
  if (!body) throw new Error("it does not fit");
  const own = { accountId: "acct_1", keyId: "key_1", parentId: null, itemIds: [id], body };
  return { id: `resp_${id}`, createdAtMs: 0, expiresAtMs: Number.MAX_SAFE_INTEGER, ...own };
}

/** Questions to a storage that wait for the test to have them answered. */
function slowStorage(key: unknown) {
  const open: { readonly what: string; answer(): void }[] = [];
  const asked: string[] = [];
  const voided: Settlement[] = [];
  const freed: string[] = [];
  const slow = <T>(what: string, answer: T): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<T>();
    asked.push(what);
    open.push({ what, answer: () => resolve(answer) });
    return promise;
  };
  const plain = {
    accounts: { findKey: () => slow("key", key) },
    admission: {
      admit: ({ worst: held }: { worst: bigint }) =>
        slow("admission", { kind: "admitted", held, tight: false, left: null, rates: RATES }),
    },
    keptAnswers: {
      claim: ({ requestId, fingerprint }: { requestId: string; fingerprint: string }) =>
        slow("claim", { requestId, fingerprint, state: "running", alive: true }),
      keepAnswer: async () => true,
      freeClaim: async (_name: object, requestId: string) => void freed.push(requestId),
    },
    conversations: {
      findByItem: async (id: string) => slow("item", await storedItem(id)),
    },
    ledger: {
      settle: async (settlement: Settlement) => {
        voided.push(settlement);
        return "done";
      },
      withdraw() {},
    },
    sql: {},
    async ping() {},
    async close() {},
  } as unknown as Store;
  return { plain, open, asked, voided, freed };
}

type Posted = Parameters<ReturnType<typeof gateway>["post"]>;

const STEPS = 20;

/** A request over a storage that takes this part of the limit for each of its answers. */
async function askedSlowly(part: number, ...[path, body]: Posted) {
  let nowMs = 0;
  const watchdog = new Watchdog(() => nowMs, 3_600_000);
  const { services: plainServices } = gateway();
  const storage = slowStorage(await plainServices.accounts.findKey(""));
  const { limits, clock, tasks } = plainServices;
  const store = guardedStore(storage.plain, limits, SILENT, new Metrics(), watchdog);
  const house = gateway({
    admit: (wish, allowance) => {
      house.open.set(wish.requestId, wish);
      return store.admission.admit(wish, allowance);
    },
    headers: { "Idempotency-Key": "once" },
  });
  const answers = new KeptAnswers(store.keptAnswers, limits, clock, true);
  const books = store.ledger;
  Object.assign(house.services, {
    accounts: store.accounts,
    turns: new Conversations(store.conversations, limits, clock, true),
    idempotency: new Idempotency({ answers, books, limits, watchdog, tasks }),
  });
  let ended: { readonly atMs: number; readonly status: number; after: string | null } | undefined;
  const end = (status: number, after: string | null) => {
    ended = { atMs: nowMs / limits.admission_storage_ms, status, after };
  };
  house.post(path, body).then(
    ({ status }) => end(status, null),
    ({ status, headers }) => end(status, headers["retry-after"] ?? null),
  );
  for (let question = 0; !ended; question++) {
    await eventually("it asks, or is over", () => storage.asked.length > question || ended);
    for (let step = 0; step < part * STEPS && !ended; step++) {
      nowMs += limits.admission_storage_ms / STEPS;
      watchdog.tick();
      await new Promise(setImmediate);
    }
    if (!ended) storage.open[question]?.answer();
    await new Promise(setImmediate);
    if (house.calls.length > 0) await eventually("it is answered", () => ended);
  }
  // Whatever was asked for comes after all.
  for (const { answer } of storage.open) answer();
  await tasks.settled();
  await store.close();
  return { ...storage, ended, calls: house.calls.length };
}

const ITEMS = ["a", "b", "c", "d", "e"].map((id) => ({ type: "item_reference", id: `msg_${id}` }));

test("answers that are in time together let a request pass", async () => {
  const { ended, asked, calls, freed } = await askedSlowly(0.3, "chat", CHAT);
  expect([asked, calls, freed]).toEqual([["key", "claim", "admission"], 1, []]);
  expect(ended).toMatchObject({ status: 200 });
});

test.each([
  ["its claim, which is let go", 0.8, "chat", CHAT, ["key", "claim"]],
  ["its hold, which is voided", 0.4, "chat", CHAT, ["key", "claim", "admission"]],
  [
    "one more item that it refers to",
    0.3,
    "responses",
    { ...RESPONSES, input: ITEMS },
    ["key", "claim", "item", "item"],
  ],
] as const)(
  "a request does not wait beyond its time for %s",
  async (_what, part, path, body, all) => {
    const { ended, asked, calls, voided, freed } = await askedSlowly(part, path, body);
    expect(asked).toEqual([...all]);
    expect(ended).toEqual({ atMs: 1, status: 503, after: "2" });
    expect(calls).toBe(0);
    const holds = all.filter((what) => what === "admission").length;
    expect(voided.map(({ kind, receipt }) => [kind, receipt.status])).toEqual(
      Array(holds).fill(["void", 503]),
    );
    await eventually("its claim is let go", () => freed.length > 0);
    expect(new Set(freed)).toEqual(new Set(["req_0"]));
  },
);
