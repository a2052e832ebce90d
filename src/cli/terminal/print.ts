import { say } from "../words/language.ts";
import type { Options } from "./arguments.ts";

type Row = Readonly<Record<string, string | number>>;

/** How wide a text is on a terminal, where a Chinese character takes two columns. */
function columns(text: string): number {
  return Bun.stringWidth(text);
}

/** A text with spaces behind it, up to a width. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columns(text)));
}

/** Rows under headings, columns as wide as they need, figures to the right. */
export function table(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return say("none");
  const names = Object.keys(first);
  const widths = names.map((name) =>
    Math.max(columns(name), ...rows.map((row) => columns(String(row[name])))),
  );
  const write = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, i) => {
        const width = widths[i] ?? 0;
        const space = " ".repeat(width - columns(String(cell)));
        return typeof cell === "number" ? `${space}${cell}` : `${cell}${space}`;
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
  return ms === null ? say("never") : new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}
