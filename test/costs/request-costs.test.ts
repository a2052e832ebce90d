// What a request may cost, in things that a busy machine does not change: SQL statements, rows that are written,
// flushes of the disk that somebody waits for, and messages from thread to thread.
import { describe, expect, test } from "bun:test";
import type { TestServer } from "../server.ts";
import { count, isHurried } from "../support/counts.ts";
import { perSuite } from "../support/houses/house.ts";
import { CHAT, RESPONSES, type TestWire } from "../support/samples/wires.ts";
import { COUNTED, type Counts } from "./counted.ts";
import { CostHouse, ENGINES } from "./house.ts";
import limits from "./limits.json";

/**
 * Enough that what a server does by the clock weighs little in each. On SQLite that is most of it: lines of the journal
 * are applied every 250 ms, so statements and rows are about 3.4 and 4.1 where many requests come in that time, and 23 and
 * 12 where one does. Their limits are near the latter, since on a busy machine it may be so. On PostgreSQL a batch is one
 * statement, a call of a function: what that does more shows in the rows.
 */
const REQUESTS = count(80, 200);
const AT_ONCE = 32;
const MODEL = "gpt-6-luna";

interface Kind {
  readonly name: keyof (typeof limits)["SQLite"];
  readonly wire: TestWire;
  readonly stream: boolean;
}

const KINDS: readonly Kind[] = [
  { name: "whole", wire: CHAT, stream: false },
  { name: "stream", wire: CHAT, stream: true },
  { name: "stored", wire: RESPONSES, stream: false },
];

/** Each needs a life of a server, so in a run of everything only the one that does more goes in company. */
const IN_COMPANY = KINDS.slice(isHurried ? 1 : 0, 2);

async function ask(server: TestServer, key: string, { wire, stream }: Kind): Promise<void> {
  const body = wire.request("Tell me about foxes.", { model: MODEL, stream });
  const response = await server.post(wire.path, key, body);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
}

/** One after another: nobody shares a statement or a flush with anybody. */
async function oneByOne(server: TestServer, key: string, kind: Kind): Promise<void> {
  for (let i = 0; i < REQUESTS; i++) await ask(server, key, kind);
}

async function atOnce(server: TestServer, key: string, kind: Kind): Promise<void> {
  let left = REQUESTS;
  const client = async () => {
    while (left-- > 0) await ask(server, key, kind);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}

const shown = (counts: Counts) =>
  COUNTED.map((name) => `${counts[name].toFixed(2)} ${name}`).join(", ");

describe.each(ENGINES)("a request on $name", (engine) => {
  const house = perSuite((parts) => CostHouse.open(parts, engine));
  const costOf = async (work: typeof oneByOne, kind: Kind) => {
    const each = await house.perRequest(REQUESTS, (server) => work(server, house.key, kind));
    console.log(`  ${engine.name}, ${kind.name}, ${work.name}: ${shown(each)}`);
    return each;
  };
  const expectWithin = (cost: Counts, allowed: Counts) => {
    // To whole numbers: what a server does by the clock is known only about.
    const beyond = COUNTED.filter((name) => Math.round(cost[name]) > allowed[name]);
    expect(beyond.map((name) => `${name}: ${cost[name]} instead of ${allowed[name]}`)).toEqual([]);
  };

  test.each(KINDS)("costs no more than it may: $name", async (kind) => {
    const cost = await costOf(oneByOne, kind);
    // Whatever stops counting would be within every limit.
    for (const name of ["statements", "rows", "flushes"] as const) {
      expect(cost[name]).toBeGreaterThanOrEqual(0.9);
    }
    expectWithin(cost, limits[engine.name][kind.name]);
  });

  test.each(IN_COMPANY)("costs no more in company: $name", async (kind) => {
    expectWithin(await costOf(atOnce, kind), limits[engine.name][kind.name]);
  });
});
