import { ConfigError } from "./members.ts";

// YAML takes the last of two members with one name, and its parser does not tell. So the text is parsed once more with a
// mark at the end of whatever may be a name: then no two names are the same, and each brings the line that it stands in.
// What is a name and what only looks like one (in a text, a comment) is left to the parser.

/** Of Unicode's private use, which YAML takes anywhere in a name. */
const SIGN = "\uE000";
const MARKS = new RegExp(`${SIGN}(\\d+)${SIGN}`, "g");

/** Where a name may end: the mark goes before the first character, so behind no quote and into no escape. */
const ENDS = /(?:\\*"|'+)[ \t]*:|:(?=[\s,[\]{}]|$)/g;

const MERGE = "<<";

/** One quote that stands behind these closes a text: none begins there. */
const INSIDE = /[A-Za-z0-9_]$/;

interface Name {
  readonly text: string;
  readonly line: number;
}

interface Position {
  readonly index: number;
  readonly line: number;
  readonly isQuoted: boolean;
}

function positionsIn(text: string): Position[] {
  let line = 1;
  let seen = 0;
  return [...text.matchAll(ENDS)].map(({ index, 0: end }) => {
    line += text.slice(seen, index).match(/\r\n|\r|\n/g)?.length ?? 0;
    seen = index;
    return { index, line, isQuoted: end !== ":" };
  });
}

function marked(text: string, positions: readonly Position[]): string {
  const parts: string[] = [];
  let seen = 0;
  for (const [number, { index }] of positions.entries()) {
    parts.push(text.slice(seen, index), SIGN, String(number), SIGN);
    seen = index;
  }
  return parts.join("") + text.slice(seen);
}

/** Whether a text says the same with a mark: not where it stands before the quote that opens a text. */
function bearsMark(text: string, position: Position, value: unknown): boolean {
  if (!position.isQuoted || INSIDE.test(text.slice(0, position.index))) return true;
  try {
    return isSame(Bun.YAML.parse(marked(text, [position])), value);
  } catch {
    return false;
  }
}

function isSame(value: unknown, read: unknown): boolean {
  if (typeof value === "string") return value.replace(MARKS, "") === read;
  if (Array.isArray(value)) {
    return Array.isArray(read) && value.every((element, index) => isSame(element, read[index]));
  }
  if (!isMapping(value)) return Object.is(value, read);
  if (!isMapping(read)) return false;
  const byName = Map.groupBy(Object.entries(value), ([name]) => name.replace(MARKS, ""));
  const hasName = (name: string) => byName.has(name);
  if (!Object.keys(read).every(hasName)) return false;
  // Of two members with one name only the value of the second is read.
  return [...byName].every(([name, [first, second]]) => {
    return Object.hasOwn(read, name) && (second !== undefined || isSame(first?.[1], read[name]));
  });
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Goes over a marked document beside the one that is read, of which it only looks at the names. */
class NamesLookedAt {
  readonly #positions: readonly Position[];
  /** What is named by several aliases is looked at once, at its first place. */
  readonly #seen = new Set<unknown>();

  constructor(positions: readonly Position[]) {
    this.#positions = positions;
  }

  /** `read`: the same value without marks; undefined where it is merged into another. */
  look(value: unknown, read: unknown, where: string): void {
    if (typeof value !== "object" || value === null || this.#seen.has(value)) return;
    this.#seen.add(value);
    if (isMapping(value)) this.#lookAtMapping(value, isMapping(read) ? read : undefined, where);
    if (!Array.isArray(value)) return;
    for (const [index, element] of value.entries()) {
      const same = Array.isArray(read) ? read[index] : undefined;
      this.look(element, same, `${where}[${index}]`);
    }
  }

  #lookAtMapping(
    value: Readonly<Record<string, unknown>>,
    read: Readonly<Record<string, unknown>> | undefined,
    where: string,
  ): void {
    const lines = new Map<string, number>();
    for (const [written, inner] of Object.entries(value)) {
      const { text, line } = this.#nameOf(written, where);
      const at = where.endsWith(":") ? `${where} ${text}` : `${where}.${text}`;
      const first = lines.get(text);
      if (first !== undefined) {
        const both = first === line ? `line ${line}` : `lines ${first} and ${line}`;
        throw new ConfigError(`${at} is given twice, in ${both}; leave one out.`);
      }
      lines.set(text, line);
      if (read && text !== MERGE && !Object.hasOwn(read, text)) {
        throw new ConfigError(`${at} (line ${line}) is read as another name; write it in quotes.`);
      }
      this.look(inner, read?.[text], at);
    }
  }

  #nameOf(written: string, where: string): Name {
    // A name in quotes may have more that looks like the end of one.
    const position = this.#positions[Number([...written.matchAll(MARKS)].at(-1)?.[1])];
    if (!position) {
      const form = "a name, a colon and a value in one line";
      throw new ConfigError(`${where} has a member that is not written as ${form}.`);
    }
    const text = written.replace(MARKS, "");
    // Space around a name without quotes says nothing.
    return { text: position.isQuoted ? text : text.trimEnd(), line: position.line };
  }
}

/** The value of a YAML text, in which no member has the name of another of its mapping. */
export function parseYaml(text: string, path: string): unknown {
  let value: unknown;
  try {
    value = Bun.YAML.parse(text);
  } catch (thrown) {
    throw new ConfigError(`${path} is not YAML: ${(thrown as Error).message}`);
  }
  if (Array.isArray(value)) {
    const form =
      "a mapping of names to values, in one document: nothing may stand behind a second ---";
    throw new ConfigError(`${path}: must be ${form}.`);
  }
  const positions = positionsIn(text).filter((position) => bearsMark(text, position, value));
  let withMarks: unknown;
  try {
    withMarks = Bun.YAML.parse(marked(text, positions));
  } catch {
    throw new ConfigError(
      `${path} has a list, a mapping or an alias where a name must be; write the name.`,
    );
  }
  new NamesLookedAt(positions).look(withMarks, value, `${path}:`);
  return value;
}
