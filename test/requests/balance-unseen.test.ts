// What an account has left is not told to keys that may not read it: every call with such a key is looked through
// for it, while the balance is tight, too small for a request, and used up. Beside it a key that may read it.
import { describe, expect, test } from "bun:test";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { SocketClient } from "../support/clients/socket-client.ts";
import { expectError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { type JsonObject, MODEL, RESPONSES, WIRES } from "../support/samples/wires.ts";
import { MockVendor } from "../support/vendors/mock-vendor.ts";
import { MAX_OUTPUT, modelEntry } from "../support/vendors/vendor-house.ts";

/** Less than the output of a request may cost, so that it gets a part of it; no other number has these digits. */
const BALANCE = "0.013579";
const DIGITS = "13579";
/** Its input alone costs more. */
const LONG = "strange words ".repeat(4_000);
/** Its answer costs more. */
const TALKATIVE = "Write 20000 words about bread.";
const REFUSED = { status: 400, type: "budget_exceeded", code: "400" };

/** A model by the wire of its vendor, which bills to the end: its streams are asked for no more than the money buys. */
const CUTTING = { responses: "passed-1.0", chat: "translated-1.0" };

const { server, vendor } = await perFile(async (parts) => {
  const played = parts.keep(new MockVendor());
  const sandbox = createSandbox();
  // It repeats on the Responses wire what it was asked for, as vendors do.
  played.play(({ path, text: body }) =>
    sandbox(new Request(`http://vendor.invalid${path}`, { method: "POST", body })),
  );
  const file = {
    channels: Object.entries(CUTTING).map(([wire, model]) => ({
      ...{ id: wire, vendor: "custom", base_url: played.url, protocols: [wire] },
      ...{ models: { [model]: MODEL }, on_disconnect: "drain" },
    })),
    // Their tokenizers are unknown, so their whole context is held.
    models: Object.values(CUTTING).map((id) => modelEntry(id, { context: 2_000 })),
  };
  const { server: started } = await serve(parts, {
    books: true,
    file,
    settings: { FAREGATE_SANDBOX: "on" },
  });
  return { server: started, vendor: played };
});

interface Pair {
  readonly reader: string;
  readonly other: string;
  readonly accountId: string;
}

/** Two keys of one account, of which one may read it. */
async function keysOf(...settings: string[]): Promise<Pair> {
  const { key: other, accountId } = await server.account(BALANCE, ...settings);
  const asked = ["--account", accountId, "--name", "r", "--account-read", "yes", ...settings];
  const { key: reader } = await server.command<{ key: string }>("key", "create", ...asked);
  return { reader, other, accountId };
}

/** All that an answer says, its headers too. */
async function textOf(response: Response): Promise<string> {
  return `${JSON.stringify([...response.headers])}\n${await response.text()}`;
}

async function receiptOf(response: Response, key: string): Promise<string> {
  await response.text();
  const id = response.headers.get("x-request-id");
  return textOf(await server.fetch(`/generation?id=${id}`, key));
}

async function socketTurn(key: string, body: JsonObject): Promise<string> {
  const socket = await SocketClient.open(server, key);
  socket.create(body);
  const { messages } = await socket.take();
  await socket.close();
  return JSON.stringify(messages);
}

/** Vendors cannot be hung up on before the end of a whole answer: they are asked for as much as the money buys. */
const CUT = RESPONSES.request("Say one");

/** To how much a key hears that its answer was cut, at once and afterwards. */
async function cutOf(key: string) {
  const response = await server.post("/responses", key, CUT);
  expect(response.status).toBe(200);
  await response.text();
  const id = response.headers.get("x-request-id");
  const receipt = (await (await server.fetch(`/generation?id=${id}`, key)).json()) as JsonObject;
  return { header: response.headers.get("x-faregate-clamped"), receipt: receipt.clamped_to };
}

/** The maxima of output that response objects have in a text. */
function maximaIn(text: string): string[] {
  return [...text.matchAll(/"max_output_tokens":\s*(\w+)/g)].map(([, told]) => String(told));
}

/** The maxima that a key finds in an answer which its money cuts, each once, and what the vendor was asked for. */
async function maximaOf(key: string, body: JsonObject) {
  const response = await server.post("/responses", key, body);
  const text = await response.text();
  const [id] = /resp_[\w-]+/.exec(text) ?? [];
  const kept = await (await server.fetch(`/responses/${id}`, key)).text();
  const spoken = await socketTurn(key, body);
  // Each of the three says it.
  for (const each of [text, kept, spoken]) expect(maximaIn(each)).not.toEqual([]);
  const told = new Set([text, kept, spoken].flatMap(maximaIn));
  const asked = vendor.calls.map((call) =>
    String(call.body.max_output_tokens ?? call.body.max_tokens),
  );
  vendor.calls.length = 0;
  const header = response.headers.get("x-faregate-clamped");
  return { header, told: [...told].sort(), asked: [...new Set(asked)].sort() };
}

/** What a key that cannot pay hears, wherever it asks, and reads afterwards. */
async function refusalsOf(key: string, text: string): Promise<string[]> {
  const said: string[] = [];
  for (const wire of WIRES) {
    for (const stream of [false, true]) {
      const ask = () => server.post(wire.path, key, wire.request(text, { stream }));
      const refused = await ask();
      expect(refused.status).toBe(400);
      said.push(await textOf(refused), await receiptOf(await ask(), key));
    }
  }
  const messages = [{ role: "user", content: text }];
  const anthropic = { model: MODEL, max_tokens: 100, messages };
  said.push(await textOf(await server.post("/messages", key, anthropic)));
  said.push(await socketTurn(key, RESPONSES.request(text)));
  said.push(await textOf(await server.post("/estimate", key, RESPONSES.request(text))));
  said.push(await textOf(await server.fetch("/key", key)));
  said.push(await textOf(await server.fetch("/models", key)));
  return said;
}

/** Whoever may read the account finds the balance where the other does not. */
function expectUnseen(unseen: readonly string[], seen: readonly string[]): void {
  expect(unseen.filter((each) => each.includes(DIGITS))).toEqual([]);
  expect(seen.filter((each) => each.includes(DIGITS))).not.toEqual([]);
}

describe("a balance that a key may not read", () => {
  test("is in nothing that it hears while the balance is tight", async () => {
    const { reader, other } = await keysOf("--hard", "yes");
    const body = RESPONSES.request("Say one");
    const looks = (key: string) =>
      Promise.all([
        server.fetch("/key", key).then(textOf),
        server.post("/estimate", key, body).then(textOf),
      ]);
    expectUnseen(await looks(other), await looks(reader));
    const calls = async (key: string) => {
      const asked = RESPONSES.request("Say one", { stream: true });
      return receiptOf(await server.post("/responses", key, asked), key);
    };
    // The first has it all to itself: what it held was the balance.
    expect(await calls(other)).toContain('"held":null');
    expect(await calls(reader)).toMatch(/"held":"0\.0\d+"/);
  });

  test("is in nothing that it hears where it cuts an answer", async () => {
    const { reader, other } = await keysOf("--hard", "yes");
    expect(await cutOf(other)).toEqual({ header: "balance", receipt: null });
    const { header, receipt } = await cutOf(reader);
    expect(Number(header)).toBeGreaterThan(0);
    expect(receipt).toBe(Number(header));
  });

  const cuts = Object.values(CUTTING).flatMap((model) =>
    [false, true].map((stream) => [model, stream] as const),
  );
  test.each(cuts)(
    "is in no maximum that a cut answer repeats: %s, stream %p",
    async (model, stream) => {
      const { reader, other } = await keysOf("--hard", "yes");
      const body = { model, input: "Say one", stream };
      const unseen = await maximaOf(other, body);
      expect(unseen).toMatchObject({ header: "balance", told: ["null"] });
      const larger = await maximaOf(other, { ...body, max_output_tokens: MAX_OUTPUT - 1 });
      expect(larger).toMatchObject({ header: "balance", told: [String(MAX_OUTPUT - 1)] });
      const most = await maximaOf(other, { ...body, max_output_tokens: MAX_OUTPUT + 1 });
      expect(most).toMatchObject({ header: "balance", told: [String(MAX_OUTPUT)] });
      const seen = await maximaOf(reader, body);
      expect(seen.told).toEqual(seen.asked);
      expect(seen.told).toContain(String(seen.header));
    },
  );

  test("is in nothing that it hears where too little is left", async () => {
    const { reader, other } = await keysOf("--hard", "yes");
    expectUnseen(await refusalsOf(other, LONG), await refusalsOf(reader, LONG));
    const refused = await server.post("/responses", other, RESPONSES.request(LONG));
    expect(refused.headers.get("x-faregate-scope")).toBe("balance");
    expect(refused.headers.get("x-faregate-needed")).toMatch(/^0\.\d+$/);
    expect(refused.headers.get("x-faregate-fix")).toBe(
      "Send a request that costs less, or top up the balance.",
    );
    const message = /^What is left of the balance does not do for this request: 0\.\d+ needed\.$/;
    await expectError(refused, { ...REFUSED, message });
  });

  test("is in nothing that it hears once the balance is used up", async () => {
    const { reader, other, accountId } = await keysOf();
    // What was spent of an overdraft is missing once that is taken back.
    await server.command("account", "set", accountId, "--overdraft", "1");
    await (await server.post("/responses", other, RESPONSES.request(TALKATIVE))).text();
    await server.command("account", "set", accountId, "--overdraft", "0");
    expectUnseen(await refusalsOf(other, "Say one"), await refusalsOf(reader, "Say one"));
    const refused = await server.post("/responses", other, RESPONSES.request("Say one"));
    expect(refused.headers.get("x-faregate-scope")).toBe("balance");
    expect(refused.headers.get("x-faregate-fix")).toBe("Top up the balance.");
    const { used } = (await (await server.fetch("/key", other)).json()) as JsonObject;
    const message = new RegExp(
      `^Budget has been exceeded! Current cost: ${used}, Max budget: ${used}$`,
    );
    await expectError(refused, { ...REFUSED, message });
  });
});

describe("a key that may not read its account", () => {
  const shown = async (key: string, body: JsonObject): Promise<JsonObject> => ({
    most: ((await (await server.fetch("/key", key)).json()) as JsonObject).next_request_max,
    ...((await (await server.post("/estimate", key, body)).json()) as JsonObject),
  });

  test("is told what its own budget gives, and that the account can pay", async () => {
    const { key } = await server.account("5", "--hard", "yes", "--budget", "0.15");
    const told = await shown(key, RESPONSES.request("Write 20 words about bread."));
    expect(told).toMatchObject({ most: "0.15", admitted: true, held: "0.0375" });
    expect(told.room_output_tokens).toBeNumber();
  });

  test("is told how far its own budget cuts an answer", async () => {
    const { key } = await server.account("5", "--hard", "yes", "--budget", BALANCE);
    expect(Number((await cutOf(key)).header)).toBeGreaterThan(0);
    const { header, told, asked } = await maximaOf(key, { model: CUTTING.chat, input: "Say one" });
    expect(told).toEqual(asked);
    expect(told).toContain(String(header));
  });

  test("is told by its budget alone where the account has less", async () => {
    const { other } = await keysOf("--hard", "yes", "--budget", "0.15");
    const told = await shown(other, RESPONSES.request("Write 20 words about bread."));
    expect(told).toMatchObject({ most: "0.15", admitted: true, reason: null });
    expect(told).toMatchObject({ held: null, room_output_tokens: null });
  });

  test("is told that the account cannot pay", async () => {
    const { key } = await server.account("0", "--budget", "0.15");
    const told = await shown(key, RESPONSES.request("Write 20 words about bread."));
    expect(told).toMatchObject({ most: "0.0", admitted: false, reason: "budget_exceeded" });
  });
});
