import { isRecord, type JsonRecord } from "../json.ts";
import { lastUserStep, type Prompt, type PromptStep } from "../reading/prompt.ts";
import { answerText } from "./answer-text.ts";
import { type FactSource, Facts, Offer } from "./facts.ts";
import { valueForSchema } from "./schema-value.ts";

/** Formats that libraries ask for in words are looked for in no longer text. */
const CHARS_MAX = 20_000;
const FIELDS_MAX = 64;
const TYPE_CHARS_MAX = 200;

const SCHEMA_WORDS = /json[ _]schema:?\s*(?=\{)/i;

/** Where the JSON object ends that begins here; -1 where the text ends first. */
function objectEnd(text: string, from: number): number {
  let depth = 0;
  let inText = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (inText && char === "\\") at += 1;
    else if (char === '"') inText = !inText;
    else if (!inText && char === "{") depth += 1;
    else if (!inText && char === "}" && --depth === 0) return at + 1;
  }
  return -1;
}

/** The schema that follows the words "JSON schema", as instructor writes it. */
function schemaIn(text: string): JsonRecord | undefined {
  const words = SCHEMA_WORDS.exec(text);
  if (!words) return undefined;
  const from = words.index + words[0].length;
  try {
    const schema: unknown = JSON.parse(text.slice(from, objectEnd(text, from)));
    return isRecord(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}

/** DSPy's demand at the end of a message, and the fields in it. */
const DEMAND = "Respond with the corresponding output fields, starting with the field ";
const FIELD = /`\[\[ ## (\w+) ## \]\]`(?: \(must be formatted as a valid Python ([^`]*)\))?/g;
const MARKER = /\[\[ ## \w+ ## \]\]/g;

const PYTHON_TYPES: Readonly<Record<string, string>> = {
  ...{ int: "integer", float: "number", bool: "boolean" },
  ...{ list: "array", dict: "object", str: "string" },
};

/** The schema of a type as Python writes it: `float`, `list[str]`, `Literal['a', 'b']`. */
function schemaOfPython(type: string): JsonRecord {
  const [name = "", inner = ""] = type.split(/\[(.*)\]/s);
  if (name === "Literal") {
    return { enum: [...inner.matchAll(/'([^']*)'/g)].map(([, value]) => value) };
  }
  const known = PYTHON_TYPES[name] ?? "string";
  return known === "array" ? { type: known, items: schemaOfPython(inner) } : { type: known };
}

/** An answer of marked fields; undefined where the message asks for none. */
function markedFields(prompt: Prompt, step: PromptStep, source: FactSource): string | undefined {
  const message = step.text;
  const from = message.lastIndexOf(DEMAND);
  if (from < 0) return undefined;
  const asked = message.slice(0, from).replace(MARKER, "").trim();
  const answer = answerText({ ...prompt, steps: [{ ...step, text: asked }] });
  const facts = new Facts(new Offer({ ...source, message: asked, answer }));
  const fields: string[] = [];
  for (const [, name = "", type = "str"] of message.slice(from).matchAll(FIELD)) {
    if (name === "completed" || fields.length === FIELDS_MAX) continue;
    const schema = schemaOfPython(type.slice(0, TYPE_CHARS_MAX));
    const value = type === "str" ? answer : valueForSchema(schema, facts, true);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    fields.push(`[[ ## ${name} ## ]]\n${text}\n\n`);
  }
  return `${fields.join("")}[[ ## completed ## ]]`;
}

/** What an answer is in a format that the conversation asks for in words; undefined where it asks for none. */
export function wordedAnswer(prompt: Prompt, source: FactSource): string | undefined {
  const step = lastUserStep(prompt.steps);
  if (step && step.text.length <= CHARS_MAX && prompt.format.kind === "text") {
    const marked = markedFields(prompt, step, source);
    if (marked !== undefined) return marked;
  }
  if (prompt.format.kind === "schema" || prompt.tools.length > 0) return undefined;
  for (const step of prompt.steps) {
    const isOrder = step.kind === "message" && step.role === "system";
    if (!isOrder || step.text.length > CHARS_MAX) continue;
    const schema = schemaIn(step.text);
    if (schema) return JSON.stringify(valueForSchema(schema, new Facts(new Offer(source)), true));
  }
  return undefined;
}
