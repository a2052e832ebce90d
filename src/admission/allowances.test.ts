// The rule of admission over plain sums: many requests at once that cost anything up to their allowance,
// streams that ask for more, top-ups and periods that turn. In every world, a soft budget is passed
// by one request that is alone in it and by the leeway at most, a balance or a hard budget never, and
// nobody waits for ever.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../test/support/counts.ts";
import { type HoldTerms, judge, judgeRaise, leewayIn, type Scope } from "./judge.ts";

type OpenScope = { -readonly [name in keyof Scope]: Scope[name] } & {
  /** Never passed: a balance, or a budget of a hard key. */
  readonly hard: boolean;
  /** Of a balance. */
  readonly overdraft: bigint;
};

/** By so much a lone request passes a soft budget at most, unless a short answer costs more. */
const LONE_MAX = 150n;

interface Key {
  readonly scopes: readonly OpenScope[];
  readonly hard: boolean;
  readonly overdraft: bigint;
}

interface Request {
  readonly key: Key;
  readonly terms: HoldTerms;
  /** What it costs before it has written anything. */
  readonly input: bigint;
  /** Its cost is seen as it grows. Any other is told beforehand how much it may cost. */
  readonly metered: boolean;
}

interface Running extends Request {
  hold: bigint;
  cost: bigint;
  /** Where it may pass what is left. */
  readonly loneIn: Set<Scope>;
  /** It has come to the end of its allowance and waits for more. */
  waits: boolean;
}

function leftIn({ max, used, held, overdraft }: OpenScope): bigint {
  return max + overdraft - used - held;
}

/** Accounts, keys and their requests, without a store and without time. */
class House {
  readonly keys: Key[] = [];
  readonly scopes: OpenScope[] = [];
  readonly running: Running[] = [];
  line: Request[] = [];

  open(kind: Scope["kind"], max: bigint, hard: boolean, overdraft = 0n): OpenScope {
    const id = `${kind}_${this.scopes.length}`;
    const scope: OpenScope = { id, kind, max, used: 0n, held: 0n, running: 0n, hard, overdraft };
    this.scopes.push(scope);
    return scope;
  }

  #hold(request: Running, amount: bigint): void {
    for (const scope of request.key.scopes) {
      const left = leftIn(scope);
      const isAlone = scope.held === request.hold;
      if (amount > left) {
        expect({ isAlone, hard: scope.hard }).toEqual({ isAlone: true, hard: false });
        expect(amount - left).toBeLessThanOrEqual(leewayIn(scope, request.terms));
        request.loneIn.add(scope);
      }
    }
    for (const scope of request.key.scopes) scope.held += amount;
    request.hold += amount;
  }

  /** False where it has to wait. */
  #admit(request: Request): boolean {
    const { scopes } = request.key;
    const verdict = judge(scopes, request.terms);
    if (verdict.kind === "wait") {
      expect(verdict.scope.held).toBeGreaterThan(0n);
      return false;
    }
    if (verdict.kind !== "admit" || request.terms.worst === 0n) return true;
    const { allowance, lone } = verdict;
    expect(allowance).toBeGreaterThan(0n);
    expect(allowance).toBeLessThanOrEqual(request.terms.worst);
    const cost = request.input < allowance ? request.input : allowance;
    const loneIn = new Set<Scope>();
    const begun: Running = { ...request, hold: 0n, cost, loneIn, waits: false };
    this.#hold(begun, allowance);
    expect(lone).toBe(loneIn.size > 0);
    for (const scope of scopes) scope.running += 1n;
    this.running.push(begun);
    return true;
  }

  /** Who has to wait goes to the end of the line, and nobody overtakes. */
  enter(request: Request): void {
    if (request.terms.worst > 0n && this.line.length > 0) this.line.push(request);
    else if (!this.#admit(request)) this.line.push(request);
  }

  /** A stream writes on, asks for more at half of its allowance, and stops at the end of it. */
  write(stream: Running, more: bigint): void {
    if (!stream.metered || stream.waits) return;
    const { hold, terms } = stream;
    stream.cost = stream.cost + more < hold ? stream.cost + more : hold;
    if (2n * stream.cost >= hold && hold < terms.worst) this.raise(stream);
  }

  raise(stream: Running): void {
    const { terms, hold, cost, key } = stream;
    const need = terms.worst - hold;
    const verdict = judgeRaise(key.scopes, hold, {
      need,
      ...terms,
      floor: terms.floor - stream.input,
    });
    stream.waits = verdict.kind === "wait" && cost === hold;
    if (verdict.kind === "ended" && cost === hold) this.settle(stream, cost);
    if (verdict.kind !== "granted") return;
    expect(verdict.granted).toBeGreaterThan(0n);
    expect(verdict.granted).toBeLessThanOrEqual(need);
    this.#hold(stream, verdict.granted);
    expect(verdict.lone).toBe(key.scopes.some((scope) => leftIn(scope) + verdict.granted <= 0n));
  }

  settle(request: Running, cost: bigint): void {
    expect(cost).toBeLessThanOrEqual(request.hold);
    this.running.splice(this.running.indexOf(request), 1);
    for (const scope of request.key.scopes) {
      expect(leftIn(scope) + scope.held).toBeGreaterThanOrEqual(0n);
      scope.held -= request.hold;
      scope.running -= 1n;
      scope.used += cost;
      // Passed by this one, and by no more than itself.
      if (leftIn(scope) + scope.held < 0n) expect(request.loneIn.has(scope)).toBe(true);
    }
    this.moveUp();
  }

  /** Streams that wait for more go first, then the line. */
  moveUp(): void {
    // One that comes to its end makes room for those behind it, who have had their turn by then.
    for (const stream of [...this.running]) if (stream.waits) this.raise(stream);
    while (this.line.length > 0 && this.#admit(this.line[0] as Request)) this.line.shift();
  }

  /** Sums are right, and what is held passes no maximum but by one request that is alone. */
  check(): void {
    for (const scope of this.scopes) {
      const here = this.running.filter(({ key }) => key.scopes.includes(scope));
      const held = here.reduce((sum, { hold }) => sum + hold, 0n);
      must(scope.held === held && scope.running === BigInt(here.length), scope, "its sums");
      if (leftIn(scope) >= 0n) continue;
      must(!scope.hard, scope, "nothing may be passed");
      const [lone, ...others] = here.filter(({ loneIn }) => loneIn.has(scope));
      must(others.length === 0, scope, "two are alone");
      if (leftIn(scope) + held < 0n) must(here.length === 0, scope, "somebody runs on");
      else if (!lone || leftIn(scope) + lone.hold < 0n) must(false, scope, "nobody is alone");
      else must(-leftIn(scope) <= leewayIn(scope, lone.terms), scope, "passed by too much");
    }
  }
}

/** Cheaper than `expect`, for what is asked of every scope after every step. */
function must(holds: boolean, scope: OpenScope, claim: string): void {
  if (!holds) throw new Error(`${claim}: ${scope.id} ${leftIn(scope)} left, ${scope.held} held`);
}

const nat = (max: number) => fc.nat(max).map(BigInt);
const money = (min: number, max: number) => fc.integer({ min, max }).map(BigInt);

const keyDraw = fc.record({ hard: fc.boolean(), budgets: fc.array(nat(600), { maxLength: 3 }) });
const accountDraw = fc.record({
  hard: fc.boolean(),
  credit: money(1, 3_000),
  overdraft: fc.oneof(fc.constant(0n), money(1, 300)),
  keys: fc.oneof(
    { weight: 4, arbitrary: fc.array(keyDraw, { minLength: 1, maxLength: 4 }) },
    // A crowd of keys, each with next to nothing left, on one balance.
    {
      weight: 1,
      arbitrary: fc.record({ hard: fc.boolean(), budget: nat(5) }).map(({ hard, budget }) => {
        return Array.from({ length: 64 }, () => ({ hard, budgets: [budget] }));
      }),
    },
  ),
});

const which = fc.nat(1_000);
const stepDraw = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("enter" as const),
      which,
      input: nat(20),
      floor: nat(120),
      worst: nat(900),
      metered: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      which,
      more: nat(200),
      times: fc.integer({ min: 1, max: 12 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("end" as const), which, share: nat(100) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("credit" as const), which, more: nat(500) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("turn" as const), which }) },
);

