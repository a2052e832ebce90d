// What vendors' clients know and this gateway has not: one clear refusal each, in the client's words.
import { describe, expect, test } from "bun:test";
import type { FaceName } from "../../src/gateway/faces.ts";
import { UNOFFERED } from "../../src/gateway/routes/unoffered.ts";
import { UNOFFERED_FIELDS } from "../../src/protocols/unoffered-fields.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { type JsonObject, MODEL } from "../support/samples/wires.ts";

const { key, root } = await perFile(async (parts) => {
  const { server } = await serve(parts, { books: true });
  const { key } = await server.account("10", "--rpm", "0");
  return { key, root: server.url.replace(/\/v1$/, "") };
});

/** How each kind of client presents itself. */
const CLIENTS: Readonly<Record<FaceName, Readonly<Record<string, string>>>> = {
  openai: { authorization: `Bearer ${key}` },
  messages: { "x-api-key": key, "anthropic-version": "2023-06-01" },
  gemini: { "x-goog-api-key": key },
};

interface Refused {
  readonly message: string;
  /** What the face tells beside it. */
  readonly rest: JsonObject;
}

const SHAPES: Readonly<Record<FaceName, (body: JsonObject) => Refused>> = {
  openai(body) {
    const { message, ...rest } = body.error as JsonObject;
    expect(Object.keys(body)).toEqual(["error"]);
    return { message: String(message), rest };
  },
  messages(body) {
    const { message, ...rest } = body.error as JsonObject;
    expect(body).toMatchObject({ type: "error", request_id: expect.stringMatching(/^req_/) });
    return { message: String(message), rest };
  },
  gemini(body) {
    const { message, ...rest } = body.error as JsonObject;
    expect(Object.keys(body)).toEqual(["error"]);
    return { message: String(message), rest };
  },
};

/** What a path that is not offered is told beside its sentence. */
const NOT_THERE: Readonly<Record<FaceName, JsonObject>> = {
  openai: { type: "invalid_request_error", code: "not_offered", param: null },
  messages: { type: "not_found_error" },
  gemini: { code: 404, status: "NOT_FOUND" },
};

async function ask(face: FaceName, method: string, path: string, body?: unknown) {
  const headers = { "content-type": "application/json", ...CLIENTS[face] };
  const text = body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(root + path, { method, headers, body: text });
  return { status: answer.status, ...SHAPES[face]((await answer.json()) as JsonObject) };
}

