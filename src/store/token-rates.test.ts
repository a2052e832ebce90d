// A key's tokens per minute: what a request takes before it runs, and the true count that replaces it.
import { describe, expect, test } from "bun:test";
import { Dice } from "../../test/simulation/dice.ts";
import { ENGINES } from "../../test/store/engines.ts";
import { admitted, customer, NO_LIMITS, post, receipt, request } from "../../test/store/samples.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import type { NewKey } from "../accounts/account.ts";
import type { Store } from "./store.ts";

describe.each(ENGINES)("tokens per minute on $name", (engine) => {
  const site = perSuite(engine.site);
  const store = perSuite(() => site.open());

  const limits = (tokensPerMinute: number) => ({ limits: { ...NO_LIMITS, tokensPerMinute } });
  const hundred = (tokens: number) => ({ ...limits(100), tokens });

  /** The end of a request with its true count, which says what is left for the next. */
  async function end(
    made: NewKey,
    { taken, ...asked }: Awaited<ReturnType<typeof admitted>>,
    used: number,
  ): Promise<number | null> {
    await post(store, asked, 1n, { tokens: taken && { taken, used } });
    const next = await store.admission.admit(request(made, 0n, hundred(0)));
    return "rates" in next ? next.rates.tokensLeft : null;
  }

  test("a request takes its tokens when it is admitted, and its true count replaces them", async () => {
    const made = await customer(store, { credit: 1_000n });
    const first = await admitted(store, made, 1n, hundred(60));
    expect(first.rates).toMatchObject({ tokensLeft: 40, requestsLeft: null });
    const second = await admitted(store, made, 1n, hundred(40));
    expect(await store.admission.admit(request(made, 1n, hundred(1)))).toMatchObject({
      kind: "limited",
      limit: "tokens",
      max: 100,
      used: 100,
      needed: 1,
    });
    expect(await end(made, first, 25)).toBe(35);
    // What it used beyond counts too, though nothing was left for it.
    expect(await end(made, second, 90)).toBe(0);
    const outcome = await store.admission.admit(request(made, 1n, hundred(0)));
    expect(outcome).toMatchObject({ kind: "limited", used: 115 });
  });

  test("a request that ends twice gives its tokens back once", async () => {
    const made = await customer(store, { credit: 1_000n });
    const other = await admitted(store, made, 1n, hundred(30));
    const first = await admitted(store, made, 1n, hundred(60));
    expect(await end(made, first, 10)).toBe(60);
    expect(await end(made, first, 0)).toBe(60);
    expect(await end(made, other, 0)).toBe(90);
  });

  test("a request that takes more than the whole limit runs only in an empty window", async () => {
    const made = await customer(store, { credit: 1_000n });
    const limited = { kind: "limited", limit: "tokens" };
    const ask = (tokens: number) => store.admission.admit(request(made, 1n, hundred(tokens)));
    const small = await admitted(store, made, 1n, hundred(1));
    expect(await ask(101)).toMatchObject(limited);
    expect(await end(made, small, 0)).toBe(100);
    const large = await admitted(store, made, 1n, hundred(5_000));
    expect(await ask(101)).toMatchObject(limited);
    expect(await ask(1)).toMatchObject(limited);
    expect(await end(made, large, 0)).toBe(100);
  });

  test("a request that is refused for money, or waits for it, takes no tokens", async () => {
    const made = await customer(store, { credit: 100n });
    const holder = await admitted(store, made, 100n);
    const waiting = request(made, 50n, { ...hundred(60), floor: 50n });
    expect(await store.admission.admit(waiting)).toMatchObject({ kind: "wait" });
    const beside = await admitted(store, made, 0n, hundred(60));
    // Its turn has come, but others have taken the tokens meanwhile.
    await post(store, holder, 0n);
    const again = { ...waiting, countRate: false };
    expect(await store.admission.admit(again)).toMatchObject({ kind: "limited", used: 60 });
    expect(await end(made, beside, 0)).toBe(100);
    const admittedNow = await store.admission.admit(again);
    expect(admittedNow).toMatchObject({ kind: "admitted", rates: { tokensLeft: 40 } });
    const poor = await customer(store, { credit: 0n });
    expect(await store.admission.admit(request(poor, 1n, hundred(60)))).toMatchObject({
      kind: "exceeded",
    });
    const { rates } = await admitted(store, poor, 0n, hundred(0));
    expect(rates.tokensLeft).toBe(100);
  });

  test("tokens are counted exactly across three processes, whatever begins and ends at once", async () => {
    const MAX = 1_000;
    const made = await customer(store, { credit: 1_000_000n });
    const others = await Promise.all([1, 2].map(() => site.open({ serve: false })));
    const stores = [store, ...others];
    const dice = new Dice(Date.now());
    const sums = { passed: 0, refused: 0, used: 0, within: 0 };
    const one = async (by: Store) => {
      const tokens = dice.between(1, 300);
      const limit = { ...limits(MAX), tokens };
      const asked = request(made, 1n, limit);
      const outcome = await by.admission.admit(asked);
      if (outcome.kind !== "admitted") {
        sums.refused++;
        return;
      }
      sums.passed++;
      const used = dice.chance(0.1) ? tokens + dice.between(0, 20) : dice.between(0, tokens);
      await Bun.sleep(dice.between(0, 10));
      const { taken } = outcome;
      await by.ledger.settle({
        kind: "post",
        receipt: receipt(asked, 1n),
        tokens: taken && { taken, used },
      });
      sums.used += used;
      sums.within += Math.min(used, tokens);
    };
    const client = async (by: Store) => {
      for (let i = 0; i < 25; i++) await one(by);
    };
    await Promise.all(stores.flatMap((by) => Array.from({ length: 4 }, () => client(by))));
    expect(sums.refused).toBeGreaterThan(0);
    expect(sums.passed).toBeGreaterThan(3);
    // Nobody was admitted beyond the limit, and what stands in the window is what was used.
    expect(sums.within).toBeLessThanOrEqual(MAX);
    const last = await admitted(store, made, 0n, limits(10 * MAX));
    expect(last.rates.tokensLeft).toBe(10 * MAX - sums.used);
  }, 30_000);
});
