// `faregate doctor --live`, against the sandbox and against vendors over HTTP that answer as told.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { OperatorRows } from "../../src/installation/tables/operator.ts";
import { createVault } from "../../src/lib/secrets/vault.ts";
import { writeChannel } from "../../src/upstream/channels/stored-channels.ts";
import { ENGINES } from "../store/engines.ts";
import { partsOfTest, perSuite } from "../support/houses/house.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { handwrittenChat } from "../translation/handwritten-chat.ts";
import { handwrittenGemini } from "../translation/handwritten-gemini.ts";
import { handwrittenMessages } from "../translation/handwritten-messages.ts";
import { handwrittenResponses } from "../translation/handwritten-responses.ts";
import { PLAYS } from "../translation/scenes.ts";
import { faregate, typed } from "./commands.ts";

const KEY = "sk-live-0000-aaaa";
const CALLS = ["whole", "stream", "tool"];

interface Report {
  readonly ok: boolean;
  readonly findings: readonly {
    readonly check: string;
    readonly state: string;
    readonly code: string;
    readonly message: string;
    readonly values: Readonly<Record<string, string>>;
  }[];
}

/** One call as a vendor gets it. */
interface Asked {
  readonly path: string;
  readonly call: "models" | "whole" | "stream" | "tool";
  readonly key: string | null;
  readonly body: JsonObject;
}

type Reply = string | JsonObject | Response | Promise<Response>;
/** Answers a call in another way than the documents; undefined leaves it as it is. */
type Change = (asked: Asked, documented: Reply) => Reply | undefined;

const parts = partsOfTest();

const EMBEDDING = {
  object: "list",
  data: [{ object: "embedding", index: 0, embedding: [0.5, 0.25] }],
  model: "vendor-embedding-2026-11-01",
  usage: { prompt_tokens: 1, total_tokens: 1 },
};

function scriptFor(path: string) {
  if (path.includes("/responses")) return handwrittenResponses;
  if (path.includes("/messages")) return handwrittenMessages;
  return path.includes(":") ? handwrittenGemini : handwrittenChat;
}

function documented({ path, call }: Asked): Reply {
  if (call === "models") {
    return path.startsWith("/v1beta")
      ? { models: [{ name: "models/m" }] }
      : { data: [{ id: "m" }] };
  }
  if (path.includes("/embeddings")) return EMBEDDING;
  const script = scriptFor(path);
  if (call === "stream") return script.events(PLAYS.text).join("");
  return script.whole(call === "tool" ? PLAYS.tool : PLAYS.text);
}

/** A vendor of all wires that answers as the documents say, but for what a test changes. */
function vendor(change: Change = () => undefined) {
  const asked: Asked[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname: path } = new URL(request.url);
      const body = request.method === "GET" ? {} : ((await request.json()) as JsonObject);
      const isStream = body.stream === true || path.includes(":stream");
      const named = isStream ? "stream" : body.tools ? "tool" : "whole";
      const call = request.method === "GET" ? "models" : named;
      const one: Asked = { path, body, call, key: request.headers.get("authorization") };
      asked.push(one);
      const answer = change(one, documented(one)) ?? documented(one);
      if (answer instanceof Response || answer instanceof Promise) return answer;
      if (typeof answer === "object") return Response.json(answer);
      return new Response(answer, { headers: { "content-type": "text/event-stream" } });
    },
  });
  parts.defer(() => server.stop(true));
  return { asked, origin: `http://127.0.0.1:${server.port}` };
}

function settings(): Record<string, string> {
  return { FAREGATE_DATA: parts.folder(), FAREGATE_PORT: "0" };
}

const MODEL = {
  id: "campus-7.1",
  owned_by: "campus",
  context: 32_768,
  max_output: 8_192,
  price: { input: "0.05", output: "0.20" },
};

