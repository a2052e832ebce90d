// What the official client makes of our errors: which class it throws, and whether it tries again.
import { describe, expect, test } from "bun:test";
import OpenAI, { type APIError } from "openai";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { Chance } from "./chance.ts";

const MODEL = "sandbox-1.0";
const FAULT = "x-sandbox-fault";
const chance = new Chance();
const { server } = await perFile(serve);

interface Watched {
  readonly client: OpenAI;
  /** The statuses of every attempt so far. */
  readonly attempts: number[];
}

/** A client whose attempts are counted; `faults` are played one per attempt. */
function watched(key: string, maxRetries: number, faults: readonly string[] = []): Watched {
  const attempts: number[] = [];
  const client = new OpenAI({
    baseURL: server.url,
    apiKey: key,
    maxRetries,
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      const fault = faults[attempts.length];
      if (fault !== undefined) headers.set(FAULT, fault);
      const response = await fetch(url, { ...init, headers });
      attempts.push(response.status);
      return response;
    },
  });
  return { client, attempts };
}

function text(): string {
  return `Tell me about ${chance.name()}.`;
}

type Call = (client: OpenAI, model: string) => Promise<unknown>;

/** The four ways to ask; each ends when the answer is whole. */
const CALLS: readonly [string, Call][] = [
  ["responses", (client, model) => client.responses.create({ model, input: text() })],
  [
    "responses streaming",
    (client, model) => client.responses.stream({ model, input: text() }).finalResponse(),
  ],
  [
    "chat",
    (client, model) =>
      client.chat.completions.create({ model, messages: [{ role: "user", content: text() }] }),
  ],
  [
    "chat streaming",
    (client, model) =>
      client.chat.completions
        .stream({ model, messages: [{ role: "user", content: text() }] })
        .finalChatCompletion(),
  ],
];

async function failure(promise: Promise<unknown>): Promise<APIError> {
  try {
    await promise;
  } catch (thrown) {
    if (thrown instanceof OpenAI.APIError) return thrown;
    throw thrown;
  }
  throw new Error("the call did not fail");
}

describe.each(CALLS)(`%s, seed ${chance.seed}`, (_, call) => {
  test("an unknown key is an AuthenticationError, once", async () => {
    const { client, attempts } = watched(`sk-fg-${chance.word()}`, 2);
    const error = await failure(call(client, MODEL));
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(error).toMatchObject({ code: "invalid_api_key", type: "invalid_request_error" });
    expect(error.requestID).toStartWith("req_");
    expect(error.headers?.get("x-should-retry")).toBe("false");
    expect(attempts).toEqual([401]);
  });

  test("an unknown model is a NotFoundError, once", async () => {
    const { client, attempts } = watched(server.firstKey, 2);
    const error = await failure(call(client, `${chance.word()}-1.0`));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ code: "model_not_found", param: "model" });
    expect(attempts).toEqual([404]);
  });

  test("a vendor that keeps failing is an InternalServerError with status 503", async () => {
    const { client, attempts } = watched(server.firstKey, 0, ["reset"]);
    const error = await failure(call(client, MODEL));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 503, code: "upstream_unavailable" });
    expect(error.headers?.get("x-should-retry")).toBe("true");
    expect(attempts).toEqual([503]);
  });
});

test(`a vendor failure is tried again and may succeed, seed ${chance.seed}`, async () => {
  const all = CALLS.map(async ([, call]) => {
    const { client, attempts } = watched(server.firstKey, 1, ["http_500"]);
    await call(client, MODEL);
    return attempts;
  });
  expect(await Promise.all(all)).toEqual(CALLS.map(() => [503, 200]));
});

/** What no later try would mend, by path and what is sent there. */
const LOST: readonly [string, number, string, string, object | null][] = [
  ["messages, an unknown key", 401, "/messages", "sk-fg-x", { model: MODEL }],
  ["gemini, an unknown key", 401, "/models/m:generateContent?key=sk-fg-x", "", {}],
  ["a path that is not there", 404, "/nothing", server.firstKey, {}],
  ["the wrong method", 405, "/chat/completions", server.firstKey, null],
  ["a field that is wrong", 400, "/chat/completions", server.firstKey, { model: 5 }],
  ["a model that is not there", 404, "/models/m-1.0", server.firstKey, null],
];

test.each(LOST)("clients are told not to try again: %s", async (_name, status, path, key, body) => {
  const response = body ? await server.post(path, key, body) : await server.fetch(path, key);
  expect([response.status, response.headers.get("x-should-retry")]).toEqual([status, "false"]);
});

