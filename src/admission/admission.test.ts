import { describe, expect, jest, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../test/support/counts.ts";
import { readConfig } from "../config/config.ts";
import { MoneyFault } from "../ledger/refusal.ts";
import { Fault } from "../lib/faults.ts";
import { Admission, LeftTheLine } from "./admission.ts";
import { judge, judgeRaise, type Scope } from "./judge.ts";
import type { AdmissionOutcome, AdmissionRequest, RaiseOutcome, RaiseRequest } from "./request.ts";
import type { AdmissionStore } from "./store.ts";

const RATES = { requestsLeft: null, requestsResetMs: 0, tokensLeft: null, tokensResetMs: 0 };
const { limits } = readConfig({ FAREGATE_ADMISSION_WAIT_MS: "10000" });
const STAYS = new AbortController().signal;

/** For requests that may pass a soft budget by any amount that a test asks for. */
const SOFT = { overdraft: 0n, hard: false, loneMax: 1_000_000n, loneLeast: 1_000_000n };

/** A request that costs so much and no less: it is let in with all of it, or alone. */
function request(
  requestId: string,
  cost: bigint,
  accountId = "acct",
  keyId = "key",
): AdmissionRequest {
  return {
    requestId,
    accountId,
    keyId,
    limits: { requestsPerMinute: 0, tokensPerMinute: 0, concurrency: 0 },
    tokens: 0,
    countRate: true,
    behind: null,
    worst: cost,
    floor: cost,
    least: 1n,
    ...SOFT,
    inputCost: 1n,
    model: "m",
    endpoint: "chat",
    channel: "c",
    stream: false,
  };
}

/** A stream of which only the first tokens are sure, and which may ask for more. */
function stream(requestId: string, keyId = "key"): AdmissionRequest {
  return { ...request(requestId, 1_000n, "acct", keyId), floor: 40n, stream: true };
}

type OpenScope = { -readonly [name in keyof Scope]: Scope[name] };

/** A store of one balance per account and one budget per key, with batches as the real one has. */
class FakeStore implements AdmissionStore {
  readonly scopes = new Map<string, OpenScope>();
  readonly holds = new Map<string, { of: readonly string[]; amount: bigint }>();
  readonly asked: string[] = [];
  broken: Error | undefined;
  #batch: { raises: (() => void)[]; admissions: (() => void)[] } | undefined;
  #blocked = new Set<string>();

  limit(id: string, max: bigint, kind: "balance" | "budget" = "balance"): void {
    this.scopes.set(id, { id, kind, max, used: 0n, held: 0n, running: 0n });
  }

  #of(ids: readonly string[]): OpenScope[] {
    return ids.flatMap((id) => this.scopes.get(id) ?? []);
  }

  #inBatch<T>(kind: "raises" | "admissions", decide: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.#batch) {
        const batch: { raises: (() => void)[]; admissions: (() => void)[] } = {
          raises: [],
          admissions: [],
        };
        this.#batch = batch;
        setTimeout(() => {
          this.#batch = undefined;
          this.#blocked = new Set();
          for (const work of [...batch.raises, ...batch.admissions]) work();
        }, 1);
      }
      this.#batch[kind].push(() => (this.broken ? reject(this.broken) : resolve(decide())));
    });
  }

  admit(asking: AdmissionRequest): Promise<AdmissionOutcome> {
    return this.#inBatch("admissions", () => this.#decide(asking));
  }

  #decide(asking: AdmissionRequest): AdmissionOutcome {
    this.asked.push(asking.requestId);
    const of = [asking.accountId, asking.keyId];
    const scopes = this.#of(of);
    const verdict = judge(scopes, asking);
    if (verdict.kind === "wait") return this.#waitFor(verdict.scope);
    if (verdict.kind !== "admit") {
      const { used, max } = verdict.scope;
      return { kind: "exceeded", scope: "balance", used, max };
    }
    const ahead = asking.behind ?? of.find((id) => this.#blocked.has(id));
    if (ahead !== undefined) return { kind: "wait", scopeId: ahead };
    const { allowance: held, left, lone, byBalance } = verdict;
    for (const scope of scopes) {
      scope.held += held;
      scope.running += 1n;
    }
    this.holds.set(asking.requestId, { of, amount: held });
    const facts = { held, tight: held < asking.worst, lone, byBalance, left };
    return { kind: "admitted", ...facts, rates: RATES };
  }

  #waitFor({ id }: Scope) {
    this.#blocked.add(id);
    return { kind: "wait", scopeId: id } as const;
  }

  raise(asking: RaiseRequest): Promise<RaiseOutcome> {
    return this.#inBatch("raises", () => this.#decideRaise(asking));
  }

  #decideRaise(asking: RaiseRequest): RaiseOutcome {
    this.asked.push(asking.requestId);
    const hold = this.holds.get(asking.requestId);
    if (!hold) return { kind: "ended" };
    const scopes = this.#of(hold.of);
    const verdict = judgeRaise(scopes, hold.amount, asking);
    if (verdict.kind === "wait") return this.#waitFor(verdict.scope);
    if (verdict.kind === "granted") {
      hold.amount += verdict.granted;
      for (const scope of scopes) scope.held += verdict.granted;
    }
    return verdict;
  }

  settle(requestId: string, cost: bigint): readonly string[] {
    const hold = this.holds.get(requestId);
    if (!hold) throw new Error(`${requestId} holds nothing`);
    this.holds.delete(requestId);
    for (const scope of this.#of(hold.of)) {
      scope.held -= hold.amount;
      scope.used += cost;
      scope.running -= 1n;
    }
    return hold.of;
  }
}

