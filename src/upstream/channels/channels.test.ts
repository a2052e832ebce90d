import { afterEach, describe, expect, test } from "bun:test";
import { readConfig } from "../../config/config.ts";
import { passedHeaders } from "../request-headers.ts";
import { waysOf } from "../transport/ways.ts";
import type { ChannelSettings } from "./channel-settings.ts";
import { type Channel, configuredChannels, openChannel, type UpstreamCall } from "./channels.ts";
import type { VendorKey } from "./credentials.ts";

const CALL: UpstreamCall = {
  endpoint: "chat",
  path: "/chat/completions",
  body: '{"model":"gpt-5.4"}',
  stream: false,
  requestId: "req_9",
  sandboxFault: "http_500",
};

const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

/** A vendor that keeps what it was asked. */
function vendor(answer: () => Response = () => Response.json({})) {
  const seen: { url: string; headers: Headers; body: string }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      seen.push({ url: request.url, headers: request.headers, body: await request.text() });
      return answer();
    },
  });
  servers.push(server);
  return { seen, origin: `http://127.0.0.1:${server.port}` };
}

const DIRECT = waysOf(readConfig({}));

function channels(env: Record<string, string>, described: ChannelSettings[] = []) {
  return configuredChannels(readConfig(env), described);
}

function only(all: readonly Channel[]): Channel {
  const [channel, ...others] = all;
  if (!channel || others.length > 0) throw new Error(`${all.length} channels`);
  return channel;
}

function keyOf(channel: Channel): VendorKey {
  return channel.keys[0] as VendorKey;
}

function described(settings: Partial<ChannelSettings>): ChannelSettings {
  return {
    id: "mine",
    vendor: "custom",
    name: "Mine",
    baseUrl: undefined,
    keys: ["k-1"],
    protocols: [],
    weight: 1,
    priority: 0,
    models: "vendor",
    enabled: true,
    onDisconnect: undefined,
    headers: {},
    ...settings,
  };
}

const { signal } = new AbortController();

describe("configuredChannels", () => {
  test.each([
    ["nothing is set", {}, ["sandbox"]],
    ["a vendor's key is set", { OPENAI_API_KEY: "sk-1" }, ["openai"]],
    ["both are wanted", { OPENAI_API_KEY: "sk-1", FAREGATE_SANDBOX: "on" }, ["openai", "sandbox"]],
    ["neither is wanted", { FAREGATE_SANDBOX: "off" }, []],
    ["the second name of a key is set", { GOOGLE_API_KEY: "AIza" }, ["google"]],
    ["a server's address is set", { OLLAMA_BASE_URL: "http://127.0.0.1:11434" }, ["ollama"]],
    ["a key stands without the address it needs", { AZURE_OPENAI_API_KEY: "k" }, ["sandbox"]],
    [
      "both are there",
      { AZURE_OPENAI_API_KEY: "k", AZURE_OPENAI_ENDPOINT: "https://x.openai.azure.com" },
      ["azure"],
    ],
  ])("when %s", (_name, env, ids) => {
    expect(channels(env as Record<string, string>).map(({ id }) => id)).toEqual(ids);
  });

  test("takes several keys of one variable, and shows none of them", () => {
    const channel = only(
      channels({ OPENAI_API_KEY: "sk-first-secret-1111,sk-second-secret-2222" }),
    );
    expect(channel.keys.map(({ lastFour }) => lastFour)).toEqual(["1111", "2222"]);
    const shown = `${JSON.stringify(channel)} ${Bun.inspect(channel)} ${String(channel.keys)}`;
    expect(shown).not.toContain("secret");
  });

  test("lets the file replace a channel of the environment, and the sandbox stay while it is off", () => {
    const env = { OPENAI_API_KEY: "sk-1" };
    const file = described({ id: "openai", vendor: "openai", weight: 7, keys: ["sk-2"] });
    expect(only(channels(env, [file])).weight).toBe(7);
    const off = channels({}, [{ ...file, enabled: false }]);
    expect(off.map(({ id, enabled }) => [id, enabled])).toEqual([
      ["openai", false],
      ["sandbox", true],
    ]);
  });
});

