// A PostgreSQL that is paused as a whole: connections stay, new ones are taken by the system, and nobody answers.
import { test } from "bun:test";
import { SQL } from "bun";
import { startPostgres } from "../engines/postgres.ts";
import { childrenOf } from "../office/processes.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { needTool } from "./needed-tool.ts";
import { watchedServer } from "./watched-server.ts";

const parts = partsOfTest();
/** So long that connections are given up several times meanwhile. */
const ROUNDS = 10;
const ROUND_MS = 1_000;

async function postmasterOf(url: string): Promise<number> {
  const sql = new SQL(url, { max: 1 });
  const [own] = await sql`select pg_backend_pid() as pid`;
  const parent = Bun.spawnSync([needTool("ps"), "-o", "ppid=", "-p", String(own.pid)]);
  await sql.close();
  return Number(parent.stdout.toString());
}

test("nobody waits for a paused PostgreSQL, and its requests are served when it goes on", async () => {
  const postgres = parts.adopt(await startPostgres(), (server) => server.stop());
  const url = await postgres.createDatabase();
  const postmaster = await postmasterOf(url);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [postmaster, ...childrenOf(postmaster)]) process.kill(pid, name);
  };
  const settings = { FAREGATE_DATA: parts.folder(), DATABASE_URL: url };
  const watched = await watchedServer(parts, settings);
  await watched.expectWell();
  signal("SIGSTOP");
  parts.defer(() => signal("SIGCONT"));
  for (let round = 0; round < ROUNDS; round++) {
    await watched.expectOut();
    await Bun.sleep(ROUND_MS);
  }
  signal("SIGCONT");
  await watched.expectWell();
  await watched.expectTold();
});
