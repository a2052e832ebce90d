import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { LENDER_VARIABLE } from "../runner/lent.ts";
import { comesTrue } from "../support/waiting.ts";
import { postgresEnded, sharedPostgres, startPostgres, sweepLeftovers } from "./postgres.ts";

function foldersOf(pid: number): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`faregate-postgres-${pid}-`));
}

function serversOf(pid: number): string[] {
  const listing = spawnSync("ps", ["-eo", "pid=,command=", "-ww"], { encoding: "utf8" }).stdout;
  const folder = join(tmpdir(), `faregate-postgres-${pid}-`);
  return listing.split("\n").filter((line) => line.includes(folder) && !line.includes("watchdog"));
}

test("a server gives fresh databases, keeps 64-bit numbers whole and leaves nothing behind", async () => {
  const postgres = await startPostgres();
  const [first, second] = await Promise.all([postgres.createDatabase(), postgres.createDatabase()]);
  expect(first).not.toBe(second);

  const sql = new SQL(first, { bigint: true });
  await sql`create table amounts (nano bigint not null)`;
  await sql`insert into amounts values (${9007199254740993n})`;
  expect((await sql`select nano from amounts`)[0]).toEqual({ nano: 9007199254740993n });
  expect((await sql`show fsync`)[0]).toEqual({ fsync: "on" });
  await sql.close();

  const other = new SQL(second);
  expect((await other`select to_regclass('amounts') as found`)[0]).toEqual({ found: null });
  await other.close();

  expect(serversOf(process.pid)).not.toBeEmpty();
  await postgres.stop();
  expect(serversOf(process.pid)).toBeEmpty();
  expect(foldersOf(process.pid)).toBeEmpty();
});

test("a server ends with a test process that was killed", async () => {
  const script = `
    const { sharedPostgres } = await import(${JSON.stringify(join(import.meta.dir, "postgres.ts"))});
    const [one, two] = await Promise.all([sharedPostgres(), sharedPostgres()]);
    console.log(one === two ? "one server" : "two servers");
    await new Promise(() => {});
  `;
  // By itself: the server of a run would outlive it.
  const env = { ...process.env, [LENDER_VARIABLE]: "" };
  const runner = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", env });
  const { value } = await runner.stdout.getReader().read();
  expect(new TextDecoder().decode(value).trim()).toBe("one server");
  expect(foldersOf(runner.pid)).toHaveLength(1);
  expect(serversOf(runner.pid)).not.toBeEmpty();

  runner.kill("SIGKILL");
  await runner.exited;
  expect(await postgresEnded(runner.pid)).toBe(true);
  expect(foldersOf(runner.pid)).toBeEmpty();
  // What has removed the folder may be there for a moment longer.
  await comesTrue(() => expect(serversOf(runner.pid)).toBeEmpty());
});

test("the folder of a dead test process is swept, that of a living one is not", async () => {
  const gone = Bun.spawn(["true"]);
  await gone.exited;
  const dead = join(tmpdir(), `faregate-postgres-${gone.pid}-dead`);
  mkdirSync(dead);
  const postgres = await sharedPostgres();
  sweepLeftovers();
  expect(existsSync(dead)).toBe(false);
  expect(await postgres.createDatabase()).toStartWith("postgres://");
});