describe(`money and rates, seed ${chance.seed}`, () => {
  test("an exceeded budget is a BadRequestError, once", async () => {
    const { key } = await server.command<{ key: string }>(
      ...["key", "create", "--name", "small", "--budget", "0.000001"],
    );
    await watched(key, 0).client.responses.create({ model: MODEL, input: text() });
    const { used } = (await (await server.fetch("/key", key)).json()) as { used: string };
    const sentence = `Budget has been exceeded! Current cost: ${used}, Max budget: 0.000001`;
    for (const [, call] of CALLS) {
      const { client, attempts } = watched(key, 2);
      const error = await failure(call(client, MODEL));
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({ type: "budget_exceeded", code: "400", param: null });
      expect(error.message).toBe(`400 ${sentence}`);
      expect(attempts).toEqual([400]);
    }
  });

  test("too many requests are a RateLimitError that says when to come back", async () => {
    const { key } = await server.command<{ key: string }>(
      ...["key", "create", "--name", "slow", "--rpm", "1"],
    );
    await watched(key, 0).client.responses.create({ model: MODEL, input: text() });
    for (const [, call] of CALLS) {
      const { client, attempts } = watched(key, 0);
      const error = await failure(call(client, MODEL));
      expect(error).toBeInstanceOf(OpenAI.RateLimitError);
      expect(error).toMatchObject({ type: "rate_limit_error", code: "rate_limit_exceeded" });
      const seconds = Number(error.headers?.get("retry-after"));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(Number(error.headers?.get("retry-after-ms"))).toBeLessThanOrEqual(seconds * 1000);
      expect(error.headers?.get("x-ratelimit-limit-requests")).toBe("1");
      expect(error.headers?.get("x-ratelimit-remaining-requests")).toBe("0");
      expect(attempts).toEqual([429]);
    }
  });
});

describe(`requests at fault, seed ${chance.seed}`, () => {
  test("name the field", async () => {
    const { client, attempts } = watched(server.firstKey, 2);
    const hot = await failure(
      client.responses.create({ model: MODEL, input: text(), temperature: 2.5 }),
    );
    expect(hot).toBeInstanceOf(OpenAI.BadRequestError);
    expect(hot.param).toBe("temperature");
    const empty = await failure(client.chat.completions.create({ model: MODEL, messages: [] }));
    expect(empty).toBeInstanceOf(OpenAI.BadRequestError);
    expect(empty.param).toBe("messages");
    expect(attempts).toEqual([400, 400]);
  });

  test("a model that is not on responses names its own endpoint", async () => {
    const { client, attempts } = watched(server.firstKey, 2);
    const chatOnly: string[] = [];
    for await (const { id } of client.models.list()) {
      const asked = client.responses.create({ model: id, input: text() });
      const thrown = await asked.then(
        () => undefined,
        (error: APIError) => error,
      );
      if (thrown === undefined) continue;
      expect(thrown).toBeInstanceOf(OpenAI.BadRequestError);
      if (id === "sandbox-embedding-1.0") {
        expect(thrown.message).toContain("/embeddings");
        continue;
      }
      chatOnly.push(id);
      expect(thrown.message).toContain("/chat/completions");
      const messages = [{ role: "user" as const, content: text() }];
      const completion = await client.chat.completions.create({ model: id, messages });
      expect(completion.model).toBe(id);
    }
    expect(chatOnly.length).toBeGreaterThan(0);
    expect(attempts).not.toContain(503);
  });

  test("an item_reference to nothing is a BadRequestError", async () => {
    const { client } = watched(server.firstKey, 0);
    const error = await failure(
      client.responses.create({
        model: MODEL,
        input: [
          { type: "item_reference", id: `msg_${chance.word()}` },
          { role: "user", content: text() },
        ],
      }),
    );
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ code: "item_not_found", param: "input" });
  });
});

describe(`a stream that breaks off, seed ${chance.seed}`, () => {
  test.each(["cut_after=5", "reset_after=5"])("rejects everywhere: %s", async (fault) => {
    const { client } = watched(server.firstKey, 0, [fault, fault, fault, fault]);
    const messages = [{ role: "user" as const, content: text() }];
    const answer = client.responses.stream({ model: MODEL, input: text() }).finalResponse();
    expect(await failure(answer)).toMatchObject({ type: "service_unavailable_error" });
    const chat = client.chat.completions.stream({ model: MODEL, messages }).finalChatCompletion();
    expect(await failure(chat)).toMatchObject({ type: "service_unavailable_error" });
    const plain = [
      await client.responses.create({ model: MODEL, input: text(), stream: true }),
      await client.chat.completions.create({ model: MODEL, messages, stream: true }),
    ];
    for (const stream of plain) {
      const seen: unknown[] = [];
      const reading = (async () => {
        for await (const event of stream) seen.push(event);
      })();
      expect(await failure(reading)).toMatchObject({ type: "service_unavailable_error" });
      expect(seen.length).toBeGreaterThan(0);
    }
  });
});
