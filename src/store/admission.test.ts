import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../test/store/engines.ts";
import {
  admitted,
  credit,
  customer,
  key,
  NO_LIMITS,
  onlyBudget,
  post,
  raise,
  request,
  total,
  voidHold,
} from "../../test/store/samples.ts";
import { perSuite } from "../../test/support/houses/house.ts";

for (const engine of ENGINES) {
  describe(`admission on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    const store = perSuite(async (parts) => {
      const opened = await site.open();
      parts.defer(async () => {
        expect(await opened.ledger.verify()).toMatchObject({ problems: [] });
      });
      return opened;
    });

    const admit = (...args: Parameters<typeof request>) => store.admission.admit(request(...args));

    test("a hold is taken from the balance and from the budget", async () => {
      const made = await customer(store, { credit: 100n, budget: 80n });
      const asked = await admitted(store, made, 30n);
      expect(asked).toMatchObject({ held: 30n, left: 80n });
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ held: 30n, charged: 0n });
      expect(await onlyBudget(store, made.id)).toMatchObject({ amount: 80n, used: 0n, held: 30n });
    });

    test("a budget spent exactly still admits; one nano above it is exceeded", async () => {
      const made = await customer(store, { credit: 1_000n, budget: 50n });
      await post(store, await admitted(store, made, 50n), 50n);
      const next = await admitted(store, made, 20n);
      expect(next).toMatchObject({ held: 20n, left: 0n, lone: true, tight: false });
      await post(store, next, 1n);
      expect(await admit(made, 1n)).toEqual({
        kind: "exceeded",
        scope: "budget",
        used: 51n,
        max: 50n,
        period: "total",
        resetsAtMs: null,
      });
      // What costs nothing is refused too: the key has gone past its budget.
      expect(await admit(made, 0n)).toMatchObject({ kind: "exceeded" });
    });

    test("a balance of zero refuses what has a price and admits what is free", async () => {
      const made = await customer(store, { credit: 0n });
      const exceeded = { kind: "exceeded", scope: "balance", used: 0n, max: 0n };
      expect(await admit(made, 1n)).toMatchObject(exceeded);
      expect(await admitted(store, made, 0n)).toMatchObject({ held: 0n, left: null });
    });

    test("a balance spent exactly refuses", async () => {
      const made = await customer(store, { credit: 40n });
      await post(store, await admitted(store, made, 40n), 40n);
      const exceeded = { kind: "exceeded", scope: "balance", used: 40n, max: 40n };
      expect(await admit(made, 1n)).toMatchObject(exceeded);
    });

    test("a request that is alone holds all that it may cost, so that others see it", async () => {
      const made = await customer(store, { credit: 120n, budget: 60n });
      const alone = await admitted(store, made, 500n, { floor: 90n, least: 90n, loneLeast: 0n });
      expect(alone).toMatchObject({ held: 90n, left: 60n, lone: true, tight: true });
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ held: 90n });
      await voidHold(store, alone);
      const whole = await admitted(store, made, 120n, { loneLeast: 0n });
      expect(whole).toMatchObject({ held: 120n, lone: true, tight: false });
      const second = key(made.accountId);
      await store.accounts.createKey(second);
      expect(await admit(second, 1n)).toEqual({ kind: "wait", scopeId: made.accountId });
      await post(store, whole, 70n);
      expect(await admit(made, 1n)).toMatchObject({ kind: "exceeded", used: 70n, max: 60n });
      expect(await admitted(store, second, 1n)).toMatchObject({ held: 1n, lone: false });
    });

    test("a request that is tight gets a share, and so does who comes next", async () => {
      const made = await customer(store, { credit: 1_000n });
      const asking = { floor: 10n };
      const tight = { tight: true, lone: false };
      expect(await admitted(store, made, 800n, asking)).toMatchObject({ held: 250n, ...tight });
      expect(await admitted(store, made, 800n, asking)).toMatchObject({ held: 93n, ...tight });
      const small = await admitted(store, made, 100n, asking);
      expect(small).toMatchObject({ held: 100n, tight: false });
    });

    test("what must not be passed gives what it has, or tells what it lacks", async () => {
      const made = await customer(store, { credit: 1_000n, budget: 50n });
      const hard = { hard: true, floor: 60n, least: 20n };
      const first = await admitted(store, made, 400n, hard);
      expect(first).toMatchObject({ held: 50n, left: 50n, tight: true, lone: false });
      expect(await admit(made, 400n, hard)).toEqual({ kind: "wait", scopeId: made.id });
      await post(store, first, 31n);
      expect(await admit(made, 400n, hard)).toEqual({
        kind: "short",
        scope: "budget",
        used: 31n,
        max: 50n,
        period: "total",
        resetsAtMs: null,
        left: 19n,
        needed: 20n,
      });
      expect(await admit(made, 19n, hard)).toMatchObject({ kind: "admitted", held: 19n });
    });

    test("a request that is short while others hold waits, and goes on when they are done", async () => {
      const made = await customer(store, { credit: 100n });
      const first = await admitted(store, made, 70n);
      const second = request(made, 40n);
      expect(await store.admission.admit(second)).toEqual({
        kind: "wait",
        scopeId: made.accountId,
      });
      await post(store, first, 10n);
      const again = { ...second, countRate: false };
      expect(await store.admission.admit(again)).toMatchObject({ kind: "admitted", held: 40n });
    });

    test("a request waits for the budget although the balance would do", async () => {
      const made = await customer(store, { credit: 1_000n, budget: 100n });
      await admitted(store, made, 70n);
      expect(await admit(made, 40n)).toEqual({ kind: "wait", scopeId: made.id });
    });

    test("within a batch a small request does not overtake a larger one that waits", async () => {
      const made = await customer(store, { credit: 100n });
      await admitted(store, made, 60n);
      const [large, small, free] = await Promise.all([
        admit(made, 50n),
        admit(made, 5n),
        admit(made, 0n),
      ]);
      expect(large).toMatchObject({ kind: "wait" });
      expect(small).toEqual({ kind: "wait", scopeId: made.accountId });
      expect(free).toMatchObject({ kind: "admitted" });
    });

    test("a request does not overtake those it is told to stand behind", async () => {
      const made = await customer(store, { credit: 100n });
      const behind = made.accountId;
      expect(await admit(made, 5n, { behind })).toEqual({ kind: "wait", scopeId: behind });
      expect(await admit(made, 0n, { behind })).toMatchObject({ kind: "admitted" });
      expect(await admit(made, 5n)).toMatchObject({ kind: "admitted" });
    });

    test("within a batch settlements come before admissions", async () => {
      const made = await customer(store, { credit: 100n });
      const first = await admitted(store, made, 90n);
      const [next] = await Promise.all([admit(made, 80n), post(store, first, 10n)]);
      expect(next).toMatchObject({ kind: "admitted", held: 80n });
    });

    test("two keys share one balance and keep their own budgets", async () => {
      const first = await customer(store, { credit: 150n, budget: 1_000n });
      const second = key(first.accountId, { budgets: total(20n) });
      await store.accounts.createKey(second);
      const outcomes = await Promise.all([
        admit(first, 70n),
        admit(second, 20n),
        admit(second, 20n),
        admit(first, 80n),
      ]);
      expect(outcomes.map(({ kind }) => kind)).toEqual(["admitted", "admitted", "wait", "wait"]);
      expect(outcomes[2]).toEqual({ kind: "wait", scopeId: second.id });
      expect(outcomes[3]).toEqual({ kind: "wait", scopeId: first.accountId });
      expect(await store.ledger.balance(first.accountId)).toMatchObject({ held: 90n });
      expect(await onlyBudget(store, second.id)).toMatchObject({ held: 20n });
    });

    test("a hundred at once hold no more than there is", async () => {
      const made = await customer(store, { credit: 1_000n });
      const outcomes = await Promise.all(Array.from({ length: 100 }, () => admit(made, 30n)));
      const letIn = outcomes.filter(({ kind }) => kind === "admitted");
      expect(letIn).toHaveLength(33);
      expect(outcomes.filter(({ kind }) => kind === "wait")).toHaveLength(67);
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ held: 990n });
    });

    test("a running request gets more, a share at a time, and runs on where it is alone", async () => {
      const made = await customer(store, { credit: 1_000n, budget: 200n });
      const asking = { floor: 20n };
      const stream = await admitted(store, made, 900n, asking);
      expect(stream.held).toBe(50n);
      const other = await admitted(store, made, 100n);
      const more = (over = {}) => raise(store, stream, 850n, { floor: 20n, ...over });
      expect(await more()).toEqual({ kind: "granted", granted: 20n, lone: false });
      expect(await more()).toEqual({ kind: "granted", granted: 20n, lone: false });
      expect(await more()).toEqual({ kind: "granted", granted: 10n, lone: false });
      expect(await more()).toEqual({ kind: "wait", scopeId: made.id });
      expect(await more({ hard: true })).toEqual({ kind: "wait", scopeId: made.id });
      await post(store, other, 100n);
      expect(await more({ hard: true })).toEqual({ kind: "ended" });
      expect(await more()).toEqual({ kind: "granted", granted: 200n, lone: true });
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ held: 300n });
      expect(await onlyBudget(store, made.id)).toMatchObject({ used: 100n, held: 300n });
      await post(store, stream, 300n);
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ held: 0n });
      expect(await more()).toEqual({ kind: "ended" });
    });

    test("a hold that is free or was resolved is not raised", async () => {
      const made = await customer(store, { credit: 100n });
      const free = await admitted(store, made, 0n);
      expect(await raise(store, free, 10n)).toEqual({ kind: "ended" });
      const ended = await admitted(store, made, 10n);
      const [raised] = await Promise.all([raise(store, ended, 20n), voidHold(store, ended)]);
      expect(raised).toEqual({ kind: "ended" });
      expect(await raise(store, { ...ended, requestId: "req_none" }, 1n)).toEqual({
        kind: "ended",
      });
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ held: 0n });
      await voidHold(store, free);
    });

    test("within a batch settlements come first, then who runs, then who has not begun", async () => {
      const made = await customer(store, { credit: 100n });
      const [stream, other] = [await admitted(store, made, 50n), await admitted(store, made, 50n)];
      const [next, raised] = await Promise.all([
        admit(made, 15n),
        raise(store, stream, 40n),
        post(store, other, 0n),
      ]);
      expect(raised).toMatchObject({ kind: "granted", granted: 40n });
      expect(next).toEqual({ kind: "wait", scopeId: made.accountId });
    });

    test("within a batch nobody begins where a running request waits for more", async () => {
      const made = await customer(store, { credit: 100n });
      const [first, second] = [await admitted(store, made, 60n), await admitted(store, made, 40n)];
      const [more, less, next] = await Promise.all([
        raise(store, first, 30n),
        raise(store, second, 30n),
        admit(made, 1n, { floor: 0n }),
      ]);
      for (const outcome of [more, less, next]) {
        expect(outcome).toEqual({ kind: "wait", scopeId: made.accountId });
      }
    });

    test("an operation that fails takes no other of its batch with it", async () => {
      const made = await customer(store, { credit: 1_000n });
      const asked = request(made, 10n);
      const results = await Promise.allSettled([
        store.admission.admit(asked),
        store.admission.admit(asked),
        admit({ id: "key_none", accountId: "acct_none" }, 10n),
        admit(made, 10n),
      ]);
      const kinds = results.map((r) => (r.status === "fulfilled" ? r.value.kind : r.reason.name));
      expect(kinds).toEqual(["admitted", "StorageError", "StorageError", "admitted"]);
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ held: 20n });
    });

    test("holds that two processes take at once add up", async () => {
      const made = await customer(store, { credit: 1_000n });
      const other = await site.open({ serve: false });
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          (i % 2 ? store : other).admission.admit(request(made, 30n)),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === "admitted")).toHaveLength(33);
      await other.close();
    });
  });

  describe(`rate limits on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    const store = perSuite(() => site.open());

    const limits = (over: Partial<typeof NO_LIMITS>) => ({ limits: { ...NO_LIMITS, ...over } });

    test("requests beyond the limit are told how long to wait", async () => {
      const made = await customer(store, { credit: 1_000n });
      const three = limits({ requestsPerMinute: 3 });
      const startedMs = Date.now();
      const first = await admitted(store, made, 1n, three);
      expect(first.rates).toMatchObject({ requestsLeft: 2, tokensLeft: null });
      expect(first.rates.requestsResetMs).toBeGreaterThan(58_000);
      await Promise.all([admitted(store, made, 1n, three), admitted(store, made, 1n, three)]);
      const outcome = await store.admission.admit(request(made, 1n, three));
      expect(outcome).toMatchObject({ kind: "limited", limit: "requests", max: 3, used: 3 });
      if (outcome.kind !== "limited") throw new Error("unreachable");
      // What is left of a minute since the first one, however long the others took.
      expect(outcome.retryAfterMs + Date.now() - startedMs).toBeGreaterThan(58_000);
      expect(outcome.retryAfterMs).toBeLessThanOrEqual(60_000);
      expect(outcome.rates.requestsLeft).toBe(0);
    });

    test("the limit holds within one batch and across two processes", async () => {
      const made = await customer(store, { credit: 1_000n });
      const other = await site.open({ serve: false });
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          (i % 2 ? store : other).admission.admit(
            request(made, 1n, limits({ requestsPerMinute: 7 })),
          ),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === "admitted")).toHaveLength(7);
      expect(outcomes.filter(({ kind }) => kind === "limited")).toHaveLength(23);
      await other.close();
    });

    test("a request that has waited is not counted again", async () => {
      const made = await customer(store, { credit: 1_000n });
      const one = limits({ requestsPerMinute: 1 });
      await admitted(store, made, 1n, one);
      expect(await admitted(store, made, 1n, { ...one, countRate: false })).toBeDefined();
    });

    test("concurrency counts open holds, also for a request that has waited", async () => {
      const made = await customer(store, { credit: 1_000n });
      const two = limits({ concurrency: 2 });
      const outcomes = await Promise.all(
        Array.from({ length: 4 }, () => store.admission.admit(request(made, 0n, two))),
      );
      expect(outcomes.map(({ kind }) => kind)).toEqual([
        "admitted",
        "admitted",
        "limited",
        "limited",
      ]);
      expect(outcomes[3]).toMatchObject({ limit: "concurrency", max: 2, used: 2 });
      const waited = await store.admission.admit(request(made, 0n, { ...two, countRate: false }));
      expect(waited).toMatchObject({ kind: "limited", limit: "concurrency" });
    });

    test("a settlement frees its place within the same batch", async () => {
      const made = await customer(store, { credit: 1_000n });
      const one = limits({ concurrency: 1 });
      const first = await admitted(store, made, 1n, one);
      const [next] = await Promise.all([
        store.admission.admit(request(made, 1n, one)),
        post(store, first, 1n),
      ]);
      expect(next).toMatchObject({ kind: "admitted" });
    });

    test("a refusal for money counts into the window, a refusal for rate does not", async () => {
      const made = await customer(store, { credit: 0n });
      const two = limits({ requestsPerMinute: 2 });
      const kinds: string[] = [];
      for (let i = 0; i < 4; i++) {
        kinds.push((await store.admission.admit(request(made, 1n, two))).kind);
      }
      expect(kinds).toEqual(["exceeded", "exceeded", "limited", "limited"]);
      await credit(store, made.accountId, 10n);
      const outcome = await store.admission.admit(request(made, 1n, two));
      expect(outcome).toMatchObject({ kind: "limited", used: 2 });
    });
  });
}
