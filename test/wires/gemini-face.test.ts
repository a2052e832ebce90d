// What Google's clients find here: both versions of its paths, its errors, its lists, its streams.
import { describe, expect, test } from "bun:test";
import { ApiError, GoogleGenAI } from "@google/genai";
import { SQLITE } from "../store/engines.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { type JsonObject, MODEL } from "../support/samples/wires.ts";

const house = await perFile(async (parts) => {
  const { server } = await serve(parts, { engine: SQLITE, books: true });
  const { key, keyId } = await server.account("10", "--rpm", "0");
  return { server, key, keyId, root: server.url.replace(/\/v1$/, "") };
});
const { key, root } = house;

const BODY = { contents: [{ role: "user", parts: [{ text: "Say hello to the foxes." }] }] };
const JSON_TYPE = { "content-type": "application/json" };

function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const shown = { "x-goog-api-key": key, ...JSON_TYPE, ...headers };
  return fetch(root + path, { method: "POST", headers: shown, body: text });
}

function get(path: string, headers: Record<string, string> = { "x-goog-api-key": key }) {
  return fetch(root + path, { headers });
}

interface Page {
  readonly models?: readonly (JsonObject & { readonly name: string })[];
  readonly nextPageToken?: string;
}

async function pageOf(path: string): Promise<Page> {
  const answer = await get(path);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Page;
}

/** The text of the chunks of a stream. */
function textOf(chunks: readonly JsonObject[]): string {
  const parts = chunks.flatMap((chunk) => {
    const [candidate] = (chunk.candidates ?? []) as { content?: { parts?: { text?: string }[] } }[];
    return candidate?.content?.parts ?? [];
  });
  return parts.map(({ text }) => text ?? "").join("");
}

async function expectGoogleError(answer: Response, code: number, status: string): Promise<string> {
  const body = (await answer.json()) as { error: JsonObject };
  expect([answer.status, Object.keys(body)]).toEqual([code, ["error"]]);
  expect(body.error).toMatchObject({ code, status });
  return String(body.error.message);
}

describe.each(["/v1", "/v1beta"])("below %s", (version) => {
  const call = (verb: string) => `${version}/models/${MODEL}:${verb}`;

  test("every verb is answered", async () => {
    const whole = await post(call("generateContent"), BODY);
    expect(textOf([(await whole.json()) as JsonObject])).not.toBe("");
    const counted = await post(call("countTokens"), BODY);
    expect(((await counted.json()) as JsonObject).totalTokens).toBeGreaterThan(0);
    const streamed = await post(`${call("streamGenerateContent")}?alt=sse`, BODY);
    expect(streamed.headers.get("content-type")).toStartWith("text/event-stream");
    expect(await streamed.text()).toStartWith("data: {");
  });

  test("the vendor's client works", async () => {
    const httpOptions = { baseUrl: root, apiVersion: version.slice(1) };
    const client = new GoogleGenAI({ apiKey: key, httpOptions });
    const asked = { model: MODEL, contents: "Say hello." };
    expect((await client.models.generateContent(asked)).text).toBeTruthy();
    const texts: string[] = [];
    for await (const chunk of await client.models.generateContentStream(asked)) {
      texts.push(chunk.text ?? "");
    }
    expect(texts.join("")).not.toBe("");
    const names: unknown[] = [];
    for await (const { name } of await client.models.list({ config: { pageSize: 2 } })) {
      names.push(name);
    }
    expect(names).toContain(`models/${MODEL}`);
    expect(new Set(names).size).toBe(names.length);
    expect(await client.models.get({ model: MODEL })).toMatchObject({
      name: `models/${MODEL}`,
      supportedActions: ["generateContent", "streamGenerateContent", "countTokens"],
    });
    const missing = await client.models.get({ model: "nothing" }).catch((thrown) => thrown);
    expect(missing).toBeInstanceOf(ApiError);
    expect((missing as ApiError).status).toBe(404);
  });

  test("errors have Google's shape", async () => {
    const good = call("generateContent");
    await expectGoogleError(await post(good, "{"), 400, "INVALID_ARGUMENT");
    await expectGoogleError(await post(good, { contents: 7 }), 400, "INVALID_ARGUMENT");
    const wrongKey = { "x-goog-api-key": "sk-fg-wrong" };
    await expectGoogleError(await post(good, BODY, wrongKey), 401, "UNAUTHENTICATED");
    const noKey = await fetch(root + good, { method: "POST", headers: JSON_TYPE, body: "{}" });
    const told = await expectGoogleError(noKey, 401, "UNAUTHENTICATED");
    expect(told).toContain("x-goog-api-key");
    const noModel = await post(`${version}/models/nothing:generateContent`, BODY);
    await expectGoogleError(noModel, 404, "NOT_FOUND");
    await expectGoogleError(await post(call("sing"), BODY), 404, "NOT_FOUND");
    const look = await post(`${version}/models/${MODEL}`, BODY);
    await expectGoogleError(look, 405, "INVALID_ARGUMENT");
    expect(look.headers.get("allow")).toBe("GET");
    const bearer = { authorization: `Bearer ${key}` };
    const unsigned = { method: "POST", headers: bearer, body: "{}" };
    await expectGoogleError(await fetch(root + call("sing"), unsigned), 404, "NOT_FOUND");
    const put = await fetch(root + good, { method: "PUT", headers: { "x-goog-api-key": key } });
    await expectGoogleError(put, 405, "INVALID_ARGUMENT");
    expect(put.headers.get("allow")).toContain("POST");
    await expectGoogleError(await get(`${version}/nothing`), 404, "NOT_FOUND");
    await expectGoogleError(await get(`${version}/models/nothing`), 404, "NOT_FOUND");
    await expectGoogleError(await get(good), 404, "NOT_FOUND");
    const unknown = await get(`${version}/models`, wrongKey);
    await expectGoogleError(unknown, 401, "UNAUTHENTICATED");
  });

  test("the list of models is paged", async () => {
    const all = (await pageOf(`${version}/models`)).models ?? [];
    expect(all.length).toBeGreaterThan(2);
    expect(all.find(({ name }) => name === `models/${MODEL}`)).toEqual({
      name: `models/${MODEL}`,
      baseModelId: MODEL,
      version: MODEL,
      displayName: "Sandbox 1.0",
      inputTokenLimit: 128_000,
      outputTokenLimit: 16_384,
      supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
      thinking: true,
    });
    const walked: string[] = [];
    let token: string | undefined = "";
    while (token !== undefined) {
      const more: string = token === "" ? "" : `&pageToken=${encodeURIComponent(token)}`;
      const page: Page = await pageOf(`${version}/models?pageSize=1${more}`);
      expect(page.models).toHaveLength(1);
      walked.push(...(page.models ?? []).map(({ name }) => name));
      token = page.nextPageToken;
    }
    expect(walked).toEqual(all.map(({ name }) => name));
  });

  test("a page that cannot be is refused by the name of its field", async () => {
    for (const query of ["pageSize=-1", "pageSize=x", "pageSize=1.5", "pageToken=nothing"]) {
      const refused = await get(`${version}/models?${query}`);
      const message = await expectGoogleError(refused, 400, "INVALID_ARGUMENT");
      expect(message).toContain(query.split("=")[0] ?? "");
    }
  });
});

