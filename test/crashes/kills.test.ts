// A server that is killed again and again while many ask: what somebody received in full was paid for, once, and of
// everything else nothing is left but its word that it was interrupted. Looks only at what clients were sent, at
// receipts and at sums, so that it holds for whatever way money is kept in.
import { describe, expect, test } from "bun:test";
import { TestServer } from "../server.ts";
import { ENGINES, type Engine, type Site } from "../store/engines.ts";
import { expectRightBooks, keyFacts, nano } from "../support/books.ts";
import { count } from "../support/counts.ts";
import { type EntryRow, entries, type ReceiptRow, receipts } from "../support/houses/database.ts";
import { type Parts, partsOfTest } from "../support/houses/house.ts";
import { type FullAnswer, Load } from "../support/load/load.ts";
import { eventually } from "../support/waiting.ts";

const KILLS: Readonly<Record<Engine["name"], number>> = {
  SQLite: count(6, 1_000),
  PostgreSQL: count(2, 60),
};
const IN_FLIGHT = 48;
const PACE = { wholeMs: 150, eventMs: 6 };
/** A kill comes when so many answers at most were received in full; the number is another one each time. */
const ANSWERS_MAX = count(1, 2) * IN_FLIGHT;
/** What is looked through after each kill grows with all that were before on the same database. */
const KILLS_PER_DATABASE = 40;
/** The books are proved as the command does it after so many kills, and after the last. */
const KILLS_PER_PROOF = count(1, 10);
/** Databases that are worked on side by side; a server that starts keeps one core busy. */
const LANES = count(1, 2);

interface Tally {
  kills: number;
  answers: number;
  streams: number;
  /** Receipts of requests that a kill had caught between the vendor's call and the settlement. */
  interrupted: number;
  /** Settled, though the last byte did not reach the client any more. */
  cutOff: number;
}

const parts = partsOfTest();

/** One database, and the server that is killed on it. */
class Testbed {
  readonly #site: Site;
  readonly #parts: Parts;
  readonly #tally: Tally;
  readonly #answers: FullAnswer[] = [];
  #server: TestServer;
  #key = "";

  private constructor(site: Site, own: Parts, server: TestServer, tally: Tally) {
    this.#site = site;
    this.#parts = own;
    this.#server = server;
    this.#tally = tally;
  }

  static async open(engine: Engine, own: Parts, tally: Tally): Promise<Testbed> {
    const site = await engine.site(own);
    const testbed = new Testbed(site, own, await startOn(site, own), tally);
    testbed.#key = (await testbed.#server.account("1000", "--rpm", "0")).key;
    return testbed;
  }

  async kill(): Promise<void> {
    const load = new Load(this.#server, this.#key, IN_FLIGHT, PACE);
    const enough = 1 + Math.floor(Math.random() * ANSWERS_MAX);
    // Chance may have it that no stream ends before any kill, and then nothing of streams was tried.
    const isTried = () => this.#tally.streams > 0 || load.answers.some(({ stream }) => stream);
    await eventually("enough was answered", () => load.answers.length >= enough && isTried());
    expect(load.inFlight).toBe(IN_FLIGHT);
    await this.#server.kill();
    await load.stop();
    this.#answers.push(...load.answers);
    this.#tally.kills += 1;
    this.#tally.answers += load.answers.length;
    this.#tally.streams += load.answers.filter(({ stream }) => stream).length;
    await this.#site.atRest();
    await this.#site.forgetTheDead();
    this.#server = await startOn(this.#site, this.#parts);
  }

  /** Every answer has its receipt, every receipt its entry, and the sums are those of the receipts. */
  async expectPaidOnce(): Promise<void> {
    const rows = await receipts(this.#site);
    const byId = new Map(rows.map((row) => [row.id, row]));
    expect(this.#answers.filter((answer) => !isPaid(answer, byId.get(answer.requestId)))).toEqual(
      [],
    );
    const resolved = Map.groupBy(await entries(this.#site), (entry) => entry.holdId);
    expect(rows.filter((row) => !isResolved(row, resolved.get(row.id)))).toEqual([]);
    const { held, used } = await keyFacts(this.#server, this.#key);
    expect(held).toBe("0.0");
    expect(nano(used)).toBe(rows.reduce((sum, { cost }) => sum + cost, 0n));
  }

  async prove(): Promise<void> {
    await expectRightBooks(this.#server);
  }

  async end(): Promise<void> {
    await this.prove();
    const rows = await receipts(this.#site);
    const interrupted = rows.filter(({ reason }) => reason === "interrupted");
    expect(new Set(interrupted.map(({ status }) => status))).toEqual(new Set([500]));
    this.#tally.interrupted += interrupted.length;
    this.#tally.cutOff += rows.length - interrupted.length - this.#answers.length;
    await this.#server.kill();
  }
}

async function startOn(site: Site, own: Parts): Promise<TestServer> {
  const started = await TestServer.start(site.settings);
  return own.adopt(started, (server) => server.kill());
}

/** Whether an answer has a receipt that says so, with what it cost. */
function isPaid({ responseId }: FullAnswer, row: ReceiptRow | undefined): boolean {
  if (row?.responseId !== responseId || row.status !== 200) return false;
  return row.reason === "completed" && row.cost > 0n;
}

/** Whether a receipt's hold was resolved once: posted, or void where the request was interrupted. */
function isResolved({ reason, cost }: ReceiptRow, own: readonly EntryRow[] = []): boolean {
  const [entry, ...more] = own;
  if (!entry || more.length > 0) return false;
  if (reason === "interrupted") return entry.kind === "void" && entry.amount === 0n && cost === 0n;
  return entry.kind === "post" && entry.amount === cost;
}

async function killOn(engine: Engine, kills: number, tally: Tally): Promise<void> {
  const testbed = await Testbed.open(engine, parts, tally);
  for (let i = 1; i <= kills; i++) {
    await testbed.kill();
    await testbed.expectPaidOnce();
    if (i % KILLS_PER_PROOF === 0) await testbed.prove();
  }
  await testbed.end();
}

describe.each(ENGINES)("a server on $name", (engine) => {
  const kills = KILLS[engine.name];
  test(`that is killed ${kills} times at ${IN_FLIGHT} in flight: answers are paid once, the rest is void`, async () => {
    const tally: Tally = { kills: 0, answers: 0, streams: 0, interrupted: 0, cutOff: 0 };
    let left = kills;
    const lane = async () => {
      while (left > 0) {
        const share = Math.min(left, KILLS_PER_DATABASE);
        left -= share;
        await killOn(engine, share, tally);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const { answers, streams, interrupted, cutOff } = tally;
    console.log(
      `  ${tally.kills} kills on ${engine.name}: ${answers} answers in full (${streams} streams), ` +
        `${interrupted} interrupted, ${cutOff} settled and cut off`,
    );
    expect(tally.kills).toBe(kills);
    // There was something to lose, of both kinds, and something to clean up.
    expect(streams).toBeGreaterThan(0);
    expect(answers - streams).toBeGreaterThan(0);
    expect(interrupted).toBeGreaterThanOrEqual(kills);
  });
});
