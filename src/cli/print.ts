import type { Options } from "./arguments.ts";

type Row = Readonly<Record<string, string | number>>;

/** Rows under headings, columns as wide as they need, figures to the right. */
export function table(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return "none";
  const names = Object.keys(first);
  const widths = names.map((name) =>
    Math.max(name.length, ...rows.map((row) => String(row[name]).length)),
  );
  const write = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, i) => {
        const width = widths[i] ?? 0;
        return typeof cell === "number" ? String(cell).padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return [write(names), ...rows.map((row) => write(names.map((name) => row[name] ?? "")))].join(
    "\n",
  );
}

/** The machine's form with --json, the person's otherwise. */
export function print(options: Options, value: unknown, words: () => string): void {
  process.stdout.write(`${options.json === true ? JSON.stringify(value) : words()}\n`);
}

export function date(ms: number | null): string {
  return ms === null ? "never" : new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}