describe("a stream without alt=sse", () => {
  const PATH = `/v1beta/models/${MODEL}:streamGenerateContent`;

  test("is one JSON array", async () => {
    const answer = await post(PATH, BODY);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const chunks = (await answer.json()) as JsonObject[];
    expect(chunks.length).toBeGreaterThan(1);
    expect(textOf(chunks)).not.toBe("");
    expect(chunks.at(-1)).toMatchObject({ usageMetadata: { promptTokenCount: expect.anything() } });
    const [end] = (chunks.at(-1)?.candidates ?? []) as { finishReason?: string }[];
    expect(end?.finishReason).toBe("STOP");
  });

  test("comes piece by piece: what is there is sent while the vendor still writes", async () => {
    const leaving = new AbortController();
    const answer = await fetch(root + PATH, {
      method: "POST",
      headers: { "x-goog-api-key": key, ...JSON_TYPE, "x-sandbox-fault": "stall_after=5" },
      body: JSON.stringify(BODY),
      signal: leaving.signal,
    });
    const decoder = new TextDecoder();
    const reader = answer.body?.getReader();
    let begun = "";
    // The vendor never ends: this would wait for good if anything were kept back.
    while (!begun.includes('"text"')) begun += decoder.decode((await reader?.read())?.value);
    expect(begun).toStartWith("[{");
    leaving.abort();
  });

  test("that fails half way is an array with the error as its last element", async () => {
    const answer = await post(PATH, BODY, { "x-sandbox-fault": "reset_after=5" });
    expect(answer.status).toBe(200);
    const chunks = (await answer.json()) as JsonObject[];
    expect(chunks.length).toBeGreaterThan(1);
    expect(textOf(chunks.slice(0, -1))).not.toBe("");
    expect(chunks.at(-1)).toMatchObject({ error: { code: 503, status: "UNAVAILABLE" } });
  });

  test("that is refused has a status and the error alone", async () => {
    await expectGoogleError(await post(PATH, { contents: 7 }), 400, "INVALID_ARGUMENT");
    const failed = await post(PATH, BODY, { "x-sandbox-fault": "http_500" });
    await expectGoogleError(failed, 503, "UNAVAILABLE");
  });

  test("is given again as it was, and is another request than its events", async () => {
    const again = { "idempotency-key": "array-1" };
    const first = await (await post(PATH, BODY, again)).text();
    const second = await post(PATH, BODY, again);
    expect(second.headers.get("x-faregate-idempotency")).toBe("replay");
    expect(second.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await second.text()).toBe(first);
    const events = await post(`${PATH}?alt=sse`, BODY, again);
    await expectGoogleError(events, 409, "ABORTED");
  });
});
