import { isRecord, listOf } from "../json.ts";
import type { AnswerFormat } from "../reading/prompt.ts";
import { type FactSource, Facts, Offer } from "./facts.ts";
import { quotedIn } from "./mentions.ts";
import { sampleArticle } from "./sample-article.ts";
import { valueForSchema } from "./schema-value.ts";

const KEYS_MAX = 20;
const KEYS = /\b(?:keys?|fields?|propert(?:y|ies))\b([^.?!\n]*)/iu;

/** What the answer says as JSON: by its schema, or with the keys that the message names. */
export function jsonAnswer(format: AnswerFormat, source: FactSource): unknown {
  const facts = new Facts(new Offer(source));
  if (format.kind === "schema") {
    const { schema } = format;
    const all = format.strict || !isRecord(schema) || listOf(schema.required).length === 0;
    return sampleArticle(schema, source.message) ?? valueForSchema(schema, facts, all);
  }
  const given = givenObjectIn(source.message);
  if (given !== null) return given;
  const keys = quotedIn(KEYS.exec(source.message)?.[1] ?? "").slice(0, KEYS_MAX);
  if (keys.length === 0) return { answer: source.answer };
  return Object.fromEntries(keys.map((key) => [key, facts.text(key, () => true) ?? key]));
}

function givenObjectIn(message: string): unknown {
  try {
    const value = JSON.parse(message.slice(message.indexOf("{"), message.lastIndexOf("}") + 1));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
