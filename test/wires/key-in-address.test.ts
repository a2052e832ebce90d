// Google's clients may show their key in the address, which must not be found anywhere afterwards.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { perTest } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { MODEL } from "../support/samples/wires.ts";

const house = perTest(async (parts) => {
  const { server, database } = await serve(parts, { settings: { FAREGATE_LOG: "debug" } });
  const { key } = await server.account("10", "--rpm", "0");
  return {
    server,
    key,
    root: server.url.replace(/\/v1$/, ""),
    folder: database.settings.FAREGATE_DATA,
  };
});

const BODY = JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Say hello." }] }] });
const HEADERS = { "content-type": "application/json" };
const WRONG = "sk-fg-0000000000000000000000000000wrong";

function call(method: string, path: string, headers: Record<string, string> = {}) {
  const body = method === "POST" ? BODY : null;
  const all = { ...HEADERS, ...headers };
  return fetch(house.root + path, { method, headers: all, body, redirect: "manual" });
}

/** Everything that a client is told, the headers included. */
async function heard(answer: Response): Promise<string> {
  return `${JSON.stringify([...answer.headers])}${await answer.text()}`;
}

const READ: readonly (readonly [string, string, number])[] = ["/v1", "/v1beta"].flatMap(
  (version) =>
    [
      ["POST", `${version}/models/${MODEL}:generateContent`, 200],
      ["POST", `${version}/models/${MODEL}:streamGenerateContent?alt=sse`, 200],
      ["POST", `${version}/models/${MODEL}:streamGenerateContent`, 200],
      ["POST", `${version}/models/${MODEL}:countTokens`, 200],
      ["POST", `${version}/models/nothing:generateContent`, 404],
      ["POST", `${version}/models/${MODEL}:sing`, 404],
      ["POST", `${version}/models/${MODEL}:embedContent`, 400],
      ["PUT", `${version}/models/${MODEL}:generateContent`, 405],
      ["GET", `${version}/models`, 200],
      ["GET", `${version}/models?pageToken=x`, 400],
      ["GET", `${version}/models/${MODEL}`, 200],
      ["GET", `${version}/models/nothing`, 404],
      ["GET", `${version}/files`, 404],
    ] as const,
);

/** Paths of other clients, which show their keys in headers only. */
const UNREAD: readonly (readonly [string, string])[] = [
  ["POST", "/v1/responses"],
  ["POST", "/v1/chat/completions"],
  ["POST", "/v1/messages"],
  ["POST", "/v1/messages/count_tokens"],
  ["POST", "/v1/embeddings"],
  ["GET", "/v1/key"],
  ["GET", "/v1/credits"],
];

function withKey(path: string, key: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}key=${key}`;
}

test("a key in the address counts on Google's paths, and is not told to anybody", async () => {
  const { server, key, folder } = house;
  const told: string[] = [];
  const receipts: string[] = [];
  for (const [method, path, status] of READ) {
    const answer = await call(method, withKey(path, key), {
      "idempotency-key": crypto.randomUUID(),
    });
    expect([method, path, answer.status]).toEqual([method, path, status]);
    receipts.push(answer.headers.get("x-request-id") ?? "");
    told.push(await heard(answer));
    told.push(await heard(await call(method, withKey(path, WRONG))));
  }
  for (const [method, path] of UNREAD) {
    const answer = await call(method, withKey(path, key));
    expect([method, path, answer.status]).toEqual([method, path, 401]);
    told.push(await heard(answer));
  }
  for (const id of receipts) {
    const receipt = await server.fetch(`/generation?id=${id}`, key);
    told.push(await heard(receipt));
  }
  await server.stop();
  told.push(await server.errors);
  for (const text of told) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(WRONG);
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    const bytes = readFileSync(join(file.parentPath, file.name));
    expect([file.name, bytes.includes(key), bytes.includes(WRONG)]).toEqual([
      file.name,
      false,
      false,
    ]);
  }
});

test("a header counts more than the address", async () => {
  const path = `/v1beta/models/${MODEL}:countTokens`;
  const good = await call("POST", withKey(path, WRONG), { "x-goog-api-key": house.key });
  expect(good.status).toBe(200);
  const bad = await call("POST", withKey(path, house.key), { authorization: `Bearer ${WRONG}` });
  expect(bad.status).toBe(401);
});
