// A server that is told to stop ends, whatever storage, its office or whoever tells it does.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { signal } from "../engines/signal.ts";
import { childrenOf, isAlive } from "../office/processes.ts";
import { TestServer } from "../server.ts";
import { type Engine, POSTGRES, SQLITE } from "../store/engines.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { answer, MockVendor } from "../support/vendors/mock-vendor.ts";
import { comesTrue, eventually } from "../support/waiting.ts";
import { expectLeft, holdsSaid, SHORT_STOP } from "./stops.ts";

const parts = partsOfTest();
const BODY = { model: "gpt-6-luna", input: "Say hello." };
/** More than the pages have room for that are there. */
const REQUESTS = 40;

/** A server and a vendor that answers when it is let. */
async function start(engine: Engine, more: Record<string, string>) {
  const site = await engine.site(parts);
  const vendor = parts.keep(new MockVendor());
  const gate = Promise.withResolvers<void>();
  vendor.play(async (call) => {
    await gate.promise;
    return answer(call);
  });
  const settings = { ...site.settings, ...vendor.settings, ...SHORT_STOP, ...more };
  const server = parts.adopt(await TestServer.start(settings), (running) => running.kill());
  const { key } = await server.account("100", "--rpm", "0");
  const ask = (count: number) =>
    Array.from({ length: count }, () =>
      server.post("/responses", key, BODY).then(
        (response) => response.status,
        () => 0,
      ),
    );
  return { site, server, vendor, gate, ask, settings };
}

test("with no page left for money and an office that stands still", async () => {
  const full = join(parts.folder(), "full");
  const preload = `--preload=${join(import.meta.dir, "full-pages.ts")}`;
  const { server, vendor, gate, ask, settings } = await start(SQLITE, {
    BUN_OPTIONS: preload,
    FULL_PAGES: full,
  });
  expect((await fetch(new URL("/console", server.url))).status).toBe(200);
  const [office = 0] = childrenOf(server.pid);
  process.kill(office, "SIGSTOP");
  const asked = ask(REQUESTS);
  await eventually("the vendor has all of them", () => vendor.calls.length === REQUESTS);
  writeFileSync(full, "");
  await eventually("there is no page left", () => Bun.file(`${full}.done`).exists());
  gate.resolve();
  const statuses = await Promise.all(asked);
  expect(await server.stop()).toBe(1);
  const answered = statuses.filter((status) => status === 200).length;
  await eventually("the office is gone", () => !isAlive(office));
  await expectLeft(server, { ...settings, BUN_OPTIONS: "" }, REQUESTS - answered);
});

test("at once when it is told again, and says what it leaves", async () => {
  const { server, vendor, ask } = await start(SQLITE, { FAREGATE_SHUTDOWN_DRAIN_MS: "600000" });
  const [asked] = ask(1);
  await eventually("the vendor has it", () => vendor.calls.length === 1);
  const ended = server.stop();
  const again = setInterval(() => process.kill(server.pid, "SIGTERM"), 100);
  parts.defer(() => clearInterval(again));
  const code = await ended;
  clearInterval(again);
  expect(code).toBe(1);
  expect(await asked).toBe(0);
  expect(holdsSaid(await server.errors, "not_settled")).toMatchObject([{ holds: 1 }]);
});

test("with a PostgreSQL that has stopped answering, several gates and an open request", async () => {
  const { site, server, vendor, gate, ask } = await start(POSTGRES, {
    FAREGATE_WORKERS: "2",
    FAREGATE_SHUTDOWN_END_MS: "600",
  });
  const asked = ask(3);
  await eventually("the vendor has them", () => vendor.calls.length === 3);
  const text = `select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  const backends = (await site.run<{ pid: number }>(text)).map(({ pid }) => Number(pid));
  parts.defer(() => {
    for (const pid of backends) signal(pid, "SIGCONT");
  });
  for (const pid of backends) signal(pid, "SIGSTOP");
  gate.resolve();
  const workers = childrenOf(server.pid);
  const code = await server.stop();
  expect(code).toBe(1);
  await comesTrue(() => expect(workers.filter(isAlive)).toEqual([]));
  await Promise.all(asked);
  const errors = await server.errors;
  const left = holdsSaid(errors, "not_settled");
  // A drain that took all its time leaves less than none for what follows it.
  expect(errors).not.toContain("TimeoutNegativeWarning");
  expect(left.reduce((sum, { holds }) => sum + holds, 0)).toBe(3);
});
