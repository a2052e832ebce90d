import { expect, spyOn, test } from "bun:test";
import { Conversation, type Sending } from "./conversation.ts";

const SENDING: Sending = {
  ...{ endpoint: "responses", model: "m", instructions: "", prompt: "Hi" },
  ...{ temperature: undefined, maxOutput: undefined },
};
const RECEIPT = {
  ...{ id: "req_1", cost: "0.5", usage: { input_tokens: 7, output_tokens: 2 } },
  lines: [{ item: "cache_read", quantity: 3 }],
};

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** A server that answers a word at a time, as the test lets it. */
function scripted() {
  const calls: { path: string; init: RequestInit }[] = [];
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const answer = async (path: string, init: RequestInit = {}) => {
    calls.push({ path, init });
    if (init.method !== "POST") return Response.json(RECEIPT);
    init.signal?.addEventListener("abort", () => void writer.abort(new Error("left")));
    return new Response(body.readable, { headers: { "x-request-id": "req_1" } });
  };
  const fetched = spyOn(globalThis, "fetch").mockImplementation(answer as never);
  const say = (data: object) => writer.write(new TextEncoder().encode(event(data)));
  const end = () => writer.close();
  return { calls, say, end, [Symbol.dispose]: () => fetched.mockRestore() };
}

const delta = (text: string) => ({ type: "response.output_text.delta", delta: text });

test("an answer goes on while nobody looks, and is there for whoever comes back", async () => {
  using server = scripted();
  const conversation = new Conversation("/api/accounts/acct_1");
  let drawn = 0;
  const leave = conversation.subscribe(() => {
    drawn += 1;
  });
  const sent = conversation.send(SENDING);
  await server.say(delta("Hel"));
  leave();
  const before = drawn;
  await server.say(delta("lo"));
  await server.end();
  await sent;
  expect(drawn).toBe(before);
  expect(conversation.turns()).toMatchObject([
    { prompt: "Hi", answer: { text: "Hello" }, state: "done", requestId: "req_1" },
  ]);
  expect(conversation.turns()[0]?.receipt).toEqual({
    ...{ id: "req_1", cost: "0.5", input: 7, cached: 3, output: 2 },
  });
  const [asked, receipt] = server.calls;
  expect(asked?.path).toBe("/api/accounts/acct_1/playground/responses");
  expect(asked?.init).toMatchObject({ credentials: "same-origin" });
  expect(JSON.stringify(asked?.init.headers)).not.toContain("authorization");
  expect(receipt?.path).toBe("/api/accounts/acct_1/requests/req_1");
});

test("what is stopped keeps what was said, and has its receipt", async () => {
  using server = scripted();
  const conversation = new Conversation("/api/accounts/acct_1");
  const sent = conversation.send(SENDING);
  await server.say(delta("Hel"));
  conversation.stop();
  await sent;
  expect(conversation.turns()).toMatchObject([
    { answer: { text: "Hel" }, state: "stopped", receipt: { id: "req_1" } },
  ]);
  conversation.clear();
  expect(conversation.turns()).toEqual([]);
});