/** The settings of channels in `faregate.yaml`, one for each protocol. */
function inFile(protocols: Readonly<Record<string, string>>): Record<string, string> {
  const FAREGATE_CONFIG = join(parts.folder(), "faregate.yaml");
  const channels = Object.entries(protocols).map(([protocol, base_url]) => ({
    ...{ id: `by-${protocol}`, vendor: "custom", base_url, protocols: [protocol] },
    ...{ keys: [KEY], models: [MODEL.id] },
  }));
  writeFileSync(FAREGATE_CONFIG, JSON.stringify({ channels, models: [MODEL] }));
  return { ...settings(), FAREGATE_CONFIG };
}

function chatAt(origin: string): Record<string, string> {
  return inFile({ chat: `${origin}/v1` });
}

async function live(env: Record<string, string>) {
  const { stdout, stderr, code } = await typed(["doctor", "--live", "--json"], env);
  const told = JSON.parse(stdout) as Report;
  expect(code).toBe(told.ok ? 0 : 1);
  expect(stdout + stderr).not.toContain(KEY);
  const findings = told.findings.filter(({ check }) => check === "live");
  for (const { message } of findings) expect(message).not.toMatch(/[{}]/);
  const rows = findings.map(({ state, code: name, values }) => [
    ...[state, name, values.channel, values.wire, values.call],
  ]);
  const isUnsent = ([, name]: readonly unknown[]) => name === "live_unsent";
  return {
    ...{ told, stderr, findings },
    /** The calls that were made, and the wires without one. */
    rows: rows.filter((row) => !isUnsent(row)),
    unsent: rows.filter(isUnsent),
  };
}

/** The findings that are not well. */
async function troubles(env: Record<string, string>) {
  const { findings } = await live(env);
  return findings
    .filter(({ state }) => state !== "ok")
    .map(({ state, code, values }) => [
      ...[state, code, values.call, values.members ?? values.reason],
    ]);
}

function lines(channel: string, wire: string, calls: readonly string[]) {
  return calls.map((call) => ["ok", "live_same", channel, wire, call]);
}

