// An error under a status that is fine: it means what it would have meant under its own.
import { describe, expect, test } from "bun:test";
import {
  CHAT,
  COUNTS,
  DELTA,
  event,
  fed,
  gateway,
  RESPONSES,
  theOnly,
  thrownBy,
} from "../../../test/support/houses/pipeline.ts";
import type { Endpoint } from "../../protocols/wire.ts";
import { VendorKey } from "../../upstream/channels/credentials.ts";

const MESSAGES = { ...CHAT, max_tokens: 100 };
const BODIES = { chat: CHAT, responses: RESPONSES, messages: MESSAGES };
type Client = keyof typeof BODIES;

const SAID = "Rate limit reached for m in organization org-7 on tokens per min (TPM).";
const LIMITED = { message: SAID, type: "tokens", code: "rate_limit_exceeded", param: null };
const EMPTY = { message: "You exceeded your current quota.", code: "insufficient_quota" };
const BUSY = { message: "Overloaded", type: "overloaded_error" };

/** How each vendor's wire says an error inside of an answer, whole and streamed. */
const INSIDE: Readonly<Record<Endpoint, (error: object) => readonly [object, object]>> = {
  chat: (error) => [{ error }, { error }],
  responses: (error) => [
    { id: "resp_1", object: "response", status: "failed", error, output: [] },
    { type: "error", sequence_number: 0, error },
  ],
  messages: (error) => [
    { type: "error", error },
    { type: "error", error },
  ],
  gemini: (error) => [{ error }, { error }],
};

const GOOGLE = { code: 429, message: "Quota exceeded for m.", status: "RESOURCE_EXHAUSTED" };

/** What a vendor of a wire says for a request too many. */
const TOO_MANY: Readonly<Record<Endpoint, object>> = {
  chat: LIMITED,
  responses: LIMITED,
  messages: { type: "rate_limit_error", message: "This request would exceed your rate limit." },
  gemini: GOOGLE,
};

function inside(vendor: Endpoint, error: object, stream: boolean): Response {
  const [whole, streamed] = INSIDE[vendor](error);
  return stream ? new Response(event(streamed)) : Response.json(whole);
}

/** One channel with two keys, whose vendor says this to the first call and answers every other. */
function house(vendor: Endpoint, stream: boolean, first: () => Response) {
  const used: string[] = [];
  const it = gateway({
    endpoints: [vendor],
    keys: [new VendorKey("k-secret-one"), new VendorKey("k-secret-two")],
    send: async (_call, key) => {
      used.push(key.reveal());
      if (used.length === 1) return first();
      return stream ? new Response(STREAMS[vendor]) : Response.json(ANSWERS[vendor]);
    },
  });
  const state = () => it.services.routes.status()[0];
  return { ...it, used, state };
}

