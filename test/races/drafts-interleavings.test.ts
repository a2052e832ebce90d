// Any order of pushes, retries, double clicks, updates, deletes, deaths and trouble of the platform, on one draft.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { DraftService } from "../../src/drafts/draft-service.ts";
import type { DraftBoxStore } from "../../src/drafts/tables/open.ts";
import { Fault } from "../../src/lib/faults.ts";
import { type Engine, POSTGRES, SQLITE } from "../store/engines.ts";
import { count } from "../support/counts.ts";
import { article, DraftHouse, draftStores, type Life } from "../support/houses/draft-house.ts";
import { perSuite } from "../support/houses/house.ts";
import type { StubFault } from "../support/outside/wechat-stub.ts";

const RUNS = count(5, 500);
/** After so long nobody who died counts as living, and nothing that was sent is still on its way. */
const LONG_MS = 120_000;
const TRIES_MAX = 20;
const ADD = "/cgi-bin/draft/add";

const FAULTS: readonly StubFault[] = [
  "unreachable",
  "reset_before",
  "reset_after",
  "slow_before",
  "slow_after",
  "late",
  "busy_before",
  "busy_after",
  "http_before",
  "http_after",
  "no_media_id",
  "broken_json",
  "stale_token",
  "odd_code",
];

/** After these there is one draft in the box. */
const KINDS = ["push", "double", "update"] as const;
/** These may leave several there, or none, until it is deleted. */
const ENDING_KINDS = ["push", "update", "as_new", "delete"] as const;

interface Op {
  readonly kind: (typeof KINDS)[number] | (typeof ENDING_KINDS)[number];
  /** It comes once all before it are over; else it meets them. */
  readonly waits: boolean;
  /** Which process is asked. */
  readonly at: number;
  /** How many ticks of the event loop pass before the next one. */
  readonly gap: number;
}

interface Script {
  readonly ops: readonly Op[];
  /** Of one call of the platform after another. */
  readonly faults: readonly (StubFault | undefined)[];
  /** Of one add after another, those that do not reach the platform: few of the faults meet just these. */
  readonly unreached: readonly boolean[];
  /** How many ticks of the event loop a call takes on its way to the platform, and its answer on the way back. */
  readonly delays: readonly (readonly [number, number])[];
  /** A process dies at its so-manieth call of the store or the platform. */
  readonly deaths: readonly { readonly at: number; readonly call: number }[];
}

const stormy = (kinds: readonly Op["kind"][]): fc.Arbitrary<Script> =>
  fc.record({
    ops: fc.array(
      fc.record({
        kind: fc.constantFrom(...kinds),
        waits: fc.boolean(),
        at: fc.nat({ max: 1 }),
        gap: fc.nat({ max: 60 }),
      }),
      { minLength: 2, maxLength: 6 },
    ),
    faults: fc.array(fc.option(fc.constantFrom(...FAULTS), { nil: undefined, freq: 2 }), {
      maxLength: 16,
    }),
    unreached: fc.array(fc.boolean(), { maxLength: 4 }),
    delays: fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 })), { maxLength: 16 }),
    deaths: fc.array(fc.record({ at: fc.nat({ max: 1 }), call: fc.integer({ min: 1, max: 60 }) }), {
      maxLength: 3,
    }),
  });

/** In some of them nothing goes wrong: those that meet are all that there is. */
const scriptOf = (kinds: readonly Op["kind"][]) =>
  fc.oneof(
    { weight: 3, arbitrary: stormy(kinds) },
    {
      weight: 1,
      arbitrary: stormy(kinds).map((played) => ({
        ...played,
        faults: [],
        unreached: [],
        deaths: [],
      })),
    },
  );

async function turns(some: number): Promise<void> {
  for (let turn = 0; turn < some; turn += 1) await Bun.sleep(0);
}

/** A place where one process runs after another. */
interface Process {
  draftService: DraftService;
  life: Life;
  calls: number;
}

let titles = 0;

/** One draft, and all that is done with it. */
class Story {
  readonly house: DraftHouse;
  readonly title = `One draft ${++titles}`;
  readonly #stores: readonly DraftBoxStore[];
  readonly #processes: Process[] = [];
  /** Those to come; nobody dies before the story begins. */
  #deaths: { at: number; call: number }[] = [];
  #delays: (readonly [number, number])[] = [];
  /** The calls of the store. */
  readonly #sent: unknown[] = [];
  #draftId = "";
  #words = 0;
  /** Which version has which words. */
  readonly #versions = new Map([[1, 1]]);
  /** The newest version that somebody was told to be in the box. */
  acknowledged = 0;
  readonly mediaIds = new Set<string>();

