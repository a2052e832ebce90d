// A PostgreSQL that is paused as a whole: connections stay, new ones are taken by the system, and nobody answers.
import { test } from "bun:test";
import { startPostgres } from "../engines/postgres.ts";
import { FaultyPostgres } from "../engines/postgres-faults.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { watchedServer } from "./watched-server.ts";

const parts = partsOfTest();
/** So long that connections are given up several times meanwhile. */
const ROUNDS = 10;
const ROUND_MS = 1_000;

test("nobody waits for a paused PostgreSQL, and its requests are served when it goes on", async () => {
  const postgres = parts.adopt(await startPostgres(), (server) => server.stop());
  const url = await postgres.createDatabase();
  const database = parts.adopt(await FaultyPostgres.of(url), (held) => held.resume());
  const settings = { FAREGATE_DATA: parts.folder(), DATABASE_URL: url };
  const watched = await watchedServer(parts, settings);
  await watched.expectWell();
  database.pause();
  for (let round = 0; round < ROUNDS; round++) {
    await watched.expectOut();
    await Bun.sleep(ROUND_MS);
  }
  database.resume();
  await watched.expectWell();
  await watched.expectTold();
});
