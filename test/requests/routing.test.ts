// Which channel and which key a request goes to, and how the gateway goes round those that fail.
import { beforeEach, describe, expect, test } from "bun:test";
import { perFile } from "../support/houses/house.ts";
import { FACES, type Face, goodText } from "../support/samples/faces.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { answering, GOOD_TEXT, refusing } from "../support/vendors/good-vendor.ts";
import type { RawCall, Script } from "../support/vendors/scripted-vendor.ts";
import { modelEntry, type Receipt, SECRET, vendorHouse } from "../support/vendors/vendor-house.ts";
import { eventually } from "../support/waiting.ts";

const [RESPONSES, CHAT] = FACES as [Face, Face, ...Face[]];
const KEY_A = `${SECRET}aaaa`;
const KEY_B = `${SECRET}bbbb`;

/** Channels of the chat wire by their ids, all of which serve one model. */
function channelsOf(model: string, ids: Readonly<Record<string, JsonObject>>) {
  return (vendor: { url(part: string): string }) =>
    Object.entries(ids).map(([id, more]) => ({
      id,
      vendor: "custom",
      base_url: vendor.url(id),
      keys: [KEY_A],
      protocols: ["chat"],
      models: [model],
      ...more,
    }));
}

/** One house for all: every test has a model of its own, which shares no channel with another. */
const MODELS: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> = {
  "model-failing": { "failing-bad": {}, "failing-good": {} },
  "model-cooled": { "cooled-bad": {}, "cooled-good": {} },
  "model-weights": { "weights-three": { weight: 3 }, "weights-one": { weight: 1 } },
  "model-priority": { "priority-high": { priority: 5 }, "priority-low": { priority: -5 } },
  "model-rate": { "rate-keys": { keys: [KEY_A, KEY_B] } },
  "model-unrated": { "unrated-keys": { keys: [KEY_A, KEY_B] } },
  "model-refused": { "refused-keys": { keys: [KEY_A, KEY_B] } },
  "model-spent": { "spent-keys": { keys: [KEY_A, KEY_B] } },
  "model-missing": { "missing-here": {}, "missing-there": {} },
  "model-sticky": { "sticky-one": {}, "sticky-two": {}, "sticky-three": {} },
  "model-moving": { "moving-one": {}, "moving-two": {} },
  "model-chain": { "chain-one": {}, "chain-two": {}, "chain-three": {} },
  "model-accounts": { "accounts-one": {}, "accounts-two": {}, "accounts-three": {} },
  "model-unsaid": {
    "unsaid-down": { priority: 1, protocols: ["messages"] },
    "unsaid-other": { protocols: ["responses"] },
  },
  "model-breaking": { "breaking-cut": { priority: 1 }, "breaking-good": {} },
  "model-cutting": { "cutting-one": { priority: 1 }, "cutting-two": {} },
};

const house = await perFile((parts) =>
  vendorHouse(parts, {
    settings: {
      FAREGATE_CHANNEL_ATTEMPTS_MIN: "3",
      FAREGATE_CHANNEL_COOLDOWN_MS: "600000",
      FAREGATE_CHANNEL_WINDOW_MS: "600000",
      FAREGATE_CREDENTIAL_COOLDOWN_MS: "300",
      FAREGATE_PROBE_MS: "100",
    },
    file: (vendor) => ({
      channels: Object.entries(MODELS).flatMap(([model, ids]) => channelsOf(model, ids)(vendor)),
      models: Object.keys(MODELS).map((id) => modelEntry(id)),
    }),
  }),
);
for (const ids of Object.values(MODELS)) {
  for (const id of Object.keys(ids)) house.vendor.play(id, answering("chat"));
}

beforeEach(() => {
  house.vendor.calls.length = 0;
});

const count = (part: string) => house.vendor.callsOf(part).length;
const keyOf = ({ headers }: RawCall) => headers.authorization?.replace("Bearer ", "");

/** A call that must be answered well, whatever happened on the way. */
async function ask(model: string, stream = false, face: Face = CHAT): Promise<Receipt> {
  const heard = await house.call(face, model, stream);
  expect(goodText(face, heard, stream)).toBe(GOOD_TEXT);
  return house.receipt(heard.requestId);
}

/** The same with more members in its body. */
async function askWith(model: string, more: JsonObject, key = house.key): Promise<JsonObject> {
  const body = { ...CHAT.body(model, false, "Hello"), ...more };
  const response = await house.server.post("/chat/completions", key, body);
  expect(response.status).toBe(200);
  return (await response.json()) as JsonObject;
}

/** Where the last call went. */
function lastPart(): string {
  return house.vendor.calls.at(-1)?.path.split("/")[1] ?? "";
}

