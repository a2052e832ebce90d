import { expect, test } from "bun:test";
import {
  type Api,
  curlOf,
  groupsOf,
  matching,
  membersOf,
  type Operation,
  requestOf,
  typeWords,
} from "./description.ts";

const API: Api = {
  info: { title: "Faregate", version: "1" },
  tags: [{ name: "models" }, { name: "keys", description: "Keys and budgets." }],
  paths: {
    "/api/accounts/{account}/keys": {
      get: { summary: "The keys.", tags: ["keys"], responses: {} },
      post: { summary: "Creates a key.", tags: ["keys"], responses: {} },
    },
    "/v1/models": { get: { summary: "The models.", tags: ["models"], responses: {} } },
  },
  components: {
    schemas: {
      Key: {
        type: "object",
        properties: { id: { type: "string" }, period: { enum: ["day", "week"] } },
      },
    },
  },
};

const show: Operation = {
  ...{ method: "PATCH", path: "/api/accounts/{account}/keys/{id}", summary: "", responses: {} },
  parameters: [
    { name: "account", in: "path", required: true, schema: { type: "string" } },
    { name: "id", in: "path", required: true, schema: { type: "string" } },
    { name: "limit", in: "query", schema: { type: "string" } },
    { name: "after", in: "query", schema: { type: "string" } },
  ],
};

test("operations stand under what they are about, and are found by all words of a search", () => {
  const groups = groupsOf(API);
  expect(groups.map(({ name, operations }) => [name, operations.length])).toEqual([
    ["models", 1],
    ["keys", 2],
  ]);
  expect(groups[1]?.description).toBe("Keys and budgets.");
  const found = matching(groups, "post  KEYS").flatMap(({ operations }) => operations);
  expect(found.map(({ summary }) => summary)).toEqual(["Creates a key."]);
  expect(matching(groups, "nothing of it")).toEqual([]);
});

test("a type is told in a few letters, and has the members of what it stands for", () => {
  const key = { $ref: "#/components/schemas/Key" };
  expect(typeWords(API, key)).toBe("Key");
  expect(typeWords(API, { items: key })).toBe("Key[]");
  expect(typeWords(API, { anyOf: [{ type: "string" }, { type: "null" }] })).toBe("string | null");
  expect(typeWords(API, { enum: ["day", "week"] })).toBe('"day" | "week"');
  expect(membersOf(API, { items: key }).map(([name]) => name)).toEqual(["id", "period"]);
});

test("what was written is sent, and what is empty is left out", () => {
  const values = { account: "acct_1", id: "a/b ", limit: "5", after: " " };
  const request = requestOf(show, values, "{}", "");
  expect(request).toEqual({
    ...{ method: "PATCH", url: "/api/accounts/acct_1/keys/a%2Fb?limit=5", body: "{}" },
    headers: { "content-type": "application/json", "x-faregate-csrf": "1" },
  });
  const withToken = requestOf(show, values, undefined, "fgop_1");
  expect(withToken.headers).toEqual({ authorization: "Bearer fgop_1" });
});

test("the line for a terminal can be pasted whatever was written", () => {
  const body = `{"name":"Ada's"}`;
  const line = curlOf(requestOf(show, { account: "a", id: "b" }, body, ""), "https://x.example");
  expect(line.split(" \\\n  ")).toEqual([
    "curl -X PATCH 'https://x.example/api/accounts/a/keys/b'",
    '-H "authorization: Bearer $FAREGATE_TOKEN"',
    "-H 'content-type: application/json'",
    `-d '{"name":"Ada'\\''s"}'`,
  ]);
});

test("the line for a terminal never has the key that was entered", () => {
  const line = curlOf(requestOf(show, {}, undefined, "sk-fg-$(id)"), "https://x.example");
  expect(line).not.toContain("sk-fg");
  expect(line).toContain('-H "authorization: Bearer $FAREGATE_TOKEN"');
});
