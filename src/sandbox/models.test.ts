import { expect, test } from "bun:test";
import { SANDBOX_MODELS } from "./models.ts";

test("exactly one model is named by a date, the others by family and version", () => {
  const dated = SANDBOX_MODELS.filter((model) => /-\d{4}-\d\d-\d\d$/.test(model.id));
  expect(dated).toHaveLength(1);
  for (const model of SANDBOX_MODELS) {
    if (!dated.includes(model)) expect(model.id).toMatch(/^[a-z]+(-[a-z]+)*-\d+\.\d+$/);
  }
});

test("there is a model that only chats and one for embeddings", () => {
  const endpoints = SANDBOX_MODELS.map((model) => model.endpoints.join());
  expect(endpoints).toContain("chat");
  expect(endpoints).toContain("embeddings");
});
