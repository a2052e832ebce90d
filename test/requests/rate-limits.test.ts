import { describe, expect, test } from "bun:test";
import { RawClient } from "../support/clients/raw-client.ts";
import { SocketClient } from "../support/clients/socket-client.ts";
import { expectError } from "../support/errors.ts";
import { noHolds, openHolds } from "../support/houses/database.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import {
  type JsonObject,
  MODEL,
  RESPONSES,
  StreamReader,
  WIRES,
} from "../support/samples/wires.ts";
import { eventually } from "../support/waiting.ts";

const WINDOW_SECONDS = 60;
const { server, database } = await perFile((parts) => serve(parts, { books: true }));

const ask = (key: string, text = "Say one", more: JsonObject = {}) =>
  server.post("/responses", key, RESPONSES.request(text, more));

const limited = { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" };

/** The seconds and the milliseconds to wait agree, and lie within the window. */
function expectWait(response: Response): void {
  const seconds = Number(response.headers.get("retry-after"));
  const ms = Number(response.headers.get("retry-after-ms"));
  expect(seconds).toBeInteger();
  expect(ms).toBeInteger();
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(WINDOW_SECONDS);
  expect(Math.ceil(ms / 1000)).toBe(seconds);
}

const DURATION = /^(?:\d+ms|\d+(?:\.\d+)?s)$/;

function rateHeaders(response: Response, name: "requests" | "tokens") {
  return {
    limit: response.headers.get(`x-ratelimit-limit-${name}`),
    remaining: response.headers.get(`x-ratelimit-remaining-${name}`),
    reset: response.headers.get(`x-ratelimit-reset-${name}`),
  };
}

describe("requests per minute", () => {
  test.each(WIRES.flatMap((wire) => [false, true].map((stream) => ({ wire, stream }))))(
    "let N through and refuse the next, on $wire.path, stream $stream",
    async ({ wire, stream }) => {
      const { key } = await server.account("1", "--rpm", "3");
      const send = () => server.post(wire.path, key, wire.request("Say one", { stream }));
      for (const remaining of ["2", "1", "0"]) {
        const response = await send();
        expect(response.status).toBe(200);
        expect(rateHeaders(response, "requests")).toMatchObject({ limit: "3", remaining });
        expect(rateHeaders(response, "requests").reset).toMatch(DURATION);
        await response.text();
      }
      const refused = await send();
      expectWait(refused);
      expect(rateHeaders(refused, "requests")).toMatchObject({ limit: "3", remaining: "0" });
      expect(refused.headers.get("x-faregate-limit")).toBe("requests");
      await expectError(refused, { ...limited, message: /requests per minute: limit 3, used 3/ });
    },
  );

  test.each(["/models", `/models/${MODEL}`])("count GET %s too", async (path) => {
    const { key } = await server.account("1", "--rpm", "3");
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await server.fetch(path, key)).status);
    expect(statuses).toEqual([200, 200, 200]);
    const refused = await server.fetch(path, key);
    expectWait(refused);
    await expectError(refused, limited);
    await expectError(await ask(key), limited);
  });

  test("count exactly when all come at once", async () => {
    const { key } = await server.account("1", "--rpm", "10");
    const responses = await Promise.all(Array.from({ length: 40 }, () => ask(key)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });

  test("of zero are unlimited, and nothing is said about them", async () => {
    const { key } = await server.account("1", "--rpm", "0");
    const responses = await Promise.all(Array.from({ length: 40 }, () => ask(key)));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    const nothing = { limit: null, remaining: null, reset: null };
    for (const response of responses) expect(rateHeaders(response, "requests")).toEqual(nothing);
    expect(await rateLimitsOf(key)).toMatchObject({ requests_per_minute: null });
  });

  test("are 3,000 unless the key says otherwise", async () => {
    const { key } = await server.account("1");
    expect(await rateLimitsOf(key)).toEqual({
      requests_per_minute: 3_000,
      tokens_per_minute: null,
      concurrent_requests: null,
    });
    expect(rateHeaders(await ask(key), "requests")).toMatchObject({ limit: "3000" });
  });

  test("apply to one key and not to the next", async () => {
    const first = await server.account("1", "--rpm", "1");
    const args = ["--account", first.accountId, "--name", "second", "--rpm", "1"];
    const second = await server.command<{ key: string }>("key", "create", ...args);
    expect((await ask(first.key)).status).toBe(200);
    expect((await ask(first.key)).status).toBe(429);
    expect((await ask(second.key)).status).toBe(200);
  });

  test("that are raised count for the next request", async () => {
    const { key, keyId } = await server.account("1", "--rpm", "1");
    expect((await ask(key)).status).toBe(200);
    expect((await ask(key)).status).toBe(429);
    await server.command("key", "set", keyId, "--rpm", "2");
    expect((await ask(key)).status).toBe(200);
    expect((await ask(key)).status).toBe(429);
  });
});

async function rateLimitsOf(key: string): Promise<unknown> {
  const body = (await (await server.fetch("/key", key)).json()) as JsonObject;
  return body.rate_limits;
}

describe("tokens per minute", () => {
  test("count what was written once it is settled", async () => {
    const { key } = await server.account("1", "--tpm", "100");
    const first = await ask(key, "Write 150 words about bread.");
    expect(first.status).toBe(200);
    expect(rateHeaders(first, "tokens").limit).toBe("100");
    const refused = await ask(key);
    expectWait(refused);
    expect(rateHeaders(refused, "tokens")).toMatchObject({ limit: "100", remaining: "0" });
    expect(rateHeaders(refused, "tokens").reset).toMatch(DURATION);
    expect(refused.headers.get("x-faregate-limit")).toBe("tokens");
    await expectError(refused, {
      ...limited,
      message: /tokens per minute: limit 100, used \d+, this request takes \d+/,
    });
  });

  test("count the input when it comes, before anything is settled", async () => {
    const { key } = await server.account("1", "--tpm", "400");
    const body = RESPONSES.request("word ".repeat(250));
    const stalled = { "x-sandbox-fault": "stall_after=2" };
    const running = await StreamReader.open(server, "/responses", key, body, stalled);
    expect(running.response.status).toBe(200);
    const refused = await server.post("/responses", key, body);
    expect(refused.headers.get("x-faregate-limit")).toBe("tokens");
    await expectError(refused, limited);
    running.leave();
  });

  test("leave what the vendor counted out of what remains", async () => {
    const { key } = await server.account("1", "--tpm", "1000000");
    const response = await ask(key, "Write 50 words about bread.");
    const { usage } = (await response.json()) as { usage: { total_tokens: number } };
    // It takes the bound of its input and its maximum of output before it runs.
    const next = await ask(key, "Say one", { max_output_tokens: 64 });
    const remaining = Number(rateHeaders(next, "tokens").remaining);
    expect(remaining).toBeLessThan(1_000_000 - usage.total_tokens - 64);
    expect(remaining).toBeGreaterThan(1_000_000 - usage.total_tokens - 64 - 200);
  });
});

describe("concurrent requests", () => {
  test("above the limit are refused, and let in when one is over", async () => {
    const { key } = await server.account("1", "--concurrency", "2");
    const open = () =>
      StreamReader.open(server, "/responses", key, RESPONSES.request("Say one"), {
        "x-sandbox-fault": "stall_after=2",
      });
    const running = [await open(), await open()];
    expect(running.map(({ response }) => response.status)).toEqual([200, 200]);
    const refused = await ask(key);
    expectWait(refused);
    expect(refused.headers.get("x-faregate-limit")).toBe("concurrency");
    await expectError(refused, { ...limited, message: /concurrent requests: limit 2, used 2/ });

    const left = running[0];
    left?.leave();
    await eventually("the first one's hold is gone", async () => {
      const holds = await openHolds(database);
      return !holds.some((hold) => hold.id === left?.requestId);
    });
    expect((await ask(key)).status).toBe(200);
    running[1]?.leave();
    await noHolds(database);
  });

  test("count exactly when all come at once", async () => {
    const { key } = await server.account("1", "--concurrency", "3");
    const stalled = { "x-sandbox-fault": "stall" };
    const leave = new AbortController();
    let refused = 0;
    const sent = Array.from({ length: 12 }, async () => {
      const body = RESPONSES.request("Say one", { stream: true });
      const response = await server.post("/responses", key, body, stalled, leave.signal);
      if (response.status === 429) refused++;
    });
    await eventually("all but three are refused", () => refused === 9);
    expect(await openHolds(database)).toHaveLength(3);
    leave.abort();
    await Promise.allSettled(sent);
    await noHolds(database);
    expect((await ask(key)).status).toBe(200);
  });
});

describe("a request that comes too soon", () => {
  const FREE: readonly (readonly [string, JsonObject])[] = [
    ["/responses/input_tokens", RESPONSES.request("Hello")],
    [
      "/messages/count_tokens",
      { model: "sandbox-1.0", messages: [{ role: "user", content: "x" }] },
    ],
    ["/estimate", RESPONSES.request("Hello")],
  ];

  test.each(FREE)("is refused where nothing is charged too: %s", async (path, body) => {
    const { key } = await server.account("1", "--rpm", "1");
    expect((await server.post(path, key, body)).status).toBe(200);
    const refused = await server.post(path, key, body);
    expect(refused.status).toBe(429);
    expectWait(refused);
    expect((await ask(key)).status).toBe(429);
  });

  test("is refused before its body is there", async () => {
    const { key } = await server.account("1", "--rpm", "1");
    expect((await ask(key)).status).toBe(200);
    const answered = Promise.withResolvers<void>();
    const client = await RawClient.connect(server.url, (text) => {
      if (text.includes("rate_limit_exceeded")) answered.resolve();
    });
    client.send(
      `POST /v1/responses HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n` +
        "content-type: application/json\r\ncontent-length: 5000000\r\n\r\n{",
    );
    await answered.promise;
    expect(client.text).toStartWith("HTTP/1.1 429");
    client.leave();
  });

  test("counts whatever is wrong with it, and says so in what is left", async () => {
    const { key } = await server.account("1", "--rpm", "3");
    expect((await ask(key, "Hello", { temperature: 9 })).status).toBe(400);
    const response = await ask(key);
    expect(rateHeaders(response, "requests")).toMatchObject({ limit: "3", remaining: "1" });
    await response.text();
    expect((await server.post("/responses", key, { nothing: 1 })).status).toBe(400);
    expect((await ask(key)).status).toBe(429);
  });

  test("is refused on a socket, message by message", async () => {
    const { key } = await server.account("1", "--rpm", "1");
    const socket = await SocketClient.open(server, key);
    expect((await socket.turn({ model: "sandbox-1.0", input: "Say one" })).last.type).toBe(
      "response.completed",
    );
    const refused = await socket.turn({ model: "sandbox-1.0", input: "Say one" });
    expect(refused.last).toMatchObject({ status: 429, error: { code: "rate_limit_exceeded" } });
    await socket.close();
  });
});
