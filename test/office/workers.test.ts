// Several gates on one port, their supervisor and the one office that they share.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENTRY, environment, typed } from "../cli/commands.ts";
import { TestServer } from "../server.ts";
import { POSTGRES, SQLITE } from "../store/engines.ts";
import { expectRightBooks } from "../support/books.ts";
import { RawClient } from "../support/clients/raw-client.ts";
import { isHurried } from "../support/counts.ts";
import { freePort } from "../support/free-port.ts";
import { METRICS_PUBLIC } from "../support/gauges.ts";
import { type Parts, partsOfTest, perSuite } from "../support/houses/house.ts";
import { isChat, MockVendor } from "../support/vendors/mock-vendor.ts";
import { eventually } from "../support/waiting.ts";
import { childrenOf, isAlive } from "./processes.ts";

const parts = partsOfTest();
const WORKERS = { FAREGATE_WORKERS: "2" };
/** Which of them its metrics are of. */
const WORKER = /^faregate_uptime_seconds\{worker="(\d)"\}/m;

async function start(own: Parts, more: Record<string, string> = {}) {
  const site = await POSTGRES.site(own);
  const vendor = own.keep(new MockVendor());
  const settings = { ...site.settings, ...vendor.settings, ...METRICS_PUBLIC, ...WORKERS, ...more };
  const server = own.adopt(await TestServer.start(settings), (running) => running.kill());
  /** On a connection of its own, so that any of them may get it. */
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, server.url), {
      ...init,
      headers: { connection: "close", ...init.headers },
    });
  /** Which of them answers. */
  const worker = async () => {
    const text = await (await ask("/metrics")).text();
    return WORKER.exec(text)?.[1];
  };
  const all = async () => {
    const seen = new Set<string | undefined>();
    await eventually("each of them has answered", async () => {
      seen.add(await worker().catch(() => undefined));
      return seen.has("0") && seen.has("1");
    });
  };
  return { server, site, vendor, ask, all };
}

/** A connection to one of them, which has all that is sent on it. */
async function connectionTo(worker: string, url: string): Promise<RawClient> {
  return eventually(`worker ${worker} has taken a connection`, async () => {
    const client = parts.adopt(await RawClient.connect(url), (open) => open.leave());
    client.send("GET /metrics HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    const answered = await eventually(
      "it has answered",
      () => WORKER.exec(client.text) ?? undefined,
    );
    return answered[1] === worker && client;
  });
}

function linesOf(log: string): { event: string; pid: number; role: string }[] {
  return log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

test("both serve, one that is killed comes back, and they have one office", async () => {
  const { server, ask, all } = await start(parts);
  await all();
  const workers = childrenOf(server.pid);
  expect(workers).toHaveLength(2);
  const { key } = await server.account("10", "--rpm", "0");
  const body = JSON.stringify({ model: "gpt-5.2", messages: [{ role: "user", content: "hi" }] });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const call = () => ask("/v1/chat/completions", { method: "POST", headers, body });
  const answers = await Promise.all(Array.from({ length: 20 }, call));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));

  const pages = await Promise.all(Array.from({ length: 6 }, () => ask("/console")));
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  const office = childrenOf(server.pid).filter((pid) => !workers.includes(pid));
  expect(office).toHaveLength(1);

  const [first = 0, second = 0] = workers;
  for (const killed of [second, first]) {
    process.kill(killed, "SIGKILL");
    await eventually("it is gone", () => !isAlive(killed));
    await all();
    expect((await call()).status).toBe(200);
    expect((await ask("/console")).status).toBe(200);
  }
  expect(childrenOf(server.pid)).toContain(office[0] ?? 0);
  await expectRightBooks(server);
  const left = childrenOf(server.pid);
  expect(await server.stop()).toBe(0);
  expect(left.filter(isAlive)).toEqual([]);
  const said = linesOf(await server.errors);
  const pids = (event: string) => said.filter((line) => line.event === event).map(({ pid }) => pid);
  // Each says so once when it begins and once when it ends, whatever else is told; a kill is not heard of.
  expect(pids("process_started").sort()).toEqual([server.pid, ...workers, ...left].sort());
  expect(pids("process_stopped").sort()).toEqual([server.pid, ...left].sort());
  const roles = said.filter(({ event }) => event === "process_stopped").map(({ role }) => role);
  expect(roles.sort()).toEqual(["gate", "gate", "office", "supervisor"]);
});

