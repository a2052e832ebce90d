import { createFacts, type FactSource } from "./facts.ts";
import { isRecord } from "./json.ts";
import { namedValueIn, quotedIn } from "./mentions.ts";
import type { AnswerFormat } from "./prompt.ts";
import { sampleArticle } from "./sample-article.ts";
import { valueForSchema } from "./schema-value.ts";

const ASKS_FOR_JSON =
  /\b(?:return|reply|respond|answer|output|give|produce|write|print)\b[^.?!\n]{0,40}\bJSON\b/iu;
const MESSAGE_CHARS_MAX = 4_000;
const KEYS_MAX = 20;

/** Whether a plain message wants JSON although the request's format does not say so. */
export function asksForJson(message: string): boolean {
  return ASKS_FOR_JSON.test(message.slice(0, MESSAGE_CHARS_MAX));
}

/** What the answer says as JSON: by its schema, or with the keys that the message names. */
export function jsonAnswer(format: AnswerFormat, source: FactSource): unknown {
  if (format.kind === "schema") {
    const article = sampleArticle(format.schema, source);
    return article ?? valueForSchema(format.schema, createFacts(source), format.strict);
  }
  return givenObjectIn(source.message) ?? objectWithNamedKeys(source);
}

function givenObjectIn(message: string): unknown {
  const start = message.indexOf("{");
  const end = message.lastIndexOf("}");
  if (start < 0 || end < start) return null;
  try {
    const text = message.slice(start, end + 1);
    const value: unknown = JSON.parse(text.length > MESSAGE_CHARS_MAX ? text : fillTemplate(text));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** In `{"size": number}` the bare word names a type, and a value of it makes the text JSON. */
function fillTemplate(text: string): string {
  const samples: Readonly<Record<string, string>> = {
    string: '"text"',
    number: "1",
    integer: "1",
    boolean: "true",
  };
  return text.replace(
    /(?<=[:[,]\s*)(string|number|integer|boolean)(?=\s*[,}\]])/gu,
    (type) => samples[type] ?? type,
  );
}

const KEYS = /\b(?:keys?|fields?|propert(?:y|ies))\b([^.?!\n]*)/iu;

function objectWithNamedKeys(source: FactSource): unknown {
  const named = KEYS.exec(source.message)?.[1] ?? "";
  const bare = named.match(/(?<![\p{L}\p{N}])[a-z][a-z0-9_]*(?![\p{L}\p{N}])/gu) ?? [];
  const listed = bare.filter(
    (word) => !/^(?:and|or|set|to|the|of|with|value|as|is|named)$/.test(word),
  );
  const quoted = quotedIn(named).filter((key) => /^[\w-]{1,40}$/.test(key));
  const keys = quoted.length > 0 ? quoted.slice(0, KEYS_MAX) : listed.slice(0, 1);
  if (keys.length === 0) return { answer: source.answer };
  const facts = createFacts(source);
  const values = keys.filter((key) => !keys.some((other) => namedValueIn(named, other) === key));
  return Object.fromEntries(
    values.map((key) => {
      const given = namedValueIn(source.message, key);
      return [key, given === null ? (facts.stringFor(key, () => true) ?? key) : scalar(given)];
    }),
  );
}

/** A value written as a number, true, false or null is meant as one. */
function scalar(text: string): unknown {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  return text === "null" ? null : text;
}
