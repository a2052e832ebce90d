import type { Facts } from "./facts.ts";
import type { JsonRecord } from "./json.ts";
import { textForPattern } from "./pattern-text.ts";
import { wordsOf } from "./words.ts";

const DEFAULT_STRING_CHARS_MAX = 200;

interface FormatRule {
  readonly shape: RegExp;
  readonly sample: string;
}

/** A text of the conversation with the right shape is preferred to the sample. */
const FORMATS: Readonly<Record<string, FormatRule>> = {
  "date-time": {
    shape: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
    sample: "2026-01-15T09:30:00Z",
  },
  date: { shape: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/, sample: "2026-01-15" },
  time: { shape: /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/, sample: "09:30:00Z" },
  duration: { shape: /^PT\d+[HMS]$/, sample: "PT30M" },
  email: { shape: /^[\w.+-]{1,64}@[\w-]+\.[a-z]{2,}$/, sample: "someone@example.com" },
  hostname: { shape: /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, sample: "www.example.com" },
  ipv4: { shape: /^(?:(?:1?\d?\d)\.){3}1?\d?\d$/, sample: "192.0.2.1" },
  ipv6: { shape: /^[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}$/, sample: "2001:db8:0:0:0:0:0:1" },
  uri: { shape: /^https?:\/\/[^\s"]+$/, sample: "https://www.example.com/" },
  url: { shape: /^https?:\/\/[^\s"]+$/, sample: "https://www.example.com/" },
  uuid: {
    shape: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    sample: "7d444840-9dc0-41d1-b245-5ffdce74fad2",
  },
};

function sizeOf(value: unknown, otherwise: number): number {
  return typeof value === "number" && value >= 0 ? value : otherwise;
}

export function stringForSchema(schema: JsonRecord, name: string, facts: Facts): string {
  const charsMin = Math.min(sizeOf(schema.minLength, 0), 10_000);
  const charsMax = sizeOf(schema.maxLength, Math.max(DEFAULT_STRING_CHARS_MAX, charsMin));
  if (typeof schema.pattern === "string") {
    const text = textForPattern(schema.pattern, charsMin);
    if (text !== null) return text;
  }
  const format = typeof schema.format === "string" ? FORMATS[schema.format] : undefined;
  if (format !== undefined) {
    return facts.stringFor(name, (text) => format.shape.test(text)) ?? format.sample;
  }
  const found = facts.stringFor(name, (text) => text.length >= charsMin && text.length <= charsMax);
  return found ?? fitLength(wordsOf(name).join(" ") || "value", charsMin, charsMax);
}

function fitLength(text: string, charsMin: number, charsMax: number): string {
  const long = text.length >= charsMin ? text : text.padEnd(charsMin, ` ${text}`);
  return long.slice(0, charsMax);
}

export function numberForSchema(schema: JsonRecord, name: string, facts: Facts): number {
  const integer =
    schema.type === "integer" ||
    (Array.isArray(schema.type) &&
      schema.type.includes("integer") &&
      !schema.type.includes("number"));
  const bounds = readBounds(schema);
  const multiple = typeof schema.multipleOf === "number" ? schema.multipleOf : null;
  const step = multiple ?? (integer ? 1 : null);
  const fits = (value: number): boolean =>
    value >= bounds.min &&
    value <= bounds.max &&
    !(bounds.minOpen && value === bounds.min) &&
    !(bounds.maxOpen && value === bounds.max) &&
    (step === null || Number.isInteger(value / step)) &&
    (!integer || Number.isInteger(value));
  return facts.numberFor(name, fits) ?? firstFitting(bounds, step, fits);
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly minOpen: boolean;
  readonly maxOpen: boolean;
}

function readBounds(schema: JsonRecord): Bounds {
  const number = (value: unknown, otherwise: number): number =>
    typeof value === "number" ? value : otherwise;
  const low = number(schema.minimum, Number.NEGATIVE_INFINITY);
  const high = number(schema.maximum, Number.POSITIVE_INFINITY);
  const above = number(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY);
  const below = number(schema.exclusiveMaximum, Number.POSITIVE_INFINITY);
  return {
    min: Math.max(low, above),
    max: Math.min(high, below),
    minOpen: above >= low && Number.isFinite(above),
    maxOpen: below <= high && Number.isFinite(below),
  };
}

/** The most ordinary number inside the bounds: one if it fits, else one near a bound. */
function firstFitting(
  bounds: Bounds,
  step: number | null,
  fits: (value: number) => boolean,
): number {
  const near = [1, 0, bounds.min, bounds.max, (bounds.min + bounds.max) / 2]
    .concat(bounds.min + 1, bounds.max - 1)
    .filter(Number.isFinite);
  const onStep = (value: number): number[] =>
    step === null
      ? [value]
      : [0, 1, -1].map((offset) => (Math.round(value / step) + offset) * step);
  return near.flatMap(onStep).find(fits) ?? near[0] ?? 1;
}
