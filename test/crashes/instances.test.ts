// Three instances share one PostgreSQL and serve many clients. The test kills and pauses instances, and cuts off, pauses
// and crashes the database. Each answer that a client received in full is paid once, even if its instance was taken for
// dead. Nothing stays held, and the sums are right.
import { expect, test } from "bun:test";
import { hostname } from "node:os";
import { startPostgres } from "../engines/postgres.ts";
import { FaultyPostgres } from "../engines/postgres-faults.ts";
import { TestServer } from "../server.ts";
import { Dice } from "../simulation/dice.ts";
import { expectRightBooks } from "../support/books.ts";
import { count, isFull } from "../support/counts.ts";
import {
  type EntryRow,
  entries,
  openHolds,
  type ReceiptRow,
  receipts,
} from "../support/houses/database.ts";
import { type Parts, partsOfTest } from "../support/houses/house.ts";
import { Crowd, type Instance } from "../support/load/crowd.ts";
import { eventually } from "../support/waiting.ts";

/** An instance renews its lease four times in it, so a busy machine does not make a live instance look dead. */
const LEASE_MS = count(4_000, 20_000);
/** If each fault comes once, an admission outlasts the pause of the database, so that no hold comes too late. */
const ADMISSION_WAIT_MS = count(60_000, 5_000);
const CLIENTS = count(12, 48);
/** The pause before each event of a stream. A stream has about as many events as words. */
const EVENT_MS = count(60, 120);
/** A finished answer is not charged after it. Storage is out for longer here than the default allows. */
const SETTLE_WAIT_MS = 120_000;
const INSTANCE_FAULTS = count(0, 20);

const parts = partsOfTest();

/** Kinds of faults, and how often each of them came. */
type Faults = Record<"kill" | "stop" | "cut" | "crash" | "pause", number>;

class Testbed {
  readonly faults: Faults = { kill: 0, stop: 0, cut: 0, crash: 0, pause: 0 };
  readonly database: FaultyPostgres;
  readonly instances: readonly Instance[];
  readonly #parts: Parts;
  readonly #settings: Record<string, string>;
  readonly #logs: Promise<string>[] = [];

