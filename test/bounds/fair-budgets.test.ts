// One account that takes what it can of what all share, over HTTP; others are served meanwhile.
import { describe, expect, test } from "bun:test";
import { headerOf, isWhole, RawClient } from "../support/clients/raw-client.ts";
import { expectError } from "../support/errors.ts";
import { gauge, METRICS_PUBLIC } from "../support/gauges.ts";
import { perSuite } from "../support/houses/house.ts";
import { serveMock } from "../support/houses/serving.ts";
import { answer } from "../support/vendors/mock-vendor.ts";
import { eventually } from "../support/waiting.ts";

const MODEL = "gpt-6-luna";
const asking = (content: string) => ({ model: MODEL, messages: [{ role: "user", content }] });

describe("the bodies of all requests", () => {
  const BYTES = 100_000;
  const DROP = "x".repeat(BYTES / 5);
  const UPLOADS = 9;
  /** Parsed, a fifth of the room. */
  const BODY = asking("y".repeat(BYTES / 10));
  const house = perSuite((parts) =>
    serveMock(parts, { FAREGATE_BODY_BYTES_IN_FLIGHT_MAX: String(BYTES) }),
  );

  async function ask(key: string, body = BODY): Promise<number> {
    const response = await house.server.post("/chat/completions", key, body);
    await response.text();
    return response.status;
  }

  /** An upload that is never all there. */
  async function drip(): Promise<RawClient> {
    const client = await RawClient.connect(house.server.url);
    const head = [
      "POST /v1/chat/completions HTTP/1.1",
      "host: 127.0.0.1",
      `authorization: Bearer ${house.key}`,
      "content-type: application/json",
      "content-length: 3000000",
    ];
    client.send(`${head.join("\r\n")}\r\n\r\n${DROP}`);
    return client;
  }

  test("are not kept out by uploads of one account that come drop by drop", async () => {
    const { server, key } = house;
    house.vendor.play(answer);
    const { key: other } = await server.account("100", "--rpm", "0");
    const uploads = await Promise.all(Array.from({ length: UPLOADS }, drip));
    const refused = () => uploads.filter(({ text }) => isWhole(text));
    await eventually("there is no room for the last of them", () => refused().length >= 4);
    expect(await ask(other)).toBe(200);
    await eventually("those are refused that are over the share", () => refused().length >= 6);
    for (const { text } of refused()) {
      expect(text).toStartWith("HTTP/1.1 429 ");
      expect(headerOf(text, "x-faregate-limit")).toBe("bytes");
    }
    expect(await ask(other)).toBe(200);
    for (const upload of uploads) upload.leave();
    await eventually("there is room again for its account", async () => (await ask(key)) === 200);
  });

  test("are not kept out by requests of one account that wait for a slow model", async () => {
    const { server, vendor, key } = house;
    const { key: other } = await server.account("100", "--rpm", "0");
    const { promise: answered, resolve: answerThem } = Promise.withResolvers<void>();
    vendor.play(async (call) => {
      if (call.text.includes("slow")) await answered;
      return answer(call);
    });
    const slow = asking(`slow ${"y".repeat(BYTES / 10)}`);
    const waiting = [1, 2, 3].map(() => ask(key, slow));
    await eventually("the model is asked", () => vendor.calls.length === 3);
    const refused = await server.post("/chat/completions", key, slow);
    const seen = { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" };
    await expectError(refused, seen);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await ask(other)).toBe(200);
    answerThem();
    expect(await Promise.all(waiting)).toEqual([200, 200, 200]);
    expect(await ask(key, slow)).toBe(200);
  });
});

describe("the places of those who wait for money", () => {
  const house = perSuite((parts) =>
    serveMock(parts, {
      ...METRICS_PUBLIC,
      FAREGATE_ADMISSION_WAITING_MAX: "4",
      FAREGATE_ADMISSION_WAIT_MS: "60000",
    }),
  );

  test("are not all taken by one account", async () => {
    const { server, vendor } = house;
    const { promise: answered, resolve: answerThem } = Promise.withResolvers<void>();
    vendor.play(async (call) => {
      await answered;
      return answer(call);
    });
    // So little that one request at a time has it.
    const [many, few] = [await server.account("0.001"), await server.account("0.001")];
    const told: string[] = [];
    const ask = async (name: string, key: string) => {
      const response = await server.post("/chat/completions", key, asking("Say one."));
      await response.text();
      told.push(`${name} ${response.status}`);
    };
    const asked = [ask("many", many.key), ask("few", few.key)];
    await eventually("the vendor is asked for both", () => vendor.calls.length === 2);
    const waitOrHeard = async () => (await gauge(server.url, "requests_waiting")) + told.length;
    for (let i = 0; i < 5; i++) asked.push(ask("many", many.key));
    await eventually("they wait or are refused", async () => (await waitOrHeard()) === 5);
    asked.push(ask("few", few.key));
    await eventually("so is the other", async () => (await waitOrHeard()) === 6);
    const refused = [...told];
    answerThem();
    await Promise.all(asked);
    expect(refused).toEqual(["many 429", "many 429"]);
    expect(told.slice(2).sort()).toEqual([
      "few 200",
      "few 200",
      "many 200",
      "many 200",
      "many 200",
      "many 200",
    ]);
  });
});
