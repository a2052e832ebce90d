import { isRecord, listOf } from "../json.ts";
import type { AnswerFormat } from "../reading/prompt.ts";
import { type FactSource, Facts, Offer } from "./facts.ts";
import { quotedIn } from "./mentions.ts";
import { sampleArticle } from "./sample-article.ts";
import { valueForSchema } from "./schema-value.ts";

const KEYS_MAX = 20;
const NAMED_CHARS_MAX = 10_000;
/** A longer object is not given back as it came. */
const GIVEN_CHARS_MAX = 200_000;
const KEYS = /\b(?:keys?|fields?|propert(?:y|ies))\b([^.?!\n]*)/iu;

/** What the answer says as JSON: by its schema, or with the keys that the message names. */
export function jsonAnswer(format: AnswerFormat, source: FactSource): unknown {
  const offer = new Offer(source);
  const facts = new Facts(offer);
  if (format.kind === "schema") {
    const { schema } = format;
    const all = format.strict || !isRecord(schema) || listOf(schema.required).length === 0;
    return sampleArticle(schema, offer.message) ?? valueForSchema(schema, facts, all);
  }
  const given = givenObjectIn(source.message);
  if (given !== null) return given;
  const named = KEYS.exec(source.message)?.[1]?.slice(0, NAMED_CHARS_MAX) ?? "";
  const keys = quotedIn(named).slice(0, KEYS_MAX);
  if (keys.length === 0) return { answer: source.answer };
  return Object.fromEntries(keys.map((key) => [key, facts.text(key, () => true) ?? key]));
}

function givenObjectIn(message: string): unknown {
  const given = message.slice(message.indexOf("{"), message.lastIndexOf("}") + 1);
  if (given.length > GIVEN_CHARS_MAX) return null;
  try {
    const value = JSON.parse(given);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
