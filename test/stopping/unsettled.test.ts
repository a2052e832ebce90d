// A server that is told to stop while its database takes no settlement: it ends soon after the last client, and says what it leaves.
import { describe, expect, test } from "bun:test";
import { signal } from "../engines/signal.ts";
import { TestServer } from "../server.ts";
import { ENGINES, type Engine, POSTGRES, SQLITE } from "../store/engines.ts";
import { openHolds, receipts } from "../support/houses/database.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { answer, MockVendor } from "../support/vendors/mock-vendor.ts";
import { caughtUp, comesTrue, eventually } from "../support/waiting.ts";
import { holdsSaid } from "./stops.ts";

const parts = partsOfTest();
const BODY = { model: "gpt-6-luna", input: "Say hello." };
/** Longer than any test waits: a server that ends has not waited for it. */
const DRAIN_MS = { FAREGATE_SHUTDOWN_DRAIN_MS: "600000", FAREGATE_DRAIN_MS: "600000" };

/** A lock is given back by the test, or after it where the test fails. */
function once(unlock: () => Promise<void>): () => Promise<void> {
  let unlocked: Promise<void> | undefined;
  return () => (unlocked ??= unlock());
}

/** A server with requests at a vendor that answers when it is let. */
async function start(engine: Engine, count: number, more: Record<string, string> = {}) {
  const site = await engine.site(parts);
  const vendor = parts.keep(new MockVendor());
  const gate = Promise.withResolvers<void>();
  vendor.play(async (call) => {
    await gate.promise;
    return answer(call);
  });
  const settings = { ...site.settings, ...vendor.settings, ...DRAIN_MS, ...more };
  const server = parts.adopt(await TestServer.start(settings), (running) => running.kill());
  const { key } = await server.account("100", "--rpm", "0");
  const leaving = new AbortController();
  const asked = Array.from({ length: count }, () =>
    server.post("/responses", key, BODY, {}, leaving.signal).then(
      ({ status }) => status,
      () => 0,
    ),
  );
  await eventually("the vendor has all of them", () => vendor.calls.length === count);
  const leave = async () => {
    leaving.abort();
    await Promise.all(asked);
    await caughtUp(server.url);
  };
  return { site, server, vendor, gate, asked, leave, settings };
}

/** It ends with 1 and names the requests; the next start gives back what they held. */
async function expectNamed({ server, settings }: Awaited<ReturnType<typeof start>>, holds: number) {
  const said = holdsSaid(await server.errors, "not_settled");
  expect(said).toMatchObject([{ holds }]);
  expect(new Set(said[0]?.requests).size).toBe(holds);
  const next = parts.adopt(await TestServer.start(settings), (running) => running.kill());
  await comesTrue(async () =>
    expect(await next.command("verify")).toMatchObject({ ok: true, open_holds: 0 }),
  );
  expect(await next.stop()).toBe(0);
}

describe.each(ENGINES)("on $name", (engine) => {
  test("with the tables locked and no client waiting, it ends without its drain time", async () => {
    const it = await start(engine, 3);
    const unlock = once(await it.site.lockWrites());
    parts.defer(unlock);
    await it.leave();
    it.gate.resolve();
    expect(await it.server.stop()).toBe(1);
    await unlock();
    await expectNamed(it, 3);
  });

  test("what clients have left and a vendor does not finish is charged as if it was hung up on", async () => {
    const it = await start(engine, 1);
    await it.leave();
    expect(await it.server.stop()).toBe(0);
    expect(await receipts(it.site)).toMatchObject([{ reason: "client_closed" }]);
    expect(await openHolds(it.site)).toEqual([]);
  });

  test("a client that waits has its drain time, however short the end is", async () => {
    const it = await start(engine, 1, { FAREGATE_SHUTDOWN_END_MS: "1000" });
    const stopped = it.server.stop();
    const first = await Promise.race([stopped, ...it.asked, Bun.sleep(2_500).then(() => "waits")]);
    expect(first).toBe("waits");
    it.gate.resolve();
    expect([await Promise.all(it.asked), await stopped]).toEqual([[200], 0]);
  });
});

test("with a PostgreSQL that has stopped and no client waiting, it ends without its drain time", async () => {
  const it = await start(POSTGRES, 3);
  const text = `select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  const backends = (await it.site.run<{ pid: number }>(text)).map(({ pid }) => Number(pid));
  const resume = () => {
    for (const pid of backends) signal(pid, "SIGCONT");
  };
  parts.defer(resume);
  for (const pid of backends) signal(pid, "SIGSTOP");
  await it.leave();
  it.gate.resolve();
  expect(await it.server.stop()).toBe(1);
  resume();
  expect(holdsSaid(await it.server.errors, "not_settled")).toMatchObject([{ holds: 3 }]);
});

test("with another process at the SQLite file and no client waiting, it ends without its drain time", async () => {
  const it = await start(SQLITE, 3);
  const unlock = once(await it.site.stall());
  parts.defer(unlock);
  await it.leave();
  it.gate.resolve();
  expect(await it.server.stop()).toBe(1);
  await unlock();
  await expectNamed(it, 3);
});
