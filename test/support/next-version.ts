// Loaded into a server before its program: makes it a version later than it is. NEXT_VERSION says whether its new
// versions, one of each room but of sign-in, only add something or must be known from then on.
import type { RoomTables } from "../../src/lib/sql/sql.ts";
import released from "../../src/store/migrations/released.json" with { type: "json" };
import { ROOMS } from "../../src/store/migrations/rooms.ts";
import { checksumOf } from "../../src/store/migrations/upgrade.ts";
import { TABLES } from "../../src/store/postgres/schema.ts";

const contracts = process.env.NEXT_VERSION?.startsWith("contract");
const column = contracts ? "later_still" : "later";

/** A column more for each table. */
function grow(tables: RoomTables): string {
  const made = tables.versions.flatMap((text) => [...text.matchAll(/create table (\w+)/g)]);
  const names = new Set(made.map(([, name]) => name));
  const text = [...names]
    .map((name) => `alter table ${name} add column ${column} text;`)
    .join("\n");
  (tables.versions as string[]).push(text);
  if (contracts) (tables as { least: number }).least = tables.versions.length;
  return checksumOf(text);
}

if (process.env.NEXT_VERSION !== "contract rooms") grow(TABLES);
const sums: Record<string, string[]> = released.rooms;
for (const tables of ROOMS) {
  if (tables.room !== "sign-in") sums[tables.room]?.push(grow(tables));
}