describe.each(["auto", "fetch"])("a vendor's channel by %s", (FAREGATE_TRANSPORT) => {
  const channels = (env: Record<string, string>) =>
    configuredChannels(readConfig({ ...env, FAREGATE_TRANSPORT }));
  const DIRECT = waysOf(readConfig({ FAREGATE_TRANSPORT }));

  test("sends the credential, the body, and no header of the client's", async () => {
    const { seen, origin } = vendor();
    const env = { OPENAI_API_KEY: "sk-secret", OPENAI_BASE_URL: `${origin}/v1/` };
    const channel = only(channels(env));
    const response = await channel.call(CALL, keyOf(channel)).answered;
    expect(response.status).toBe(200);
    const [call] = seen;
    expect(call?.url).toEndWith("/v1/chat/completions");
    expect(call?.body).toBe(CALL.body as string);
    expect(call?.headers.get("authorization")).toBe("Bearer sk-secret");
    expect(call?.headers.get("content-type")).toBe("application/json");
    expect(call?.headers.get("accept")).toBe("application/json");
    expect(call?.headers.get("accept-encoding")).toBe("identity");
    expect(call?.headers.get("x-client-request-id")).toBe("req_9");
    expect(call?.headers.has("x-sandbox-fault")).toBe(false);
  });

  test("follows no redirect, which would carry prompt and credential elsewhere", async () => {
    const elsewhere = vendor();
    const { origin } = vendor(() => Response.redirect(elsewhere.origin, 307));
    const channel = only(channels({ OPENAI_API_KEY: "sk-secret", OPENAI_BASE_URL: origin }));
    const response = await channel.call(CALL, keyOf(channel)).answered;
    expect(response.status).toBe(307);
    expect(elsewhere.seen).toEqual([]);
  });

  test.each([
    ["anthropic", "messages", "ANTHROPIC", "x-api-key", "/v1/x"],
    ["google", "gemini", "GEMINI", "x-goog-api-key", "/v1beta/x"],
  ] as const)(
    "of %p shows its key in its own header",
    async (_id, endpoint, name, header, path) => {
      const { seen, origin } = vendor();
      const env = { [`${name}_API_KEY`]: "the-key", [`${name}_BASE_URL`]: origin };
      const channel = only(channels(env));
      await channel.call({ ...CALL, endpoint, path: "/x", stream: true }, keyOf(channel)).answered;
      const [call] = seen;
      expect(call?.url).toBe(origin + path);
      expect(call?.headers.get(header)).toBe("the-key");
      expect(call?.headers.has("authorization")).toBe(false);
      expect(call?.headers.get("accept")).toBe("text/event-stream");
      const version = endpoint === "messages" ? "2023-06-01" : null;
      expect(call?.headers.get("anthropic-version")).toBe(version);
    },
  );

  test("of Azure stands behind the resource, with the key in `api-key`", async () => {
    const { seen, origin } = vendor();
    const env = { AZURE_OPENAI_API_KEY: "az-key", AZURE_OPENAI_ENDPOINT: `${origin}/` };
    const channel = only(channels(env));
    await channel.call({ ...CALL, endpoint: "responses", path: "/responses" }, keyOf(channel))
      .answered;
    expect(seen[0]?.url).toBe(`${origin}/openai/v1/responses`);
    expect(seen[0]?.headers.get("api-key")).toBe("az-key");
  });

  test("sends no key where there is none, and the operator's own headers", async () => {
    const { seen, origin } = vendor();
    const settings = described({ baseUrl: origin, keys: [], headers: { "x-team": "blue" } });
    const channel = openChannel(settings, DIRECT);
    await channel.call(CALL, keyOf(channel)).answered;
    expect(seen[0]?.headers.has("authorization")).toBe(false);
    expect(seen[0]?.headers.get("x-team")).toBe("blue");
  });

  test("lists its models with the same key", async () => {
    const { seen, origin } = vendor(() => Response.json({ data: [] }));
    const channel = openChannel(described({ baseUrl: `${origin}/v1` }), DIRECT);
    await channel.list?.(keyOf(channel), signal);
    expect(seen[0]?.url).toBe(`${origin}/v1/models`);
    expect(seen[0]?.headers.get("authorization")).toBe("Bearer k-1");
  });
});

describe("addresses", () => {
  const endpoints = (settings: Partial<ChannelSettings>) =>
    openChannel(described(settings), DIRECT).endpoints;

  test("of a vendor keep the row's order, the best to translate to first", () => {
    expect(endpoints({ vendor: "openai" })).toEqual(["responses", "chat", "embeddings"]);
    expect(endpoints({ vendor: "deepseek" })).toEqual(["chat", "messages"]);
    expect(endpoints({ vendor: "minimax" })).toEqual(["messages", "chat"]);
  });

  test("of the operator's replace what shares the main one and leave out the rest", () => {
    const baseUrl = "http://127.0.0.1:1/v1";
    expect(endpoints({ vendor: "openai", baseUrl })).toEqual(["responses", "chat", "embeddings"]);
    // Its key is for this place; it must not go to the vendor's other address.
    expect(endpoints({ vendor: "deepseek", baseUrl })).toEqual(["chat"]);
    expect(endpoints({ vendor: "minimax", baseUrl })).toEqual(["chat"]);
  });

  test("of a custom vendor are all the one that it is given", () => {
    const baseUrl = "http://127.0.0.1:1/v1";
    expect(endpoints({ baseUrl })).toEqual(["chat", "embeddings"]);
    expect(endpoints({ baseUrl, protocols: ["messages"] })).toEqual(["messages"]);
    expect(openChannel(described({}), DIRECT).enabled).toBe(false);
  });

  test("of a local server may have its path or leave it out", async () => {
    const { seen, origin } = vendor();
    for (const baseUrl of [origin, `${origin}/v1`]) {
      const channel = openChannel(described({ vendor: "ollama", baseUrl, keys: [] }), DIRECT);
      await channel.call(CALL, keyOf(channel)).answered;
    }
    expect(seen.map(({ url }) => url)).toEqual(Array(2).fill(`${origin}/v1/chat/completions`));
  });
});

describe("the client's headers", () => {
  const betas = "interleaved-thinking-2025-05-14, fast-mode-2026-02-01,context-1m-2025-08-07";
  const client = new Headers({
    "anthropic-beta": betas,
    cookie: "c",
    "x-forwarded-for": "1.2.3.4",
  });

  test("pass by list, and only those trials that change no price", () => {
    expect(passedHeaders("messages", client)).toEqual({
      "anthropic-beta": "interleaved-thinking-2025-05-14",
    });
    expect(passedHeaders("chat", client)).toBeUndefined();
    expect(passedHeaders("messages", new Headers())).toBeUndefined();
  });
});

describe("the embedded vendor's channel", () => {
  test("plays the fault it is asked for", async () => {
    const channel = only(channels({}));
    const body = JSON.stringify({
      model: "sandbox-1.0",
      messages: [{ role: "user", content: "x" }],
    });
    const play = (sandboxFault: string | undefined) =>
      channel.call({ ...CALL, body, sandboxFault }, keyOf(channel)).answered;
    expect((await play("http_500")).status).toBe(500);
    expect((await play(undefined)).status).toBe(200);
  });
});