const DONE_ITEM = {
  ...{ id: "msg_1", type: "message", role: "assistant", status: "completed" },
  content: [{ type: "output_text", text: "fine", annotations: [] }],
};
const RESPONSE = { id: "resp_1", object: "response", created_at: 1, status: "completed" };
const ANSWERS: Readonly<Record<Endpoint, object>> = {
  chat: {
    ...{ id: "c1", usage: { prompt_tokens: 3, completion_tokens: 1 } },
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "fine" } }],
  },
  responses: { ...RESPONSE, output: [DONE_ITEM], usage: { input_tokens: 3, output_tokens: 1 } },
  messages: {
    ...{ id: "msg_1", type: "message", role: "assistant", model: "v", stop_reason: "end_turn" },
    content: [{ type: "text", text: "fine" }],
    usage: { input_tokens: 3, output_tokens: 1 },
  },
  gemini: {
    candidates: [{ content: { role: "model", parts: [{ text: "fine" }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1 },
  },
};

const STREAMS: Readonly<Record<Endpoint, string>> = {
  chat:
    event({ id: "c1", choices: [{ index: 0, delta: { role: "assistant", content: "fine" } }] }) +
    event({ id: "c1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
    COUNTS +
    event("[DONE]"),
  responses:
    event({ type: "response.created", response: { ...RESPONSE, status: "in_progress" } }) +
    event({ type: "response.output_item.done", output_index: 0, item: DONE_ITEM }) +
    event({ type: "response.completed", response: ANSWERS.responses }),
  messages:
    event({ type: "message_start", message: { ...ANSWERS.messages, content: [] } }) +
    event({
      type: "content_block_start",
      index: 0,
      content_block: { type: "text", text: "fine" },
    }) +
    event({ type: "content_block_stop", index: 0 }) +
    event({
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: { output_tokens: 1 },
    }) +
    event({ type: "message_stop" }),
  gemini: event(ANSWERS.gemini),
};

const WIRES: readonly Endpoint[] = ["chat", "responses", "messages", "gemini"];
const CLIENTS: readonly Client[] = ["chat", "responses", "messages"];
const WAYS = WIRES.flatMap((vendor) =>
  CLIENTS.flatMap((client) => [[vendor, client, false] as const, [vendor, client, true] as const]),
);

/** What a vendor of OpenAI's wire says, and what becomes of its two keys. */
interface Said {
  readonly error: object;
  readonly status: number;
  readonly kind: string;
  readonly keys: readonly [string, string];
  readonly asked: readonly string[];
}

const ONE = "k-secret-one";
const TWO = "k-secret-two";
const BOTH = [ONE, TWO];
const RESTS = { kind: "rate", status: 429, keys: ["cooled", "ok"], asked: BOTH } as const;
const OUT = { kind: "credential", keys: ["refused", "ok"], asked: BOTH } as const;
const FAULTY = { kind: "vendor", keys: ["ok", "ok"], asked: BOTH } as const;

const SAYINGS: readonly (readonly [string, Said])[] = [
  ["an empty purse by its code", { ...RESTS, error: EMPTY }],
  ["too many by its status", { ...RESTS, error: { message: "No.", code: 429 } }],
  ["too many by its status as a text", { ...RESTS, error: { message: "No.", code: "429" } }],
  [
    "too many by a type",
    { ...RESTS, error: { message: "No.", type: "rate_limited", code: "1300" } },
  ],
  ["too many by its words", { ...RESTS, error: { message: SAID, code: "1302" } }],
  ["a wrong key", { ...OUT, status: 401, error: { message: "No.", code: "invalid_api_key" } }],
  ["no money", { ...OUT, status: 402, error: { message: "Insufficient credits", code: 402 } }],
  ["too much to do", { ...FAULTY, status: 529, error: BUSY }],
  [
    "too much to do by its words",
    { ...FAULTY, status: 529, error: { message: "The engine is currently overloaded." } },
  ],
  ["an outage by its status", { ...FAULTY, status: 502, error: { message: "No.", code: 502 } }],
];

describe("an error inside an answer before any of it went to the client", () => {
  test.each(WAYS)("that says too many rests its key: %s for %s, streamed: %p", async (...way) => {
    const [vendor, client, stream] = way;
    const it = house(vendor, stream, () => inside(vendor, TOO_MANY[vendor], stream));
    const response = await it.post(client, { ...BODIES[client], stream });
    expect(await response.text()).toContain("fine");
    expect(it.used).toEqual(BOTH);
    expect(it.state()).toMatchObject({
      ...{ state: "ok", faults: 0, lastError: { kind: "rate", status: 429 } },
      credentials: [{ state: "cooled" }, { state: "ok" }],
    });
    expect(await theOnly(it)).toMatchObject({ status: 200, billingReason: "completed" });
  });

  for (const stream of [false, true]) {
    test.each(SAYINGS)(
      `means what its status would: %s, streamed: ${stream}`,
      async (_it, said) => {
        const it = house("chat", stream, () => inside("chat", said.error, stream));
        const response = await it.post("chat", { ...CHAT, stream });
        expect(await response.text()).toContain("fine");
        expect(it.used).toEqual([...said.asked]);
        const [one, two] = said.keys;
        expect(it.state()).toMatchObject({
          ...{ faults: said.kind === "vendor" ? 1 : 0 },
          lastError: { kind: said.kind, status: said.status },
          credentials: [{ state: one }, { state: two }],
        });
        await theOnly(it);
      },
    );
  }

  test.each([
    ["a code", { message: "No such image.", code: "invalid_image_url" }],
    ["a type", { message: "No.", type: "invalid_request_error" }],
    ["a status", { message: "Rate limit: too many tools.", code: 400 }],
    ["a type, whatever it quotes", { message: SAID, type: "invalid_request_error" }],
  ])("that blames the request is its own: by %s", async (_name, error) => {
    const it = house("responses", true, () => inside("responses", error, true));
    const fault = await thrownBy(it.post("responses", { ...RESPONSES, stream: true }));
    expect([fault.status, fault.code, fault.message]).toEqual([
      ...[400, "upstream_rejected", error.message],
    ] as never);
    expect(it.used).toEqual([ONE]);
    expect(it.state()).toMatchObject({
      ...{ faults: 0, lastError: undefined, credentials: [{ state: "ok" }, { state: "ok" }] },
    });
    expect(await theOnly(it)).toMatchObject({ status: 400, billingReason: "upstream_refused" });
  });

  test("is told to the client as its status is, by every key", async () => {
    const error = { message: "Rate limit reached for k-secret-one.", code: "rate_limit_exceeded" };
    const send = async () => Response.json({ error });
    const it = gateway({ send, keys: [new VendorKey(ONE)] });
    const fault = await thrownBy(it.post("chat", CHAT));
    expect([fault.status, fault.fault]).toEqual([503, "upstream_unavailable"]);
    const receipt = await theOnly(it);
    const { lastError } = it.services.routes.status()[0] ?? {};
    const told = [Bun.inspect(fault), receipt.attempts.at(-1)?.message, lastError?.message];
    for (const each of told) {
      expect(each).toContain("Rate limit reached for ….");
      expect(each).not.toContain(ONE);
    }
    // Its only key rests: nobody is asked.
    await thrownBy(it.post("chat", CHAT));
    expect(it.calls).toHaveLength(1);
  });
});

describe("where no event is what its wire promises", () => {
  test.each(WIRES)("an error is read all the same: %s", async (vendor) => {
    const it = house(vendor, true, () => new Response(event({ error: TOO_MANY[vendor] })));
    const response = await it.post("chat", { ...CHAT, stream: true });
    expect(await response.text()).toContain("fine");
    expect(it.state()).toMatchObject({ lastError: { kind: "rate" }, faults: 0 });
    await theOnly(it);
  });

  test.each(CLIENTS)("nor on the client's own: %s", async (wire) => {
    const it = house(wire, true, () => new Response(event({ error: TOO_MANY[wire] })));
    const response = await it.post(wire, { ...BODIES[wire], stream: true });
    expect(await response.text()).toContain("fine");
    expect(it.state()).toMatchObject({ lastError: { kind: "rate" }, faults: 0 });
    await theOnly(it);
  });

  test.each(WIRES)("a sentence is an error too: %s", async (vendor) => {
    const it = house(vendor, false, () => Response.json({ error: SAID }));
    const response = await it.post("chat", CHAT);
    expect(await response.text()).toContain("fine");
    expect(it.state()).toMatchObject({ lastError: { kind: "rate" }, faults: 0 });
    await theOnly(it);
  });

  test.each([
    ["rate limit", "rate", 429],
    ["insufficient balance", "credential", 402],
    ["invalid api key", "credential", 401],
  ])("MiniMax says how it went beside the answer: %p", async (status_msg, kind, status) => {
    const said = { id: "c1", choices: null, base_resp: { status_code: 1002, status_msg } };
    for (const stream of [false, true]) {
      const first = () => (stream ? new Response(event(said)) : Response.json(said));
      const it = house("chat", stream, first);
      const response = await it.post("chat", { ...CHAT, stream });
      expect(await response.text()).toContain("fine");
      expect(it.state()).toMatchObject({ lastError: { kind, status }, faults: 0 });
      await theOnly(it);
    }
  });

  test.each([0, "0", null])("and that it went well is no error: %p", async (status_code) => {
    const base_resp = { status_code, status_msg: "" };
    const choices = [{ index: 0, delta: { content: "fine" }, finish_reason: "stop" }];
    const chunk = event({ id: "c1", choices, base_resp });
    for (const stream of [false, true]) {
      const whole = () => Response.json({ ...ANSWERS.chat, base_resp });
      const it = house("chat", stream, () => (stream ? new Response(chunk) : whole()));
      expect(await (await it.post("chat", { ...CHAT, stream })).text()).toContain("fine");
      expect(it.used).toEqual([ONE]);
      await theOnly(it);
    }
  });
});

describe("an error inside an answer that has begun to go out", () => {
  test("rests its key too, and nobody else is asked", async () => {
    const vendor = fed();
    const keys = [new VendorKey(ONE), new VendorKey(TWO)];
    const it = gateway({ send: vendor.send, keys });
    vendor.say(DELTA);
    const response = await it.post("chat", { ...CHAT, stream: true });
    vendor.say(event({ error: LIMITED }));
    expect(await response.text()).toContain("upstream_unavailable");
    expect(it.calls).toHaveLength(1);
    expect(it.services.routes.status()[0]).toMatchObject({
      ...{ faults: 0, lastError: { kind: "rate", status: 429 } },
      credentials: [{ state: "cooled" }, { state: "ok" }],
    });
    expect(await theOnly(it)).toMatchObject({ status: 503, billingReason: "upstream_failed" });
  });
});

describe("an answer in which something stands beside an error", () => {
  /** As OpenRouter tells of a vendor behind it that failed. */
  const failed = (error: object) => ({
    id: "c1",
    choices: [{ index: 0, finish_reason: "error", error, message: { content: "" }, delta: {} }],
    usage: { prompt_tokens: 0, completion_tokens: 0 },
  });

  test.each(CLIENTS)("is judged by that error, in its choice: for %s", async (client) => {
    for (const stream of [false, true]) {
      const said = failed({ code: 429, message: "Provider returned error" });
      const first = () => (stream ? new Response(event(said)) : Response.json(said));
      const it = house("chat", stream, first);
      const response = await it.post(client, { ...BODIES[client], stream });
      expect(await response.text()).toContain("fine");
      expect(it.state()).toMatchObject({ lastError: { kind: "rate", status: 429 }, faults: 0 });
      await theOnly(it);
    }
  });

  test.each(CLIENTS)("or beside an empty list of choices: for %s", async (client) => {
    const it = house("chat", false, () => Response.json({ choices: [], error: LIMITED }));
    expect(await (await it.post(client, BODIES[client])).text()).toContain("fine");
    expect(it.state()).toMatchObject({ lastError: { kind: "rate", status: 429 }, faults: 0 });
    await theOnly(it);
  });

  test.each(CLIENTS)("an empty list alone is no answer: for %s", async (client) => {
    const it = house("chat", false, () => Response.json({ ...ANSWERS.chat, choices: [] }));
    expect((await thrownBy(it.post(client, BODIES[client]))).status).toBe(503);
    expect(it.state()).toMatchObject({ lastError: { kind: "vendor" }, faults: 1 });
    await theOnly(it);
  });
});

describe("a streamed call that a vendor refuses as a whole one", () => {
  test.each(WAYS.filter(([, , stream]) => stream))(
    "is refused: %s for %s",
    async (vendor, client) => {
      for (const [indent, list] of [
        [0, false],
        [2, false],
        [2, true],
      ] as const) {
        const [whole] = INSIDE[vendor](TOO_MANY[vendor]);
        const said = JSON.stringify(list && vendor === "gemini" ? [whole] : whole, null, indent);
        const it = house(vendor, true, () => new Response(said));
        const response = await it.post(client, { ...BODIES[client], stream: true });
        expect(await response.text()).toContain("fine");
        expect(it.state()).toMatchObject({ lastError: { kind: "rate", status: 429 }, faults: 0 });
        await theOnly(it);
      }
    },
  );

  test.each([
    ...["null", "[]", "17", '"no"', "<html><body>busy</body></html>", "", "data: [DONE]\n\n"],
    ...["data: null\n\n", "data: 17\n\n"],
  ])("or else has failed, with a 200 and %p", async (said) => {
    for (const vendor of WIRES) {
      for (const stream of [false, true]) {
        const it = house(vendor, stream, () => new Response(said));
        const fault = await thrownBy(it.post("chat", { ...CHAT, stream }));
        expect([fault.status, fault.fault]).toEqual([503, "upstream_unavailable"]);
        expect(it.state()).toMatchObject({ lastError: { kind: "vendor" }, faults: 1 });
        expect(await theOnly(it)).toMatchObject({
          ...{ status: 503, billingReason: "upstream_failed", charge: { amount: 0n } },
        });
      }
    }
  });
});

/** How streams begin that say nothing of the answer yet. */
const BEGINNINGS: Readonly<Record<Endpoint, readonly string[]>> = {
  chat: [event({ id: "c1", choices: [{ index: 0, delta: { role: "assistant", content: "" } }] })],
  responses: ["response.created", "response.in_progress"].map((type) =>
    event({ type, response: { ...RESPONSE, status: "in_progress" } }),
  ),
  messages: [
    event({ type: "message_start", message: { ...ANSWERS.messages, content: [] } }),
    event({ type: "ping" }),
  ],
  gemini: [event({ candidates: [{ content: { role: "model", parts: [{ text: "" }] } }] })],
};

describe("a stream that has begun and said nothing yet", () => {
  const own = WAYS.filter(([, , stream]) => stream);

  /** The first vendor is played, and every other answers. */
  function played(vendor: Endpoint) {
    const first = fed();
    const it = gateway({
      endpoints: [vendor],
      keys: [new VendorKey(ONE), new VendorKey(TWO)],
      send: async (...call) =>
        it.calls.length === 1 ? first.send(...call) : new Response(STREAMS[vendor]),
    });
    return { ...it, first };
  }

  /** Time goes by until it is there. */
  async function inTime(
    { goTo }: Pick<ReturnType<typeof gateway>, "goTo">,
    answer: Promise<Response>,
  ) {
    let isThere = false;
    const told = answer.finally(() => {
      isThere = true;
    });
    for (; !isThere; goTo(100)) await Bun.sleep(0);
    return told;
  }

  test.each(own)("may still be refused, and another key is asked: %s for %s", async (...way) => {
    const [vendor, client] = way;
    const it = played(vendor);
    const answer = it.post(client, { ...BODIES[client], stream: true });
    // Each in a read of its own.
    for (const said of BEGINNINGS[vendor]) {
      it.first.say(said);
      await Bun.sleep(0);
    }
    it.first.say(event(INSIDE[vendor](TOO_MANY[vendor])[1]));
    expect(await (await answer).text()).toContain("fine");
    expect(it.calls).toHaveLength(2);
    expect(it.services.routes.status()[0]).toMatchObject({
      ...{ faults: 0, lastError: { kind: "rate", status: 429 } },
      credentials: [{ state: "cooled" }, { state: "ok" }],
    });
    expect(await theOnly(it)).toMatchObject({ status: 200, billingReason: "completed" });
  });

  test.each(CLIENTS)("costs nothing where nobody else can be asked: for %s", async (client) => {
    const first = fed();
    const keys = [new VendorKey(ONE)];
    const it = gateway({ endpoints: ["messages"], keys, send: first.send });
    const answer = it.post(client, { ...BODIES[client], stream: true });
    for (const said of BEGINNINGS.messages) {
      first.say(said);
      await Bun.sleep(0);
    }
    first.say(event(INSIDE.messages(TOO_MANY.messages)[1]));
    expect((await thrownBy(answer)).status).toBeGreaterThanOrEqual(429);
    expect(await theOnly(it)).toMatchObject({ charge: { amount: 0n } });
  });

  test.each(own)("has begun where it breaks off there: %s for %s", async (vendor, client) => {
    const it = played(vendor);
    const answer = it.post(client, { ...BODIES[client], stream: true });
    for (const said of BEGINNINGS[vendor]) it.first.say(said);
    await Bun.sleep(0);
    it.first.break();
    const response = await answer;
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining("upstream model service is unavailable") as unknown as string,
    ]);
    expect(it.services.routes.status()[0]).toMatchObject({ faults: 1 });
    expect(await theOnly(it)).toMatchObject({ status: 503 });
  });

  test.each(own)("goes out before long all the same: %s for %s", async (vendor, client) => {
    const it = played(vendor);
    const answer = it.post(client, { ...BODIES[client], stream: true });
    for (const said of BEGINNINGS[vendor]) it.first.say(said);
    const response = await inTime(it, answer);
    it.first.say(STREAMS[vendor]);
    it.first.end();
    expect(await response.text()).toContain("fine");
    expect(it.calls).toHaveLength(1);
    expect(await theOnly(it)).toMatchObject({ status: 200, billingReason: "completed" });
  });

  test("loses nothing of what comes while it goes out", async () => {
    const it = played("chat");
    const answer = it.post("chat", { ...CHAT, stream: true });
    for (const said of BEGINNINGS.chat) it.first.say(said);
    const response = await inTime(it, answer);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value as Uint8Array).toString()).toContain('"role":"assistant"');
    it.first.break();
    const rest = await reader?.read();
    expect(Buffer.from(rest?.value as Uint8Array).toString()).toContain("upstream_unavailable");
    expect(it.services.routes.status()[0]).toMatchObject({ faults: 1 });
    expect(await theOnly(it)).toMatchObject({ billingReason: "upstream_failed" });
  });
});
