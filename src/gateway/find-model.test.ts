import { describe, expect, test } from "bun:test";
import { shippedCatalogue } from "../catalogue/models.ts";
import { readConfig } from "../config.ts";
import { Fault } from "../lib/faults.ts";
import { configuredChannels } from "../upstream/channels.ts";
import { Routes } from "../upstream/routing.ts";
import { findModel, modelsOf } from "./find-model.ts";

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

  test("the endpoint is checked before the key's list", () => {
    expect(refusal("lantern-2.1", "responses", ["sandbox-1.0"]).code).toBe("unsupported_endpoint");
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
