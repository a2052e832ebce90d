// Requests of several processes at once that cost anything up to what they were given: no soft budget is passed by
// more than one request that was alone in it, and by no more than the allowance; no balance and no hard budget is
// passed at all, and nothing is left behind.
import { describe, expect, test } from "bun:test";
import { Dice } from "../../test/simulation/dice.ts";
import { ENGINES } from "../../test/store/engines.ts";
import {
  account,
  admitted,
  credit,
  customer,
  key,
  post,
  raise,
  request,
  total,
  voidHold,
} from "../../test/store/samples.ts";
import { count } from "../../test/support/counts.ts";
import { Parts, perSuite } from "../../test/support/houses/house.ts";
import type { NewKey } from "../accounts/account.ts";
import type { AdmissionRequest } from "../admission/request.ts";
import type { Store } from "./store.ts";

const CALLERS = 24;
const CALLS = count(8, 120);
/** How often somebody who has to wait asks again before giving up. */
const TRIES = 8;

interface Spender extends NewKey {
  readonly isHard: boolean;
}

/** What a scope may be spent, and what was. */
interface Tally {
  readonly max: bigint;
  readonly hard: boolean;
  spent: bigint;
  /** The dearest of those who ran alone somewhere. */
  lone: bigint;
}

/** By so much a lone request may pass a soft budget, and by a short answer where that costs more. */
const LONE_MAX = 200n;
/** No short answer costs more. */
const SHORT_MAX = 70n;

class Books {
  readonly tallies = new Map<string, Tally>();
  readonly seen = new Set<string>();

  open(id: string, max: bigint, hard: boolean): void {
    this.tallies.set(id, { max, hard, spent: 0n, lone: 0n });
  }

  charge({ accountId, id }: NewKey, cost: bigint, lone: boolean): void {
    for (const tally of [this.tallies.get(accountId), this.tallies.get(id)]) {
      if (!tally) continue;
      tally.spent += cost;
      if (lone && cost > tally.lone) tally.lone = cost;
    }
  }
}

async function open(store: Store, books: Books): Promise<Spender[]> {
  const spenders: Spender[] = [];
  const add = async (max: bigint, hard: boolean, keys: readonly [bigint | null, boolean][]) => {
    const owner = account({ hard });
    await store.accounts.createAccount(owner);
    await credit(store, owner.id, max);
    books.open(owner.id, max, true);
    for (const [amount, keyHard] of keys) {
      const made = key(owner.id, { hard: keyHard, budgets: amount === null ? [] : total(amount) });
      await store.accounts.createKey(made);
      if (amount !== null) books.open(made.id, amount, hard || keyHard);
      spenders.push({ ...made, isHard: hard || keyHard });
    }
  };
  const scale = BigInt(CALLS);
  await add(250n * scale, false, [
    [null, false],
    [60n * scale, false],
    [20n * scale, true],
  ]);
  await add(100n * scale, true, [
    [null, false],
    [30n * scale, true],
  ]);
  // A crowd of keys with next to nothing on a balance that is soon spent.
  await add(
    50n * scale,
    false,
    Array.from({ length: 16 }, () => [5n, false]),
  );
  return spenders;
}

for (const engine of ENGINES) {
  const processes = engine.name === "PostgreSQL" ? 3 : 2;

  test(`${processes} processes on ${engine.name} pass a soft budget by one lone request at most`, async () => {
    await using parts = new Parts();
    const site = await engine.site(parts);
    const stores: Store[] = [await site.open()];
    // All but the first only write: on SQLite one process alone may serve.
    while (stores.length < processes) stores.push(await site.open({ serve: false }));
    const books = new Books();
    const spenders = await open(stores[0] as Store, books);
    const callers = Array.from({ length: CALLERS }, (_, i) =>
      call(stores[i % processes] as Store, books, spenders, new Dice(i)),
    );
    await Promise.all(callers);

    for (const [id, { max, hard, spent, lone }] of books.tallies) {
      const allowed = max > SHORT_MAX ? (max < LONE_MAX ? max : LONE_MAX) : SHORT_MAX;
      const most = hard ? max : max + (lone < allowed ? lone : allowed);
      if (spent > most) throw new Error(`${id} spent ${spent} of ${max}, ${lone} alone`);
    }
    // Which of them meet is up to the machine, but these always do.
    const sure = ["tight", "lone", "wait", "exceeded", "raise granted"];
    expect(sure.filter((what) => !books.seen.has(what))).toEqual([]);
    const problems = (await (stores[0] as Store).ledger.verify()).problems;
    expect(problems).toEqual([]);
    const left = await site.run("select id from scopes where held <> 0 or running <> 0");
    expect(left).toEqual([]);
  });
}

