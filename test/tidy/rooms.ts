// The rooms of src/ and their floors, computed from the imports, held against the table in ARCHITECTURE.md.
import { referencesOf } from "./imports.ts";
import type { Source } from "./source.ts";

export interface Room {
  readonly name: string;
  /** One above the highest room that it imports. A room that imports none is on floor 0. */
  readonly floor: number;
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

/** Sorted from the highest floor down, then by name. */
export function roomsOf(sources: readonly Source[]): Room[] {
  const arrows = arrowsOf(sources);
  const floorOf = (name: string): number =>
    Math.max(-1, ...[...(arrows.get(name) ?? [])].map(floorOf)) + 1;
  return [...arrows.keys()]
    .map((name) => ({ name, floor: floorOf(name) }))
    .sort((one, two) => two.floor - one.floor || one.name.localeCompare(two.name));
}

/** Differences between the table (room, floor, what it holds) and the imports. */
export function tableProblems(text: string, rooms: readonly Room[]): string[] {
  const rows = [...text.matchAll(/^\| `([a-z]+)` *\| (\d+) *\| [^|]+\|$/gm)];
  const told = rows.map(([, name, floor]) => `${name} ${floor}`);
  const real = rooms.map(({ name, floor }) => `${name} ${floor}`);
  return [
    ...real.filter((row) => !told.includes(row)).map((row) => `the table lacks: ${row}`),
    ...told.filter((row) => !real.includes(row)).map((row) => `the table has: ${row}`),
  ];
}
