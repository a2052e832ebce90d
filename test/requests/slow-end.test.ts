// A storage that stops answering when an answer is finished: its client waits for all that follows no longer than
// FAREGATE_SETTLE_WAIT_MS.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { Watchdog } from "../../src/lib/threads/watchdog.ts";
import type { Store } from "../../src/store/store.ts";
import { CHAT, COUNTS, event, RESPONSES, type Send, STOP } from "../support/houses/pipeline.ts";
import { HOUSE_KEY, TIMED_LIMITS, timedGateway } from "../support/houses/timed-pipeline.ts";

const LIMIT_MS = TIMED_LIMITS.settle_wait_ms;
const RATES = { requestsLeft: null, requestsResetMs: 0, tokensLeft: null, tokensResetMs: 0 };
const NEVER = Number.POSITIVE_INFINITY;
const STEP_MS = 100;

/** How long each question takes that an end asks. */
interface Slowness {
  readonly save?: number;
  readonly keepAnswer?: number;
  readonly settle?: number;
  readonly findReceipt?: number;
  readonly freeClaim?: number;
  readonly raise?: number;
  /** What a settlement is told. */
  readonly settled?: "done" | "already";
  /** For how long the process is stopped while it waits for the first of them. */
  readonly stopped?: number;
}

/** Moments that come when the test says so. */
function moments() {
  let nowMs = 0;
  const awaited = new Set<{ readonly atMs: number; come(): void }>();
  const after = (ms: number) => {
    if (ms === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    awaited.add({ atMs: nowMs + ms, come: resolve });
    return promise;
  };
  const pass = (ms: number) => {
    nowMs += ms;
    for (const each of awaited) {
      if (each.atMs > nowMs) continue;
      awaited.delete(each);
      each.come();
    }
  };
  return { after, pass, now: () => nowMs };
}

function slowStore(after: (ms: number) => Promise<void>, slowness: Slowness): Store {
  const slow = async <T>(ms: number | undefined, answer?: T) => {
    await after(ms ?? 0);
    return answer;
  };
  return {
    sql: {},
    accounts: { findKey: () => HOUSE_KEY },
    admission: {
      admit: ({ worst }: { worst: bigint }) => {
        // Who may have to ask for more has less than it could come to.
        const held = slowness.raise === undefined ? worst : 3_000_000n;
        const tight = held < worst;
        return { kind: "admitted", held, tight, lone: false, left: null, rates: RATES };
      },
      raise: () => slow(slowness.raise, { kind: "granted", granted: 10n ** 9n, lone: false }),
    },
    unsettled: () => [],
    conversations: { save: () => slow(slowness.save), remove: async () => true },
    keptAnswers: {
      claim: async ({ requestId, fingerprint }: { requestId: string; fingerprint: string }) => {
        return { requestId, fingerprint, state: "running", alive: true };
      },
      keepAnswer: () => slow(slowness.keepAnswer, true),
      freeClaim: () => slow(slowness.freeClaim),
    },
    ledger: {
      settle: () => slow(slowness.settle, slowness.settled ?? "done"),
      findReceipt: () => slow(slowness.findReceipt),
      withdraw() {},
      deny() {},
    },
    async ping() {},
    async close() {},
  } as unknown as Store;
}

/** All pauses between two tries are the test's too. */
let time: ReturnType<typeof moments>;
let pausing = 0;
const realSleep = Bun.sleep;
beforeEach(() => {
  time = moments();
  pausing = 0;
  Bun.sleep = ((ms: number) => {
    pausing++;
    return time.after(ms).finally(() => pausing--);
  }) as typeof Bun.sleep;
});
afterEach(() => {
  Bun.sleep = realSleep;
});

/** How long a client waits for the end of a request whose storage is so slow, and what it is told. */
async function endedSlowly(
  slowness: Slowness,
  stream: boolean,
  send?: Send,
  path: "responses" | "chat" = "responses",
) {
  const waits = new Watchdog(time.now, 3_600_000);
  const plain = slowStore(time.after, slowness);
  const headers = { "Idempotency-Key": "once" };
  const house = timedGateway(plain, waits, { headers, ...(send ? { send } : {}) });
  const sinceMs = time.now();
  let stoppedMs = slowness.stopped ?? 0;
  let told: string | undefined;
  house
    .post(path, { ...(path === "chat" ? CHAT : RESPONSES), stream })
    .then((response) => response.text())
    .then(
      (text) => {
        told = text.includes("storage_unavailable") ? "storage_unavailable" : "answer";
      },
      ({ code }) => {
        told = code;
      },
    );
  while (told === undefined) {
    await new Promise(setImmediate);
    // Whatever does not wait for storage, such as packing what is kept, needs no time of this clock.
    if (waits.size === 0 && pausing === 0) continue;
    time.pass(STEP_MS);
    house.goTo(STEP_MS + stoppedMs);
    stoppedMs = 0;
    waits.tick();
  }
  await house.store.close();
  return { told, waitedMs: time.now() - sinceMs };
}

const failing: Send = async () => Response.json({ error: { message: "no" } }, { status: 400 });

test.each([
  ["what it is stored and kept by hangs", { save: NEVER, keepAnswer: NEVER }],
  ["it is kept slowly and settled never", { save: 4_000, keepAnswer: 4_900, settle: NEVER }],
  [
    "its settlement had been written, and cannot be read",
    { save: NEVER, settle: 24_500, settled: "already", findReceipt: NEVER },
  ],
  [
    "the same, and had hardly been in time",
    { save: NEVER, settle: 29_900, settled: "already", findReceipt: NEVER },
  ],
] as const)("an answer waits once where %s", async (_what, slowness) => {
  for (const stream of [false, true]) {
    const { told, waitedMs } = await endedSlowly(slowness, stream);
    expect(told).toBe("storage_unavailable");
    expect(waitedMs).toBeGreaterThan(LIMIT_MS - 3_000);
    expect(waitedMs).toBeLessThanOrEqual(LIMIT_MS + STEP_MS);
  }
});

test("what is slow and comes in time is waited for", async () => {
  for (const stream of [false, true]) {
    const slowness = { save: 4_900, keepAnswer: 4_900, settle: 20_000 };
    expect((await endedSlowly(slowness, stream)).told).toBe("answer");
  }
});

test("what a process has slept is none of its wait", async () => {
  for (const stream of [false, true]) {
    for (const slow of [{ save: 200 }, { keepAnswer: 200 }]) {
      const slowness = { ...slow, settle: 200, stopped: 40_000 };
      expect((await endedSlowly(slowness, stream)).told).toBe("answer");
    }
  }
});

test("a failure that is settled late is not held up by what its Idempotency-Key has to be freed of", async () => {
  const { told, waitedMs } = await endedSlowly(
    { settle: 29_000, freeClaim: NEVER },
    false,
    failing,
  );
  expect(told).toBe("upstream_rejected");
  expect(waitedMs).toBeLessThanOrEqual(LIMIT_MS);
});

const LONG_DELTA = event({
  ...{ id: "c1", model: "v" },
  choices: [{ delta: { content: "some words of this answer ".repeat(20) } }],
});
/** One whose pieces come one by one, so that it asks for more at half of its room. */
const longStream: Send = async () => {
  const pieces = [...Array(10).fill(LONG_DELTA), STOP, COUNTS, event("[DONE]")];
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(body) {
        const next = pieces.shift();
        if (next === undefined) body.close();
        else body.enqueue(Buffer.from(next));
      },
    }),
  );
};

test("a stream at the end of its room pauses once for storage that does not say whether there is more", async () => {
  const { told, waitedMs } = await endedSlowly({ raise: NEVER }, true, longStream, "chat");
  expect(told).toBe("answer");
  expect(waitedMs).toBeGreaterThan(LIMIT_MS - 3_000);
  expect(waitedMs).toBeLessThanOrEqual(LIMIT_MS + STEP_MS);
});