// These share their server, in this order: with its gates and its office it takes seconds to start.
describe("two gates and their supervisor", () => {
  const house = perSuite(async (own) => {
    const path = join(own.folder(), "faregate.yaml");
    writeFileSync(path, "markup_percent: 10\n");
    const more = { FAREGATE_CONFIG: path, FAREGATE_ALERT_LOOK_MS: "100" };
    return { path, ...(await start(own, more)) };
  });

  test("a vendor that refuses the key of one of them alone is told of", async () => {
    const { server, site, vendor, ask, all } = house;
    await all();
    // Nobody is there yet who would hear of it, so the office is not started for that alone.
    expect((await ask("/console")).status).toBe(200);
    const { key } = await server.account("10");
    vendor.play(() => Response.json({ error: { message: "No such key." } }, { status: 401 }));
    // Of the other one the office would know anyway.
    const client = await connectionTo("1", server.url);
    const messages = [{ role: "user", content: "hi" }];
    client.post("/v1/chat/completions", key, { model: "gpt-5.2", messages });
    await eventually("it is refused", () => vendor.calls.some(isChat));
    await eventually("the operators are told", async () => {
      const marks = await site.run("select subject from alert_marks where rule = 'vendor_down'");
      return marks.length > 0;
    });
  });

  test("one that died comes back with the settings of the start, whatever stands in the file by now", async () => {
    const { server, all, path } = house;
    await all();
    writeFileSync(path, "markup_percent: [\n");
    // The office too, if that is there.
    for (const worker of childrenOf(server.pid)) {
      process.kill(worker, "SIGKILL");
      await eventually("it is gone", () => !isAlive(worker));
    }
    await all();
  });

  test("all end with their supervisor, however that ends", async () => {
    const { server, all } = house;
    await all();
    const workers = childrenOf(server.pid);
    await server.kill();
    await eventually("they are gone", () => !workers.some(isAlive));
  });
});

/** The one that is known last; in a run of everything not the one that is known from the beginning. */
const PORTS: [string, () => Promise<number>][] = [
  ["that the system chooses", async () => 0],
  ...(isHurried ? [] : [["that is set", freePort] as [string, () => Promise<number>]]),
];

test.each(PORTS)(
  "an office that is asked for before the first one has greeted knows the port %s",
  async (_, port) => {
    const site = await POSTGRES.site(parts);
    await (await site.open()).close();
    // Its greeting waits for this, since it credits something.
    const release = await site.lockWrites();
    const settings = { ...site.settings, ...WORKERS, FAREGATE_PORT: String(await port()) };
    const starting = TestServer.start(settings);
    const origin = await eventually("one of them serves", async () => {
      const [row] = await site.run("select address from serving");
      return row?.address as string | undefined;
    });
    const page = fetch(`${origin}/console`);
    // Whoever answers this has passed the other one on.
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    await release();
    parts.adopt(await starting, (running) => running.kill());
    expect((await page).status).toBe(200);
    const answer = await fetch(`${origin}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { origin, "content-type": "application/json" },
      body: JSON.stringify({ email: "nobody@example.com", password: "not a password" }),
    });
    expect(answer.status).toBe(401);
  },
);

test("told to stop while they start, they end in order", async () => {
  const site = await POSTGRES.site(parts);
  await (await site.open()).close();
  // The first one answers already, and greets only when it may credit something.
  const release = await site.lockWrites();
  const settings = { ...site.settings, ...WORKERS, FAREGATE_PORT: "0" };
  const child = Bun.spawn([process.execPath, ENTRY, "serve"], {
    ...{ env: environment(settings), stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  });
  parts.defer(() => child.kill("SIGKILL"));
  const said = new Response(child.stderr).text();
  const origin = await eventually("one of them serves", async () => {
    const [row] = await site.run("select address from serving");
    return row?.address as string | undefined;
  });
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  child.kill("SIGTERM");
  await release();
  const code = await child.exited;
  expect({ code, said: await said }).toEqual({
    code: 0,
    said: expect.not.stringContaining("rror:"),
  });
});

test("on SQLite more than one is refused, and why", async () => {
  const { settings } = await SQLITE.site(parts);
  const { code, stderr } = await typed(["serve"], { ...settings, ...WORKERS });
  expect(code).toBe(2);
  expect(stderr).toContain("FAREGATE_WORKERS is 2");
  expect(stderr).toContain("Set DATABASE_URL to a PostgreSQL database, or FAREGATE_WORKERS to 1.");
});
