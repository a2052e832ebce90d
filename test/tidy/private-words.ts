// Private words of docs/style.md in the names of files and types.
import type { ProjectFile, Source } from "./source.ts";

const HEADING = "## Words that we do not use";
const OUR_CODE = /^(?:src|web|bin|dev|bench|test)\//;
const TYPE = /\b(?:class|interface|type|enum)\s+([A-Z]\w*)/g;

/** The words of a name, in lower case and singular: `DraftTables` and `draft-tables.ts` both begin with `draft`. */
function partsOf(name: string): string[] {
  return name
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .filter((part) => part !== "")
    .map((part) => part.toLowerCase().replace(/(?<=[^s])s$/, ""));
}

/**
 * The words of the second table of docs/style.md. An entry with brackets names one meaning of a word that is fine
 * otherwise, which a name alone does not show.
 */
export function privateWords(style: string): string[] {
  const [, table = ""] = style.split(HEADING);
  const rows = (table.split(/^## /m)[0] ?? "").matchAll(/^\| ([^|]+) \|/gm);
  return [...rows]
    .slice(2)
    .flatMap(([, words = ""]) => words.replace(/[^,]+\([^)]*\)/g, "").split(","))
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** File names and type names with a private word among their words. */
export function privateNames(
  words: readonly string[],
  files: readonly Pick<ProjectFile, "path">[],
  sources: readonly Pick<Source, "path" | "code">[],
): string[] {
  const phrases = words.map((word) => ` ${partsOf(word).join(" ")} `);
  const isPrivate = (name: string) => {
    const text = ` ${partsOf(name).join(" ")} `;
    return phrases.some((phrase) => text.includes(phrase));
  };
  const paths = files.filter(({ path }) => OUR_CODE.test(path) && isPrivate(path));
  const types = sources.flatMap(({ path, code }) =>
    [...code.matchAll(TYPE)]
      .filter(([, name = ""]) => OUR_CODE.test(path) && isPrivate(name))
      .map(([, name]) => `${path}: ${name}`),
  );
  return [...paths.map(({ path }) => path), ...types];
}