describe("a path that is not offered", () => {
  test.each(UNOFFERED.map((row) => [row.face, row.path, row] as const))(
    "says so to a client of %s: %s",
    async (face, path, { says }) => {
      const there = path.replaceAll("{id}", "some-id");
      // A method of a model is asked for by POST alone; all else may be listed and read, and has parts.
      const calls = there.includes(":")
        ? [["POST", there]]
        : ["POST", "GET"].flatMap((method) => [
            [method, there],
            [method, `${there}/x`],
            [method, `${there}/x/y`],
          ]);
      for (const [method = "", at = ""] of calls) {
        const told = await ask(face, method, at, method === "POST" ? {} : undefined);
        const expected = { status: 404, message: says, rest: NOT_THERE[face] };
        expect([method, at, told]).toEqual([method, at, expected]);
      }
    },
  );

  test("says so with a slash too many, as Google's client writes it", async () => {
    const path = "ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent";
    const { message } = await ask("gemini", "GET", `//${path}`);
    expect(message).toBe("Live sessions are not offered; use :streamGenerateContent.");
  });

  test.each(["openai", "messages", "gemini"] as const)(
    "of another gateway says so to a client of %s in its shape",
    async (face) => {
      const { message, rest } = await ask(face, "GET", "/health");
      expect([message.includes("/healthz"), rest]).toEqual([true, NOT_THERE[face]]);
    },
  );

  test.each(["/v1/chat/completions", "/v1/embeddings", "/v1/messages"])(
    "by GET alone says what to do instead: %s",
    async (path) => {
      const face = path === "/v1/messages" ? "messages" : "openai";
      const { status, message } = await ask(face, "GET", path);
      const help = "use POST with a JSON body. A browser's address bar sends GET.";
      expect([status, message]).toEqual([405, `Method GET is not allowed on ${path}; ${help}`]);
    },
  );

  test("hides nothing that is offered", async () => {
    const offered = ["/v1/models", `/v1/models/${MODEL}`, "/v1/key"];
    for (const path of offered) {
      const answer = await fetch(root + path, { headers: CLIENTS.openai });
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });
});

const MESSAGES = [{ role: "user", content: "Hi." }];
const CONTENTS = [{ role: "user", parts: [{ text: "Hi." }] }];
const FILE_PART = { fileData: { fileUri: "files/f", mimeType: "text/plain" } };
const FILE_BLOCK = { type: "document", source: { type: "file", file_id: "f" } };
const GENERATE = `/v1beta/models/${MODEL}:generateContent`;

const INPUT = "Hi.";
const RESPONSES = "/v1/responses";
const CHAT = "/v1/chat/completions";

/** Where bodies of each wire go, and a good one. */
const BODIES: Readonly<Record<string, readonly [FaceName, string, JsonObject]>> = {
  responses: ["openai", RESPONSES, { model: MODEL, input: INPUT }],
  chat: ["openai", CHAT, { model: MODEL, messages: MESSAGES }],
  embeddings: ["openai", "/v1/embeddings", { model: "sandbox-embedding-1.0", input: INPUT }],
  messages: ["messages", "/v1/messages", { model: MODEL, max_tokens: 50, messages: MESSAGES }],
  gemini: ["gemini", GENERATE, { contents: CONTENTS }],
};

/** What clients send to ask for it. */
const ASKED: Readonly<Record<string, unknown>> = {
  background: true,
  conversation: "conv_1",
  previous_response_id: "resp_1",
  prompt: { id: "pmpt_1" },
  container: "c",
  mcp_servers: [{ type: "url", url: "https://a.example", name: "a" }],
  thread: { type: "create" },
  inference_geo: "us",
  cachedContent: "cachedContents/c",
};

const ROWS = UNOFFERED_FIELDS.flatMap(({ wires, name, says }) =>
  wires.map((wire) => [name, wire, says] as const),
);

describe("a field that asks for what is not offered", () => {
  test.each(ROWS)("says so: %s on the wire %s", async (name, wire, says) => {
    const [face, path, body] = BODIES[wire] as (typeof BODIES)[string];
    const told = await ask(face, "POST", path, { ...body, [name]: ASKED[name] });
    expect([told.status, told.message]).toEqual([400, says]);
    if (face === "openai") {
      expect(told.rest).toMatchObject({ code: "unsupported_parameter", param: name });
    }
  });

  test.each(ROWS)("asks for nothing by null or false: %s on the wire %s", async (name, wire) => {
    const [face, path, body] = BODIES[wire] as (typeof BODIES)[string];
    for (const value of [null, ...(name === "background" ? [false] : [])]) {
      const headers = { "content-type": "application/json", ...CLIENTS[face] };
      const text = JSON.stringify({ ...body, [name]: value });
      const answer = await fetch(root + path, { method: "POST", headers, body: text });
      expect([value, answer.status]).toEqual([value, 200]);
    }
  });

  test.each(["/v1/responses/compact", "/v1/responses/input_tokens", "/v1/estimate"])(
    "says so on %s too",
    async (path) => {
      for (const name of ["background", "conversation", "prompt"]) {
        const body = { model: MODEL, input: INPUT, [name]: ASKED[name] };
        const told = await ask("openai", "POST", path, body);
        expect([told.status, told.rest.param]).toEqual([400, name]);
      }
    },
  );
});

/** What stands inside of what is said, or of other settings: path, body, the words of the answer. */
const PARTS: readonly (readonly [FaceName, string, JsonObject, RegExp])[] = [
  [
    "openai",
    RESPONSES,
    { input: [{ role: "user", content: [{ type: "input_file", file_id: "f" }] }] },
    /Files/,
  ],
  ["openai", CHAT, { messages: MESSAGES, modalities: ["text", "audio"] }, /Only text/],
  [
    "openai",
    CHAT,
    {
      messages: [
        {
          role: "user",
          content: [{ type: "input_audio", input_audio: { data: "", format: "wav" } }],
        },
      ],
    },
    /Audio/,
  ],
  ["messages", "/v1/messages", { messages: [{ role: "user", content: [FILE_BLOCK] }] }, /Files/],
  [
    "gemini",
    GENERATE,
    { contents: CONTENTS, generationConfig: { responseModalities: ["AUDIO"] } },
    /Only text/,
  ],
  ["gemini", GENERATE, { contents: [{ role: "user", parts: [FILE_PART] }] }, /Files/],
];

describe("a part that asks for what is not offered", () => {
  test.each(PARTS)("says so to a client of %s on %s: %j", async (face, path, body, words) => {
    const model = face === "gemini" ? {} : { model: MODEL, max_tokens: 50 };
    const told = await ask(face, "POST", path, { ...model, ...body });
    expect([told.status, words.test(told.message)]).toEqual([400, true]);
  });
});