/** Virtual time: what is due runs, and what follows from it, before the test goes on. */
async function pass(ms: number): Promise<void> {
  for (let i = 0; i < ms; i++) {
    jest.advanceTimersByTime(1);
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
  }
}

function setUp() {
  const store = new FakeStore();
  const admission = new Admission(store, limits, () => Date.now());
  const order: string[] = [];
  const enter = (asking: AdmissionRequest, signal = STAYS) => {
    const entered = Promise.resolve(admission.admit(asking, { signal }));
    entered.then(
      (outcome) => order.push(`${asking.requestId} ${outcome.kind}`),
      (thrown) =>
        order.push(`${asking.requestId} ${thrown instanceof Fault ? thrown.code : thrown.name}`),
    );
    return entered;
  };
  const settle = (requestId: string, cost = 0n) =>
    admission.released(...store.settle(requestId, cost));
  /** Asks for up to so much more, in pieces of at least forty. */
  const ask = (requestId: string, need: bigint, over: Partial<RaiseRequest> = {}) => {
    const of = { requestId, accountId: "acct", keyId: "key", floor: 40n, ...SOFT };
    const raised = admission.raise({ ...of, need, ...over });
    const told = (answer: Awaited<typeof raised>) =>
      answer.kind === "granted" ? `${answer.granted}${answer.lone ? " alone" : ""}` : answer.kind;
    raised.then(
      (answer) => order.push(`${requestId} more: ${told(answer)}`),
      (thrown) => order.push(`${requestId} more: ${thrown.message}`),
    );
    return raised;
  };
  return { store, admission, order, enter, settle, ask };
}

function inVirtualTime(work: () => Promise<void>): () => Promise<void> {
  return async () => {
    jest.useFakeTimers();
    try {
      await work();
    } finally {
      jest.useRealTimers();
    }
  };
}