  constructor(stores: readonly DraftBoxStore[]) {
    const [first] = stores;
    if (!first) throw new Error("a story needs a place");
    this.house = new DraftHouse(first);
    this.#stores = stores;
  }

  async begin(): Promise<void> {
    for (const at of this.#stores.keys()) this.#start(at);
    const form = { articles: [this.#article()], by: "me" };
    const process = this.#process(0);
    this.#draftId = (await process.draftService.create(this.house.accountId, form)).id;
  }

  #article() {
    this.#words += 1;
    const text = `words number ${this.#words} of ${this.title}`;
    return article(this.title, { source: { format: "markdown", text } });
  }

  #start(at: number): void {
    const store = this.#stores[at];
    if (!store) throw new Error("there is no such place");
    const { stub } = this.house;
    const draftService = this.house.start({
      store: this.#counted(at, store),
      fetch: async (address, call) => {
        const [before, after] = this.#delays.shift() ?? [0, 0];
        await turns(before);
        // What becomes of it is told only when the answer has come.
        const [answer] = await Promise.allSettled([stub.fetch(address, call)]);
        await turns(after);
        if (answer.status === "rejected") throw answer.reason;
        return answer.value;
      },
    });
    this.#processes[at] = { draftService, life: this.house.life, calls: 0 };
  }

  /** Counts the calls of a process, and lets it die when its time has come. */
  #counted(at: number, store: DraftBoxStore): DraftBoxStore {
    const beforeCall = () => {
      const process = this.#processes[at];
      if (!process || process.life.dead) return;
      process.calls += 1;
      const due = this.#deaths.findIndex((death) => death.at === at && process.calls >= death.call);
      if (due < 0) return;
      this.#deaths.splice(due, 1);
      process.life.die();
    };
    const sent = <T>(call: T): T => {
      this.#sent.push(call);
      return call;
    };
    const parts = Object.entries(store).map(([name, part]) => [
      name,
      new Proxy(part as object, {
        get(object, member) {
          const value: unknown = Reflect.get(object, member);
          if (typeof value !== "function") return value;
          return (...args: unknown[]) => {
            beforeCall();
            return sent(value.apply(object, args));
          };
        },
      }),
    ]);
    return Object.fromEntries(parts) as DraftBoxStore;
  }

  #process(at: number): Process {
    const index = at % this.#stores.length;
    if (this.#processes[index]?.life.dead) this.#start(index);
    const process = this.#processes[index];
    if (!process) throw new Error("there is no such place");
    return process;
  }