/** A stream that ends after its first event. */
const breaking: Script = (_call, reply) => {
  reply.begin("text/event-stream");
  const delta = { role: "assistant", content: "All " };
  const chunk = { id: "c", choices: [{ index: 0, delta, finish_reason: null }] };
  reply.write(`data: ${JSON.stringify(chunk)}\n\n`);
  reply.end();
};

describe("of two channels", () => {
  test("the one that fails every call is not seen by clients and then left alone", async () => {
    house.vendor.play("failing-bad", refusing(500));
    for (let i = 0; i < 40; i++) await ask("model-failing", i % 2 === 0, i % 3 ? CHAT : RESPONSES);
    // As many attempts as it takes to know, and not one more.
    expect(count("failing-bad")).toBe(3);
    expect(count("failing-good")).toBe(40);
  });

  test("the one that was cooled is used again once it is well", async () => {
    house.vendor.play("cooled-bad", refusing(503));
    for (let i = 0; i < 40; i++) await ask("model-cooled");
    expect(count("cooled-bad")).toBe(3);
    house.vendor.play("cooled-bad", answering("chat"));
    house.vendor.lists.set("cooled-bad", () => ({ object: "list", data: [] }));
    await eventually("it is used again", async () => {
      await ask("model-cooled");
      return count("cooled-bad") >= 10;
    });
    house.vendor.calls.length = 0;
    for (let i = 0; i < 60; i++) await ask("model-cooled");
    // Half of them, give or take far more than chance would.
    expect(count("cooled-bad")).toBeGreaterThan(10);
    expect(count("cooled-good")).toBeGreaterThan(10);
  });

  test("each gets its share by weight", async () => {
    const total = 400;
    for (let i = 0; i < total; i += 40) {
      await Promise.all(Array.from({ length: 40 }, () => askWith("model-weights", {})));
    }
    const share = count("weights-three") / total;
    // 0.75, within more than four standard deviations.
    expect(share).toBeGreaterThan(0.65);
    expect(share).toBeLessThan(0.85);
    expect(count("weights-three") + count("weights-one")).toBe(total);
  });

  test("the lower priority is only asked when the higher fails", async () => {
    for (let i = 0; i < 20; i++) await ask("model-priority");
    expect(count("priority-low")).toBe(0);
    house.vendor.play("priority-high", refusing(502));
    await ask("model-priority");
    expect(count("priority-low")).toBe(1);
  });

  test("the one that has lost the model is passed over", async () => {
    house.vendor.play("missing-here", refusing(404));
    for (let i = 0; i < 20; i++) await ask("model-missing");
    expect(count("missing-here")).toBe(1);
    expect(count("missing-there")).toBe(20);
  });

  test("the one that cannot be told the request is no reason to blame it", async () => {
    house.vendor.play("unsaid-down", refusing(503));
    const body = { ...CHAT.body("model-unsaid", false, "Hello"), stop: ["x"] };
    const response = await house.server.post("/chat/completions", house.key, body);
    // What failed may be well again; a 400 would tell the client never to ask again.
    expect(CHAT.expectRefusal(503, (await response.json()) as JsonObject)).toMatch(/unavailable/);
    expect(response.status).toBe(503);
    const receipt = await house.receipt(response.headers.get("x-request-id") ?? "");
    expect(receipt).toMatchObject({ billing_reason: "upstream_failed", channel: "unsaid-down" });
    const asked = { channel: "unsaid-down", status: 503 };
    expect(receipt.attempts).toMatchObject([asked, asked]);
    expect(count("unsaid-other")).toBe(0);
  });

  test("the one whose every stream breaks after its first event is left alone", async () => {
    house.vendor.play("breaking-cut", breaking);
    for (let i = 0; i < 60; i++) await house.call(CHAT, "model-breaking", true);
    expect([count("breaking-cut"), count("breaking-good")]).toEqual([3, 57]);
  });

  test("the second is not asked after the first byte of the first", async () => {
    house.vendor.play("cutting-one", breaking);
    const heard = await house.call(CHAT, "model-cutting", true);
    expect(heard.status).toBe(200);
    expect(heard.text).toContain("All ");
    expect(heard.text).toContain('{"error":');
    expect([count("cutting-one"), count("cutting-two")]).toEqual([1, 0]);
  });
});

