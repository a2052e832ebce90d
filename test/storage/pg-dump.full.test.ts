// The lines by which docs/backup.md has a PostgreSQL backed up and restored, as they are typed there.
import { describe, expect, test } from "bun:test";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { typed } from "../cli/commands.ts";
import { TestServer } from "../server.ts";
import { freePort } from "../support/free-port.ts";
import { Parts } from "../support/houses/house.ts";
import { RESPONSES } from "../support/samples/wires.ts";
import { eventually } from "../support/waiting.ts";

/** Where Debian has the programs of a whole PostgreSQL; those that npm brings have no pg_dump. */
const VERSIONS = "/usr/lib/postgresql";
const bin = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .map((version) => join(VERSIONS, version, "bin"))
      .find((folder) =>
        ["initdb", "postgres", "pg_dump"].every((name) => existsSync(join(folder, name))),
      )
  : undefined;
if (bin === undefined)
  console.log("  pg_dump is not tried: there is no whole PostgreSQL on this machine");

const NOBODY = 65_534;
/** A server of databases must not be root. */
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

async function startWhole(parts: Parts, programs: string): Promise<string> {
  const folder = join(parts.folder(), "pg");
  mkdirSync(folder);
  if (identity.uid !== undefined) {
    for (const each of [join(folder, ".."), folder]) chownSync(each, NOBODY, NOBODY);
  }
  const made = Bun.spawnSync(
    [
      join(programs, "initdb"),
      "-D",
      folder,
      "-U",
      "faregate",
      "--auth=trust",
      "--encoding=UTF8",
      "--no-sync",
    ],
    identity,
  );
  expect(made.stderr.toString()).not.toContain("error");
  const port = await freePort();
  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
  ];
  const server = Bun.spawn(
    [join(programs, "postgres"), "-D", folder, ...settings.flatMap((each) => ["-c", each])],
    { ...identity, stdout: "ignore", stderr: "ignore" },
  );
  parts.defer(async () => {
    server.kill("SIGINT");
    await server.exited;
  });
  const url = `postgres://faregate@127.0.0.1:${port}/`;
  await eventually("it takes connections", async () => {
    const sql = new SQL(`${url}postgres`, { max: 1 });
    try {
      return (await sql`select 1`).length === 1;
    } catch {
      return false;
    } finally {
      await sql.close({ timeout: 0 });
    }
  });
  return url;
}

/** A line of the docs, with the settings that it goes by. */
function typeLine(programs: string, start: string, env: Record<string, string>, cwd: string): void {
  const docs = readFileSync(join(import.meta.dir, "..", "..", "docs", "backup.md"), "utf8");
  const line = docs.split("\n").find((each) => each.startsWith(start));
  expect(line).toBeDefined();
  const run = Bun.spawnSync(["sh", "-ec", line as string], {
    ...{ cwd, env: { ...env, PATH: `${programs}:${process.env.PATH}` } },
  });
  expect({ start, code: run.exitCode, told: run.stderr.toString() }).toEqual({
    start,
    code: 0,
    told: "",
  });
}

describe.skipIf(bin === undefined)("a PostgreSQL", () => {
  test("comes back from pg_dump by pg_restore with every receipt, and is served on", async () => {
    await using parts = new Parts();
    const programs = bin as string;
    const url = await startWhole(parts, programs);
    const work = parts.folder();
    const data = join(parts.folder(), "data");
    const PG = new URL(url);
    const login = { PGHOST: PG.hostname, PGPORT: PG.port, PGUSER: "faregate" };
    Bun.spawnSync([join(programs, "createdb"), "first"], { env: login });
    const first = { FAREGATE_DATA: data, DATABASE_URL: `${url}first` };
    const server = await TestServer.startHere(first);
    const { key, accountId } = await server.account("5", "--rpm", "0");
    const ask = async (on: TestServer, text: string) => {
      const answer = await on.post("/responses", key, RESPONSES.request(text));
      expect(answer.status).toBe(200);
      return {
        id: String(answer.headers.get("x-request-id")),
        body: (await answer.json()) as { id: string },
      };
    };
    const told: Awaited<ReturnType<typeof ask>>[] = [];
    for (let i = 0; i < 5; i++) told.push(await ask(server, `say ${i}`));
    // What the servers take through a pooler, and these programs do not.
    const pooled = "?prepare=false";
    typeLine(programs, "pg_dump ", { ...login, DATABASE_URL: `${url}first${pooled}` }, work);
    await ask(server, "later");
    await server.stop();

    const second = { FAREGATE_DATA: data, DATABASE_URL: `${url}faregate` };
    typeLine(programs, "createdb ", login, work);
    typeLine(programs, "pg_restore ", { ...login, DATABASE_URL: `${url}faregate${pooled}` }, work);
    expect(await typed(["verify"], second)).toMatchObject({ code: 0 });
    const again = await TestServer.startHere(second);
    const receipts = await again.beside(({ store }) =>
      Promise.all(told.map(({ id }) => store.ledger.findReceipt(id, accountId))),
    );
    expect(receipts.map((receipt) => receipt?.status)).toEqual(told.map(() => 200));
    expect((await again.fetch(`/responses/${told[0]?.body.id}`, key)).status).toBe(200);
    await ask(again, "and on");
    expect(await again.command("verify")).toMatchObject({ ok: true, receipts: 6 });
    await again.stop();
  });
});
