import { describe, expect, test } from "bun:test";
import { Catalogue, type Model, shippedCatalogue } from "../../catalogue/models.ts";
import { readConfig } from "../../config/config.ts";
import { Fault } from "../../lib/faults.ts";
import { configuredChannels } from "../../upstream/channels/channels.ts";
import { Routes } from "../../upstream/routing.ts";
import { findCandidates, findModel, modelsOf } from "./find-model.ts";

type Key = Parameters<typeof findModel>[1];

const catalogue = shippedCatalogue();
const config = readConfig({});
const routes = new Routes(catalogue, configuredChannels(config), config.limits);
const key = (models: readonly string[] | null) => ({ models }) as Key;

function find(
  id: string,
  endpoint: "responses" | "chat" = "responses",
  models: string[] | null = null,
) {
  return findModel({ catalogue, routes }, key(models), id, endpoint);
}

function refusal(...args: Parameters<typeof find>): Fault {
  try {
    find(...args);
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("it was found");
}

describe("findModel", () => {
  test("finds a model that has a channel", () => {
    expect(find("sandbox-1.0").id).toBe("sandbox-1.0");
    expect(find("sandbox-1.0", "chat", ["sandbox-1.0"]).id).toBe("sandbox-1.0");
  });

  test.each([
    ["unknown", "nonsense-9.9", /GET \/v1\/models/],
    ["another case", "Sandbox-1.0", /did you mean `sandbox-1\.0`/],
    ["a hyphen for a dot", "sandbox-1-0", /did you mean `sandbox-1\.0`/],
    ["without a channel", "gpt-5.4", /GET \/v1\/models/],
    ["a member that every object has", "constructor", /GET \/v1\/models/],
  ])("does not find what is %s", (_name, id, words) => {
    const fault = refusal(id);
    expect([fault.status, fault.code, fault.param]).toEqual([404, "model_not_found", "model"]);
    expect(fault.message).toMatch(words);
  });

  test("a key sees only its own models, also in hints", () => {
    const fault = refusal("sandbox-1.0", "responses", ["lantern-2.1"]);
    expect([fault.status, fault.code]).toEqual([404, "model_not_found"]);
    expect(refusal("Sandbox-1.0", "responses", ["lantern-2.1"]).message).not.toContain(
      "did you mean",
    );
  });

  test("a chat-only model names its endpoint", () => {
    const fault = refusal("lantern-2.1");
    expect([fault.status, fault.param]).toEqual([400, "model"]);
    expect(fault.message).toContain("POST /v1/chat/completions");
    expect(find("lantern-2.1", "chat").id).toBe("lantern-2.1");
  });

  test("a key hears the same of what it may not call on any endpoint as of what there is not", () => {
    const hidden = refusal("lantern-2.1", "responses", ["sandbox-1.0"]);
    const absent = refusal("lantern-9.9", "responses", ["sandbox-1.0"]);
    const told = { ...absent.toJson(), message: absent.message.replace("9.9", "2.1") };
    expect(hidden.toJson()).toEqual(told);
    expect([hidden.status, hidden.fault]).toEqual([404, "model_not_allowed"]);
    expect(refusal("lantern-2.1", "responses", ["lantern-2.1"]).code).toBe("unsupported_endpoint");
  });

  test("a very long name is not echoed in full", () => {
    expect(refusal("x".repeat(5_000)).message.length).toBeLessThan(400);
  });
});

test("modelsOf lists what a key may call, in the catalogue's order", () => {
  const all = modelsOf(key(null), routes).map(({ id }) => id);
  expect(all).toContain("lantern-2.1");
  expect(all.every((id) => !id.startsWith("gpt"))).toBe(true);
  const picked = modelsOf(key(["lantern-2.1", "gpt-5.4", "sandbox-1.0"]), routes).map(
    ({ id }) => id,
  );
  expect(picked).toEqual(all.filter((id) => ["sandbox-1.0", "lantern-2.1"].includes(id)));
});

describe("findCandidates", () => {
  const NOW_MS = 1_794_800_000_000;
  const clock = () => NOW_MS;
  const rows = ["sandbox-1.0", "sandbox-mini-1.0"].map((id) => catalogue.find(id) as Model);
  const [asked, other] = rows as [Model, Model];
  const unpriced = {
    ...other,
    prices: other.prices.map((price) => ({ ...price, effectiveFromMs: NOW_MS + 1 })),
  };

  function candidates(models: readonly Model[], body: object) {
    const own = new Catalogue(models);
    const services = {
      catalogue: own,
      routes: new Routes(own, configuredChannels(config), config.limits),
      clock,
    };
    const request = { model: asked.id, body: { model: asked.id, ...body } };
    const found = findCandidates(services, key(null), request, "responses");
    return found.map(({ model }) => model.id);
  }

  test("are the model and its fallbacks, each once", () => {
    const first = { ...asked, fallbacks: [other.id, asked.id, other.id, "nonsense-9.9"] };
    expect(candidates([first, other], {})).toEqual([asked.id, other.id]);
    expect(candidates([asked, other], { models: [asked.id, other.id, other.id] })).toEqual([
      asked.id,
      other.id,
    ]);
  });

  test("a fallback of the catalogue's without a price in force is passed over", () => {
    const first = { ...asked, fallbacks: [other.id] };
    expect(candidates([first, unpriced], {})).toEqual([asked.id]);
  });

  test("a fallback of the client's without one is refused by its place", () => {
    expect(() => candidates([asked, unpriced], { models: [other.id] })).toThrow(
      expect.objectContaining({ fault: "model_not_found", param: "models[0]" }),
    );
  });
});
