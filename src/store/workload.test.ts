import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../test/store/engines.ts";
import {
  account,
  admitted,
  credit,
  key,
  post,
  raise,
  refusal,
  request,
  SOFT,
  total,
  voidHold,
} from "../../test/store/samples.ts";
import { isFull } from "../../test/support/counts.ts";
import { perTest } from "../../test/support/houses/house.ts";
import type { NewKey } from "../accounts/account.ts";
import type { AdmissionOutcome, AdmissionRequest, RaiseOutcome } from "../admission/request.ts";
import type { Store } from "./store.ts";

const ROUNDS = process.env.FAREGATE_TEST_FULL ? 400 : 60;
const AT_ONCE = 12;
/** Money in step with the rounds, so that a longer run is as busy as a short one. */
const MONEY = ROUNDS / 60;
const SEEDS = [1, 2, 3];

/** The same numbers for the same seed, on any machine (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

interface Sums {
  max: bigint | null;
  used: bigint;
  held: bigint;
  running: bigint;
}

interface Open {
  readonly asked: AdmissionRequest;
  held: bigint;
}

/** By how much a lone request may pass a soft budget. */
function timeBudget(max: bigint, least: bigint): bigint {
  const most = max < SOFT.loneMax ? max : SOFT.loneMax;
  return most > least ? most : least;
}

/** What the books must say, kept in the plainest way there is. */
class Model {
  readonly scopes = new Map<string, Sums>();
  readonly open = new Map<string, Open>();
  receipts = 0;

  scopesOf({ accountId, keyId }: AdmissionRequest): Sums[] {
    return [accountId, keyId].map((id) => this.scopes.get(id) as Sums);
  }

  /** The rule of admission, said once more in the plainest way. */
  #expected(asked: AdmissionRequest): { kind: string; held?: bigint } {
    const [balance, budget] = this.scopesOf(asked) as [Sums, Sums];
    const { worst, hard } = asked;
    if (budget.max !== null && budget.used > budget.max) return { kind: "exceeded" };
    if (worst === 0n) return { kind: "admitted", held: 0n };
    if (balance.used >= (balance.max ?? 0n)) return { kind: "exceeded" };
    const floor = asked.floor < worst ? asked.floor : worst;
    const rooms: (bigint | "wait" | "short")[] = [worst];
    for (const scope of [balance, budget]) {
      const { max, used, held, running } = scope;
      if (max === null) continue;
      const left = max - used - held;
      const share = left / (4n * (running + 1n));
      if (left >= 4n * worst) rooms.push(worst);
      else if (left >= floor) rooms.push(share > floor ? share : floor);
      else if (running > 0n) rooms.push("wait");
      else {
        const lone = scope === balance || hard ? 0n : timeBudget(max, asked.loneLeast);
        rooms.push(left + lone >= asked.least ? left + lone : "short");
      }
    }
    if (rooms.includes("short")) return { kind: "short" };
    if (rooms.includes("wait")) return { kind: "wait" };
    return { kind: "admitted", held: (rooms as bigint[]).reduce((a, b) => (b < a ? b : a)) };
  }

  admit(asked: AdmissionRequest, outcome: AdmissionOutcome): void {
    expect(outcome).toMatchObject(this.#expected(asked));
    if (outcome.kind !== "admitted") return;
    for (const scope of this.scopesOf(asked)) {
      scope.held += outcome.held;
      if (outcome.held > 0n) scope.running += 1n;
    }
    this.open.set(asked.requestId, { asked, held: outcome.held });
  }

  #expectedRaise(hold: Open, need: bigint, floor: bigint): { kind: string; granted?: bigint } {
    if (hold.held === 0n) return { kind: "ended" };
    const [balance, budget] = this.scopesOf(hold.asked) as [Sums, Sums];
    if (budget.max !== null && budget.used > budget.max) return { kind: "ended" };
    if (balance.used >= (balance.max ?? 0n)) return { kind: "ended" };
    const shares: (bigint | "wait" | "ended")[] = [need];
    for (const scope of [balance, budget]) {
      const { max, used, held, running } = scope;
      if (max === null) continue;
      const left = max - used - held;
      const share = left / (4n * running);
      if (left >= 4n * need) shares.push(need);
      else if (left > 0n) shares.push(share > floor ? share : left < floor ? left : floor);
      else if (running > 1n) shares.push("wait");
      else {
        const lone = scope === balance || hold.asked.hard ? 0n : timeBudget(max, 0n);
        shares.push(left + lone > 0n ? left + lone : "ended");
      }
    }
    if (shares.includes("ended")) return { kind: "ended" };
    if (shares.includes("wait")) return { kind: "wait" };
    return { kind: "granted", granted: (shares as bigint[]).reduce((a, b) => (b < a ? b : a)) };
  }

  raise(hold: Open, need: bigint, floor: bigint, outcome: RaiseOutcome): void {
    expect(outcome).toMatchObject(this.#expectedRaise(hold, need, floor));
    if (outcome.kind !== "granted") return;
    for (const scope of this.scopesOf(hold.asked)) scope.held += outcome.granted;
    hold.held += outcome.granted;
  }

  settle(hold: Open, cost: bigint): void {
    for (const scope of this.scopesOf(hold.asked)) {
      scope.held -= hold.held;
      scope.used += cost;
      if (hold.held > 0n) scope.running -= 1n;
    }
    this.open.delete(hold.asked.requestId);
    this.receipts += 1;
  }
}

