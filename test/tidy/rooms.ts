// The rooms of the house as they stand: who names whom, and on which floor each is by that.
import { referencesOf } from "./imports.ts";
import type { Source } from "./source.ts";

export interface Room {
  readonly name: string;
  /** One above the highest room that it names; those that name none are on the ground. */
  readonly floor: number;
  /** The rooms that its program names, tests aside. */
  readonly names: readonly string[];
}

const roomOf = (path: string) => /^src\/([^/]+)\//.exec(path)?.[1];

function arrowsOf(sources: readonly Source[]): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const source of sources) {
    const from = roomOf(source.path);
    if (from === undefined || source.path.endsWith(".test.ts")) continue;
    const names = arrows.get(from) ?? new Set();
    arrows.set(from, names);
    for (const { path } of referencesOf(source)) {
      const to = roomOf(path);
      if (to !== undefined && to !== from) names.add(to);
    }
  }
  return arrows;
}

/** From the roof to the ground; rooms of one floor by their names. */
export function roomsOf(sources: readonly Source[]): Room[] {
  const arrows = arrowsOf(sources);
  const floorOf = (name: string): number =>
    Math.max(-1, ...[...(arrows.get(name) ?? [])].map(floorOf)) + 1;
  return [...arrows]
    .map(([name, names]) => ({ name, floor: floorOf(name), names: [...names].sort() }))
    .sort((one, two) => two.floor - one.floor || one.name.localeCompare(two.name));
}

/** A row of the table in ARCHITECTURE.md, but for what it says of the room. */
function cellsOf({ name, floor, names }: Room): readonly string[] {
  return [`\`${name}\``, String(floor), names.join(" ") || "–"];
}

/** Rows of the table that are not as the imports are: room, floor, what it has, whom it names. */
export function tableProblems(text: string, rooms: readonly Room[]): string[] {
  const rows = [...text.matchAll(/^\| (`[a-z]+`) *\| (\d+) *\| [^|]+\| ([^|]*?) *\|$/gm)];
  const told = rows.map(([, ...cells]) => cells.join(" | "));
  const real = rooms.map((room) => cellsOf(room).join(" | "));
  return [
    ...real.filter((row) => !told.includes(row)).map((row) => `the table lacks: ${row}`),
    ...told.filter((row) => !real.includes(row)).map((row) => `the table has: ${row}`),
  ];
}
