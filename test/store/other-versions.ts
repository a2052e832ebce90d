// The tables of programs that are older or newer than this one.
import type { RoomTables } from "../../src/lib/sql/sql.ts";

/** As they were when they had so many versions. */
export function upTo(tables: RoomTables, count: number): RoomTables {
  return {
    ...tables,
    versions: tables.versions.slice(0, count),
    least: Math.min(tables.least, count),
  };
}

/** With one more version, which only adds something. */
export function expandedBy(tables: RoomTables, text: string): RoomTables {
  return { ...tables, versions: [...tables.versions, text] };
}

/** With one more version, which programs must know from then on. */
export function contractedBy(tables: RoomTables, text: string): RoomTables {
  const { versions, ...others } = expandedBy(tables, text);
  return { ...others, versions, least: versions.length };
}
