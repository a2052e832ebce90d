// Databases as earlier versions have left them, with a few rows of money.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { migrateRooms } from "../../src/store/migrations/migrate.ts";
import { ROOMS } from "../../src/store/migrations/rooms.ts";
import { TABLES } from "../../src/store/postgres/schema.ts";
import { migrate, openFile } from "../../src/store/sqlite/database.ts";
import { MONEY_TABLES } from "../../src/store/sqlite/money-schema.ts";
import { RESPONSE_TABLES } from "../../src/store/sqlite/responses/responses-schema.ts";
import type { Engine, Site } from "./engines.ts";
import { openedWith, upTo } from "./other-versions.ts";

/**
 * Books as the first version left them: one request answered, and two cut off by the end of the
 * process, of which one was free.
 */
const FIRST_BOOKS = `
  insert into accounts (id, name, operator, enabled, hard, created_at) values ('a', '', 0, 1, 0, 1);
  insert into keys (id, account_id, hash, last_four, name, enabled, rpm, tpm, concurrency, hard,
    account_read, show_cost, created_at) values ('k', 'a', 'h', 'abcd', '', 1, 0, 0, 0, 0, 0, 1, 1),
      ('key_2', 'a', 'h2', 'abcd', '', 1, 0, 0, 0, 0, 0, 1, 1);
  insert into scopes (id, account_id, key_id, kind, max, used, held)
    values ('a', 'a', null, 'balance', 100, 7, 5), ('k', 'a', 'k', 'budget', null, 7, 5),
      ('key_2', 'a', 'key_2', 'budget', 60, 0, 0);
  insert into entries (account_id, key_id, kind, amount, hold_id, ref, created_at)
    values ('a', null, 'topup', 100, null, 'ref_1', 1), ('a', 'k', 'post', 7, 'req_1', null, 2);
  insert into holds (id, account_id, key_id, owner, amount, input_cost, model, endpoint, channel,
    stream, created_at) values ('req_2', 'a', 'k', 'own_gone', 5, 1, 'm', 'chat', 'c', 0, 3),
      ('req_3', 'a', 'key_2', 'own_gone', 0, 0, 'free', 'chat', 'c', 0, 3);
  insert into receipts (id, account_id, key_id, created_at, endpoint, model, stream, status,
    billing_reason, channel, fresh, cache_read, cache_write, output, reasoning, web_searches, clamped,
    usage_source, lines, cost, held, loss, duration_ms)
    values ('req_1', 'a', 'k', 2, 'chat', 'm', 0, 200, 'completed', 'c', 4, 0, 0, 3, 0, 0, 0,
      'vendor', '[["input",7,"1000"]]', 7, 9, 0, 30);
  insert into rollups (account_id, key_id, model, hour, requests, failures, fresh, cache_read,
    cache_write, output, cost) values ('a', 'k', 'm', 0, 1, 0, 4, 0, 0, 3, 7);`;

/** A statement before there is all that a site's own way of asking needs. */
async function run({ settings, run: ask }: Site, file: string, text: string): Promise<void> {
  if (settings.DATABASE_URL !== undefined) {
    await ask(text);
    return;
  }
  const db = new Database(join(settings.FAREGATE_DATA, file));
  db.run(text);
  db.close();
}

/** The last version of which databases are about that have no checksums. */
const WITHOUT_CHECKSUMS = 10;

/** All but the newest. */
export function earlierVersionsOn(engine: Engine): number[] {
  return Array.from({ length: versionsOn(engine) - 1 }, (_, at) => at + 1);
}

/** How many versions the tables of money have on an engine. */
export function versionsOn({ name }: Engine): number {
  return (name === "SQLite" ? MONEY_TABLES : TABLES).versions.length;
}

/** Of a version that this program goes on with, all files are there. */
function leaveResponses({ settings }: Site, version: number): void {
  if (settings.DATABASE_URL !== undefined || version < MONEY_TABLES.least) return;
  const path = join(settings.FAREGATE_DATA, "responses.sqlite");
  const responses = openFile(path, { create: true, synchronous: "NORMAL" });
  migrate(responses, RESPONSE_TABLES);
  responses.close();
}

/**
 * Fills an empty database with the books of the first version and brings them, and the tables of the rooms, as far
 * as there were so many versions; without checksums as long as nobody kept them.
 */
export async function leaveEarlierBooks(site: Site, version: number): Promise<void> {
  await openedWith(site, (tables) => upTo(tables, 1));
  await run(site, "faregate.sqlite", FIRST_BOOKS);
  await openedWith(site, (tables) => upTo(tables, version));
  const console = await site.console();
  const hadChecksums = version > WITHOUT_CHECKSUMS;
  await migrateRooms(
    console,
    ROOMS.map((tables) => {
      const known = upTo(tables, version);
      // Without them, what says how many versions a program must know was the version that was reached.
      return hadChecksums ? known : { ...known, least: known.versions.length };
    }),
  );
  await console.close();
  leaveResponses(site, version);
  if (hadChecksums) return;
  const files = site.settings.DATABASE_URL ? [""] : ["faregate.sqlite", "console.sqlite"];
  for (const file of files) await run(site, file, "drop table applied_versions");
}
