import { afterAll, describe, expect, test } from "bun:test";
import { TestServer } from "../server.ts";
import { ENGINES, POSTGRES, type Site } from "../store/engines.ts";
import { expectRightBooks } from "../support/books.ts";
import { headerOf, isWhole, RawClient } from "../support/clients/raw-client.ts";
import { count, isFull } from "../support/counts.ts";
import { gauge, METRICS_PUBLIC } from "../support/gauges.ts";
import { entries, openHolds, type ReceiptRow, receipts } from "../support/houses/database.ts";
import { partsOfTest, perSuite } from "../support/houses/house.ts";
import { startServer } from "../support/houses/serving.ts";
import { Load } from "../support/load/load.ts";
import { WIRES } from "../support/samples/wires.ts";
import { answer, MockVendor } from "../support/vendors/mock-vendor.ts";
import { caughtUp, eventually } from "../support/waiting.ts";

/** Starts that find nothing to do, after those that found something. */
const IDLE_STARTS = count(1, 2);
const CLIENTS = 24;
/** Calls that last for some hundred milliseconds, whole or as a stream. */
const PACE = { wholeMs: 400, eventMs: 12 };
const IN_FLIGHT_MIN = 16;
/** Requests that a kill must catch between the vendor's call and the settlement. */
const CAUGHT_MIN = 8;
/** Answers that clients have in full before each kill, so that there is something to lose. */
const ANSWERS_MIN = 6;

const LAST_WORDS = "Say goodbye to everybody in this house";

const vendor = new MockVendor();
afterAll(() => vendor.stop());

const parts = partsOfTest();

async function start(database: Site): Promise<TestServer> {
  const started = await TestServer.start(database.settings);
  return parts.adopt(started, (server) => server.kill());
}

/** Starts where a server was killed before; its holds are nobody's by now. */
async function restart(database: Site): Promise<TestServer> {
  await database.forgetTheDead();
  return start(database);
}

/** Loads the server and kills it in the middle of the work; the holds that the dead database still has. */
async function killUnderLoad(
  running: TestServer,
  database: Site,
  key: string,
): Promise<readonly string[]> {
  const load = new Load(running, key, CLIENTS, PACE);
  // Another moment each time: some kills come among the first answers, some later.
  const answersMin = ANSWERS_MIN + Math.floor(Math.random() * CLIENTS);
  const before = await eventually("enough requests run", async () => {
    if (load.answers.length < answersMin || load.inFlight < IN_FLIGHT_MIN) return undefined;
    // Held still while its holds are counted, or a slow look would find them gone at the kill.
    running.pause();
    const holds = await openHolds(database);
    // A commit that is under way takes some of them; where fewer run, it could leave too few.
    if (holds.length >= IN_FLIGHT_MIN && load.inFlight >= IN_FLIGHT_MIN) return holds;
    running.resume();
    return undefined;
  });
  const inFlight = load.inFlight;
  await running.kill();
  await load.stop();
  await database.atRest();
  expect(inFlight).toBeGreaterThanOrEqual(IN_FLIGHT_MIN);

  const alive = new Set(before.map((hold) => hold.id));
  const dead = await openHolds({ run: database.asLeft });
  const caught = dead.filter((hold) => alive.has(hold.id));
  const streams = caught.filter((hold) => hold.stream).length;
  console.log(
    `  killed with ${inFlight} in flight; ${caught.length} dispatched and unsettled ` +
      `(${streams} streams); ${load.answers.length} answers in full, ${load.lost} cut off`,
  );
  expect(caught.length).toBeGreaterThanOrEqual(CAUGHT_MIN);
  return dead.map((hold) => hold.id);
}

async function expectInterrupted(database: Site, ids: readonly string[]): Promise<void> {
  const byId = new Map((await receipts(database)).map((row) => [row.id, row]));
  const resolved = Map.groupBy(await entries(database), (entry) => entry.holdId);
  for (const id of ids) {
    expect(byId.get(id)).toMatchObject({ reason: "interrupted", cost: 0n, status: 500 });
    expect(resolved.get(id)).toMatchObject([{ kind: "void", amount: 0n }]);
  }
}

const paidRows = (rows: readonly ReceiptRow[]) => rows.filter((row) => row.cost > 0n);