type Drawn<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;
type Step = Drawn<typeof stepDraw>;

function build(accounts: readonly Drawn<typeof accountDraw>[]): House {
  const house = new House();
  for (const { hard, credit, overdraft, keys } of accounts) {
    const balance = house.open("balance", credit, true, overdraft);
    for (const key of keys) {
      const isHard = hard || key.hard;
      const budgets = key.budgets.map((max) => house.open("budget", max, isHard));
      house.keys.push({ scopes: [balance, ...budgets], hard: isHard, overdraft });
    }
  }
  return house;
}

function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % Math.max(1, list.length)];
}

function play(house: House, step: Step): void {
  if (step.do === "enter") {
    const key = pick(house.keys, step.which) as Key;
    const { input, metered } = step;
    const worst = step.worst === 0n ? 0n : input + step.worst;
    const [floor, least] = [input + step.floor, input + 1n];
    const loneLeast = floor < LONE_MAX ? floor : LONE_MAX;
    const leeway = { hard: key.hard, overdraft: key.overdraft, loneMax: LONE_MAX, loneLeast };
    const terms = { worst, floor, least, ...leeway };
    house.enter({ key, terms, input, metered });
  } else if (step.do === "credit") {
    const balances = house.scopes.filter(({ kind }) => kind === "balance");
    (pick(balances, step.which) as OpenScope).max += step.more;
    house.moveUp();
  } else if (step.do === "turn") {
    const budgets = house.scopes.filter(({ kind }) => kind === "budget");
    const budget = pick(budgets, step.which);
    if (budget) budget.used = 0n;
    house.moveUp();
  } else {
    const request = pick(house.running, step.which);
    if (!request) return;
    if (step.do === "write") {
      for (let i = 0; i < step.times && house.running.includes(request); i++) {
        house.write(request, step.more);
      }
    } else {
      const most = request.metered ? request.cost : request.hold;
      house.settle(request, (most * step.share) / 100n);
    }
  }
}

test("a soft budget is passed by one request and the allowance at most, all else never, and all come to an end", () => {
  const draw = fc.tuple(
    fc.array(accountDraw, { minLength: 1, maxLength: 2 }),
    fc.array(stepDraw, { minLength: 1, maxLength: 150, size: "max" }),
  );
  fc.assert(
    fc.property(draw, ([accounts, steps]) => {
      const house = build(accounts);
      for (const step of steps) {
        play(house, step);
        house.check();
      }
      // Nobody new comes. Whoever runs ends, and those who wait have their turn one after another.
      for (let rounds = 0; house.running.length > 0 && rounds < 1_000; rounds++) {
        const [first] = house.running as [Running];
        house.settle(first, first.metered ? first.cost : first.hold);
        house.check();
      }
      expect(house.line).toEqual([]);
      expect(house.running).toEqual([]);
      const rest = house.scopes.filter(({ held, running }) => held !== 0n || running !== 0n);
      expect(rest).toEqual([]);
    }),
    { numRuns: count(200, 10_000) },
  );
});
