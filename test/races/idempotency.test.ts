// One answer for all who ask the same under one Idempotency-Key, against real server processes, a vendor
// that counts its calls, and both databases.
import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { ENGINES, POSTGRES, SQLITE } from "../store/engines.ts";
import { headerOf, isWhole, RawClient } from "../support/clients/raw-client.ts";
import { expectError } from "../support/errors.ts";
import { gauge } from "../support/gauges.ts";
import { noHolds } from "../support/houses/database.ts";
import { Parts, perSuite } from "../support/houses/house.ts";
import {
  expectFirst,
  expectReplay,
  expectReplayHead,
  fails,
  gated,
  type Heard,
  IdempotencyHouse,
  idOf,
  MODEL,
  wordOf,
} from "../support/houses/idempotency-house.ts";
import { FACES, type Face } from "../support/samples/faces.ts";
import { RESPONSES, readEvents } from "../support/samples/wires.ts";
import { answer, piecesFor, streamOf, VENDOR_TEXT } from "../support/vendors/mock-vendor.ts";
import { caughtUp, eventually } from "../support/waiting.ts";

const CLIENTS = 32;
const PARAM = "Idempotency-Key";
/** Of a vendor that goes on, and bills, when it is hung up on. */
const BILLED_TO_THE_END = "kimi-k2.6";

/** A connection whose first call is lost after a while; those that follow have all the time there is. */
function losingTheFirst(ms: number) {
  let tries = 0;
  const lossy = (input: string | URL | Request, init?: RequestInit) => {
    tries += 1;
    return fetch(input, tries === 1 ? { ...init, signal: AbortSignal.timeout(ms) } : init);
  };
  return { fetch: lossy, tries: () => tries };
}

