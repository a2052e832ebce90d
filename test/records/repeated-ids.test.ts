// A vendor that calls all of its answers by one name: nobody is given another's for it.
import { describe, expect, test } from "bun:test";
import { SocketClient } from "../support/clients/socket-client.ts";
import { perSuite } from "../support/houses/house.ts";
import { type JsonObject, readEvents } from "../support/samples/wires.ts";
import type { Script } from "../support/vendors/scripted-vendor.ts";
import { modelEntry, vendorHouse } from "../support/vendors/vendor-house.ts";

const MODEL = "same-1.0";
/** Of a vendor of another wire, as relays of Responses are. */
const CHAT_MODEL = "same-chat-1.0";

/** What the user said last, as the vendor of this wire is told it. */
function lastWords({ input }: JsonObject): string {
  const items = input as { content: string | { text: string }[] }[] | string;
  if (typeof items === "string") return items;
  const content = items.at(-1)?.content ?? "";
  return typeof content === "string" ? content : (content[0]?.text ?? "");
}

/** Repeats what it is told, and calls the answer and its item as it calls them always. */
const repeating: Script = ({ json }, reply) => {
  const text = `You said ${lastWords(json)}`;
  const item = {
    ...{ id: "msg_1", type: "message", role: "assistant", status: "completed" },
    content: [{ type: "output_text", text, annotations: [] }],
  };
  const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
  const begun = { id: "resp_1", object: "response", created_at: 1, status: "in_progress" };
  const response = { ...begun, status: "completed", output: [item], usage };
  if (json.stream !== true) return reply.whole(200, JSON.stringify(response));
  reply.begin("text/event-stream");
  const place = { output_index: 0, content_index: 0, item_id: "msg_1" };
  for (const event of [
    { type: "response.created", response: { ...begun, output: [] } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
    { type: "response.output_text.delta", ...place, delta: text },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response },
  ]) {
    reply.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  reply.end();
};

interface Turn extends JsonObject {
  readonly id: string;
  readonly output_text: string;
}

const house = perSuite(async (parts) => {
  const built = await vendorHouse(parts, {
    file: (vendor) => ({
      channels: [
        {
          ...{ id: "same", vendor: "custom", base_url: vendor.url("same"), keys: ["k-1"] },
          ...{ protocols: ["responses"], models: { [MODEL]: "v" } },
        },
        {
          ...{ id: "chat", vendor: "custom", base_url: vendor.url("chat"), keys: ["k-1"] },
          ...{ protocols: ["chat"], models: { [CHAT_MODEL]: "v" } },
        },
      ],
      models: [modelEntry(MODEL), modelEntry(CHAT_MODEL)],
    }),
  });
  built.vendor.play("same", repeating);
  built.vendor.play("chat", (_call, reply) => {
    const message = { role: "assistant", content: "fine" };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    return reply.whole(200, JSON.stringify({ id: "resp_1", choices, usage }));
  });
  const other = await built.server.account("1000", "--rpm", "0");
  return { ...built, other: other.key };
});

async function say(input: string, more: JsonObject = {}, key = house.key): Promise<Turn> {
  const body = { model: MODEL, input, ...more };
  const response = await house.server.post("/responses", key, body);
  const text = await response.text();
  expect(response.status).toBe(200);
  if (more.stream !== true) return JSON.parse(text) as Turn;
  const responses = readEvents(text).flatMap(({ json }) => (json?.response ?? []) as Turn[]);
  // One name from the first event to the last.
  expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
  return responses.at(-1) as Turn;
}

function historyOf(call: number): string {
  return JSON.stringify(house.vendor.calls.at(call)?.json.input);
}

describe("answers that their vendor calls the same", () => {
  test.each([false, true])("are each gone on from as themselves, streamed: %p", async (stream) => {
    const one = await say("apple", { stream });
    const two = await say("pear", { stream });
    const foreign = await say("plum", { stream }, house.other);
    expect(new Set([one.id, two.id, foreign.id]).size).toBe(3);
    for (const [turn, fruit] of [
      [one, "apple"],
      [two, "pear"],
    ] as const) {
      expect(turn.store).toBe(true);
      await say("more", { previous_response_id: turn.id, stream });
      expect(historyOf(-1)).toContain(`You said ${fruit}`);
      for (const else_ of ["apple", "pear", "plum"].filter((each) => each !== fruit)) {
        expect(historyOf(-1)).not.toContain(else_);
      }
      const kept = await house.server.fetch(`/responses/${turn.id}`, house.key);
      expect(await kept.json()).toMatchObject({ id: turn.id, output_text: `You said ${fruit}` });
      expect((await house.server.fetch(`/responses/${turn.id}`, house.other)).status).toBe(404);
    }
  });

  test("have each its receipt, found by its id", async () => {
    const one = await say("first");
    const two = await say("second");
    const receipts = await Promise.all(
      [one, two].map(async ({ id }) => {
        const found = await house.server.fetch(`/generation?id=${id}`, house.key);
        return (await found.json()) as JsonObject;
      }),
    );
    expect(receipts.map((receipt) => receipt.response_id)).toEqual([one.id, two.id]);
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(2);
  });

  test("are each given again by their own Idempotency-Key", async () => {
    const ask = async (key: string, value: string, input: string) => {
      const headers = { "idempotency-key": value };
      const response = await house.server.post("/responses", key, { model: MODEL, input }, headers);
      return (await response.json()) as Turn;
    };
    const one = await ask(house.key, "v-1", "one");
    const other = await ask(house.other, "v-1", "other");
    const two = await ask(house.key, "v-2", "two");
    expect(await ask(house.key, "v-1", "one")).toEqual(one);
    expect(await ask(house.other, "v-1", "other")).toEqual(other);
    expect(await ask(house.key, "v-2", "two")).toEqual(two);
    expect([one, other, two].map((turn) => turn.output_text)).toEqual([
      ...["You said one", "You said other", "You said two"],
    ]);
  });

  test("have names of their own where another wire's vendor names them as ours are", async () => {
    const turns = [
      await say("one", { model: CHAT_MODEL }),
      await say("two", { model: CHAT_MODEL }),
    ];
    expect(new Set([...turns.map(({ id }) => id), "resp_1"]).size).toBe(3);
    for (const { id } of turns) {
      expect((await house.server.fetch(`/responses/${id}`, house.key)).status).toBe(200);
    }
  });

  test("can each be deleted without the other", async () => {
    const [one, two] = [await say("one"), await say("two")];
    await house.server.fetch(`/responses/${one.id}`, house.key, { method: "DELETE" });
    expect((await house.server.fetch(`/responses/${one.id}`, house.key)).status).toBe(404);
    expect((await house.server.fetch(`/responses/${two.id}`, house.key)).status).toBe(200);
  });

  test("are what was said last where an item of them is referred to", async () => {
    await say("long ago");
    await say("lately");
    await say("else", {}, house.other);
    const reference = [{ type: "item_reference", id: "msg_1" }];
    await house.server.post("/responses", house.key, {
      model: MODEL,
      input: [...reference, { role: "user", content: "go on" }],
    });
    expect(historyOf(-1)).toContain("You said lately");
  });

  test("are told apart on a connection that keeps them", async () => {
    const socket = await SocketClient.open(house.server, house.key);
    try {
      const turn = async (input: string, more: JsonObject = {}) => {
        const told = await socket.turn({ model: MODEL, input, store: false, ...more });
        return told.response as unknown as Turn;
      };
      const one = await turn("one");
      const two = await turn("two", { previous_response_id: one.id });
      expect(two.id).not.toBe(one.id);
      await turn("three", { previous_response_id: two.id });
      expect(historyOf(-1)).toContain("You said one");
      expect(historyOf(-1)).toContain("You said two");
    } finally {
      await socket.close();
    }
  });
});
