import { beforeAll, describe, expect, test } from "bun:test";
import { expectRightBooks, expectUntouched, keyFacts } from "../support/books.ts";
import { RawClient } from "../support/clients/raw-client.ts";
import { type ExpectedError, expectError, readError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { CHAT, type JsonObject, MODEL, RESPONSES, WIRES } from "../support/samples/wires.ts";
import { eventually } from "../support/waiting.ts";

const BODY_BYTES_MAX = 200_000;
const settings = { FAREGATE_BODY_BYTES_MAX: String(BODY_BYTES_MAX) };
const { server } = await perFile((parts) => serve(parts, { settings }));
/** A key that never sends anything but mistakes. */
const { key, keyId } = await server.account("1");

type Case = readonly [words: string, change: JsonObject, code: string, param: string];

const OUT_OF_RANGE: readonly Case[] = [
  ["temperature below 0", { temperature: -0.1 }, "decimal_below_min_value", "temperature"],
  ["temperature above 2", { temperature: 2.1 }, "decimal_above_max_value", "temperature"],
  ["top_p below 0", { top_p: -0.1 }, "decimal_below_min_value", "top_p"],
  ["top_p above 1", { top_p: 1.1 }, "decimal_above_max_value", "top_p"],
];

const WRONG_TYPES: readonly Case[] = [
  ["a temperature in words", { temperature: "1" }, "invalid_type", "temperature"],
  ["a top_p that is a boolean", { top_p: true }, "invalid_type", "top_p"],
  ["a stream in words", { stream: "true" }, "invalid_type", "stream"],
  ["a stream that is a number", { stream: 1 }, "invalid_type", "stream"],
  ["tools that are no list", { tools: { type: "function" } }, "invalid_type", "tools"],
  ["a tool in words", { tools: ["web_search"] }, "invalid_type", "tools[0]"],
  ["a model that is a number", { model: 5 }, "invalid_type", "model"],
  ["no model", { model: undefined }, "missing_required_parameter", "model"],
  ["a model that is null", { model: null }, "missing_required_parameter", "model"],
  ["an empty model", { model: "" }, "missing_required_parameter", "model"],
];

/** Token counts and other whole numbers, with everything that may be wrong about them. */
function countCases(name: string): Case[] {
  return [
    [`a negative ${name}`, { [name]: -1 }, "integer_below_min_value", name],
    [`${name} of zero`, { [name]: 0 }, "integer_below_min_value", name],
    [`a huge ${name}`, { [name]: 1e15 }, "integer_above_max_value", name],
    [`a ${name} beyond all integers`, { [name]: 1e300 }, "integer_above_max_value", name],
    [`a fractional ${name}`, { [name]: 1.5 }, "invalid_type", name],
    [`a ${name} in words`, { [name]: "12" }, "invalid_type", name],
  ];
}

const FUNCTION = { type: "function", name: "look_up", parameters: { type: "object" } };

const RESPONSES_CASES: readonly Case[] = [
  [
    "tools that must be called, but none",
    { tool_choice: "required" },
    "invalid_value",
    "tool_choice",
  ],
  [
    "tools that must be called, but an empty list",
    { tool_choice: { type: "allowed_tools", mode: "required", tools: [] }, tools: [] },
    "invalid_value",
    "tool_choice",
  ],
  [
    "the choice of a tool without tools",
    { tool_choice: { type: "function", name: "look_up" } },
    "invalid_value",
    "tool_choice",
  ],
  [
    "the choice of another tool",
    { tool_choice: { type: "function", name: "look_down" }, tools: [FUNCTION] },
    "invalid_value",
    "tool_choice",
  ],
  [
    "the choice of a search that is not declared",
    { tool_choice: { type: "web_search" }, tools: [FUNCTION] },
    "invalid_value",
    "tool_choice",
  ],
  ["a tool choice of no meaning", { tool_choice: "maybe" }, "invalid_value", "tool_choice"],
  [
    "options of a stream that is none",
    { stream_options: { include_obfuscation: false }, stream: false },
    "invalid_value",
    "stream_options",
  ],
  ["an unknown truncation", { truncation: "middle" }, "invalid_value", "truncation"],
  ["a truncation that is a number", { truncation: 5 }, "invalid_type", "truncation"],
  [
    "an unknown wish for more",
    { include: ["reasoning.encrypted_content", "everything"] },
    "invalid_value",
    "include[1]",
  ],
  ["a wish for more that is a number", { include: [5] }, "invalid_type", "include[0]"],
  [
    "a schema without a name",
    { text: { format: { type: "json_schema", schema: { type: "object" } } } },
    "missing_required_parameter",
    "text.format.name",
  ],
  [
    "a schema that is missing",
    { text: { format: { type: "json_schema", name: "answer" } } },
    "missing_required_parameter",
    "text.format.schema",
  ],
  ["an unknown format", { text: { format: { type: "xml" } } }, "invalid_value", "text.format.type"],
  [
    "content of a user that is null",
    { input: [{ role: "user", content: null }] },
    "invalid_type",
    "input[0].content",
  ],
  [
    "content of a developer that is null",
    { input: [{ type: "message", role: "developer", content: null }] },
    "invalid_type",
    "input[0].content",
  ],
  [
    "an item of an unknown kind",
    {
      input: [
        { role: "user", content: "x" },
        { type: "wish", content: "x" },
      ],
    },
    "invalid_value",
    "input[1].type",
  ],
  [
    "what a function returned for no call",
    { input: [{ type: "function_call_output", output: "x" }] },
    "missing_required_parameter",
    "input[0].call_id",
  ],
  [
    "the call of a function without a name",
    { input: [{ type: "function_call", call_id: "c", arguments: "{}" }] },
    "missing_required_parameter",
    "input[0].name",
  ],
  [
    "a text that is a number",
    { input: [{ role: "user", content: [{ type: "input_text", text: 5 }] }] },
    "invalid_type",
    "input[0].content[0].text",
  ],
  [
    "a text that is missing",
    { input: [{ role: "user", content: [{ type: "input_text" }] }] },
    "missing_required_parameter",
    "input[0].content[0].text",
  ],
  [
    "an image that is missing",
    { input: [{ role: "user", content: [{ type: "input_image" }] }] },
    "missing_required_parameter",
    "input[0].content[0].image_url",
  ],
  ["an item whose kind is a number", { input: [{ type: 5 }] }, "invalid_type", "input[0].type"],
  ...countCases("max_output_tokens"),
  ["no input", { input: undefined }, "missing_required_parameter", "input"],
  ["an input that is null", { input: null }, "missing_required_parameter", "input"],
  ["an input that is a number", { input: 5 }, "invalid_type", "input"],
  ["an input that is an object", { input: {} }, "invalid_type", "input"],
  ["an empty input", { input: [] }, "empty_array", "input"],
  ["an input item in words", { input: ["hello"] }, "invalid_type", "input[0]"],
  [
    "an unknown role",
    { input: [{ role: "wizard", content: "x" }] },
    "invalid_value",
    "input[0].role",
  ],
  [
    "the role of a tool",
    { input: [{ role: "tool", content: "x" }] },
    "invalid_value",
    "input[0].role",
  ],
  [
    "an unknown role in the second message",
    {
      input: [
        { role: "user", content: "x" },
        { type: "message", role: "robot", content: "x" },
      ],
    },
    "invalid_value",
    "input[1].role",
  ],
  ["no role", { input: [{ content: "x" }] }, "missing_required_parameter", "input[0].role"],
  [
    "a role that is a number",
    { input: [{ role: 1, content: "x" }] },
    "invalid_type",
    "input[0].role",
  ],
  ["no content", { input: [{ role: "user" }] }, "missing_required_parameter", "input[0].content"],
  [
    "content that is a number",
    { input: [{ role: "user", content: 5 }] },
    "invalid_type",
    "input[0].content",
  ],
  [
    "a content part without a type",
    { input: [{ role: "user", content: [{ text: "x" }] }] },
    "missing_required_parameter",
    "input[0].content[0].type",
  ],
  ["instructions that are a number", { instructions: 5 }, "invalid_type", "instructions"],
  [
    "a tool without a type",
    { tools: [{ name: "f" }] },
    "missing_required_parameter",
    "tools[0].type",
  ],
  [
    "a function without a name",
    { tools: [{ type: "web_search" }, { type: "function", parameters: {} }] },
    "missing_required_parameter",
    "tools[1].name",
  ],
  ["background", { background: true }, "unsupported_parameter", "background"],
  ["a conversation", { conversation: "conv_1" }, "unsupported_parameter", "conversation"],
  [
    "an unknown previous response",
    { previous_response_id: "resp_none" },
    "previous_response_not_found",
    "previous_response_id",
  ],
  [
    "a reference to an unknown item",
    { input: [{ type: "item_reference", id: "msg_none" }] },
    "item_not_found",
    "input",
  ],
  ["a chat-only model", { model: "lantern-2.1" }, "unsupported_endpoint", "model"],
];

const CHAT_FUNCTION = { type: "function", function: { name: "look_up" } };
const ASKED = { role: "user", content: "x" };

const CHAT_CASES: readonly Case[] = [
  [
    "tools that must be called, but none",
    { tool_choice: "required" },
    "invalid_value",
    "tool_choice",
  ],
  [
    "the choice of a tool without tools",
    { tool_choice: CHAT_FUNCTION },
    "invalid_value",
    "tool_choice",
  ],
  [
    "the choice of another tool",
    { tool_choice: { type: "function", function: { name: "x" } }, tools: [CHAT_FUNCTION] },
    "invalid_value",
    "tool_choice",
  ],
  [
    "the choice of a function without functions",
    { function_call: { name: "look_up" } },
    "invalid_value",
    "function_call",
  ],
  [
    "functions without a name",
    { functions: [{}] },
    "missing_required_parameter",
    "functions[0].name",
  ],
  [
    "what a tool returned for no call",
    { messages: [ASKED, { role: "tool", content: "x" }] },
    "missing_required_parameter",
    "messages[1].tool_call_id",
  ],
  [
    "what a tool returned for a call that is a number",
    { messages: [ASKED, { role: "tool", content: "x", tool_call_id: 5 }] },
    "invalid_type",
    "messages[1].tool_call_id",
  ],
  [
    "a text that is missing",
    { messages: [{ role: "user", content: [{ type: "text" }] }] },
    "missing_required_parameter",
    "messages[0].content[0].text",
  ],
  [
    "options of a stream that is none",
    { stream_options: { include_usage: true }, stream: false },
    "invalid_value",
    "stream_options",
  ],
  [
    "a schema without a name",
    { response_format: { type: "json_schema", json_schema: { schema: { type: "object" } } } },
    "missing_required_parameter",
    "response_format.json_schema.name",
  ],
  [
    "a schema that is missing",
    { response_format: { type: "json_schema" } },
    "missing_required_parameter",
    "response_format.json_schema",
  ],
  [
    "content of a user that is null",
    { messages: [{ role: "user", content: null }] },
    "invalid_type",
    "messages[0].content",
  ],
  ...countCases("n"),
  ...countCases("max_tokens"),
  ...countCases("max_completion_tokens"),
  [
    "a negative max_tokens beside a good max_completion_tokens",
    { max_completion_tokens: 10, max_tokens: -1 },
    "integer_below_min_value",
    "max_tokens",
  ],
  ["no messages", { messages: undefined }, "missing_required_parameter", "messages"],
  ["messages that are null", { messages: null }, "missing_required_parameter", "messages"],
  ["messages in words", { messages: "hello" }, "invalid_type", "messages"],
  ["empty messages", { messages: [] }, "empty_array", "messages"],
  ["a message in words", { messages: ["hello"] }, "invalid_type", "messages[0]"],
  ["an empty message", { messages: [{}] }, "missing_required_parameter", "messages[0].role"],
  [
    "an unknown role",
    { messages: [{ role: "wizard", content: "x" }] },
    "invalid_value",
    "messages[0].role",
  ],
  [
    "an unknown role in the second message",
    {
      messages: [
        { role: "user", content: "x" },
        { role: "User", content: "x" },
      ],
    },
    "invalid_value",
    "messages[1].role",
  ],
  [
    "no content",
    { messages: [{ role: "user" }] },
    "missing_required_parameter",
    "messages[0].content",
  ],
  [
    "content that is a number",
    { messages: [{ role: "user", content: 5 }] },
    "invalid_type",
    "messages[0].content",
  ],
  [
    "a tool without a type",
    { tools: [{ name: "f" }] },
    "missing_required_parameter",
    "tools[0].type",
  ],
  [
    "a function that is missing",
    { tools: [{ type: "function" }] },
    "missing_required_parameter",
    "tools[0].function",
  ],
  [
    "a function without a name",
    { tools: [{ type: "function", function: { parameters: {} } }] },
    "missing_required_parameter",
    "tools[0].function.name",
  ],
];

describe.each([
  { wire: RESPONSES, cases: [...OUT_OF_RANGE, ...WRONG_TYPES, ...RESPONSES_CASES] },
  { wire: CHAT, cases: [...OUT_OF_RANGE, ...WRONG_TYPES, ...CHAT_CASES] },
])("POST $wire.path refuses", ({ wire, cases }) => {
  test.each([...cases])("%s", async (_words, change, code, param) => {
    const body = { ...wire.request("Say one"), ...change };
    await expectError(await server.post(wire.path, key, body), { status: 400, code, param });
    if ("stream" in change) return;
    // A stream is refused with the same status and the same body.
    const response = await server.post(wire.path, key, { ...body, stream: true });
    await expectError(response, { status: 400, code, param });
  });

  test.each(["Sandbox-1.0", "sandbox-1-0", "SANDBOX-1.0"])(
    "the model %s, and says which was meant",
    async (model) => {
      const response = await server.post(wire.path, key, { ...wire.request("Say one"), model });
      const { message } = await expectError(response, {
        status: 404,
        code: "model_not_found",
        param: "model",
      });
      expect(message).toContain(`\`${MODEL}\``);
    },
  );

  test("a model that nobody could have meant", async () => {
    const body = { ...wire.request("Say one"), model: "gpt-99.9" };
    const response = await server.post(wire.path, key, body);
    await expectError(response, { status: 404, code: "model_not_found", param: "model" });
  });

  test.each([
    ["nothing", "", "invalid_json"],
    ["words", "hello", "invalid_json"],
    ["an object that is cut off", '{"model": "sandbox-1.0"', "invalid_json"],
    ["a list", "[]", "invalid_type"],
    ["null", "null", "invalid_type"],
    ["a number", "5", "invalid_type"],
  ])("a body of %s", async (_words, text, code) => {
    const headers = { "content-type": "application/json" };
    const response = await server.fetch(wire.path, key, { method: "POST", headers, body: text });
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({ type: "invalid_request_error", code });
  });

  test("a body nested so deep that reading it could break us", async () => {
    const named = { name: "f", parameters: { x: "DEEP" } };
    const part = { type: "text", text: "x", deep: "DEEP" };
    for (const more of [
      { tools: [{ type: "function", ...named, function: named }] },
      { [wire.inputName]: [{ role: "user", content: [part] }] },
    ]) {
      const deep = "[".repeat(50_000) + "]".repeat(50_000);
      const text = JSON.stringify(wire.request("Say one", more)).replace('"DEEP"', deep);
      const headers = { "content-type": "application/json" };
      const response = await server.fetch(wire.path, key, { method: "POST", headers, body: text });
      expect(response.status).toBe(400);
      expect(await readError(response)).toMatchObject({ type: "invalid_request_error" });
    }
  });

  test("a member that is given twice", async () => {
    const text = JSON.stringify(wire.request("Say one")).replace("{", '{"model":"lantern-2.1",');
    const headers = { "content-type": "application/json" };
    const response = await server.fetch(wire.path, key, { method: "POST", headers, body: text });
    await expectError(response, { status: 400, code: "duplicate_parameter", param: "model" });
  });

  test.each([["text/plain"], ["application/jsonp"], ["application/x-www-form-urlencoded"], [""]])(
    "the content type '%s'",
    async (type) => {
      const body = new TextEncoder().encode(JSON.stringify(wire.request("Say one")));
      const headers = type ? { "content-type": type } : {};
      const response = await server.fetch(wire.path, key, { method: "POST", headers, body });
      await expectError(response, { status: 400, code: "invalid_content_type" });
    },
  );
});

describe("a chat-only model on /responses", () => {
  test("is refused with the name of the other endpoint", async () => {
    const body = { ...RESPONSES.request("Say one"), model: "lantern-2.1" };
    const { message } = await readError(await server.post("/responses", key, body));
    expect(message).toContain("/v1/chat/completions");
    expect(message).toContain("lantern-2.1");
  });
});

describe.each(WIRES.map((wire) => [wire.path, wire] as const))(
  "a body over the limit, %s",
  (path, wire) => {
    const bodyOf = (bytes: number) => JSON.stringify(wire.request("x".repeat(bytes)));
    const headers = { "content-type": "application/json" };
    const expected: ExpectedError = { status: 413, code: "request_too_large" };

    test.each([1, 1.5, 3, 20])("declared, %d times as large", async (times) => {
      const body = bodyOf(BODY_BYTES_MAX * times);
      await expectError(await server.fetch(path, key, { method: "POST", headers, body }), expected);
    });

    test.each([1, 1.5, 3, 20])("of unknown length, %d times as large", async (times) => {
      const bytes = new TextEncoder().encode(bodyOf(BODY_BYTES_MAX * times));
      async function* chunks() {
        for (let at = 0; at < bytes.length; at += 4_096) {
          yield bytes.subarray(at, at + 4_096);
          await Bun.sleep(0);
        }
      }
      const body = chunks() as unknown as ReadableStream<Uint8Array>;
      await expectError(await server.fetch(path, key, { method: "POST", headers, body }), expected);
    });

    test("is not looked at before the key", async () => {
      const body = bodyOf(BODY_BYTES_MAX * 1.5);
      const response = await server.fetch(path, "sk-unknown", { method: "POST", headers, body });
      await expectError(response, { status: 401, code: "invalid_api_key" });
    });

    test("is not waited for", async () => {
      // Only the head is sent: whoever waited for the declared body would wait for ever.
      const client = await RawClient.connect(server.url);
      const head = [
        `POST /v1${path} HTTP/1.1`,
        "host: 127.0.0.1",
        `authorization: Bearer ${key}`,
        "content-type: application/json",
        `content-length: ${BODY_BYTES_MAX + 1}`,
      ];
      client.send(`${head.join("\r\n")}\r\n\r\n{`);
      await eventually("the refusal is there", () => client.text.includes("request_too_large"));
      expect(client.text).toStartWith("HTTP/1.1 413");
      client.leave();
    });
  },
);

describe("an address that is not served", () => {
  test.each([
    ["GET", "/nothing"],
    ["POST", "/nothing"],
    ["GET", "/responses/a/b/c"],
    ["DELETE", "/"],
  ])("%s /v1%s is unknown", async (method, path) => {
    const response = await server.fetch(path, key, { method });
    await expectError(response, { status: 404, code: "unknown_url" });
  });

  const root = server.url.replace(/\/v1$/, "");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const send = (path: string, body?: JsonObject) =>
    fetch(root + path, {
      method: body ? "POST" : "GET",
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });

  test.each([
    [
      "/responses",
      RESPONSES.request("Say one"),
      "Add '/v1' to the base URL: the path is /v1/responses.",
    ],
    ["//chat/completions/", CHAT.request("Say one"), "the path is /v1/chat/completions."],
    ["/models", undefined, "Add '/v1' to the base URL: the path is /v1/models."],
    ["/models/sandbox-1.0", undefined, "the path is /v1/models/sandbox-1.0."],
    ["/v1/v1/responses", RESPONSES.request("Say one"), "Leave one '/v1' out of the base URL"],
    ["/messages", { model: MODEL }, "Add '/v1' to the base URL: the path is /v1/messages."],
  ])("%s is unknown, and the answer says what is missing", async (path, body, hint) => {
    const response = await send(path, body);
    expect(response.status).toBe(404);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toContain(hint);
  });

  test.each([
    ["/v1//responses", RESPONSES.request("Say one")],
    ["/v1/responses/", RESPONSES.request("Say one")],
    ["//v1/chat//completions//", CHAT.request("Say one")],
    ["/v1/models/", undefined],
    ["/v1//models/sandbox-1.0/", undefined],
  ])("%s is taken as it was meant", async (path, body) => {
    const { key: other } = await server.account("1");
    headers.authorization = `Bearer ${other}`;
    const response = await send(path, body);
    headers.authorization = `Bearer ${key}`;
    expect([response.status, response.headers.has("x-request-id")]).toEqual([200, true]);
  });

  test("a slash too many does not change what may be done there", async () => {
    const response = await fetch(`${root}/v1//models/`, { method: "DELETE", headers });
    await expectError(response, { status: 404, code: "unknown_url" });
    await expectError(await fetch(`${root}/v1//models/`), { status: 401, code: "invalid_api_key" });
  });

  test("outside the version prefix is unknown too", async () => {
    const response = await fetch(server.url.replace(/\/v1$/, "/v2/models"));
    await expectError(response, { status: 404, code: "unknown_url" });
  });

  test.each([
    ["GET", "/responses", "POST"],
    ["PUT", "/chat/completions", "POST"],
    ["DELETE", "/models", "GET"],
    ["POST", "/models/sandbox-1.0", "GET"],
    ["POST", "/key", "GET"],
    ["PATCH", "/responses/resp_1", "GET, DELETE"],
    ["OPTIONS", "/drafts/themes", "GET"],
  ])("%s /v1%s has another method", async (method, path, allow) => {
    const response = await server.fetch(path, key, { method });
    expect(response.headers.get("allow")).toBe(allow);
    await expectError(response, { status: 405, code: "method_not_allowed" });
  });
});

describe("a key that is not good", () => {
  const secrets: Record<string, string> = {};
  beforeAll(async () => {
    const disabled = await server.account("1");
    const expired = await server.account("1");
    const over = { expiresAtMs: 1 };
    await server.within(({ store }) => store.accounts.updateKey(expired.keyId, over));
    await server.command("key", "disable", disabled.keyId);
    secrets.disabled = disabled.key;
    secrets.expired = expired.key;
    secrets.good = key;
    secrets.mistyped = `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`;
    secrets.foreign = `sk-proj-${"x".repeat(40)}`;
  });

  test.each([
    ["is missing", "", /missing/i],
    ["has no word in front", "{good}", /Bearer/],
    ["has another word in front", "Basic {good}", /Bearer/],
    ["has the word in small letters", "bearer {good}", /Bearer/],
    ["has two spaces in front", "Bearer  {good}", /without spaces/],
    ["is given twice", "Bearer {good}, Bearer {good}", /one key/],
    ["has a space inside", "Bearer {good} {good}", /without spaces/],
    ["is only the word", "Bearer", /Bearer/],
    ["is mistyped", "Bearer {mistyped}", /mistyped/],
    ["is a vendor's", "Bearer {foreign}", /not one of a model vendor/],
    ["is disabled", "Bearer {disabled}", /disabled/],
    ["has expired", "Bearer {expired}", /expired/],
  ])("%s", async (_words, form, message) => {
    const value = form.replace(/\{(\w+)\}/g, (_all, name) => secrets[name] ?? "");
    const expected = { status: 401, code: "invalid_api_key", message };
    for (const [method, path] of [
      ["POST", "/responses"],
      ["POST", "/chat/completions"],
      ["GET", "/models"],
      ["GET", "/key"],
      ["GET", "/generation?id=x"],
    ] as const) {
      const headers = new Headers({ "content-type": "application/json" });
      if (value) headers.set("authorization", value);
      const body = method === "POST" ? JSON.stringify(RESPONSES.request("Say one")) : null;
      const response = await fetch(server.url + path, { method, headers, body });
      const text = JSON.stringify(await expectError(response, expected));
      for (const secret of Object.values(secrets)) {
        expect(text).not.toContain(secret.slice("sk-fg-".length));
      }
    }
  });

  test("comes in two headers", async () => {
    const client = await RawClient.connect(server.url);
    const line = `authorization: Bearer ${key}\r\n`;
    client.send(`GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1\r\n${line}${line}\r\n`);
    await eventually("the refusal is there", () => client.text.includes("}}"));
    expect(client.text).toStartWith("HTTP/1.1 401");
    expect(client.text).toContain('"code":"invalid_api_key"');
    expect(client.text).not.toContain(key);
    client.leave();
  });
});

describe("what nobody knows is accepted", () => {
  test.each([
    [RESPONSES, { client_metadata: { a: "b" }, tools: [{ type: "acme_tool", x: 1 }] }],
    [RESPONSES, { tools: [], include: [], text: {}, tool_choice: "auto" }],
    [RESPONSES, { stream: true, stream_options: { reasoning_summary_delivery: "x" } }],
    [RESPONSES, { temperature: null, stream_options: null, truncation: null, include: null }],
    [CHAT, { acme: { deep: [1] }, tools: [{ type: "acme_tool" }] }],
    [CHAT, { tools: [], temperature: 2, top_p: 0 }],
  ])("%#", async (wire, more) => {
    const other = await server.account("1");
    const response = await server.post(wire.path, other.key, wire.request("Say one", more));
    expect(response.status).toBe(200);
  });

  test("and so is a charset behind the content type", async () => {
    const other = await server.account("1");
    const headers = { "content-type": "Application/JSON; charset=utf-8" };
    const body = JSON.stringify(CHAT.request("Say one"));
    const response = await server.fetch(CHAT.path, other.key, { method: "POST", headers, body });
    expect(response.status).toBe(200);
  });
});

describe("a vendor that fails before its first byte", () => {
  test.each(
    WIRES.flatMap((wire) =>
      ["http_500", "http_429", "reset", "cut_after=0"].flatMap((fault) =>
        [false, true].map((stream) => ({ wire, fault, stream })),
      ),
    ),
  )("$fault on $wire.path, stream $stream, is a 503", async ({ wire, fault, stream }) => {
    const headers = { "x-sandbox-fault": fault };
    const body = wire.request("Say one", { stream });
    const response = await server.post(wire.path, key, body, headers);
    expect(response.headers.get("x-should-retry")).toBe("true");
    await expectError(response, {
      status: 503,
      type: "service_unavailable_error",
      code: "upstream_unavailable",
    });
  });
});

describe("a key over its budget", () => {
  test("is refused where it could spend, and may still look", async () => {
    const args = ["--budget", "0.000000001", "--account-read", "yes"];
    const spent = await server.account("1", ...args);
    const first = await server.post("/responses", spent.key, RESPONSES.request("Say one"));
    expect(first.status).toBe(200);
    const id = first.headers.get("x-request-id") ?? "";
    const expected = { status: 400, type: "budget_exceeded", code: "400" };
    for (const wire of WIRES) {
      for (const stream of [false, true]) {
        const body = wire.request("Say one", { stream });
        await expectError(await server.post(wire.path, spent.key, body), expected);
      }
    }
    await expectError(await server.fetch("/models", spent.key), expected);
    await expectError(await server.fetch(`/models/${MODEL}`, spent.key), expected);
    for (const path of ["/key", "/credits", `/generation?id=${id}`]) {
      expect((await server.fetch(path, spent.key)).status).toBe(200);
    }
    const { used } = await keyFacts(server, spent.key);
    const receipt = await server.fetch(`/generation?id=${id}`, spent.key);
    expect(((await receipt.json()) as JsonObject).cost).toBe(used);
  });
});

describe("a key of an account without a balance", () => {
  test("is refused where it could spend and where clients look whether it works", async () => {
    const empty = await server.account("0");
    const expected = { status: 400, type: "budget_exceeded", code: "400", param: null };
    const body = RESPONSES.request("Say one");
    const spending = await server.post("/responses", empty.key, body);
    const { message } = await expectError(spending, expected);
    for (const path of ["/models", `/models/${MODEL}`]) {
      const looking = await server.fetch(path, empty.key);
      expect((await expectError(looking, expected)).message).toBe(message);
      expect(looking.headers.get("x-faregate-scope")).toBe("balance");
    }
  });
});

// Stands last: it looks back on everything above.
describe("after all of these mistakes", () => {
  test("nothing is charged and nothing is held", async () => {
    await expectUntouched(server, key);
    await expectRightBooks(server);
    const usage = await server.command<{ cost: string; requests: number }>("usage", "--key", keyId);
    expect(usage.cost).toBe("0.0");
    expect(usage.requests).toBeGreaterThan(100);
  });

  test("and the key works", async () => {
    expect((await server.post("/responses", key, RESPONSES.request("Say one"))).status).toBe(200);
  });
});