  private constructor(own: Parts, database: FaultyPostgres, url: string) {
    this.#parts = own;
    this.database = database;
    this.#settings = {
      DATABASE_URL: url,
      FAREGATE_SECRET: "a secret of all three instances, long enough",
      FAREGATE_DATABASE_CONNECTIONS_MAX: "3",
      FAREGATE_INSTANCE_LEASE_MS: String(LEASE_MS),
      FAREGATE_ADMISSION_STORAGE_MS: String(ADMISSION_WAIT_MS),
      FAREGATE_SETTLE_WAIT_MS: String(SETTLE_WAIT_MS),
      FAREGATE_LOG: "warn",
    };
    this.instances = [];
  }

  static async open(own: Parts): Promise<Testbed> {
    const postgres = own.adopt(await startPostgres({ fsync: false, auth: "md5" }), (server) =>
      server.stop(),
    );
    const url = await postgres.createDatabase();
    const database = own.adopt(await FaultyPostgres.of(url), (held) => held.resume());
    const testbed = new Testbed(own, database, url);
    // The first makes the tables.
    const first = await testbed.#start();
    const others = await Promise.all([testbed.#start(), testbed.#start()]);
    const instances = [first, ...others].map(
      (server): Instance => ({ server, kills: 0, isDown: false }),
    );
    (testbed.instances as Instance[]).push(...instances);
    return testbed;
  }

  async #start(): Promise<TestServer> {
    const settings = { ...this.#settings, FAREGATE_DATA: this.#parts.folder() };
    const started = await TestServer.start(settings);
    this.#logs.push(started.errors);
    return this.#parts.adopt(started, (server) => server.kill());
  }

  /** Kills an instance and starts it again, as often as it takes. */
  async kill(instance: Instance): Promise<void> {
    this.faults.kill += 1;
    instance.kills += 1;
    instance.isDown = true;
    await instance.server.kill();
    instance.server = await eventually("it has started again", () =>
      this.#start().catch(() => undefined),
    );
    instance.isDown = false;
  }

  /** Pauses an instance until something has happened. */
  async stop({ server }: Instance, until: () => Promise<unknown>): Promise<void> {
    this.faults.stop += 1;
    server.pause();
    await until();
    server.resume();
  }

  async pause(ms: number): Promise<void> {
    this.faults.pause += 1;
    this.database.pause();
    await Bun.sleep(ms);
    this.database.resume();
  }

  async cut(): Promise<void> {
    this.faults.cut += 1;
    await this.database.cut();
  }

  async crash(): Promise<void> {
    this.faults.crash += 1;
    await this.database.crash();
  }

  /** Ends all instances as an operator does, and returns their logs. */
  async end(): Promise<string> {
    expect(await Promise.all(this.instances.map(({ server }) => server.stop()))).toEqual([0, 0, 0]);
    return (await Promise.all(this.#logs)).join("");
  }

  async heldBy({ server }: Instance): Promise<string[]> {
    const rows = await this.database.run<{ id: string }>(
      `select h.id from holds h join owners o on o.id = h.owner
       where o.name = '${hostname()}/${server.pid}'`,
    );
    return rows.map(({ id }) => id);
  }
}

/** Causes each fault once, for as long as it does its worst. Returns the owner that was taken for dead. */
async function oneOfEach(testbed: Testbed, crowd: Crowd): Promise<string> {
  const [first, second, third] = testbed.instances as [Instance, Instance, Instance];
  const busy = async () => (await testbed.heldBy(first)).length > 3 && crowd.answers.length > 10;
  await eventually("all is busy", busy);
  await testbed.cut();
  await testbed.crash();

  // The database is silent for longer than a lease, and no request that runs has lost its hold by that.
  await eventually("all is busy again", busy);
  const running = (await openHolds(testbed.database)).map(({ id }) => id);
  await testbed.pause(1.5 * LEASE_MS);
  await eventually("what ran then has ended", async () => {
    const open = new Set((await openHolds(testbed.database)).map(({ id }) => id));
    return !running.some((id) => open.has(id));
  });
  const ends = Map.groupBy(await entries(testbed.database), ({ holdId }) => holdId ?? "");
  const lost = new Set(running.filter((id) => ends.get(id)?.some(({ kind }) => kind !== "post")));
  // With what became of each, which an id alone does not tell.
  expect((await receipts(testbed.database)).filter(({ id }) => lost.has(id))).toEqual([]);
  expect([...lost]).toEqual([]);

  // One that is held still is dead to the others, and lives all the same.
  let held: string[] = [];
  await eventually("it has something to lose", async () => {
    second.server.pause();
    held = await testbed.heldBy(second);
    if (held.length > 3) return true;
    second.server.resume();
    return false;
  });
  const killed = testbed.kill(third);
  await testbed.stop(second, () =>
    eventually("others have taken it for dead", async () => {
      return (await testbed.heldBy(second)).length === 0;
    }),
  );
  // What it had sent before it was held still may have been posted; all else was void by then.
  const late = await eventually("its requests have ended", async () => {
    const own = new Set(held);
    const isEnd = ({ kind, holdId }: EntryRow) => kind !== "void" && own.has(holdId ?? "");
    const found = (await entries(testbed.database)).filter(isEnd);
    return found.length === held.length ? found : undefined;
  });
  expect(late.filter(({ kind }) => kind === "correction")).not.toEqual([]);

  await killed;
  return `${hostname()}/${second.server.pid}`;
}

/** Causes many random faults of instances and of the database at the same time. */
async function many(testbed: Testbed, dice: Dice): Promise<void> {
  let isOver = false;
  const ofDatabase = async () => {
    while (!isOver) {
      await Bun.sleep(dice.between(1_000, 20_000));
      const fault = dice.next();
      if (fault < 0.4) await testbed.cut();
      else if (fault < 0.7) await testbed.crash();
      else await testbed.pause(dice.between(1_000, 30_000));
    }
  };
  const ofInstances = async (faults: number) => {
    for (let i = 0; i < faults; i++) {
      await Bun.sleep(dice.between(1_000, 10_000));
      const instance = dice.pick(testbed.instances);
      if (dice.chance(0.3)) await testbed.kill(instance);
      else await testbed.stop(instance, () => Bun.sleep(dice.between(1_000, 40_000)));
    }
  };
  const database = ofDatabase();
  await ofInstances(INSTANCE_FAULTS);
  isOver = true;
  await database;
}

/** Whether a hold ended once: posted or void, and what was voided by mistake corrected. */
function isEndedOnce(cost: bigint, own: readonly EntryRow[] = []): boolean {
  const kinds = own.map(({ kind }) => kind).sort();
  if (own.reduce((sum, { amount }) => sum + amount, 0n) !== cost) return false;
  return ["post", "void", "correction,void"].includes(kinds.join());
}

/**
 * Whether the balance of a request had nothing left for its correction: the hold was voided while the process slept, and
 * other requests were given the money. A balance is never passed, so the operator pays.
 */
function isLost({ cost, loss }: ReceiptRow, own: readonly EntryRow[] = []): boolean {
  return cost === 0n && loss > 0n && own.some(({ kind }) => kind === "correction");
}

async function expectPaidOnce(testbed: Testbed, crowd: Crowd, poorKeyId: string) {
  const rows = await receipts(testbed.database);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ended = Map.groupBy(await entries(testbed.database), ({ holdId }) => holdId ?? "");
  // A failure shows the receipt and the entries of its hold.
  const unpaid = crowd.answers
    .map((answer) => {
      const row = byId.get(answer.requestId);
      return { ...answer, row, entries: ended.get(answer.requestId) };
    })
    .filter(({ responseId, row, entries: own }) => {
      if (row?.responseId !== responseId || row.status !== 200) return true;
      return row.cost === 0n && !(row.keyId === poorKeyId && isLost(row, own));
    });
  expect(unpaid).toEqual([]);
  const admitted = rows.filter(({ reason }) => reason !== "refused");
  expect(admitted.filter(({ id, cost }) => !isEndedOnce(cost, ended.get(id)))).toEqual([]);
  const interrupted = admitted.filter(({ reason }) => reason === "interrupted").length;
  const corrected = [...ended.values()].flat().filter(({ kind }) => kind === "correction").length;
  // Only what a killed process ran may be without its end.
  expect(interrupted).toBeLessThanOrEqual(crowd.broken);
  return { rows, ended, interrupted, corrected };
}

test(`three instances on one PostgreSQL, with ${isFull ? "many faults" : "each fault once"}: answers are paid once`, async () => {
  const seed = Number(process.env.FAREGATE_TEST_SEED ?? Date.now() % 1_000_000);
  const testbed = await Testbed.open(parts);
  const [first] = testbed.instances as [Instance];
  const rich = await first.server.account("1000", "--rpm", "0");
  const poor = await first.server.account("0.02", "--rpm", "0");
  const crowd = new Crowd(testbed.instances, [rich.key, rich.key, poor.key], CLIENTS, EVENT_MS);
  let mistaken = "";
  if (isFull) await many(testbed, new Dice(seed));
  else mistaken = await oneOfEach(testbed, crowd);
  await crowd.stop();
  await eventually("nothing is held any more", async () => {
    return (await openHolds(testbed.database)).length === 0;
  });

  const { rows, ended, interrupted, corrected } = await expectPaidOnce(testbed, crowd, poor.keyId);
  const refused = [...crowd.refused].map(([status, times]) => `${times} × ${status}`).join(", ");
  console.log(
    `  seed ${seed}; ${JSON.stringify(testbed.faults)}: ${crowd.answers.length} answers in full ` +
      `(${crowd.answers.filter(({ stream }) => stream).length} streams), ${crowd.broken} broken by kills, ` +
      `${interrupted} interrupted, ${corrected} corrected, ${refused || "none"} refused`,
  );
  expect(crowd.faults).toEqual([]);

  // A balance may be passed by one that ran alone, and by what was given back while it ran.
  const ofPoor = rows.filter(({ keyId }) => keyId === poor.keyId);
  const late = ofPoor.filter(({ id }) => ended.get(id)?.some(({ kind }) => kind === "correction"));
  const spent = ofPoor.reduce((sum, { cost }) => sum + cost, 0n);
  const dearest = ofPoor.reduce((most, { cost }) => (cost > most ? cost : most), 0n);
  const given = late.reduce((sum, { cost }) => sum + cost, 0n);
  expect(spent).toBeLessThanOrEqual(20_000_000n + dearest + given);

  await expectRightBooks(first.server);
  const log = await testbed.end();
  expect(log).toContain("holds_recovered");
  expect(log).toContain(mistaken);
});