describe.each(ENGINES)("an Idempotency-Key on $name", (engine) => {
  const house = perSuite((parts) => IdempotencyHouse.open(parts, engine));

  const kinds = FACES.flatMap((face) =>
    [false, true].map((stream) => [face.name, stream ? "stream" : "whole", face] as const),
  );

  test.each(kinds)(`makes one call of ${CLIENTS}: %s, %s`, async (wire, how, face) => {
    await house.newRows();
    const stream = how === "stream";
    const gate = gated();
    house.vendor.play(gate.script);
    const all = Array.from({ length: CLIENTS }, () =>
      house.hear(`${wire} ${how}`, { face, stream }),
    );
    await eventually("the vendor is called", () => house.vendor.calls.length > 0);
    // The others are there by then, and wait. One that comes later gets the same.
    await caughtUp(house.server.url);
    gate.open();
    const heard = await Promise.all(all);
    const first = heard.find((each) => wordOf(each) === "first") as Heard;
    expectFirst(first);
    if (stream) face.expectGoodEnd(readEvents(first.text));
    else expect(face.textOf(JSON.parse(first.text))).toBe(VENDOR_TEXT.join(""));
    for (const each of heard) if (each !== first) expectReplay(each, first);
    expect(new Set(heard.map(idOf)).size).toBe(CLIENTS);
    expect(house.vendor.calls).toHaveLength(1);
    const rows = await house.newRows();
    expect(rows).toMatchObject([{ id: idOf(first), reason: "completed", status: 200 }]);
    expect(rows[0]?.cost).toBeGreaterThan(0n);
  });

  test("gives the answer again after a restart, also where the budget is used up", async () => {
    house.vendor.play(answer);
    const key = await house.newKey("--budget", "0.000001");
    const first = await house.hear("kept", { key });
    expectFirst(first);
    await expectError(await house.ask("more", { key }), {
      status: 400,
      type: "budget_exceeded",
      code: "400",
    });
    expect(await house.server.stop()).toBe(0);
    await house.start();
    expectReplay(await house.hear("kept", { key }), first);
    expect(house.vendor.calls).toHaveLength(1);
  });

  test("belongs to one key: another of the same account has its own", async () => {
    house.vendor.play(answer);
    const key = await house.newKey();
    const first = await house.hear("shared");
    const other = await house.hear("shared", { key });
    expectFirst(first);
    expectFirst(other);
    expect(other.text).not.toBe(first.text);
    expectReplay(await house.hear("shared", { key }), other);
    expect(house.vendor.calls).toHaveLength(2);
  });

  test("refuses another body, path or beta, while the first runs and afterwards", async () => {
    const gate = gated();
    house.vendor.play(gate.script);
    await house.newRows();
    const first = house.hear("conflict");
    await eventually("the vendor is called", () => house.vendor.calls.length === 1);
    const others = [
      { more: { temperature: 0.5 } },
      { stream: true },
      { path: "/v1/responses/compact" },
      { headers: { "anthropic-beta": "effort-2025-11-24" } },
    ];
    const refuseAll = async () => {
      for (const other of others) {
        const error = { status: 409, code: "idempotency_conflict", param: PARAM };
        const response = await house.ask("conflict", other);
        expect(response.headers.get("x-should-retry")).toBe("false");
        await expectError(response, error);
      }
    };
    await refuseAll();
    gate.open();
    expectFirst(await first);
    await refuseAll();
    // What no vendor gets to see makes no difference.
    const headers = { "anthropic-version": "2023-06-01", "anthropic-beta": "unknown-2025-01-01" };
    expectReplay(await house.hear("conflict", { headers }), await first);
    expect(house.vendor.calls).toHaveLength(1);
    const rows = await eventually("the refusals have rows", async () => {
      const found = await house.newRows();
      return found.length > 0 ? found : undefined;
    });
    expect(rows.filter(({ cost }) => cost > 0n)).toHaveLength(1);
  });

  test.each(["whole", "stream"])("is free again when the first has failed: %s", async (how) => {
    const stream = how === "stream";
    const value = `failed ${how}`;
    house.vendor.play(fails);
    expect((await house.hear(value, { stream })).status).toBe(503);
    house.vendor.play(answer);
    const more = { instructions: "Another body is fine, too." };
    const second = await house.hear(value, { stream, more });
    expectFirst(second);
    expectReplay(await house.hear(value, { stream, more }), second);
  });

  test("is free again when a stream has failed on its way", async () => {
    house.vendor.play((call) => streamOf(piecesFor(call).opening));
    const broken = await house.hear("broken", { stream: true });
    expect([broken.status, wordOf(broken)]).toEqual([200, "first"]);
    expect(broken.text).toContain("response.failed");
    house.vendor.play(answer);
    const second = await house.hear("broken", { stream: true });
    expectFirst(second);
    expect(second.text).not.toContain("response.failed");
  });

  test("is free again when the first was refused", async () => {
    house.vendor.play(answer);
    const more = { model: "no-such-model" };
    expect((await house.hear("refused", { more })).status).toBe(404);
    expect((await house.hear("refused", { more: { temperature: -1 } })).status).toBe(400);
    expectFirst(await house.hear("refused"));
  });

  test("passes to one of those who wait when the first fails", async () => {
    const [failing, second] = [gated(fails), gated()];
    house.vendor.play((call) => (house.vendor.calls.length === 1 ? failing : second).script(call));
    const asked = Array.from({ length: 5 }, () => house.hear("handed on"));
    await eventually("the vendor is called", () => house.vendor.calls.length === 1);
    failing.open();
    await eventually("the vendor is called again", () => house.vendor.calls.length === 2);
    second.open();
    const heard = await Promise.all(asked);
    const failed = heard.filter(({ status }) => status === 503);
    const answered = heard.filter(({ status }) => status === 200);
    expect([failed.length, answered.length]).toEqual([1, 4]);
    const first = answered.find((each) => wordOf(each) === "first") as Heard;
    for (const each of answered) if (each !== first) expectReplay(each, first);
    expect(house.vendor.calls).toHaveLength(2);
  });

  test("is not harmed by a client that leaves while it waits", async () => {
    const gate = gated();
    house.vendor.play(gate.script);
    await house.newRows();
    const first = house.hear("waiting");
    await eventually("the vendor is called", () => house.vendor.calls.length === 1);
    const leaving = new AbortController();
    const left = house.hear("waiting", { signal: leaving.signal }).catch(() => "left");
    const staying = house.hear("waiting");
    await caughtUp(house.server.url);
    leaving.abort();
    expect(await left).toBe("left");
    // Before the answer is there, which the gateway may hear of sooner than of who left.
    await eventually("who left has a receipt of it", async () =>
      (await house.newRows()).some(({ errorCode }) => errorCode === "idempotency_busy"),
    );
    gate.open();
    expectFirst(await first);
    expectReplay(await staying, await first);
    expect(house.vendor.calls).toHaveLength(1);
    await noHolds(house.database);
    expect((await house.newRows()).filter(({ cost }) => cost > 0n)).toHaveLength(1);
  });

  test("answers who left a whole answer, which was finished and charged without them", async () => {
    const gate = gated();
    house.vendor.play(gate.script);
    await house.newRows();
    const leaving = new AbortController();
    const left = house.hear("finished", { signal: leaving.signal }).catch(() => "left");
    await eventually("the vendor is called", () => house.vendor.calls.length === 1);
    leaving.abort();
    expect(await left).toBe("left");
    await eventually("the gateway has heard of it", async () => {
      return (await gauge(house.server.url, "answers_unattended")) === 1;
    });
    const again = house.hear("finished");
    gate.open();
    const heard = await again;
    expect([heard.status, wordOf(heard)]).toEqual([200, "replay"]);
    expect(house.vendor.calls).toHaveLength(1);
    expect(await house.newRows()).toMatchObject([
      { id: heard.headers.get("x-faregate-receipt") ?? "", reason: "client_closed_finished" },
    ]);
  });

  test("is free again when the client has left a stream", async () => {
    const gate = gated();
    house.vendor.play(gate.script);
    const reader = await house.openStream("left");
    await reader.readUntil(({ text }) => text.includes("delta"));
    reader.leave();
    await noHolds(house.database);
    gate.open();
    house.vendor.play(answer);
    expectFirst(await house.hear("left", { stream: true }));
    expect(house.vendor.calls).toHaveLength(1);
  });

  test("keeps what shall not be stored, and no id leads to it", async () => {
    house.vendor.play(answer);
    const more = { store: false };
    const first = await house.hear("unstored", { more });
    expectFirst(first);
    const { id } = JSON.parse(first.text) as { id: string };
    expectReplay(await house.hear("unstored", { more }), first);
    expect((await house.server.fetch(`/responses/${id}`, house.key)).status).toBe(404);
    expect(await house.hasStored(id)).toBe(false);
  });

  test("leads to one stored response, which can be continued", async () => {
    house.vendor.play(answer);
    const first = await house.hear("stored", { stream: true });
    expectReplay(await house.hear("stored", { stream: true }), first);
    const id = /resp_[0-9a-z-]+/.exec(first.text)?.[0] ?? "";
    expect(await house.hasStored(id)).toBe(true);
    const next = await house.hear("next", { more: { previous_response_id: id } });
    expectFirst(next);
  });

  if (engine === POSTGRES) {
    test("holds across processes, and frees what a dead one had", async () => {
      const second = await house.beside();
      try {
        const gate = gated();
        house.vendor.play(gate.script);
        await house.newRows();
        const all = [house.server, second].flatMap((server) =>
          Array.from({ length: CLIENTS / 2 }, () => house.hear("both", { server })),
        );
        await eventually("the vendor is called", () => house.vendor.calls.length > 0);
        for (const { url } of [house.server, second]) await caughtUp(url);
        gate.open();
        const heard = await Promise.all(all);
        const first = heard.find((each) => wordOf(each) === "first") as Heard;
        for (const each of heard) if (each !== first) expectReplay(each, first);
        expect(house.vendor.calls).toHaveLength(1);
        expect(await house.newRows()).toHaveLength(1);

        house.vendor.play(gated().script);
        const doomed = house.hear("doomed", { server: second }).catch(() => "cut off");
        await eventually("the vendor is called", () => house.vendor.calls.length === 1);
        const waiting = house.hear("doomed");
        await second.kill();
        expect(await doomed).toBe("cut off");
        house.vendor.play(answer);
        await house.database.forgetTheDead();
        expectFirst(await waiting);
        expect(house.vendor.calls).toHaveLength(1);
        const rows = await house.newRows();
        expect(rows.map(({ reason }) => reason).sort()).toEqual(["completed", "taken_over"]);
      } finally {
        await second.kill();
      }
    });
  }
});