describe("the waiting line", () => {
  test(
    "moves in order as money comes free",
    inVirtualTime(async () => {
      const { store, admission, order, enter, settle } = setUp();
      store.limit("acct", 100n);
      for (const id of ["a", "b", "c", "d"]) void enter(request(id, 60n));
      await pass(3);
      expect(order).toEqual(["a admitted"]);
      expect(admission.waiting).toBe(3);
      settle("a");
      await pass(3);
      settle("b");
      await pass(3);
      settle("c");
      await pass(3);
      expect(order).toEqual(["a admitted", "b admitted", "c admitted", "d admitted"]);
      expect(admission.waiting).toBe(0);
    }),
  );

  test(
    "is not overtaken by a smaller request that comes later",
    inVirtualTime(async () => {
      const { store, order, enter, settle } = setUp();
      store.limit("acct", 100n);
      void enter(request("a", 60n));
      await pass(3);
      void enter(request("large", 90n));
      await pass(3);
      void enter(request("small", 5n));
      await pass(3);
      expect(order).toEqual(["a admitted"]);
      settle("a");
      await pass(5);
      expect(order).toEqual(["a admitted", "large admitted", "small admitted"]);
    }),
  );

  test(
    "lets several in when one settlement frees enough for them",
    inVirtualTime(async () => {
      const { store, order, enter, settle } = setUp();
      store.limit("acct", 100n);
      void enter(request("a", 90n));
      await pass(3);
      for (let i = 0; i < 40; i++) void enter(request(`w${i}`, 2n));
      await pass(3);
      settle("a");
      await pass(8);
      expect(order).toEqual([
        "a admitted",
        ...Array.from({ length: 40 }, (_, i) => `w${i} admitted`),
      ]);
    }),
  );

  test(
    "tells those whom a settlement leaves nothing",
    inVirtualTime(async () => {
      const { store, order, enter, settle } = setUp();
      store.limit("acct", 100n);
      for (const id of ["a", "b", "c"]) void enter(request(id, 80n));
      await pass(3);
      settle("a", 100n);
      await pass(5);
      expect(order).toEqual(["a admitted", "b exceeded", "c exceeded"]);
    }),
  );

  test(
    "looks again by itself, since money may come from elsewhere",
    inVirtualTime(async () => {
      const { store, order, enter } = setUp();
      store.limit("acct", 100n);
      void enter(request("a", 80n));
      void enter(request("b", 80n));
      await pass(3);
      store.limit("acct", 1_000n);
      await pass(205);
      expect(order).toEqual(["a admitted", "b admitted"]);
    }),
  );

  test(
    "ends at the deadline with a 429 that says when to come back",
    inVirtualTime(async () => {
      const { store, admission, order, enter } = setUp();
      store.limit("acct", 100n);
      void enter(request("a", 80n));
      const late = enter(request("b", 80n)).catch((thrown: unknown) => thrown);
      await pass(9_990);
      expect(order).toEqual(["a admitted"]);
      await pass(400);
      const fault = await late;
      expect(order).toEqual(["a admitted", "b budget_busy"]);
      expect(fault instanceof Fault && [fault.status, fault.headers["retry-after"]]).toEqual([
        429,
        "2",
      ]);
      expect(admission.waiting).toBe(0);
    }),
  );

  test(
    "tells at its end which limit it waited for last, and what helps",
    inVirtualTime(async () => {
      const { store, enter, settle } = setUp();
      store.limit("acct", 100n);
      store.limit("key", 100n, "budget");
      void enter(request("other", 30n, "acct", "other"));
      void enter(request("a", 60n));
      const late = enter(request("b", 60n)).catch((thrown: unknown) => thrown);
      await pass(3);
      // The balance has enough from now on; the budget of the key has not.
      store.limit("acct", 1_000n);
      settle("other");
      await pass(10_400);
      const fault = await late;
      expect(fault instanceof MoneyFault && fault.headers).toEqual({
        "retry-after": "2",
        "retry-after-ms": "2000",
        "x-faregate-scope": "budget",
        "x-faregate-fix": "Try again once some of them have ended, or send fewer at once.",
      });
    }),
  );

  test(
    "is left by a client that hangs up, and those behind it move up",
    inVirtualTime(async () => {
      const { store, order, enter, settle } = setUp();
      store.limit("acct", 100n);
      const leave = new AbortController();
      void enter(request("a", 80n));
      await pass(3);
      const left = enter(request("b", 80n), leave.signal).catch((thrown: unknown) => thrown);
      void enter(request("c", 80n));
      await pass(3);
      leave.abort();
      settle("a");
      await pass(5);
      expect(await left).toBeInstanceOf(LeftTheLine);
      expect(order).toEqual(["a admitted", "b LeftTheLine", "c admitted"]);
      expect([...store.holds.keys()]).toEqual(["c"]);
    }),
  );

  test(
    "tells those who were asked about when storage fails, and goes on for the others",
    inVirtualTime(async () => {
      const { store, admission, order, enter } = setUp();
      store.limit("acct", 100n);
      void enter(request("a", 80n));
      for (let i = 0; i < 20; i++) void enter(request(`w${i}`, 80n)).catch(() => {});
      await pass(3);
      store.broken = new Error("disk full");
      await pass(250);
      expect(order.filter((line) => line.endsWith(" Error")).length).toBeGreaterThanOrEqual(16);
      store.broken = undefined;
      const rest = admission.waiting;
      store.limit("acct", 10_000n);
      await pass(250);
      expect(order.filter((line) => line.endsWith(" admitted"))).toHaveLength(1 + rest);
      expect(admission.waiting).toBe(0);
    }),
  );

  test(
    "passes a waiter on to the line of the scope that is short now",
    inVirtualTime(async () => {
      const { store, order, enter, settle } = setUp();
      store.limit("acct", 100n);
      store.limit("k1", 50n, "budget");
      void enter(request("a", 50n, "acct", "k2"));
      void enter(request("b", 30n, "acct", "k1"));
      await pass(3);
      void enter(request("c", 40n, "acct", "k1"));
      await pass(3);
      settle("a");
      await pass(3);
      expect(order).toEqual(["a admitted", "b admitted"]);
      settle("b");
      await pass(5);
      expect(order).toEqual(["a admitted", "b admitted", "c admitted"]);
    }),
  );

  test(
    "lets a waiter in when the period of a budget turns, although nothing is settled",
    inVirtualTime(async () => {
      const { store, order, enter } = setUp();
      store.limit("acct", 1_000n);
      store.limit("k1", 100n, "budget");
      const day = store.scopes.get("k1") as { used: bigint };
      day.used = 60n;
      void enter(request("a", 30n, "acct", "k1"));
      await pass(3);
      void enter(request("b", 30n, "acct", "k1"));
      await pass(500);
      expect(order).toEqual(["a admitted"]);
      day.used = 0n;
      await pass(250);
      expect(order).toEqual(["a admitted", "b admitted"]);
    }),
  );

  test(
    "counts a request into the rate once, not again each time it is asked about",
    inVirtualTime(async () => {
      const { store, enter } = setUp();
      store.limit("acct", 100n);
      const counted: boolean[] = [];
      const { admit } = store;
      store.admit = (asking) => {
        counted.push(asking.countRate);
        return admit.call(store, asking);
      };
      void enter(request("a", 80n));
      void enter(request("b", 80n)).catch(() => {});
      await pass(650);
      expect(counted.filter(Boolean)).toHaveLength(2);
      expect(counted.length).toBeGreaterThan(3);
    }),
  );

  test(
    "has an end: beyond it requests are told at once that it is busy",
    inVirtualTime(async () => {
      const store = new FakeStore();
      store.limit("acct", 100n);
      const small = { ...limits, admission_waiting_max: 1 };
      const admission = new Admission(store, small, () => Date.now());
      const outcomes = ["a", "b", "c"].map((id) =>
        Promise.resolve(admission.admit(request(id, 80n), { signal: STAYS })).then(
          ({ kind }) => kind as string,
          (thrown: Fault) => thrown.code,
        ),
      );
      await pass(3);
      expect(await outcomes[2]).toBe("budget_busy");
      admission.released(...store.settle("a", 0n));
      await pass(3);
      expect(await outcomes[1]).toBe("admitted");
    }),
  );
});

