// A storage that answers every question, and each of them slowly: nobody waits longer for all than for one.
import { expect, test } from "bun:test";
import { pack } from "../../src/conversations/packing.ts";
import type { ResponseRecord } from "../../src/conversations/record.ts";
import { sealedConversations } from "../../src/conversations/sealing.ts";
import type { Settlement } from "../../src/ledger/receipt.ts";
import { Watchdog } from "../../src/lib/threads/watchdog.ts";
import type { Store } from "../../src/store/store.ts";
import { CHAT, RESPONSES } from "../support/houses/pipeline.ts";
import { HOUSE_KEY, SEAL, TIMED_LIMITS, timedGateway } from "../support/houses/timed-pipeline.ts";
import { eventually } from "../support/waiting.ts";

const LIMIT_MS = TIMED_LIMITS.admission_storage_ms;
const RATES = { requestsLeft: null, requestsResetMs: 0, tokensLeft: null, tokensResetMs: 0 };

/** An item that a request may refer to, as it is stored with its turn. */
async function storedItem(id: string): Promise<ResponseRecord | undefined> {
  const item = { type: "message", role: "user", id, content: "Hello." };
  const body = await pack({ input: [item], response: {} }, 10_000);
  if (!body) throw new Error("it does not fit");
  const own = { accountId: "acct_1", keyId: "key_1", parentId: null, itemIds: [id], body };
  const times = { createdAtMs: 0, expiresAtMs: Number.MAX_SAFE_INTEGER };
  let stored: ResponseRecord | undefined;
  const saving = {
    save: async (sealed: ResponseRecord) => {
      stored = sealed;
    },
  } as unknown as Store["conversations"];
  await sealedConversations(saving, SEAL).save({ id: `resp_${id}`, ...own, ...times }, 10_000);
  return stored;
}

/** Questions to a storage that wait for the test to have them answered. */
function slowStorage(claimedBy: string[]) {
  const open: { readonly what: string; answer(): void }[] = [];
  const asked: string[] = [];
  const settled: Settlement[] = [];
  const freed: string[] = [];
  const slow = <T>(what: string, answer: T): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<T>();
    asked.push(what);
    open.push({ what, answer: () => resolve(answer) });
    return promise;
  };
  const plain = {
    accounts: { findKey: () => slow("key", HOUSE_KEY) },
    admission: {
      admit: ({ worst: held }: { worst: bigint }) =>
        slow("admission", { kind: "admitted", held, tight: false, left: null, rates: RATES }),
    },
    keptAnswers: {
      claim: ({ requestId: own, fingerprint }: { requestId: string; fingerprint: string }) => {
        const requestId = claimedBy.shift() ?? own;
        return slow("claim", { requestId, fingerprint, state: "running", alive: true });
      },
      // Whoever had it has let go of it.
      findClaim: () => slow("look", undefined),
      keepAnswer: async () => true,
      freeClaim: async (_name: object, requestId: string) => void freed.push(requestId),
    },
    conversations: {
      findByItem: async (id: string) => slow("item", await storedItem(id)),
    },
    unsettled: () => [],
    ledger: {
      settle: async (settlement: Settlement) => {
        settled.push(settlement);
        return "done";
      },
      findReceipt: () => slow("receipt", undefined),
      withdraw() {},
      deny() {},
    },
    sql: {},
    async ping() {},
    async close() {},
  } as unknown as Store;
  return { plain, open, asked, settled, freed };
}

type Posted = Parameters<ReturnType<typeof timedGateway>["post"]>;

const STEPS = 20;

/** A request over a storage that takes this part of the limit for each of its answers. */
async function askedSlowly(part: number, [path, body]: Posted, claimedBy: string[] = []) {
  let nowMs = 0;
  const watchdog = new Watchdog(() => nowMs, 3_600_000);
  const storage = slowStorage(claimedBy);
  const headers = { "Idempotency-Key": "once" };
  const house = timedGateway(storage.plain, watchdog, { headers });
  let ended: { readonly atMs: number; readonly status: number; after: string | null } | undefined;
  const end = (status: number, after: string | null) => {
    ended = { atMs: nowMs / LIMIT_MS, status, after };
  };
  house.post(path, body).then(
    ({ status }) => end(status, null),
    ({ status, headers }) => end(status, headers["retry-after"] ?? null),
  );
  for (let question = 0; !ended; question++) {
    await eventually("it asks, or is over", () => storage.asked.length > question || ended);
    for (let step = 0; step < part * STEPS && !ended; step++) {
      nowMs += LIMIT_MS / STEPS;
      watchdog.tick();
      await new Promise(setImmediate);
    }
    if (!ended) storage.open[question]?.answer();
    await new Promise(setImmediate);
    if (house.calls.length > 0) await eventually("it is answered", () => ended);
  }
  // Whatever was asked for comes after all.
  for (const { answer } of storage.open) answer();
  await house.services.tasks.settled();
  await house.store.close();
  return { ...storage, ended, calls: house.calls.length };
}

const ITEMS = ["a", "b", "c", "d", "e"].map((id) => ({ type: "item_reference", id: `msg_${id}` }));

test("answers that are in time together let a request pass", async () => {
  const { ended, asked, calls, freed } = await askedSlowly(0.3, ["chat", CHAT]);
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
    const { ended, asked, calls, settled, freed } = await askedSlowly(part, [path, body]);
    expect(asked).toEqual([...all]);
    expect(ended).toEqual({ atMs: 1, status: 503, after: "2" });
    expect(calls).toBe(0);
    const holds = all.filter((what) => what === "admission").length;
    expect(settled.map(({ kind, receipt }) => [kind, receipt.status])).toEqual(
      Array(holds).fill(["void", 503]),
    );
    await eventually("its claim is let go", () => freed.length > 0);
    expect(new Set(freed)).toEqual(new Set(["req_0"]));
  },
);

test("who has waited for another's answer has its time for storage anew", async () => {
  const { ended, asked } = await askedSlowly(0.3, ["chat", CHAT], ["req_other"]);
  expect(asked).toEqual(["key", "claim", "receipt", "look", "claim", "admission"]);
  expect(ended?.status).toBe(200);
});
