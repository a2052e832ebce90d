import { afterEach, describe, expect, test } from "bun:test";
import { shippedCatalogue } from "../catalogue/models.ts";
import { readConfig } from "../config.ts";
import { configuredChannels, Routes, type UpstreamCall } from "./channels.ts";

const CALL: UpstreamCall = {
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
  return { seen, url: `http://127.0.0.1:${server.port}/v1` };
}

function channels(env: Record<string, string>) {
  return configuredChannels(readConfig(env));
}

describe("configuredChannels", () => {
  test.each([
    ["nothing is set", {}, ["sandbox"]],
    ["a vendor's key is set", { OPENAI_API_KEY: "sk-1" }, ["openai"]],
    ["both are wanted", { OPENAI_API_KEY: "sk-1", FAREGATE_SANDBOX: "on" }, ["openai", "sandbox"]],
    ["neither is wanted", { FAREGATE_SANDBOX: "off" }, []],
  ])("when %s", (_name, env, ids) => {
    expect(channels(env as Record<string, string>).map(({ id }) => id)).toEqual(ids);
  });
});

describe("a vendor's channel", () => {
  test("sends the credential, the body, and no header of the client's", async () => {
    const { seen, url } = vendor();
    const [channel] = channels({ OPENAI_API_KEY: "sk-secret", OPENAI_BASE_URL: url });
    const response = await channel?.send(CALL, new AbortController().signal);
    expect(response?.status).toBe(200);
    const [call] = seen;
    expect(call?.url).toEndWith("/v1/chat/completions");
    expect(call?.body).toBe(CALL.body);
    expect(call?.headers.get("authorization")).toBe("Bearer sk-secret");
    expect(call?.headers.get("content-type")).toBe("application/json");
    expect(call?.headers.get("accept-encoding")).toBe("identity");
    expect(call?.headers.get("x-client-request-id")).toBe("req_9");
    expect(call?.headers.has("x-sandbox-fault")).toBe(false);
  });

  test("follows no redirect, which would carry prompt and credential elsewhere", async () => {
    const elsewhere = vendor();
    const { url } = vendor(() => Response.redirect(elsewhere.url, 307));
    const [channel] = channels({ OPENAI_API_KEY: "sk-secret", OPENAI_BASE_URL: url });
    const response = await channel?.send(CALL, new AbortController().signal);
    expect(response?.status).toBe(307);
    expect(elsewhere.seen).toEqual([]);
  });
});

describe("the embedded vendor's channel", () => {
  test("plays the fault it is asked for", async () => {
    const [channel] = channels({});
    const body = JSON.stringify({
      model: "sandbox-1.0",
      messages: [{ role: "user", content: "x" }],
    });
    const { signal } = new AbortController();
    expect((await channel?.send({ ...CALL, body }, signal))?.status).toBe(500);
    expect((await channel?.send({ ...CALL, body, sandboxFault: undefined }, signal))?.status).toBe(
      200,
    );
  });
});

describe("Routes", () => {
  const catalogue = shippedCatalogue();
  const ids = (env: Record<string, string>) =>
    new Routes(catalogue, channels(env)).models().map(({ id }) => id);

  test("lists only models with a channel", () => {
    expect(ids({})).toContain("sandbox-1.0");
    expect(ids({})).not.toContain("gpt-5.4");
    expect(ids({ OPENAI_API_KEY: "sk-1" })).toContain("gpt-5.4");
    expect(ids({ OPENAI_API_KEY: "sk-1" })).not.toContain("sandbox-1.0");
    expect(ids({ FAREGATE_SANDBOX: "off" })).toEqual([]);
  });

  test("finds the channel and the vendor's name of a model, or nothing", () => {
    const routes = new Routes(catalogue, channels({}));
    const find = (id: string) => {
      const model = catalogue.find(id);
      return model && routes.find(model);
    };
    expect(find("lantern-2.1")).toMatchObject({
      channel: { id: "sandbox" },
      upstreamModel: "lantern-2.1",
    });
    expect(find("gpt-5.4")).toBeUndefined();
  });
});
