// Requests of about a megabyte that ask for the same again and again: each took minutes of the loop, or gigabytes,
// while nobody looked at what an answer costs. Only the time limit of a test tells whether one still does.
import { expect, test } from "bun:test";
import type { JsonRecord } from "./json.ts";
import { createSandbox } from "./sandbox.ts";

const LIMIT_MS = 10_000;
const CHARS = 1_000_000;
/** More than the largest of them is answered with. */
const ANSWER_CHARS_MAX = 8_000_000;

const TEXT = { type: "string" };
const LONG = "n".repeat(CHARS);
/** The schema that is everybody's. */
const X = { $ref: "#/$defs/x" };

function many<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

function names(count: number): string[] {
  return many(count, (index) => `n${index}`);
}

/** Members whose values are no parts of a body, so that it may have as many. */
function members(count: number): JsonRecord {
  return Object.fromEntries(names(count).map((name) => [name, 0]));
}

function said(content: string, more: JsonRecord = {}): JsonRecord {
  return { messages: [{ role: "user", content }], ...more };
}

function shaped(schema: JsonRecord, message = "hi"): JsonRecord {
  return said(message, {
    response_format: { type: "json_schema", json_schema: { name: "x", schema } },
  });
}

/** Ten thousand of the same. */
function rows(items: JsonRecord): JsonRecord {
  return { type: "array", minItems: 10, items: { type: "array", minItems: 1_000, items } };
}

function listed(items: JsonRecord, x: JsonRecord = {}, name = "list"): JsonRecord {
  return shaped({ required: [name], properties: { [name]: rows(items) }, $defs: { x } });
}

function tool(name: string, properties: JsonRecord = {}): JsonRecord {
  const parameters = { type: "object", properties, required: Object.keys(properties) };
  return { type: "function", function: { name, parameters } };
}

const WAYS: Readonly<Record<string, () => JsonRecord>> = {
  "properties that may be mentioned": () => listed(X, { properties: members(95_000) }),
  "required names": () => listed(X, { properties: members(49_000), required: names(49_000) }),
  "members beside a type": () => listed({ ...members(95_000), ...TEXT }),
  "members of what is referred to": () => listed(X, { ...members(95_000), ...TEXT }),
  "parts of a whole": () =>
    shaped({ allOf: names(19_000).map((name) => ({ properties: { [name]: 0 } })) }),
  "properties of a part": () =>
    listed({ allOf: [X, { properties: { a: TEXT } }] }, { properties: members(95_000) }),
  "required names of a part": () => listed({ allOf: [X, X] }, { required: names(95_000) }),
  "steps of a reference": () => listed({ $ref: `#${"/".repeat(CHARS)}` }),
  "texts to choose from": () => listed({ enum: names(95_000) }),
  "nulls to choose from": () => listed({ enum: many(600_000, () => null) }),
  branches: () => listed({ anyOf: many(1_000_000, () => 1) }),
  types: () => listed({ type: ["number", ...many(500_000, () => 1)] }),
  "the name of a list": () => listed(TEXT, {}, LONG),
  "the name of a property": () => listed(X, { required: [LONG], properties: { [LONG]: TEXT } }),
  "a constant text": () => listed({ const: LONG }),
  "constant numbers": () => listed({ const: many(200_000, () => 1_000) }),
  "a text to choose": () => listed({ enum: [LONG] }),
  "the least length of a text": () => listed({ ...TEXT, minLength: 10_000 }),
  "tools that are asked for": () =>
    said("Use the tide tool. ".repeat(1_000), {
      tools: many(8_000, () => tool("tide", { rows: rows(TEXT) })),
    }),
  "tools for each of a list": () => {
    const tools = names(7).map((name) => tool(`tide_${name}`, { port: TEXT, rows: rows(TEXT) }));
    const ports = many(4_000, (index) => `A${index}`).join(", ");
    return said(`Use tide_n0, tide_n1 and tide_n2 for ${ports}`, { tools });
  },
  "log probabilities": () => said("Write 20000 words", { n: 8, logprobs: true, top_logprobs: 20 }),
  "values of a name": () =>
    shaped(
      { properties: Object.fromEntries(many(200, (index) => [`a${"!".repeat(index)}`, TEXT])) },
      "a,".repeat(10_000),
    ),
  "titles in a brief": () =>
    shaped({ properties: { title: TEXT, digest: TEXT, markdown: TEXT } }, "title,".repeat(160_000)),
};

test.each(Object.keys(WAYS))(
  "answered at once, however many or long: %s",
  async (way) => {
    const body = JSON.stringify({ model: "sandbox-1.0", ...WAYS[way]?.() });
    const url = "http://sandbox/v1/chat/completions";
    const response = await createSandbox()(new Request(url, { method: "POST", body }));
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeLessThan(ANSWER_CHARS_MAX);
  },
  LIMIT_MS,
);