describe("an Idempotency-Key", () => {
  const settings = {
    FAREGATE_SANDBOX: "on",
    FAREGATE_IDEMPOTENCY_ANSWER_BYTES_MAX: "10000",
  };
  const house = perSuite((parts) => IdempotencyHouse.open(parts, SQLITE, settings));

  test.each([
    ["empty", "", "it is empty"],
    ["too long", "x".repeat(256), "it has 256 bytes"],
    ["not ASCII", "caf\u00e9", "other than printable ASCII"],
    ["with a tab", "a\tb", "other than printable ASCII"],
  ])("that is %s is refused by name, and nothing is charged", async (_what, value, told) => {
    house.vendor.play(answer);
    const client = await RawClient.connect(house.server.url);
    client.post("/v1/responses", house.key, RESPONSES.request("Hello", { model: MODEL }), {
      "Idempotency-Key": value,
    });
    await eventually("the answer is there", () => isWhole(client.text));
    client.leave();
    expect(client.text).toStartWith("HTTP/1.1 400 ");
    const { error } = JSON.parse(client.text.slice(client.text.indexOf("\r\n\r\n") + 4));
    expect(error).toMatchObject({ code: "invalid_value", param: PARAM });
    expect(error.message).toContain(told);
    expect(error.message).toContain("Send 1 to 255 printable ASCII characters");
    expect(house.vendor.calls).toHaveLength(0);
    const row = await eventually("the refusal has a row", async () =>
      (await house.newRows()).find(({ id }) => id === headerOf(client.text, "x-request-id")),
    );
    expect(row).toMatchObject({ reason: "refused", status: 400, cost: 0n });
  });

  test("may have 255 bytes, spaces among them", async () => {
    house.vendor.play(answer);
    const value = `${"x y".repeat(85)}`;
    const first = await house.hear(value);
    expectFirst(first);
    expectReplay(await house.hear(value), first);
  });

  test.each(["whole", "stream"])("of an answer too large names its receipt: %s", async (how) => {
    const stream = how === "stream";
    await house.newRows();
    // As long an answer as is asked for, and no vendor to be asked twice.
    const more = { model: "sandbox-1.0", input: "Write a story of 3000 words." };
    const first = await house.hear(`large ${how}`, { stream, more });
    expectFirst(first);
    expect(first.text.length).toBeGreaterThan(10_000);
    const again = await house.ask(`large ${how}`, { stream, more });
    expect(again.headers.get("x-faregate-receipt")).toBe(idOf(first));
    expect(again.headers.get("x-should-retry")).toBe("false");
    await expectError(again, {
      status: 409,
      code: "idempotency_not_kept",
      param: PARAM,
      message: new RegExp(idOf(first)),
    });
    expect((await house.newRows()).filter(({ cost }) => cost > 0n)).toHaveLength(1);
    const other = { ...more, input: "Something else." };
    await expectError(await house.ask(`large ${how}`, { stream, more: other }), {
      status: 409,
      code: "idempotency_conflict",
      param: PARAM,
    });
  });

  test("is free at once when a stream is left, also one that its vendor bills to the end", async () => {
    const more = { model: BILLED_TO_THE_END };
    const gates = [gated(), gated((call) => answer(call)), gated()];
    house.vendor.play((call) => {
      const gate = gates[house.vendor.calls.length - 1];
      return gate ? gate.script(call) : fails();
    });
    const reader = await house.openStream("billed", more);
    await reader.readUntil(({ text }) => text.includes("output_text.delta"));
    reader.leave();
    // Left before there was a byte.
    const leaving = new AbortController();
    const abandoned = house.ask("billed", { stream: true, more, signal: leaving.signal });
    await eventually("the vendor is called again", () => house.vendor.calls.length === 2);
    leaving.abort();
    expect(await abandoned.catch(() => "left")).toBe("left");
    const third = house.hear("billed", { stream: true, more });
    await eventually("the vendor is called once more", () => house.vendor.calls.length === 3);
    for (const gate of gates) gate.open();
    expectFirst(await third);
    expectReplay(await house.hear("billed", { stream: true, more }), await third);
    expect(house.vendor.calls).toHaveLength(3);
  });

  test("counts on compactions", async () => {
    const path = "/v1/responses/compact";
    const more = { model: "sandbox-1.0", stream: undefined };
    const first = await house.hear("compact", { path, more });
    expectFirst(first);
    expect(JSON.parse(first.text)).toMatchObject({ object: "response.compaction" });
    expectReplay(await house.hear("compact", { path, more }), first);
  });

  test("counts on embeddings", async () => {
    house.vendor.play(() => {
      const data = [{ object: "embedding", index: 0, embedding: [Math.random()] }];
      const usage = { prompt_tokens: 8, total_tokens: 8 };
      return Response.json({ object: "list", data, model: "m", usage });
    });
    const path = "/v1/embeddings";
    const more = { model: "text-embedding-3-small", stream: undefined };
    const first = await house.hear("vectors", { path, more });
    expectFirst(first);
    expectReplay(await house.hear("vectors", { path, more }), first);
    expect(house.vendor.calls).toHaveLength(1);
  });

  test("makes the official client's retries one call", async () => {
    const client = new OpenAI({ baseURL: house.server.url, apiKey: house.key, maxRetries: 0 });
    const headers = { "Idempotency-Key": "sdk" };
    const body = { model: MODEL, input: "Tell me about foxes." };
    const gate = gated();
    house.vendor.play(gate.script);
    // A client that runs into its timeout, and the same call again by the client itself.
    const impatient = client.responses.create(body, { headers, timeout: 300 });
    expect(await impatient.catch((thrown) => thrown)).toBeInstanceOf(
      OpenAI.APIConnectionTimeoutError,
    );
    const lossy = losingTheFirst(300);
    const retrying = client
      .withOptions({ fetch: lossy.fetch })
      .responses.create(body, { headers, maxRetries: 2 });
    await eventually("the client has asked again", () => lossy.tries() === 2);
    gate.open();
    const response = await retrying;
    expect(response.output_text).toBe(VENDOR_TEXT.join(""));
    expect(house.vendor.calls).toHaveLength(1);

    const streamed = async () => {
      const events: unknown[] = [];
      const stream = await client.responses.create(
        { ...body, stream: true },
        { headers: { "Idempotency-Key": "sdk stream" } },
      );
      for await (const event of stream) events.push(event);
      return events;
    };
    house.vendor.play(answer);
    expect(await streamed()).toEqual(await streamed());
    expect(house.vendor.calls).toHaveLength(1);

    const other = client.responses.create({ ...body, input: "Other" }, { headers, maxRetries: 2 });
    const conflict = await other.catch((thrown) => thrown);
    expect(conflict).toBeInstanceOf(OpenAI.ConflictError);
    expect(conflict.code).toBe("idempotency_conflict");
  });
});

