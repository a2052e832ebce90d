// Gates and offices that hang: their main thread stands still, so that they answer nobody and hear no SIGTERM.
import { expect, test } from "bun:test";
import { TestServer } from "../server.ts";
import { type Engine, POSTGRES, SQLITE } from "../store/engines.ts";
import { expectRightBooks } from "../support/books.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { answer, MockVendor } from "../support/vendors/mock-vendor.ts";
import { eventually } from "../support/waiting.ts";
import { childrenOf, isAlive } from "./processes.ts";

const parts = partsOfTest();
const BODY = { model: "gpt-6-luna", input: "Say hello." };
const LEASE_MS = 2_000;
const SETTINGS = { FAREGATE_INSTANCE_LEASE_MS: String(LEASE_MS), FAREGATE_LOG: "warn" };

async function start(engine: Engine, more: Record<string, string> = {}) {
  const site = await engine.site(parts);
  const vendor = parts.keep(new MockVendor());
  const settings = { ...site.settings, ...vendor.settings, ...SETTINGS, ...more };
  const server = parts.adopt(await TestServer.start(settings), (running) => running.kill());
  const gates = () =>
    eventually("both gates are there", () => {
      const found = childrenOf(server.pid);
      return found.length === 2 && found;
    });
  /** On a connection of its own, which the system deals out to any of the gates. */
  const ask = (path: string) =>
    fetch(new URL(path, server.url), { headers: { connection: "close" } });
  return { site, server, vendor, ask, gates };
}

test("a gate that hangs is ended, its holds are given back, and another one takes its place", async () => {
  const { site, server, vendor, ask, gates } = await start(POSTGRES, { FAREGATE_WORKERS: "2" });
  const { key } = await server.account("100", "--rpm", "0");
  const gate = Promise.withResolvers<void>();
  vendor.play(async (call) => {
    await gate.promise;
    return answer(call);
  });
  const first = await gates();
  const asked = Array.from({ length: 8 }, () =>
    server.post("/responses", key, BODY, { connection: "close" }).then(
      ({ status }) => status,
      () => 0,
    ),
  );
  await eventually("the vendor has all of them", () => vendor.calls.length === asked.length);
  const [owner] = await site.run<{ name: string }>(
    "select o.name from holds h join owners o on o.id = h.owner limit 1",
  );
  const hung = first.find((pid) => owner?.name.endsWith(`/${pid}`)) ?? 0;
  process.kill(hung, "SIGSTOP");
  await eventually("it is ended", () => !isAlive(hung));
  gate.resolve();
  const statuses = await Promise.all(asked);
  expect(statuses).toContain(0);
  await gates();
  await eventually(
    "nothing is held",
    async () => (await site.run("select 1 from holds")).length === 0,
  );
  // The connections that it had are closed with it: from then on each is answered.
  const ready = await Promise.all(Array.from({ length: 20 }, () => ask("/readyz")));
  expect(new Set(ready.map(({ status }) => status))).toEqual(new Set([200]));
  await expectRightBooks(server);
  expect(await server.stop()).toBe(0);
  const errors = await server.errors;
  expect(errors).toMatch(new RegExp(`"event":"worker_hangs","worker":\\d,"pid":${hung},`));
  expect(errors).toContain('"event":"holds_recovered"');
});

test("gates that were suspended together with their supervisor go on", async () => {
  const { server, ask, gates } = await start(POSTGRES, { FAREGATE_WORKERS: "2" });
  const before = await gates();
  const all = [server.pid, ...before];
  for (const pid of all) process.kill(pid, "SIGSTOP");
  parts.defer(() => {
    for (const pid of all) if (isAlive(pid)) process.kill(pid, "SIGCONT");
  });
  // Longer than the lease: a supervisor that counted time would end them.
  await Bun.sleep(LEASE_MS * 1.5);
  for (const pid of all) process.kill(pid, "SIGCONT");
  await Promise.all(Array.from({ length: 20 }, () => ask("/healthz")));
  expect(await gates()).toEqual(before);
  expect(await server.stop()).toBe(0);
  expect(await server.errors).not.toContain("worker_hangs");
});

test("an office that hangs is ended, and the next page brings another one", async () => {
  const { server, ask } = await start(SQLITE);
  expect((await ask("/console")).status).toBe(200);
  const [office = 0] = childrenOf(server.pid);
  process.kill(office, "SIGSTOP");
  await eventually("it is ended", () => !isAlive(office));
  expect((await ask("/console")).status).toBe(200);
  expect(childrenOf(server.pid)).not.toContain(office);
  expect(await server.stop()).toBe(0);
  expect(await server.errors).toContain(`"event":"office_hangs","pid":${office},`);
});
