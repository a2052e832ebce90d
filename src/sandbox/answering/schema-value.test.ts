import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isRecord, type JsonRecord, listOf } from "../json.ts";
import { Facts, Offer } from "./facts.ts";
import { valueForSchema } from "./schema-value.ts";

function factsOf(message: string) {
  const answer = `About: ${message}`;
  return new Facts(new Offer({ message, answer, results: [], literal: false, names: new Set() }));
}

/** Says where a value breaks its schema, by the keywords the generated schemas use. */
function faultsIn(schema: unknown, value: unknown, at = "$"): string[] {
  if (!isRecord(schema)) return [];
  if (Array.isArray(schema.enum)) {
    return schema.enum.includes(value) ? [] : [`${at} is not in the list`];
  }
  switch (schema.type) {
    case "object":
      return objectFaults(schema, value, at);
    case "array":
      return arrayFaults(schema, value, at);
    case "string":
      return typeof value === "string" && fitsLength(schema, value) ? [] : [`${at} as text`];
    case "boolean":
      return typeof value === "boolean" ? [] : [`${at} as boolean`];
    default:
      return fitsBounds(schema, value) ? [] : [`${at} as number: ${value}`];
  }
}

function objectFaults(schema: JsonRecord, value: unknown, at: string): string[] {
  if (!isRecord(value)) return [`${at} is no object`];
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const missing = listOf(schema.required).filter((key) => !Object.hasOwn(value, String(key)));
  const faults = missing.map((key) => `${at}.${key} is missing`);
  for (const [key, inner] of Object.entries(value)) {
    if (!Object.hasOwn(properties, key)) faults.push(`${at}.${key} is unknown`);
    else faults.push(...faultsIn(properties[key], inner, `${at}.${key}`));
  }
  return faults;
}

function arrayFaults(schema: JsonRecord, value: unknown, at: string): string[] {
  if (!Array.isArray(value)) return [`${at} is no array`];
  const tooShort = value.length < Number(schema.minItems ?? 0);
  const tooLong = value.length > Number(schema.maxItems ?? 1_000);
  const size = tooShort || tooLong ? [`${at} has ${value.length} items`] : [];
  return [
    ...size,
    ...value.flatMap((item, index) => faultsIn(schema.items, item, `${at}[${index}]`)),
  ];
}

function fitsLength(schema: JsonRecord, value: string): boolean {
  const longEnough = value.length >= Number(schema.minLength ?? 0);
  return longEnough && value.length <= Number(schema.maxLength ?? 10_000);
}

function fitsBounds(schema: JsonRecord, value: unknown): boolean {
  if (typeof value !== "number" || (schema.type === "integer" && !Number.isInteger(value))) {
    return false;
  }
  return value >= Number(schema.minimum ?? -1e12) && value <= Number(schema.maximum ?? 1e12);
}

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
const message = fc.array(fc.oneof(name, fc.integer().map(String), fc.constant("Oslo and Rome,")));