describe("a stream that asks for more", () => {
  test(
    "gets a share, then all that is left, and once it is alone as much as it could need",
    inVirtualTime(async () => {
      const { store, order, enter, ask, settle } = setUp();
      store.limit("key", 1_000n, "budget");
      for (const id of ["a", "b"]) void enter(stream(id));
      await pass(3);
      expect([...store.holds.values()].map(({ amount }) => amount)).toEqual([250n, 93n]);
      /** Asks one time after another until so much is held. */
      const askUntil = async (held: bigint) => {
        while (store.scopes.get("key")?.held !== held) {
          void ask("a", 750n);
          await pass(3);
        }
      };
      await askUntil(1_000n);
      const granted = order.filter((line) => line.startsWith("a more"));
      expect(granted.slice(0, 3)).toEqual(["a more: 82", "a more: 71", "a more: 63"]);
      expect(granted.at(-1)).toBe("a more: 16");
      void ask("a", 750n);
      await pass(3);
      expect(order).toHaveLength(2 + granted.length);
      settle("b", 80n);
      await pass(3);
      // All that b has left over.
      expect(order.at(-1)).toBe("a more: 13");
      await askUntil(920n);
      void ask("a", 750n);
      await pass(3);
      expect(order.at(-1)).toBe("a more: 750 alone");
    }),
  );

  /** Two streams that hold all there is. */
  async function full() {
    const all = setUp();
    all.store.limit("acct", 80n);
    for (const id of ["a", "b"]) void all.enter(stream(id));
    await pass(3);
    expect(all.store.scopes.get("acct")).toMatchObject({ held: 80n, running: 2n });
    return all;
  }

  test(
    "goes before those who have not begun, also before those who came first",
    inVirtualTime(async () => {
      const { admission, order, enter, ask, settle } = await full();
      // More than are asked about at once.
      const early = Array.from({ length: 20 }, (_, i) => `early ${i}`);
      for (const id of early) void enter(request(id, 2n));
      await pass(3);
      void ask("a", 60n);
      await pass(3);
      void enter(request("late", 1n));
      await pass(3);
      expect(admission.waiting).toBe(22);
      settle("b", 0n);
      await pass(3);
      expect(order.slice(2)).toEqual(["a more: 40"]);
      settle("a", 39n);
      await pass(5);
      expect(order.slice(3)).toEqual([...early, "late"].map((id) => `${id} admitted`));
    }),
  );

  test(
    "is not overtaken while it waits, although what came free would do for a small request",
    inVirtualTime(async () => {
      const { store, order, enter, ask } = await full();
      void ask("a", 60n);
      await pass(3);
      const scope = store.scopes.get("acct") as { max: bigint };
      scope.max += 41n;
      void enter(request("small", 1n));
      await pass(250);
      expect(order.slice(2)).toEqual(["a more: 40", "small admitted"]);
    }),
  );

  test(
    "goes behind another that waits already",
    inVirtualTime(async () => {
      const { store, order, ask } = await full();
      void ask("a", 60n);
      await pass(3);
      const scope = store.scopes.get("acct") as { max: bigint };
      scope.max += 50n;
      void ask("b", 60n);
      await pass(250);
      expect(order.slice(2)).toEqual(["a more: 40", "b more: 10"]);
    }),
  );

  test(
    "is told that nothing came in time, and those behind it move up",
    inVirtualTime(async () => {
      const { admission, order, enter, ask, settle } = await full();
      void ask("a", 60n);
      await pass(1_990);
      expect(order.slice(2)).toEqual([]);
      await pass(400);
      expect(order.slice(2)).toEqual(["a more: ended"]);
      void enter(request("next", 30n));
      await pass(3);
      settle("a", 10n);
      await pass(3);
      expect(order.slice(3)).toEqual(["next admitted"]);
      expect(admission.waiting).toBe(0);
    }),
  );

  test(
    "is let go with its own settlement",
    inVirtualTime(async () => {
      const { order, ask, settle } = await full();
      void ask("a", 60n);
      await pass(3);
      settle("a", 40n);
      await pass(3);
      expect(order.slice(2)).toEqual(["a more: ended"]);
    }),
  );

  test(
    "ends at once where nothing may be passed and nobody else runs",
    inVirtualTime(async () => {
      const { order, ask, settle } = await full();
      void ask("a", 60n, { hard: true });
      await pass(3);
      expect(order.slice(2)).toEqual([]);
      settle("b", 40n);
      await pass(3);
      expect(order.slice(2)).toEqual(["a more: ended"]);
    }),
  );

  test(
    "waits for the scope that is short now",
    inVirtualTime(async () => {
      const { store, order, enter, ask, settle } = setUp();
      store.limit("acct", 80n);
      store.limit("k1", 80n, "budget");
      void enter(request("a", 40n, "acct", "k1"));
      void enter(request("b", 40n, "acct", "k2"));
      await pass(3);
      void ask("a", 60n, { keyId: "k1" });
      await pass(3);
      settle("b", 0n);
      await pass(3);
      expect(order.slice(2)).toEqual(["a more: 40"]);
      void ask("a", 60n, { keyId: "k1" });
      await pass(3);
      // Alone in both, and the balance is not passed.
      expect(order.at(-1)).toBe("a more: ended");
    }),
  );

  test(
    "is told when storage fails",
    inVirtualTime(async () => {
      const { store, admission, order, ask } = await full();
      ask("a", 60n).catch(() => {});
      await pass(3);
      store.broken = new Error("disk full");
      await pass(250);
      expect(order.slice(2)).toEqual(["a more: disk full"]);
      expect(admission.waiting).toBe(0);
    }),
  );
});