test("where nothing is stored an Idempotency-Key is ignored, and the answer says so", async () => {
  await using parts = new Parts();
  const house = await IdempotencyHouse.open(parts, SQLITE, { FAREGATE_STORE: "off" });
  house.vendor.play(answer);
  const heard = [
    await house.hear("off"),
    await house.hear("off"),
    await house.hear("off", { stream: true, face: FACES[1] as Face }),
    await house.hear("not valid \t".repeat(40)),
  ];
  expect(heard.map((each) => [each.status, wordOf(each)])).toEqual(heard.map(() => [200, "off"]));
  expect(house.vendor.calls).toHaveLength(4);
  expect(wordOf(await house.hear(undefined))).toBeNull();
});

describe("a stream with signs of life under an Idempotency-Key", () => {
  const settings = { FAREGATE_KEEP_ALIVE_MS: "100" };
  const house = perSuite((parts) => IdempotencyHouse.open(parts, SQLITE, settings));

  /** Its events without their numbers, which are whole, and how many signs of life there were. */
  function readWhole(text: string) {
    const events = readEvents(text);
    const numbers = events.flatMap(({ json }) => (json ? [json.sequence_number] : []));
    expect(numbers).toEqual(numbers.map((_, i) => i));
    const words = events.filter(({ name }) => name !== "keepalive");
    const said = words.map(({ name, json }) => ({ name, ...json, sequence_number: null }));
    return { said, signs: events.length - words.length };
  }

  test("is given again with them, so that its numbers are whole", async () => {
    const gate = gated();
    house.vendor.play(gate.script);
    const reader = await house.openStream("silence");
    await reader.readUntil(({ text }) => text.includes("event: keepalive"));
    gate.open();
    await reader.readAll();
    const { response, text } = reader;
    const first = readWhole(text);
    const again = await house.hear("silence", { stream: true });
    expectReplayHead(again, { status: response.status, headers: response.headers, text });
    const { said, signs } = readWhole(again.text);
    expect(said).toEqual(first.said);
    expect(signs).toBeGreaterThan(0);
    // One that is given while the answer is being settled is not among what was kept.
    expect(signs).toBeLessThanOrEqual(first.signs);
    if (signs === first.signs) expect(again.text).toBe(text);
  });
});

describe("an Idempotency-Key where vendors are asked again", () => {
  const settings = { FAREGATE_RETRIES_MAX: "1" };
  const house = perSuite((parts) => IdempotencyHouse.open(parts, SQLITE, settings));

  test("answers who left one whose vendor then failed, and was asked again", async () => {
    const gate = gated();
    house.vendor.play(async (call) => {
      if (house.vendor.calls.length > 1) return answer(call);
      await gate.script(call);
      return Response.json({ error: { message: "down" } }, { status: 500 });
    });
    const leaving = new AbortController();
    const left = house.hear("failed once", { signal: leaving.signal }).catch(() => "left");
    await eventually("the vendor is called", () => house.vendor.calls.length === 1);
    leaving.abort();
    expect(await left).toBe("left");
    await eventually("the gateway has heard of it", async () => {
      return (await gauge(house.server.url, "answers_unattended")) === 1;
    });
    const again = house.hear("failed once");
    gate.open();
    const heard = await again;
    expect([heard.status, wordOf(heard)]).toEqual([200, "replay"]);
    expect(house.vendor.calls).toHaveLength(2);
  });
});