describe("faregate doctor --live", () => {
  test("calls the sandbox where there is no vendor, and says that nothing is billed", async () => {
    const { rows, stderr } = await live(settings());
    expect(rows).toEqual([
      ...lines("sandbox", "responses", CALLS),
      ...lines("sandbox", "chat", CALLS),
      ...lines("sandbox", "embeddings", ["whole"]),
    ]);
    expect(stderr).toBe("");
  });

  test("calls each wire of the channels of faregate.yaml, once for each call", async () => {
    const { asked, origin } = vendor();
    const { rows, stderr } = await live(
      inFile({
        chat: `${origin}/v1`,
        responses: `${origin}/v1`,
        messages: `${origin}/v1`,
        gemini: `${origin}/v1beta`,
      }),
    );
    const wires = ["chat", "responses", "messages", "gemini"];
    const expected = wires.flatMap((wire) => lines(`by-${wire}`, wire, ["models", ...CALLS]));
    expect(rows).toEqual(expected);
    expect(stderr).toContain("--live now sends 12 short requests to vendors, which bill them");
    expect(stderr).toContain("by-chat, by-responses, by-messages, by-gemini");
    const billed = asked.filter(({ call }) => call !== "models");
    expect(billed).toHaveLength(12);
    for (const { body } of billed) expect(JSON.stringify(body)).toMatch(/:512\b/);
  });

  test("makes no such call without --live", async () => {
    const { asked, origin } = vendor();
    const { stderr } = await typed(["doctor", "--json"], chatAt(origin));
    expect(asked.map(({ call }) => call)).toEqual(["models"]);
    expect(stderr).toBe("");
  });

  test("calls channels of the environment, with their first key only", async () => {
    const { asked, origin } = vendor();
    const env = {
      ...settings(),
      OPENAI_API_KEY: `${KEY},sk-other-0000-bbbb`,
      OPENAI_BASE_URL: `${origin}/v1`,
    };
    const { rows } = await live(env);
    expect(rows).toEqual(
      expect.arrayContaining([
        ...lines("openai", "responses", ["models", ...CALLS]),
        ...lines("openai", "chat", CALLS),
      ]),
    );
    const billed = asked.filter(({ call }) => call !== "models");
    expect(new Set(billed.map(({ key }) => key))).toEqual(new Set([`Bearer ${KEY}`]));
  });

  test("names members that are lacking, of another type, or unknown", async () => {
    const { origin } = vendor(({ call }, answer) => {
      if (call !== "whole") return undefined;
      const { usage: _usage, ...rest } = answer as JsonObject;
      return { ...rest, created: "today", bonus: { points: 1 } };
    });
    expect(await troubles(chatAt(origin))).toEqual([
      ["problem", "live_lacks", "whole", "usage"],
      ["problem", "live_other", "whole", "created (string)"],
      ["warning", "live_more", "whole", "bonus"],
    ]);
  });

  test("warns of events that nobody knows, and ends with 0 then", async () => {
    const { origin } = vendor(({ call }, answer) =>
      call === "stream"
        ? `data: {"type":"response.advert","text":"Buy now."}\n\n${answer}`
        : undefined,
    );
    const env = inFile({ responses: `${origin}/v1` });
    expect(await troubles(env)).toEqual([["warning", "live_more", "stream", "[response.advert]"]]);
    expect((await live(env)).told.ok).toBe(true);
  });

  test("tells a model that answers with words where it was to call a tool", async () => {
    const { origin } = vendor(({ call }) =>
      call === "tool" ? handwrittenChat.whole(PLAYS.text) : undefined,
    );
    expect(await troubles(chatAt(origin))).toEqual([
      ["problem", "live_lacks", "tool", "choices[].message.tool_calls"],
    ]);
  });

  test("tells errors, also those inside a 200, and goes on", async () => {
    const { origin, asked } = vendor(({ call }) => {
      if (call === "whole") return Response.json(handwrittenChat.outage, { status: 500 });
      return call === "stream" ? handwrittenChat.cutEvents(PLAYS.text).join("") : undefined;
    });
    const told = await troubles(chatAt(origin));
    expect(told[0]).toEqual(["problem", "live_fails", "whole", "500 It broke."]);
    expect(told[1]).toEqual([
      "problem",
      "live_fails",
      "stream",
      expect.stringContaining("It broke."),
    ]);
    expect(asked.at(-1)?.call).toBe("tool");
  });

  test("shows a vendor's words on one line, whatever they hold", async () => {
    const message = "It broke.\n\u001b[2Jok  live  all is well";
    const { origin } = vendor(({ call }) => {
      if (call === "whole") return Response.json({ error: { message } }, { status: 500 });
      return call === "stream" ? `data: {"\\u001b[2J${KEY}":1}\n\n` : undefined;
    });
    const { findings } = await live(chatAt(origin));
    for (const { message: told } of findings) expect(told).not.toMatch(/\p{Cc}/u);
    expect(findings.map((each) => each.message).join()).toContain("It broke. [2Jok");
  });

  test("says where no model is served", async () => {
    const { asked, origin } = vendor();
    const endpoints = ["embeddings"];
    const FAREGATE_CONFIG = join(parts.folder(), "faregate.yaml");
    const model = { ...MODEL, endpoints };
    const channel = { id: "none", vendor: "custom", base_url: `${origin}/v1`, models: [model.id] };
    writeFileSync(FAREGATE_CONFIG, JSON.stringify({ channels: [channel], models: [model] }));
    const { rows, unsent } = await live({ ...settings(), FAREGATE_CONFIG });
    expect(unsent).toEqual([["ok", "live_unsent", "none", "chat", undefined]]);
    expect(rows).toEqual([
      ...lines("none", "chat", ["models"]),
      ...lines("none", "embeddings", ["whole"]),
    ]);
    const billed = asked.filter(({ call }) => call !== "models");
    expect(billed.map(({ path }) => path)).toEqual(["/v1/embeddings"]);
  });

  test("tells what is no JSON", async () => {
    const { origin } = vendor(({ call }) =>
      call === "whole" ? new Response("<html>hello</html>") : undefined,
    );
    const [[state, code, call] = []] = await troubles(chatAt(origin));
    expect([state, code, call]).toEqual(["problem", "live_fails", "whole"]);
  });

  test("gives each call a deadline, and makes no further one of a vendor that is silent", async () => {
    const { origin, asked } = vendor(({ call }) =>
      call === "whole" ? new Promise<Response>(() => {}) : undefined,
    );
    const env = { ...chatAt(origin), FAREGATE_UPSTREAM_ANSWER_MS: "300" };
    const told = await troubles(env);
    expect(told).toEqual([["problem", "live_fails", "whole", expect.stringMatching(/tim|300/i)]]);
    expect(asked.at(-1)?.call).toBe("whole");
  });

  test("ends a stream that stops without an end", async () => {
    const { origin } = vendor(({ call }) => {
      if (call !== "stream") return undefined;
      const [first = ""] = handwrittenChat.events(PLAYS.text);
      const start = (to: ReadableStreamDefaultController) => to.enqueue(Buffer.from(first));
      return new Response(new ReadableStream({ start }));
    });
    const env = { ...chatAt(origin), FAREGATE_UPSTREAM_ANSWER_MS: "300" };
    const [[state, code, call] = []] = await troubles(env);
    expect([state, code, call]).toEqual(["problem", "live_fails", "stream"]);
  });

  test("sends nothing more with a key that is refused, and never shows it", async () => {
    const refuse = () =>
      Response.json({ error: { message: `Incorrect API key: ${KEY}` } }, { status: 401 });
    const { origin, asked } = vendor(({ call }) => (call === "models" ? undefined : refuse()));
    const told = await troubles(chatAt(origin));
    expect(told).toEqual([
      ["problem", "live_fails", "whole", expect.stringContaining("401 Incorrect API key: ")],
    ]);
    // The first list is the doctor's own check of the key.
    expect(asked.map(({ call }) => call)).toEqual(["models", "models", "whole"]);
    const all = vendor(refuse);
    expect((await troubles(chatAt(all.origin))).map(([, , call]) => call)).toEqual(["models"]);
    expect(all.asked.map(({ call }) => call)).toEqual(["models", "models"]);
  });

  test("asks the models of a server that lists them", async () => {
    const { origin } = vendor(({ call }) =>
      call === "models" ? { data: [{ id: MODEL.id }] } : undefined,
    );
    const FAREGATE_CONFIG = join(parts.folder(), "faregate.yaml");
    writeFileSync(FAREGATE_CONFIG, JSON.stringify({ models: [MODEL] }));
    const { rows } = await live({ ...settings(), FAREGATE_CONFIG, OLLAMA_BASE_URL: origin });
    expect(rows).toEqual(lines("ollama", "chat", ["models", ...CALLS]));
  });

  test("lets the process end, and says in Chinese what it does", async () => {
    const { origin } = vendor();
    const env = { ...chatAt(origin), FAREGATE_LANG: "zh" };
    const { code, stdout, stderr } = await faregate(["doctor", "--live"], env);
    expect(code).toBe(0);
    expect(stderr).toContain("--live 现在向供应商发送 3 个简短请求");
    expect(stdout).toContain("by-chat，chat，tool（campus-7.1）：与文档一致");
  });
});

describe.each(ENGINES)("faregate doctor --live on $name", (engine) => {
  const site = perSuite(async (suite) => {
    const made = await engine.site(suite);
    await (await made.open()).close();
    return made;
  });

  test("calls channels of the console", async () => {
    const { origin } = vendor();
    const FAREGATE_SECRET = "the secret that this database was sealed with";
    const words = {
      ...{ id: "entered", vendor: "custom", base_url: `${origin}/v1`, protocols: ["chat"] },
      ...{ keys: [KEY], models: [MODEL.id] },
    };
    const { parts: written } = writeChannel(words, createVault(FAREGATE_SECRET));
    const times = { revivedAtMs: 0, createdAtMs: 1, changedAtMs: 1 };
    const store = await site.open();
    await new OperatorRows(store.sql).addChannel({ id: "entered", ...written, ...times });
    await store.close();
    const { rows } = await live({ ...inFile({}), ...site.settings, FAREGATE_SECRET });
    expect(rows).toEqual(lines("entered", "chat", ["models", ...CALLS]));
  });
});