const schemas = fc.letrec<{ node: JsonRecord; leaf: JsonRecord }>((tie) => ({
  leaf: fc.oneof(
    fc.constant({ type: "boolean" }),
    fc.record({ type: fc.constant("string"), minLength: fc.nat(30) }),
    fc.record({ type: fc.constant("string"), maxLength: fc.integer({ min: 1, max: 12 }) }),
    fc.integer({ min: -500, max: 500 }).chain((minimum) =>
      fc.record({
        type: fc.constantFrom("integer", "number"),
        minimum: fc.constant(minimum),
        maximum: fc.nat(300).map((span) => minimum + span),
      }),
    ),
    fc.array(name, { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
  ),
  node: fc.oneof(
    { depthSize: "small" },
    tie("leaf"),
    fc.record({ type: fc.constant("array"), items: tie("node"), minItems: fc.nat(3) }),
    fc.dictionary(name, tie("node"), { maxKeys: 4 }).chain((properties) =>
      fc.subarray(Object.keys(properties)).map((required) => ({
        type: "object",
        properties,
        required,
      })),
    ),
  ),
}));

describe("a value for a schema", () => {
  test("satisfies any schema, strict or not, whatever the message", () => {
    fc.assert(
      fc.property(schemas.node, message, fc.boolean(), (schema, words, strict) => {
        const value = valueForSchema(schema, factsOf(words.join(" ")), strict);
        expect(faultsIn(schema, value)).toEqual([]);
      }),
    );
  });

  test("has every property when strict, only the required ones when not", () => {
    const schema = {
      type: "object",
      properties: { harbour: { type: "string" }, depth: { type: "integer" } },
      required: ["harbour"],
    };
    const facts = () => factsOf("Look at Narvik");
    expect(valueForSchema(schema, facts(), true)).toEqual({ harbour: "Narvik", depth: 1 });
    expect(valueForSchema(schema, facts(), false)).toEqual({ harbour: "Narvik" });
  });

  test("takes what the message names", () => {
    const schema = {
      type: "object",
      properties: {
        berth: { type: "string" },
        tons: { type: "number" },
        open: { type: "boolean" },
        flag: { enum: ["red", "green"] },
      },
      required: ["berth", "tons", "open", "flag"],
    };
    const text = 'Set berth to "QX-77", tons: 12.5, open is false and hoist the green one.';
    expect(valueForSchema(schema, factsOf(text), true)).toEqual({
      berth: "QX-77",
      tons: 12.5,
      open: false,
      flag: "green",
    });
  });

  test("follows references, joins parts, takes a branch and ends recursion", () => {
    const schema = {
      $defs: {
        node: {
          type: "object",
          properties: {
            value: { type: "integer", exclusiveMinimum: 4, multipleOf: 5 },
            next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] },
          },
          required: ["value", "next"],
        },
      },
      allOf: [
        { $ref: "#/$defs/node" },
        { properties: { tag: { const: "t" } }, required: ["tag"] },
        { properties: { kind: { type: ["null", "string"] } }, required: ["kind"] },
      ],
    };
    const value = valueForSchema(schema, factsOf("hello"), true);
    expect(value).toMatchObject({ value: 5, next: { value: 5 }, tag: "t", kind: "kind" });
    let depth = 0;
    for (let node: unknown = value; isRecord(node); node = node.next) depth += 1;
    expect(depth).toBeLessThan(10);
  });

  test("makes lists long enough, and fills tuples", () => {
    const list = { type: "array", items: { type: "string" }, minItems: 4 };
    expect(valueForSchema(list, factsOf("x"), true)).toHaveLength(4);
    const tuple = {
      type: "array",
      prefixItems: [{ type: "integer" }, { type: "boolean" }],
      items: false,
    };
    expect(valueForSchema(tuple, factsOf("x"), true)).toEqual([1, true]);
  });

  test("of which nothing is required has the texts that the message names", () => {
    const text = { type: "string" };
    const schema = {
      type: "object",
      properties: { city: text, unit: text, dry: { type: "boolean" } },
    };
    expect(valueForSchema(schema, factsOf("Go to Narvik"), false)).toEqual({ city: "Narvik" });
    expect(valueForSchema(schema, factsOf("Go away"), false)).toEqual({});
  });

  test("survives schemas that refer to themselves without end", () => {
    expect(valueForSchema({ $ref: "#" }, factsOf("x"), true)).toBeString();
    expect(
      valueForSchema({ allOf: [{ $ref: "#" }, { $ref: "#" }] }, factsOf("x"), true),
    ).toBeDefined();
    const wide = {
      type: "object",
      properties: {} as Record<string, unknown>,
      required: ["a", "b"],
    };
    wide.properties.a = { $ref: "#" };
    wide.properties.b = { $ref: "#" };
    expect(valueForSchema(wide, factsOf("x"), true)).toBeDefined();
  });

  test("has hundreds of items with hundreds of properties, parts and choices in full", () => {
    const hundreds = Array.from({ length: 300 }, (_, index) => index);
    const choice = {
      anyOf: [{ enum: hundreds.map((index) => `choice ${index}`) }, { type: "boolean" }],
    };
    const schema = {
      type: "object",
      properties: {
        items: {
          type: "array",
          items: {
            allOf: [{ $ref: "#/$defs/item" }, { properties: { port: { type: "string" } } }],
            required: ["port"],
          },
          minItems: 400,
        },
      },
      required: ["items"],
      $defs: {
        item: {
          properties: Object.fromEntries(hundreds.map((index) => [`member_${index}`, choice])),
          required: ["member_7", "member_299"],
        },
      },
    };
    const { items } = valueForSchema(schema, factsOf("Take choice 250"), false) as {
      items: JsonRecord[];
    };
    expect(items).toHaveLength(400);
    const written = { member_7: "choice 250", member_299: "choice 250", port: "port" };
    expect(items.filter((item) => !Bun.deepEquals(item, written))).toEqual([]);
  });

  test("writes formats, and takes what the message has of them", () => {
    const value = (format: string, message: string) =>
      valueForSchema({ type: "string", format }, factsOf(message), true);
    expect(value("date", "mail it")).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(value("date", "mail it on 2027-03-04.")).toBe("2027-03-04");
    expect(value("email", "mail it to ada@example.org, please")).toBe("ada@example.org");
    expect(value("uuid", "mail it")).toMatch(/^[0-9a-f-]{36}$/);
    expect(value("toString", "mail it")).toBe("value");
  });
});