/** One client that sends one request after another. */
async function call(
  store: Store,
  books: Books,
  spenders: readonly Spender[],
  dice: Dice,
): Promise<void> {
  for (let i = 0; i < CALLS; i++) {
    // The few keys of the first accounts as often as all of the crowd.
    const spender = dice.pick(dice.chance(0.5) ? spenders.slice(0, 5) : spenders);
    const input = BigInt(dice.between(1, 10));
    const worst = input + BigInt(dice.between(1, 900));
    const floor = input + BigInt(dice.between(1, 60));
    const leeway = { hard: spender.isHard, loneMax: LONE_MAX, loneLeast: floor };
    const asked = request(spender, worst, { floor, least: input + 1n, ...leeway });
    const begun = await enter(store, books, asked);
    if (!begun) continue;
    const [allowance, lone] = dice.chance(0.5)
      ? [begun.held, begun.lone]
      : await stream(store, books, asked, begun, dice);
    if (dice.chance(0.15)) await voidHold(store, asked);
    else {
      const cost = (allowance * BigInt(dice.between(0, 100))) / 100n;
      await post(store, asked, cost);
      books.charge(spender, cost, lone);
    }
  }
}

interface Begun {
  readonly held: bigint;
  readonly lone: boolean;
}

async function enter(
  store: Store,
  books: Books,
  asked: AdmissionRequest,
): Promise<Begun | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const outcome = await store.admission.admit(asked);
    books.seen.add(outcome.kind);
    if (outcome.kind === "admitted") {
      if (outcome.tight) books.seen.add("tight");
      if (outcome.lone) books.seen.add("lone");
      return outcome;
    }
    if (outcome.kind !== "wait") return undefined;
    await Bun.sleep(1);
  }
  return undefined;
}

/** Asks for more until it has all that it could cost, or nothing more comes. */
async function stream(
  store: Store,
  books: Books,
  asked: AdmissionRequest,
  begun: Begun,
  dice: Dice,
): Promise<[room: bigint, lone: boolean]> {
  let { held, lone } = begun;
  for (let tries = dice.between(0, TRIES); tries > 0 && held < asked.worst; tries--) {
    const { hard, loneMax, loneLeast } = asked;
    const asking = { floor: BigInt(dice.between(1, 60)), hard, loneMax, loneLeast };
    const outcome = await raise(store, asked, asked.worst - held, asking);
    books.seen.add(`raise ${outcome.kind}`);
    if (outcome.kind === "ended") break;
    if (outcome.kind === "wait") await Bun.sleep(1);
    else {
      held += outcome.granted;
      if (outcome.lone) books.seen.add("raise lone");
      lone ||= outcome.lone;
    }
  }
  return [held, lone];
}

for (const engine of ENGINES) {
  describe(`ordinary life on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    const store = perSuite(() => site.open());

    const USD = 1_000_000_000n;
    const TOKEN = 15_000n;
    const INPUT = 500n * 2_500n;
    const WORST = INPUT + 128_000n * TOKEN;
    const floor = (tokens: bigint) => ({
      floor: INPUT + tokens * TOKEN,
      least: INPUT + 16n * TOKEN,
    });

    test.each([
      ["64 streams", 64, 1_024n],
      ["24 whole answers", 24, 8_192n],
    ] as const)("%s at once are let in with five dollars", async (_what, many, tokens) => {
      const made = await customer(store, { credit: 5n * USD });
      const outcomes = await Promise.all(
        Array.from({ length: many }, () =>
          store.admission.admit(request(made, WORST, floor(tokens))),
        ),
      );
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ kind: "admitted", tight: true, lone: false });
        if (outcome.kind !== "admitted") continue;
        expect(outcome.held).toBeGreaterThanOrEqual(INPUT + tokens * TOKEN);
      }
      const held = (await store.ledger.balance(made.accountId))?.held ?? 0n;
      expect(held).toBeLessThanOrEqual(5n * USD);
    });

    test("a caller who is alone with a dollar and a half may have 20,000 tokens", async () => {
      const made = await customer(store, { credit: (3n * USD) / 2n });
      const { held, lone } = await admitted(store, made, WORST, floor(8_192n));
      expect(held).toBeGreaterThanOrEqual(INPUT + 20_000n * TOKEN);
      expect(lone).toBe(false);
    });

    test("who has plenty is not held to less than the most that a request can cost", async () => {
      const made = await customer(store, { credit: 20n * USD });
      for (let i = 0; i < 6; i++) {
        const outcome = await admitted(store, made, WORST, floor(8_192n));
        expect(outcome).toMatchObject({ held: WORST, tight: false });
      }
    });
  });
}