describe.each(ENGINES)("a server that is killed, on $name", (engine) => {
  // On the database that others share with it; how each comes back from kills is seen in kills.test.ts.
  if (isFull || engine === POSTGRES)
    test("a client that asks again gets one receipt more, and recovery adds none", async () => {
      const database = await engine.site(parts);
      const first = await start(database);
      const { key } = await first.account("1000", "--rpm", "0");
      const dead = await killUnderLoad(first, database, key);
      const second = await restart(database);
      const before = await receipts(database);
      await expectInterrupted(database, dead);

      const wire = WIRES[0];
      if (!wire) throw new Error("there is no wire");
      const again = await Promise.all(
        dead.map((id) => second.post(wire.path, key, wire.request(`Say ${id}`))),
      );
      expect(again.map((response) => response.status)).toEqual(dead.map(() => 200));
      const after = await receipts(database);
      expect(after).toHaveLength(before.length + dead.length);
      expect(paidRows(after)).toHaveLength(paidRows(before).length + dead.length);

      // Nothing was open: further starts find nothing to do.
      let last = second;
      for (let i = 0; i < IDLE_STARTS; i++) {
        await last.kill();
        last = await restart(database);
      }
      await expectRightBooks(last);
      expect(await receipts(database)).toHaveLength(after.length);
      await expectInterrupted(database, dead);
    });

  const lastByteCases = WIRES.flatMap((wire) => [
    { ...wire, stream: false },
    { ...wire, stream: true },
  ]);
  // Every one of them on one of the databases, since each needs a server that dies of it; on both in full.
  const shift = ENGINES.indexOf(engine);
  const dyingCases = lastByteCases.filter(
    ({ stream }, at) => isFull || (Math.floor(at / 2) + shift) % 2 === Number(stream),
  );

  describe("before it is", () => {
    const house = perSuite(async (own) => {
      const database = await engine.site(own);
      const settings = { ...database.settings, ...METRICS_PUBLIC, ...vendor.settings };
      const running = own.adopt(await startServer(settings), (server) => server.kill());
      return { database, running, key: (await running.account("1")).key };
    });
    const receiptsOf = async (id: string | undefined) =>
      (await receipts(house.database)).filter((row) => row.id === id);

    test.each(lastByteCases)(
      "never sends the end of $path, stream $stream, before its commit",
      async ({ path, stream, request }) => {
        const { database, running, key } = house;
        const gate = Promise.withResolvers<void>();
        vendor.play(async (call) => {
          await gate.promise;
          return answer(call);
        });
        const client = await RawClient.connect(running.url);
        client.post(`/v1${path}`, key, { ...request(LAST_WORDS, { stream }), model: "gpt-6-luna" });
        const [hold] = await eventually("the vendor is called", async () => {
          const holds = await openHolds(database);
          return vendor.calls.length === 1 && holds.length === 1 ? holds : undefined;
        });
        const unlock = await database.lockWrites();
        try {
          gate.resolve();
          if (stream) {
            const last =
              path === "/responses" ? "response.output_item.done" : '"finish_reason":"stop"';
            await eventually("all but the end is there", () => client.text.includes(last));
          }
          await eventually("the settlement waits for the disk", async () => {
            return (await gauge(running.url, "storage_queue")) > 0;
          });
          // Whoever does not wait for it has sent the end by now.
          await caughtUp(running.url);
          expect(isWhole(client.text)).toBe(false);
          expect(await receiptsOf(hold?.id)).toEqual([]);
        } finally {
          await unlock();
        }
        await eventually("the end is there", () => isWhole(client.text));
        client.leave();
        expect(await receiptsOf(hold?.id)).toMatchObject([{ reason: "completed", status: 200 }]);
      },
    );
  });

  test.each(dyingCases)(
    "at the last byte of $path, stream $stream, has the receipt on disk",
    async ({ path, stream, request }) => {
      const database = await engine.site(parts);
      const running = await start(database);
      const { key } = await running.account("1");
      let killed = false;
      const client = await RawClient.connect(running.url, (text) => {
        if (killed || !isWhole(text)) return;
        killed = true;
        process.kill(running.pid, "SIGKILL");
      });
      client.post(`/v1${path}`, key, request(LAST_WORDS, { stream }));
      await client.closed;
      await running.kill();
      expect(killed).toBe(true);

      const id = headerOf(client.text, "x-request-id");
      const responseId = /"id":"((?:resp_|chatcmpl-)[^"]+)"/.exec(client.text)?.[1] ?? "";
      const row = (await receipts(database)).find((receipt) => receipt.id === id);
      expect(row).toMatchObject({ reason: "completed", responseId, status: 200 });
      expect(row?.cost).toBeGreaterThan(0n);
      const resolved = (await entries(database)).filter((entry) => entry.holdId === id);
      expect(resolved).toEqual([{ kind: "post", amount: row?.cost ?? 0n, holdId: id }]);
      expect(await openHolds(database)).toEqual([]);
      if (path === "/responses") {
        const kept = `select id from responses where id = '${responseId}'`;
        expect(await database.run(kept)).toHaveLength(1);
      }
    },
  );
});