describe("of two keys in one channel", () => {
  test("the one that is limited rests for as long as the vendor says", async () => {
    const limited = refusing(429, { "retry-after": "600" });
    const good = answering("chat");
    house.vendor.play("rate-keys", (call, reply) =>
      keyOf(call) === KEY_A ? limited(call, reply) : good(call, reply),
    );
    for (let i = 0; i < 10; i++) await ask("model-rate", i % 2 === 0);
    const keys = house.vendor.callsOf("rate-keys").map(keyOf);
    expect(keys.filter((key) => key === KEY_A)).toHaveLength(1);
    expect(keys.filter((key) => key === KEY_B)).toHaveLength(10);
  });

  test("the one that is limited for no stated time comes back by itself", async () => {
    let isLimited = true;
    const limited = refusing(429);
    const good = answering("chat");
    house.vendor.play("unrated-keys", (call, reply) =>
      keyOf(call) === KEY_A && isLimited ? limited(call, reply) : good(call, reply),
    );
    await ask("model-unrated");
    await ask("model-unrated");
    isLimited = false;
    house.vendor.calls.length = 0;
    await eventually("the first key is used again", async () => {
      await ask("model-unrated");
      return house.vendor.callsOf("unrated-keys").some((call) => keyOf(call) === KEY_A);
    });
  });

  test.each([401, 403])("the one that is refused with %d is out", async (status) => {
    const model = status === 401 ? "model-refused" : "model-spent";
    const part = status === 401 ? "refused-keys" : "spent-keys";
    const refused = refusing(status);
    const good = answering("chat");
    house.vendor.play(part, (call, reply) =>
      keyOf(call) === KEY_A ? refused(call, reply) : good(call, reply),
    );
    const receipts = [];
    for (let i = 0; i < 10; i++) receipts.push(await ask(model));
    const keys = house.vendor.callsOf(part).map(keyOf);
    expect(keys.filter((key) => key === KEY_A)).toHaveLength(1);
    const retried = receipts.find(({ attempts }) => (attempts ?? []).length > 0);
    expect(retried?.attempts).toMatchObject([
      { channel: part, credential: "aaaa", status },
      { channel: part, credential: "bbbb", status: 200, code: null },
    ]);
  });

  test("both limited are a 503 that says when to come back", async () => {
    house.vendor.play("rate-keys", refusing(429, { "retry-after": "600" }));
    const heard = await house.call(CHAT, "model-rate", false);
    expect(heard.status).toBe(503);
    expect(Number(heard.headers.get("retry-after"))).toBeGreaterThan(500);
    // Nobody is asked while both rest.
    house.vendor.calls.length = 0;
    const next = await house.call(CHAT, "model-rate", false);
    expect(next.status).toBe(503);
    expect(Number(next.headers.get("retry-after"))).toBeGreaterThan(500);
    expect(house.vendor.callsOf("rate-keys")).toHaveLength(0);
  });
});

describe("a conversation", () => {
  test("stays with its channel by its cache key, and others spread", async () => {
    const parts = new Set<string>();
    for (let i = 0; i < 12; i++) {
      await askWith("model-sticky", { prompt_cache_key: "conversation-1" });
      parts.add(lastPart());
    }
    expect(parts.size).toBe(1);
    const others = new Set<string>();
    for (let i = 0; i < 40; i++) {
      await askWith("model-sticky", { prompt_cache_key: `conversation-of-${i}` });
      others.add(lastPart());
    }
    expect(others.size).toBe(3);
  });

  test("of the same cache key in another account goes its own way", async () => {
    const { key } = await house.server.account("1", "--rpm", "0");
    const placesOf = async (ofKey: string) => {
      const places: string[] = [];
      for (let i = 0; i < 20; i++) {
        await askWith("model-accounts", { prompt_cache_key: `shared ${i}` }, ofKey);
        places.push(lastPart());
      }
      return places;
    };
    // That twenty draws of three all fall as they fell before is as good as impossible.
    const places = await placesOf(house.key);
    expect(await placesOf(house.key)).toEqual(places);
    expect(await placesOf(key)).not.toEqual(places);
  });

  test("moves when its channel fails, and stays where it moved to", async () => {
    const sticky = { prompt_cache_key: "conversation-2" };
    await askWith("model-moving", sticky);
    const first = lastPart();
    house.vendor.play(first, refusing(500));
    await askWith("model-moving", sticky);
    const second = lastPart();
    expect(second).not.toBe(first);
    house.vendor.play(first, answering("chat"));
    for (let i = 0; i < 10; i++) {
      await askWith("model-moving", sticky);
      expect(lastPart()).toBe(second);
    }
  });

  test("that is continued by the id of its last response stays too", async () => {
    const parts = new Set<string>();
    let previous: unknown;
    for (let i = 0; i < 12; i++) {
      const more = previous ? { previous_response_id: previous } : {};
      const body = { ...RESPONSES.body("model-chain", false, `Turn ${i}`), ...more };
      const response = await house.server.post("/responses", house.key, body);
      expect(response.status).toBe(200);
      previous = ((await response.json()) as JsonObject).id;
      parts.add(lastPart());
    }
    expect([...parts]).toHaveLength(1);
  });
});

test("all of this leaves no trace", () => house.expectNoTrace());
