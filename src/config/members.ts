import { readMoment } from "../lib/text/moments.ts";

/** A setting that cannot be understood. The message names the place and the fix. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Changes of one letter that turn a slip into what was meant: beyond this it is another word. */
const SLIPS_MAX = 2;

function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...from].entries()) {
    const line = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const kept = (above[column] ?? 0) + (letter === other ? 0 : 1);
      line.push(Math.min(kept, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    above = line;
  }
  return above[to.length] ?? 0;
}

/** The name that someone who wrote `wanted` most likely meant, as the end of a sentence. */
export function didYouMean(wanted: string, names: Iterable<string>): string {
  let best: string | undefined;
  let least = SLIPS_MAX + 1;
  for (const name of names) {
    const slips = distance(wanted.toLowerCase(), name.toLowerCase());
    if (slips < least) [best, least] = [name, slips];
  }
  return best === undefined ? "" : `; did you mean "${best}"?`;
}

type Values = Readonly<Record<string, unknown>>;

const ID = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/;

/** Digits that a number of the file is sure to have kept. */
const NUMBER_DIGITS_MAX = 12;

/** Of a decimal as it is written: far more than any price has. */
const DECIMAL_CHARS_MAX = 40;

interface Range {
  readonly min: number;
  readonly max: number;
}

/** One element of a list, with the words for where it stands. */
interface Element {
  readonly value: unknown;
  readonly where: string;
}

/**
 * The members of one object of a file, each read by the type it must have. What is wrong is told
 * with its place, such as `faregate.yaml: channels[1].keys[0]`; values are not repeated, since they
 * may be secret.
 */
export class Members {
  readonly where: string;
  readonly #values: Values;

  constructor(value: unknown, where: string, known: readonly string[] | undefined) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new ConfigError(`${where} must be a mapping of names to values.`);
    }
    this.where = where;
    this.#values = value as Values;
    const unknown = known && Object.keys(value).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const hint = didYouMean(unknown, known ?? []) || `; it can be one of ${known?.join(", ")}.`;
      throw new ConfigError(`${this.at(unknown)} is not a setting${hint}`);
    }
  }

  at(name: string): string {
    return this.where.endsWith(":") ? `${this.where} ${name}` : `${this.where}.${name}`;
  }

  names(): string[] {
    return Object.keys(this.#values);
  }

  /** An empty value counts as one that is not there. */
  value(name: string): unknown {
    return this.#values[name] ?? undefined;
  }

  fail(name: string, problem: string): never {
    throw new ConfigError(`${this.at(name)} ${problem}`);
  }

  optionalText(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string" || value.trim() === "") {
      return this.fail(name, "must be a text; write it in quotes.");
    }
    return value.trim();
  }

  text(name: string): string {
    return this.optionalText(name) ?? this.fail(name, "is missing; it must be a text.");
  }

  id(): string {
    const id = this.text("id");
    if (ID.test(id)) return id;
    return this.fail("id", "must be letters, digits and . _ : / - only, at most 128.");
  }

  optionalWhole(name: string, { min, max }: Range): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < min || value > max) {
      return this.fail(name, `must be a whole number from ${min} to ${max}.`);
    }
    return value;
  }

  whole(name: string, range: Range): number {
    const { min, max } = range;
    return (
      this.optionalWhole(name, range) ??
      this.fail(name, `is missing; it must be a whole number from ${min} to ${max}.`)
    );
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.value(name) ?? fallback;
    if (typeof value !== "boolean") return this.fail(name, "must be true or false.");
    return value;
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    const text = this.optionalText(name);
    if (text === undefined) return undefined;
    return values.find((value) => value === text) ?? this.fail(name, notOneOf(text, values));
  }

  /** An amount as the decimal that was written, up to a most; a float is never calculated with. */
  decimal(name: string, max: number): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text !== "string" || !/^\d+(?:\.\d+)?$/.test(text)) {
      return this.fail(name, 'must be a plain decimal such as "2.50".');
    }
    if (typeof value === "number" && text.replace(".", "").length > NUMBER_DIGITS_MAX) {
      return this.fail(name, "has more digits than a number keeps; write it in quotes.");
    }
    if (Number(text) > max) return this.fail(name, `must be at most ${max}.`);
    if (text.length > DECIMAL_CHARS_MAX) {
      return this.fail(name, `has more than ${DECIMAL_CHARS_MAX} characters; leave out the last.`);
    }
    return text;
  }

  list(name: string): Element[] {
    const value = this.value(name) ?? [];
    if (!Array.isArray(value)) return this.fail(name, "must be a list.");
    return value.map((element, index) => ({
      value: element,
      where: `${this.at(name)}[${index}]`,
    }));
  }

  texts(name: string): string[] | undefined {
    if (this.value(name) === undefined) return undefined;
    return this.list(name).map(({ value, where }) => {
      if (typeof value === "string" && value.trim() !== "") return value.trim();
      throw new ConfigError(`${where} must be a text; write it in quotes.`);
    });
  }

  /** A list of words of which each must be known. */
  words<T extends string>(name: string, values: readonly T[]): T[] | undefined {
    return this.texts(name)?.map((text, index) => {
      const found = values.find((value) => value === text);
      return found ?? this.fail(`${name}[${index}]`, notOneOf(text, values));
    });
  }

  object(name: string, known: readonly string[] | undefined): Members | undefined {
    const value = this.value(name);
    return value === undefined ? undefined : new Members(value, this.at(name), known);
  }

  /** A mapping whose names are free and whose values are texts. */
  textMap(name: string): Record<string, string> {
    const members = this.object(name, undefined);
    return Object.fromEntries(members?.names().map((key) => [key, members.text(key)]) ?? []);
  }

  /** A day of UTC, or a time that names its zone. */
  moment(name: string): number | undefined {
    const text = this.optionalText(name);
    if (text === undefined) return undefined;
    return readMoment(text) ?? this.fail(name, "must be a date such as 2027-01-31.");
  }
}

export function notOneOf(text: string, values: readonly string[]): string {
  const hint = didYouMean(text, values);
  return `is "${text}"; it must be one of ${values.join(", ")}${hint || "."}`;
}