describe("any schedule", () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("enter" as const),
        cost: fc.integer({ min: 1, max: 90 }),
        streams: fc.boolean(),
        key: fc.nat(2),
        leaveAfter: fc.option(fc.nat(40)),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("settle" as const),
        which: fc.nat(20),
        cost: fc.integer({ min: 0, max: 6 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("ask" as const),
        which: fc.nat(20),
        need: fc.integer({ min: 1, max: 200 }),
        hard: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("wait" as const),
        ms: fc.integer({ min: 1, max: 60 }),
      }),
    },
  );

  test(
    "leaves nobody behind: every request gets its answer, once",
    inVirtualTime(async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
          const { store, admission, order, enter, settle, ask } = setUp();
          store.limit("acct", 200n);
          for (const id of [1, 2]) store.limit(`k${id}`, 100n, "budget");
          let entered = 0;
          let asked = 0;
          for (const move of steps) {
            if (move.do === "enter") {
              const leave = new AbortController();
              if (move.leaveAfter !== null) setTimeout(() => leave.abort(), move.leaveAfter);
              const [id, keyId] = [`r${entered++}`, `k${move.key}`];
              const asking = move.streams
                ? stream(id, keyId)
                : request(id, BigInt(move.cost), "acct", keyId);
              void enter(asking, leave.signal).catch(() => {});
            } else if (move.do === "ask") {
              const id = [...store.holds.keys()].at(move.which % Math.max(1, store.holds.size));
              if (id !== undefined) {
                const keyId = store.holds.get(id)?.of[1] ?? "";
                void ask(id, BigInt(move.need), { keyId, hard: move.hard });
                asked++;
              }
            } else if (move.do === "settle") {
              const open = [...store.holds.keys()];
              const id = open[move.which % Math.max(1, open.length)];
              if (id !== undefined) settle(id, BigInt(move.cost));
            } else await pass(move.ms);
            await pass(1);
            for (const scope of store.scopes.values()) {
              const held = [...store.holds.values()].filter(({ of }) => of.includes(scope.id));
              expect(scope.held).toBe(held.reduce((sum, { amount }) => sum + amount, 0n));
            }
          }
          // Nobody new comes any more: settlements alone must empty the line well before its deadline.
          for (let round = 0; round < 200 && admission.waiting > 0; round++) {
            const [id] = store.holds.keys();
            if (id !== undefined) settle(id, 0n);
            await pass(5);
          }
          expect(admission.waiting).toBe(0);
          const [raises, entries] = [
            order.filter((line) => line.includes(" more: ")),
            order.filter((line) => !line.includes(" more: ")),
          ];
          expect(raises).toHaveLength(asked);
          expect(entries).toHaveLength(entered);
          expect(new Set(entries.map((line) => line.split(" ")[0])).size).toBe(entered);
        }),
        { numRuns: count(60, 3_000) },
      );
    }),
  );
});