  /** True when it came to a good end; a fault or the death of the process is none. */
  async #attempt(
    process: Process,
    work: (draftService: DraftService) => Promise<void>,
  ): Promise<boolean> {
    const told = work(process.draftService).then(
      () => true,
      (thrown: unknown) => {
        if (thrown instanceof Fault) return false;
        throw thrown;
      },
    );
    return Promise.race([told, process.life.died.then(() => false)]);
  }

  #push(process: Process, asNew = false): Promise<boolean> {
    return this.#attempt(process, async (draftService) => {
      const { receipt } = await draftService.push(this.house.accountId, this.#draftId, { asNew });
      this.mediaIds.add(receipt.mediaId);
    });
  }

  #delete(process: Process): Promise<boolean> {
    return this.#attempt(process, (draftService) =>
      draftService.remove(this.house.accountId, this.#draftId),
    );
  }

  #begin({ kind }: Op, process: Process): readonly Promise<boolean>[] {
    if (kind === "update") return [this.#update(process)];
    if (kind === "delete") return [this.#delete(process)];
    if (kind === "double") return [this.#push(process), this.#push(process)];
    return [this.#push(process, kind === "as_new")];
  }

  #update(process: Process): Promise<boolean> {
    return this.#attempt(process, async (draftService) => {
      const { accountId } = this.house;
      const { version } = await draftService.find(accountId, this.#draftId);
      const articles = [this.#article()];
      const words = this.#words;
      const edit = { articles, by: "me", base: version };
      const saved = await draftService.save(accountId, this.#draftId, edit);
      this.#versions.set(words, saved.version);
      const { receipt } = await draftService.push(accountId, this.#draftId);
      this.mediaIds.add(receipt.mediaId);
      this.acknowledged = Math.max(this.acknowledged, saved.version);
    });
  }

  async play({ ops, faults, unreached, delays, deaths }: Script): Promise<void> {
    const left = [...faults];
    const adds = [...unreached];
    for (const process of this.#processes) process.calls = 0;
    this.#deaths = [...deaths];
    this.#delays = [...delays];
    this.house.fault = (path) => (path === ADD && adds.shift() ? "unreachable" : left.shift());
    const running: Promise<unknown>[] = [];
    for (const op of ops) {
      if (op.waits) await Promise.all(running);
      running.push(...this.#begin(op, this.#process(op.at)));
      await turns(op.gap);
    }
    await Promise.all(running);
    // The last call of a process that has died is with the database still, and may change something there.
    await Promise.allSettled(this.#sent);
    this.house.fault = () => undefined;
    this.#deaths.length = 0;
    this.house.nowMs += LONG_MS;
  }

  /** The version whose words are in the box; those that a dead process had saved count as the newest. */
  versionInBox(): number {
    const [words = 0] = this.#wordsInBox();
    return this.#versions.get(words) ?? (words === 0 ? 0 : Number.POSITIVE_INFINITY);
  }

  /** How often the platform was asked to add it. */
  sends(): number {
    return this.house.stub.calls.filter((path) => path === ADD).length;
  }

  #wordsInBox(): readonly number[] {
    return this.house.stub
      .titled(this.title)
      .map(({ articles }) => Number(/words number (\d+)/.exec(String(articles[0]?.content))?.[1]));
  }

  /** All is well again, and everybody pushes it once more. */
  async end(): Promise<void> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const ended = await Promise.all(
        this.#stores.map((_, at) => {
          const process = this.#process(at);
          return this.#push(process);
        }),
      );
      if (ended.every(Boolean)) return;
    }
    throw new Error("the push never came to an end");
  }

  /** All is well again, and it is deleted; what is in doubt is found out first. */
  async endDeleted(): Promise<void> {
    const { store, accountId } = this.house;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const kept = await store.drafts.find(accountId, this.#draftId);
      if (!kept) return;
      if (kept.status === "unknown") await this.#push(this.#process(0));
      await this.#delete(this.#process(tries));
      this.house.nowMs += LONG_MS;
    }
    throw new Error("the draft was never deleted");
  }

  async expectOne(): Promise<void> {
    const { house } = this;
    house.nowMs += LONG_MS;
    const kept = await house.store.drafts.find(house.accountId, this.#draftId);
    const words = this.#wordsInBox();
    expect(words).toHaveLength(1);
    const [found] = house.stub.titled(this.title);
    expect(kept).toMatchObject({ status: "in_box", mediaId: found?.mediaId });
    expect(kept?.pushedVersion).toBe(kept?.version ?? 0);
    expect([...this.mediaIds]).toEqual([found?.mediaId ?? ""]);
    const newest = kept?.articles[0]?.source.text ?? "";
    expect(newest).toContain(`words number ${words[0]} of`);
  }
}

const SETUPS: [string, Engine, number][] = [
  ["one process on SQLite", SQLITE, 1],
  ["two handles on SQLite", SQLITE, 2],
  ["two instances on PostgreSQL", POSTGRES, 2],
];

describe.each(SETUPS)("any interleaving with %s", (_name, engine, processes) => {
  const drafts = perSuite(async (parts) => {
    const { store, again } = await draftStores(parts, engine);
    const others = Array.from({ length: processes - 1 }, again);
    return { stores: [store, ...(await Promise.all(others))] };
  });

  test("leaves exactly one draft, with the newest words, and the draft knows it", async () => {
    await fc.assert(
      fc.asyncProperty(scriptOf(KINDS), async (played) => {
        const story = new Story([...drafts.stores]);
        await story.begin();
        await story.play(played);
        expect(story.versionInBox()).toBeGreaterThanOrEqual(story.acknowledged);
        await story.end();
        const { faults, unreached, deaths } = played;
        const isCalm = [faults, unreached, deaths].every(({ length }) => length === 0);
        if (isCalm) expect(story.sends()).toBe(1);
        await story.expectOne();
      }),
      { numRuns: RUNS },
    );
  });

  test("leaves nothing in the box of a draft that is deleted", async () => {
    await fc.assert(
      fc.asyncProperty(scriptOf(ENDING_KINDS), async (played) => {
        const story = new Story([...drafts.stores]);
        await story.begin();
        await story.play(played);
        await story.endDeleted();
        expect(story.house.stub.titled(story.title)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