async function customers(store: Store, model: Model, below: (n: number) => number) {
  const keys: NewKey[] = [];
  for (let a = 0; a < 3; a++) {
    const owner = account();
    await store.accounts.createAccount(owner);
    const credited = BigInt(Math.ceil((500 + below(3_000)) * MONEY));
    await credit(store, owner.id, credited);
    model.scopes.set(owner.id, { max: credited, used: 0n, held: 0n, running: 0n });
    for (let k = 0; k < 3; k++) {
      const max = k === 0 ? null : BigInt(Math.ceil((100 + below(1_500)) * MONEY));
      const made = key(owner.id, { budgets: max === null ? [] : total(max) });
      await store.accounts.createKey(made);
      model.scopes.set(made.id, { max, used: 0n, held: 0n, running: 0n });
      keys.push(made);
    }
  }
  return keys;
}

/** One step of one request. The model is moved when the answer is there. */
async function step(stores: readonly Store[], model: Model, keys: NewKey[], seed: number) {
  const below = numbers(seed);
  const store = stores[below(stores.length)] as Store;
  const holds = [...model.open.values()];
  const hold = holds[below(holds.length || 1)];
  const choice = below(10);
  if (choice < 5 || !hold) {
    const holder = keys[below(keys.length)] as NewKey;
    const asked = request(holder, BigInt(below(200)), {
      floor: BigInt(1 + below(60)),
      least: BigInt(1 + below(10)),
      hard: below(3) === 0,
    });
    model.admit(asked, await store.admission.admit(asked));
  } else if (choice === 5) {
    const [need, floor] = [BigInt(1 + below(400)), BigInt(1 + below(60))];
    const { hard } = hold.asked;
    model.raise(hold, need, floor, await raise(store, hold.asked, need, { floor, hard }));
  } else if (choice === 6) {
    await store.ledger.refuse(refusal(request(keys[below(keys.length)] as NewKey, 0n)));
    model.receipts += 1;
  } else if (choice === 7) {
    const result = await voidHold(store, hold.asked);
    if (result === "done") model.settle(hold, 0n);
  } else {
    const cost = BigInt(below(250));
    const result = await post(store, hold.asked, cost);
    if (result === "done") model.settle(hold, cost);
  }
}

async function compare(store: Store, model: Model, keys: readonly NewKey[]): Promise<void> {
  for (const { id, accountId } of keys) {
    const balance = await store.ledger.balance(accountId);
    const { max, used, held } = model.scopes.get(accountId) as Sums;
    expect(balance).toMatchObject({ credited: max as bigint, charged: used, held });
    const { max: amount, running: _, ...sums } = model.scopes.get(id) as Sums;
    const budgets = amount === null ? [] : [{ amount, ...sums }];
    expect(await store.ledger.spending(id)).toMatchObject({ ...sums, budgets });
  }
  expect(await store.ledger.verify()).toMatchObject({
    openHolds: model.open.size,
    receipts: model.receipts,
    problems: [],
  });
}

for (const engine of ENGINES) {
  describe(`a random workload on ${engine.name}`, () => {
    const site = perTest(engine.site);

    test.each(isFull ? SEEDS : SEEDS.slice(ENGINES.indexOf(engine)).slice(0, 1))(
      "one at a time gives the sums of a plain model, seed %i",
      async (seed) => {
        const store = await site.open();
        const model = new Model();
        const below = numbers(seed);
        const keys = await customers(store, model, below);
        for (let i = 0; i < ROUNDS * 4; i++) await step([store], model, keys, below(2 ** 31));
        expect(model.receipts).toBeGreaterThan(ROUNDS / 2);
        await compare(store, model, keys);
      },
    );

    test("many at once from two processes add up, and nothing is passed that must not be", async () => {
      const stores = [await site.open(), await site.open({ serve: false })];
      const below = numbers(99);
      const model = new Model();
      const keys = await customers(stores[0] as Store, model, below);
      let charged = 0n;
      let settled = 0;
      const worker = async (draw: (below: number) => number) => {
        for (let i = 0; i < ROUNDS / 3; i++) {
          const store = stores[draw(2)] as Store;
          const holder = keys[draw(keys.length)] as NewKey;
          const asked = request(holder, BigInt(1 + draw(100)), { hard: true });
          const outcome = await store.admission.admit(asked);
          if (outcome.kind !== "admitted") continue;
          const cost = BigInt(draw(Number(outcome.held) + 1));
          const [first, second] = await Promise.all([
            post(stores[0] as Store, asked, cost),
            post(stores[1] as Store, asked, cost),
          ]);
          expect([first, second].sort()).toEqual(["already", "done"]);
          charged += cost;
          settled += 1;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, () => worker(numbers(below(2 ** 31)))));
      expect(settled).toBeGreaterThan(ROUNDS);
      const verified = await (stores[1] as Store).ledger.verify();
      expect(verified).toMatchObject({ openHolds: 0, receipts: settled, problems: [] });
      let sum = 0n;
      for (const accountId of new Set(keys.map((made) => made.accountId))) {
        const balance = await (stores[0] as Store).ledger.balance(accountId);
        if (!balance) throw new Error("the balance is gone");
        expect(balance.held).toBe(0n);
        // Nobody was charged more than was held, so no balance can have been passed.
        expect(balance.charged).toBeLessThanOrEqual(balance.credited);
        sum += balance.charged;
      }
      expect(sum).toBe(charged);
    });

    test("a key without money left cannot be talked into more by asking often", async () => {
      const store = await site.open();
      const owner = account();
      await store.accounts.createAccount(owner);
      await credit(store, owner.id, 100n);
      const made = key(owner.id);
      await store.accounts.createKey(made);
      await post(store, await admitted(store, made, 100n), 100n);
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, () => store.admission.admit(request(made, 1n))),
      );
      expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["exceeded"]));
    });
  });
}
