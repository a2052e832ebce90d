import { describe, expect, test } from "bun:test";
import { parseConfigFile } from "../config/file.ts";
import { isFreeAt, priceAt, shippedCatalogue } from "./models.ts";
import { type ModelWords, withStored } from "./stored-models.ts";

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse("2027-01-01T00:00:00Z");

const NEW_MODEL: ModelWords = {
  id: "m",
  definition: { owned_by: "t", context: 10, max_output: 10 },
  prices: [
    { effectiveFromMs: FIRST_MS, words: { input: "1", output: "1" } },
    { effectiveFromMs: FIRST_MS + DAY_MS + 1, words: { input: "2", output: "2" } },
  ],
};

function strict(id: string, problem: Error): never {
  throw new Error(`${id}: ${problem.message}`);
}

describe("models that were set while the gateway ran", () => {
  test("have each price from its moment on, under a name of its own", () => {
    const model = withStored(shippedCatalogue(), [NEW_MODEL], strict).find("m");
    if (!model) throw new Error("it is not there");
    const version = (atMs: number) => priceAt(model, atMs)?.version;
    expect(version(FIRST_MS - 1)).toBeUndefined();
    expect(version(FIRST_MS)).toBe("console/2027-01-01");
    expect(version(FIRST_MS + DAY_MS)).toBe("console/2027-01-01");
    expect(version(FIRST_MS + DAY_MS + 1)).toBe("console/2027-01-02T00:00:00.001Z");
  });

  test("leave what is shipped in force until then, and what is below as it was", () => {
    const base = shippedCatalogue();
    const words = { ...NEW_MODEL, id: "sandbox-1.0", definition: undefined };
    const model = withStored(base, [words], strict).find("sandbox-1.0");
    expect(model && priceAt(model, FIRST_MS - 1)?.version).toBe("2026-11-01");
    expect(model && priceAt(model, FIRST_MS)?.version).toBe("console/2027-01-01");
    expect(base.find("sandbox-1.0")?.prices).toHaveLength(1);
  });

  test("that do not fit are told, and the others are there", () => {
    const problems: string[] = [];
    const broken = { ...NEW_MODEL, id: "broken", definition: {} };
    const free = { ...NEW_MODEL, id: "unpriced", prices: [] };
    const catalogue = withStored(shippedCatalogue(), [broken, free, NEW_MODEL], (id, { message }) =>
      problems.push(`${id}: ${message}`),
    );
    expect(problems).toEqual([
      "broken: model.owned_by is missing; the shipped catalogue has no such model.",
      'unpriced: model.price is missing; write one, or "free: true" if it shall cost nothing.',
    ]);
    expect(catalogue.find("m")).toBeDefined();
    expect(catalogue.find("broken")).toBeUndefined();
    expect(catalogue.find("unpriced")).toBeUndefined();
  });
});

describe("fallbacks of models that were set while the gateway ran", () => {
  const naming = (id: string, ...fallbacks: string[]): ModelWords => ({
    ...NEW_MODEL,
    id,
    definition: { ...NEW_MODEL.definition, fallbacks },
  });

  test("may name each other, in whichever order they are stored", () => {
    const catalogue = withStored(
      shippedCatalogue(),
      [naming("one", "two"), naming("two", "one")],
      strict,
    );
    expect(catalogue.find("one")?.fallbacks).toEqual(["two"]);
    expect(catalogue.find("two")?.fallbacks).toEqual(["one"]);
  });

  test("that are not there are told and passed over, and the model keeps all the rest", () => {
    const problems: string[] = [];
    const broken = { ...NEW_MODEL, id: "broken", definition: {} };
    const words = [naming("one", "one", "broken", "sandbox-1.0", "gone"), broken];
    const catalogue = withStored(shippedCatalogue(), words, (id, { message }) =>
      problems.push(`${id}: ${message}`),
    );
    expect(problems).toEqual([
      "broken: model.owned_by is missing; the shipped catalogue has no such model.",
      "one: model.fallbacks[0] is the model itself; leave it out.",
    ]);
    const one = catalogue.find("one");
    expect(one?.fallbacks).toEqual(["sandbox-1.0"]);
    expect(one && priceAt(one, FIRST_MS)?.version).toBe("console/2027-01-01");
  });
});

test("a price that was stored before prices had a bound is told and passed over", () => {
  const problems: string[] = [];
  const price = { input: "99999999999999999999", output: "1" };
  const words = { ...NEW_MODEL, prices: [{ effectiveFromMs: FIRST_MS, words: price }] };
  const catalogue = withStored(shippedCatalogue(), [words], (id, { message }) =>
    problems.push(`${id}: ${message}`),
  );
  expect(problems).toEqual(["m: model.price.input must be at most 100000."]);
  expect(catalogue.find("m")).toBeUndefined();
});

describe("a model that the file calls free", () => {
  const file = parseConfigFile(
    [
      "models:",
      "  - { id: local, owned_by: t, context: 10, max_output: 10, free: true }",
      "  - { id: local-embed, owned_by: t, context: 10, endpoints: [embeddings], free: true }",
    ].join("\n"),
    "faregate.yaml",
    {},
  );
  const base = shippedCatalogue().withOverrides(file);
  const found = (words: ModelWords) => {
    const model = withStored(base, [words], strict).find(words.id);
    if (!model) throw new Error("it is not there");
    return model;
  };

  test.each(["local", "local-embed"])("stays free where something else is said: %s", (id) => {
    const model = found({ id, definition: { context: 20 }, prices: [] });
    expect(model).toMatchObject({ context: 20, free: true });
    expect(priceAt(model, FIRST_MS)?.version).toBe("faregate.yaml/free");
  });

  test.each([
    ["local", { input: "1", output: "1" }],
    ["local-embed", { input: "1" }],
  ])("is free until the price of the console begins: %s", (id, words) => {
    const model = found({
      id,
      definition: undefined,
      prices: [{ effectiveFromMs: FIRST_MS, words }],
    });
    expect([isFreeAt(model, FIRST_MS - 1), isFreeAt(model, FIRST_MS)]).toEqual([true, false]);
    expect(priceAt(model, FIRST_MS)?.version).toBe("console/2027-01-01");
  });
});

test("a catalogue becomes another one while who has looked keeps what was found", () => {
  const catalogue = shippedCatalogue();
  const before = catalogue.find("sandbox-1.0");
  catalogue.become(withStored(catalogue, [NEW_MODEL], strict));
  expect(catalogue.find("m")).toBeDefined();
  catalogue.become(shippedCatalogue());
  expect(catalogue.find("m")).toBeUndefined();
  expect(before?.prices).toHaveLength(1);
});
