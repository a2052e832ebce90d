import { beforeAll, describe, expect, test } from "bun:test";
import { SocketClient } from "../support/clients/socket-client.ts";
import { expectError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { MockVendor, VENDOR_KEY } from "../support/vendors/mock-vendor.ts";
import { modelEntry } from "../support/vendors/vendor-house.ts";

/** One vendor behind channels that are paid for in three ways. */
const { server, vendor } = await perFile(async (parts) => {
  const mock = parts.keep(new MockVendor());
  const channel = (id: string, more: JsonObject = {}) => ({
    id,
    vendor: "custom",
    base_url: mock.url,
    keys: [VENDOR_KEY],
    models: [`${id}-model`],
    ...more,
  });
  const allow = { search_parameters: "0.10", deferred: "0", "tools.live_search": "0.25" };
  const { server } = await serve(parts, {
    settings: { FAREGATE_SANDBOX: "on" },
    file: {
      channels: [
        channel("billed"),
        channel("unpaid", { free: true }),
        channel("allowing", { allow }),
      ],
      models: ["billed", "unpaid", "allowing"].map((id) => modelEntry(`${id}-model`)),
    },
    books: true,
  });
  return { server, vendor: mock };
});
let key = "";
beforeAll(async () => {
  ({ key } = await server.account("100", "--rpm", "0"));
});

const SOLD = { search_parameters: { mode: "on" }, deferred: true, plugins: [{ id: "web" }] };

async function chat(id: string, more: JsonObject = {}) {
  vendor.calls.length = 0;
  const messages = [{ role: "user", content: "hi" }];
  const response = await server.post("/chat/completions", key, {
    model: `${id}-model`,
    messages,
    ...more,
  });
  return { response, sent: vendor.calls[0]?.body ?? {}, asked: vendor.calls.length };
}

async function receiptOf(response: Response): Promise<JsonObject> {
  const id = response.headers.get("x-request-id");
  const told = await server.fetch(`/generation?id=${id}`, key);
  return (await told.json()) as JsonObject;
}

describe("what nothing here prices", () => {
  test("does not go to a vendor that bills for it, and is named", async () => {
    const { response, sent } = await chat("billed", SOLD);
    expect(response.status).toBe(200);
    for (const name of Object.keys(SOLD)) expect(sent).not.toHaveProperty(name);
    expect(response.headers.get("x-faregate-dropped")).toBe("search_parameters, deferred, plugins");
  });

  test("goes where nobody is billed", async () => {
    const { response, sent } = await chat("unpaid", SOLD);
    expect(sent).toMatchObject(SOLD);
    expect(response.headers.has("x-faregate-dropped")).toBe(false);
  });

  test("is refused where an answer without it would be another", async () => {
    const { response, asked } = await chat("billed", { provider: { data_collection: "deny" } });
    await expectError(response, {
      status: 400,
      code: "unsupported_parameter",
      param: "provider",
      message: /leave it out/,
    });
    expect(asked).toBe(0);
    expect(await receiptOf(response)).toMatchObject({ cost: "0.0" });
  });

  test("goes where the operator allows it, held and charged at its price", async () => {
    const plain = await receiptOf((await chat("allowing")).response);
    const tools = [{ type: "live_search" }];
    const { response, sent } = await chat("allowing", { ...SOLD, tools });
    expect(sent).toMatchObject({
      search_parameters: SOLD.search_parameters,
      deferred: true,
      tools,
    });
    expect(sent).not.toHaveProperty("plugins");
    const receipt = await receiptOf(response);
    const fee = Number(receipt.cost) - Number(plain.cost);
    expect(fee).toBeCloseTo(0.35, 6);
    const estimate = async (more: JsonObject) => {
      const body = {
        model: "allowing-model",
        messages: [{ role: "user", content: "hi" }],
        ...more,
      };
      const told = await server.post("/estimate", key, body);
      return Number(((await told.json()) as JsonObject).worst_case);
    };
    expect((await estimate(SOLD)) - (await estimate({}))).toBeCloseTo(0.1, 6);
  });

  test("costs nothing where it was not asked for", async () => {
    const { response } = await chat("allowing", { search_parameters: null, deferred: true });
    const plain = await receiptOf((await chat("allowing")).response);
    expect((await receiptOf(response)).cost).toBe(plain.cost as string);
  });
});

/** The ways in that read a body, with what else each of them needs. */
const WAYS: readonly (readonly [string, JsonObject, string])[] = [
  ["/chat/completions", { messages: [{ role: "user", content: "hi" }] }, "Max_Tokens"],
  ["/responses", { input: "hi" }, "Max_Output_Tokens"],
  ["/responses/input_tokens", { input: "hi" }, "INPUT"],
  ["/responses/compact", { input: "hi" }, "Instructions"],
  ["/messages", { max_tokens: 5, messages: [{ role: "user", content: "hi" }] }, "MAX_TOKENS"],
  ["/messages/count_tokens", { messages: [{ role: "user", content: "hi" }] }, "System"],
  ["/embeddings", { input: "hi" }, "Dimensions"],
  ["/estimate", { input: "hi" }, "Max_Output_Tokens"],
];

describe("a name that differs from one that is read only by its capitals", () => {
  test.each(WAYS)("is refused on %s, beside that one and alone", async (path, more, name) => {
    vendor.calls.length = 0;
    for (const twin of [{ Model: "dear" }, { [name]: 999_999 }]) {
      const body = { model: "billed-model", ...more, ...twin };
      const response = await server.post(path, key, body);
      const [param] = Object.keys(twin);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain(`'${param}'`);
    }
    expect(vendor.calls).toHaveLength(0);
  });

  test("is refused in the path of Gemini and in a message of a socket", async () => {
    const contents = [{ role: "user", parts: [{ text: "hi" }] }];
    const body = { contents, generationconfig: { maxOutputTokens: 9 } };
    for (const method of ["generateContent", "countTokens"]) {
      const url = `${new URL(server.url).origin}/v1beta/models/billed-model:${method}`;
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "x-goog-api-key": key },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("generationconfig");
    }
    const socket = await SocketClient.open(server, key);
    const turn = await socket.turn({ model: "sandbox-1.0", input: "hi", Stream: false });
    expect(turn.last).toMatchObject({ status: 400, error: { code: "duplicate_parameter" } });
    await socket.close();
  });

  test("is refused in a tool, but not in what a tool's schema says", async () => {
    const declared = {
      name: "f",
      parameters: { properties: { id: {}, ID: {} }, Type: 1, type: 2 },
    };
    const tools = [{ type: "function", function: declared }];
    expect((await chat("billed", { tools })).response.status).toBe(200);
    const text =
      '{"model":"billed-model","messages":[{"role":"user","content":"hi"}],' +
      '"tools":[{"type":"code_interpreter","type":"function","function":{"name":"f"}}]}';
    const response = await server.fetch("/chat/completions", key, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: text,
    });
    await expectError(response, {
      status: 400,
      code: "duplicate_parameter",
      param: "tools[0].type",
    });
  });
});
