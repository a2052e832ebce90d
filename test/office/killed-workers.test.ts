// Gates that are killed while they start, and a server that ends while it starts them again.
import { expect, test } from "bun:test";
import { SQL } from "bun";
import { ENTRY, environment } from "../cli/commands.ts";
import { POSTGRES } from "../store/engines.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { eventually } from "../support/waiting.ts";
import { childrenOf, isAlive } from "./processes.ts";

const parts = partsOfTest();
const SETTINGS = {
  ...{ FAREGATE_WORKERS: "2", FAREGATE_PORT: "0" },
  ...{ FAREGATE_RESTART_REST_MS: "50", FAREGATE_RESTART_REST_MS_MAX: "100" },
};
const ORIGIN = /http:\/\/127\.0\.0\.1:\d+/;

/** A supervisor whose processes are looked at, one after another. */
function serving(settings: Record<string, string>) {
  const child = Bun.spawn([process.execPath, ENTRY, "serve"], {
    env: environment(settings),
    ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  parts.defer(async () => {
    child.kill("SIGKILL");
    await child.exited;
  });
  const seen = new Set<number>();
  /** The next one that it starts. */
  const next = () =>
    eventually("another one is started", () => {
      if (!isAlive(child.pid)) throw new Error("the server has ended");
      const found = childrenOf(child.pid).find((pid) => !seen.has(pid));
      if (found !== undefined) seen.add(found);
      return found;
    });
  const said = new Response(child.stderr).text();
  const greeting = new Response(child.stdout).text();
  /** What it has told of those that died, once it has ended. */
  const deaths = async () =>
    (await said)
      .split("\n")
      .filter((line) => line.includes('"worker_died"'))
      .map((line) => JSON.parse(line));
  return { child, next, said, greeting, deaths };
}

/** A server whose first gate answers, but does not greet yet, since that credits something. */
async function halfStarted(more: Record<string, string> = {}) {
  const site = await POSTGRES.site(parts);
  await (await site.open()).close();
  const greet = await site.lockWrites();
  const server = serving({ ...SETTINGS, ...site.settings, ...more });
  const first = await server.next();
  const origin = await eventually("the first one serves", async () => {
    const [row] = await site.run("select address from serving");
    return row?.address as string | undefined;
  });
  return { ...server, site, first, greet, origin };
}

/** The same with a first gate that has greeted, and a second one that cannot say where it serves. */
async function almostStarted() {
  const half = await halfStarted();
  const sql = parts.adopt(new SQL(half.site.settings.DATABASE_URL ?? "", { max: 1 }), (opened) =>
    opened.close(),
  );
  await sql.unsafe("begin; lock table serving in share row exclusive mode");
  await half.greet();
  const second = await half.next();
  const release = () => sql.unsafe("rollback");
  return { ...half, second, release };
}

test("a first gate that is killed before it has greeted is started again until it has", async () => {
  const { child, next, first, greet, greeting, deaths } = await halfStarted();
  const killed = [first];
  for (let kills = 0; kills < 3; kills++) {
    process.kill(killed.at(-1) ?? 0, "SIGKILL");
    killed.push(await next());
  }
  await greet();
  // The others come once the first one has said that it serves.
  await next();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  expect(await greeting).toMatch(ORIGIN);
  expect(await deaths()).toMatchObject(
    killed.slice(0, 3).map((pid) => ({ worker: 0, pid, signal: "SIGKILL", served: false })),
  );
});

test("a second gate that is killed before it serves is started again, and the first one serves on", async () => {
  const { child, next, second, release, origin, deaths } = await almostStarted();
  process.kill(second, "SIGKILL");
  const third = await next();
  process.kill(third, "SIGKILL");
  await next();
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  await release();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  expect(await deaths()).toMatchObject(
    [second, third].map((pid) => ({ worker: 1, pid, signal: "SIGKILL", served: false })),
  );
});

test("told to stop while the second gate starts, all end in order", async () => {
  const { child, second, release, said } = await almostStarted();
  child.kill("SIGTERM");
  await eventually("the first one ends", () => childrenOf(child.pid).length === 1);
  await release();
  const code = await child.exited;
  expect({ code, said: await said }).toEqual({
    code: 0,
    said: expect.not.stringContaining("rror:"),
  });
  expect(isAlive(second)).toBe(false);
});

test("told to stop while it waits to start a gate again, the server ends in order", async () => {
  const rests = { FAREGATE_RESTART_REST_MS: "600000", FAREGATE_RESTART_REST_MS_MAX: "600000" };
  const { child, next, first, deaths } = await halfStarted(rests);
  process.kill(first, "SIGKILL");
  const second = await next();
  process.kill(second, "SIGKILL");
  await eventually("it is known to be dead", () => childrenOf(child.pid).length === 0);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  expect(await deaths()).toMatchObject([{ restMs: 0 }, { restMs: 600_000 }]);
});

test("the process that makes the tables for the first gate is started again where it is killed", async () => {
  const site = await POSTGRES.emptySite(parts);
  const { child, next, greeting, said } = serving({ ...SETTINGS, ...site.settings });
  const first = await next();
  const tables = await eventually("it has the tables made", () => childrenOf(first)[0]);
  process.kill(tables, "SIGKILL");
  // The second one comes once the first one serves.
  await next();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  expect(await greeting).toMatch(ORIGIN);
  expect(await said).toContain(`"event":"tables_process_died","pid":${tables},"signal":"SIGKILL"`);
});
