import type { RoomTables } from "../../lib/sql/sql.ts";
import type { Log } from "../../telemetry/log.ts";
import { EditedTablesError, UnfitDatabaseError } from "../store.ts";

/** Which texts have been applied to a database, of the tables of every room that it has. */
export const APPLIED_TABLE_SQL = `create table if not exists applied_versions (
  room text not null,
  version integer not null,
  checksum text not null,
  primary key (room, version)
)`;

/** What a database says of the tables of a room. */
export interface Found {
  /**
   * How many versions a program must know to use them. Before checksums were kept this was the version that the
   * tables had reached, so that programs of then go by it too.
   */
  readonly least: number;
  /** Of the versions that were applied, in their order; fewer where they were applied before checksums were kept. */
  readonly checksums: readonly string[];
}

/** A version that was applied, be it before checksums were kept. */
interface Applied {
  readonly version: number;
  readonly checksum: string;
}

/** What makes the tables of a room today's. */
export interface Upgrade {
  readonly texts: readonly string[];
  /** What is to be written down of them, and of those from before. */
  readonly applied: readonly Applied[];
  readonly least: number;
  /** Whether it takes something away that a program of before, if one runs, goes by. */
  readonly contracts: boolean;
}

export function checksumOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

function newer({ room, versions }: RoomTables, { least }: Found): UnfitDatabaseError {
  return new UnfitDatabaseError(
    `The tables of ${room} were written by a newer Faregate: they need one that knows version ${least} of them, ` +
      `and this one knows ${versions.length}. Upgrade this one to open them.`,
  );
}

function edited(room: string, version: number): EditedTablesError {
  return new EditedTablesError(
    `Version ${version} of the tables of ${room} was applied with another text than this Faregate has for it. ` +
      "A version is never edited once it was applied: start the Faregate that wrote this database, " +
      "or give the version its text back and make the change a new one.",
  );
}

/** Throws where the tables are not for a program that knows these versions, saying what to do. */
export function planUpgrade(tables: RoomTables, found: Found): Upgrade {
  const { room, versions, least } = tables;
  if (found.least > versions.length) throw newer(tables, found);
  const checksums = versions.map(checksumOf);
  const known = found.checksums.slice(0, versions.length);
  const other = known.findIndex((checksum, index) => checksum !== checksums[index]);
  if (other >= 0) throw edited(room, other + 1);
  const reached = Math.max(found.least, found.checksums.length);
  const all = checksums.map((checksum, index) => ({ version: index + 1, checksum }));
  return {
    texts: versions.slice(reached),
    applied: all.slice(found.checksums.length),
    // An older program leaves it as the newer one has written it.
    least: reached < versions.length ? Math.max(found.least, least) : found.least,
    contracts: reached > 0 && reached < least,
  };
}

/**
 * The first part of an upgrade that leaves whole tables: all that programs of before cannot go on with, and of the
 * rest one version.
 */
export function firstStepOf(upgrade: Upgrade, { versions, least }: RoomTables): Upgrade {
  const reached = versions.length - upgrade.texts.length;
  const end = Math.max(reached + 1, least);
  return {
    ...upgrade,
    texts: upgrade.texts.slice(0, end - reached),
    applied: upgrade.applied.filter(({ version }) => version <= end),
  };
}

/** Logs that tables with rows in them change now: with millions of rows that takes minutes. */
export function tellOfUpgrade(
  log: Pick<Log, "info"> | undefined,
  { room, versions }: RoomTables,
  { texts }: Pick<Upgrade, "texts">,
): void {
  const from = versions.length - texts.length;
  if (from === 0 || texts.length === 0) return;
  log?.info("tables_upgrade", { room, from, to: versions.length });
}
