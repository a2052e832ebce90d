// Attacks on the memory of a server: what each process of it takes at most while they last.
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { GATE_RUNTIME } from "../../bin/runtime.mjs";
import { isWhole, RawClient } from "../support/clients/raw-client.ts";
import { count, isFull } from "../support/counts.ts";
import { Parts } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { type MemoryPeaks, sampleMemory, tellsMemory } from "../support/load/memory-peaks.ts";
import { eventually } from "../support/waiting.ts";

const MIB = 1024 * 1024;
/** In megabytes. */
const GATE_MAX = 1024;
const OFFICE_MAX = 768;
const LAYERS = 3;

const packed = (text: string, layers: number) => {
  let bytes: Uint8Array<ArrayBuffer> = new TextEncoder().encode(text);
  for (let i = 0; i < layers; i++) bytes = new Uint8Array(gzipSync(bytes, { level: 9 }));
  return bytes;
};
const packedHeaders = (layers: number) => ({
  "content-type": "application/json",
  "content-encoding": Array.from({ length: layers }, () => "gzip").join(", "),
});

async function statusOf(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  const text = await response.text();
  const code = /"(?:code|errcode)": ?"?([\w-]+)/.exec(text)?.[1];
  return `${response.status} ${code ?? ""}`;
}

/** The same over a socket of its own: the runtime of the tests has no more than 256 calls under way. */
async function rawStatus(url: string, head: readonly string[], body: Uint8Array): Promise<string> {
  const heard = Promise.withResolvers<string>();
  const client = await RawClient.connect(url, (text) => {
    if (isWhole(text)) heard.resolve(text);
  });
  client.send(`${head.join("\r\n")}\r\n\r\n`);
  client.send(body);
  const text = await Promise.race([heard.promise, client.closed.then(() => client.text)]);
  client.leave();
  const code = /"code": ?"?([\w-]+)/.exec(text)?.[1];
  return `${text.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)} ${code ?? ""}`;
}

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function report(what: string, peaks: MemoryPeaks, answers: readonly string[]): void {
  process.stderr.write(`${what}: ${JSON.stringify(peaks)} ${JSON.stringify(tally(answers))}\n`);
}

/** A vendor that reads what it is sent, and answers when it is told to. */
function slowVendor(parts: Parts) {
  const told = Promise.withResolvers<void>();
  const seen = { calls: 0 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      for await (const _ of request.body ?? []);
      seen.calls++;
      await told.promise;
      return Response.json({ error: { message: "no" } }, { status: 400 });
    },
  });
  parts.defer(() => server.stop(true));
  const settings = {
    OPENAI_API_KEY: "sk-vendorsecret0123456789",
    OPENAI_BASE_URL: `http://127.0.0.1:${server.port}/v1`,
  };
  return { settings, seen, answer: () => told.resolve() };
}

async function attack(parts: Parts, settings: Record<string, string> = {}) {
  const { server } = await serve(parts, {
    process: true,
    settings: {
      ...GATE_RUNTIME,
      FAREGATE_SANDBOX: "on",
      FAREGATE_DRAFT_CALLS_PER_MINUTE: "1000",
      ...settings,
    },
  });
  const origin = server.url.replace(/\/v1$/, "");
  // The office is there.
  await (await fetch(`${origin}/openapi.json`)).text();
  return { server, origin, sampler: sampleMemory(server.pid) };
}

const OPEN_CALLS = [
  "/platform/cgi-bin/stable_token",
  "/platform/cgi-bin/clear_quota/v2",
  "/platform/cgi-bin/component/api_component_token",
];

if (!tellsMemory) process.stderr.write("memory.test.ts is skipped: this system has no /proc.\n");

describe.skipIf(!tellsMemory)("the memory of a server", () => {
  for (const path of isFull ? OPEN_CALLS : OPEN_CALLS.slice(0, 1)) {
    test(`is not filled by nobody in particular at ${path}`, async () => {
      await using parts = new Parts();
      const { origin, sampler } = await attack(parts);
      const body = packed(`{"appid":"${"a".repeat(16 * MIB - 100)}"}`, LAYERS);
      const init = { method: "POST", headers: packedHeaders(LAYERS), body };
      const answers = await Promise.all(
        Array.from({ length: count(20, 120) }, () => statusOf(fetch(origin + path, init))),
      );
      const peaks = sampler.stop();
      report(`${path} of ${body.length} bytes`, peaks, answers);
      expect(peaks.office).toBeLessThanOrEqual(OFFICE_MAX);
      expect(peaks.gate).toBeLessThanOrEqual(GATE_MAX);
    });
  }

  const article = "y".repeat(48 * MIB - 1_000);
  const MCP = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "wechat_draft_preview", arguments: { markdown: article } },
  };
  const DRAFTS = [
    ["/v1/drafts:preview", { markdown: article }],
    ["/v1/drafts:preview", { markdown: `好${article.slice(0, -4)}` }],
    ["/mcp", MCP],
  ] as const;
  for (const [path, form] of isFull ? DRAFTS : DRAFTS.slice(-1)) {
    test(`is not filled by packed drafts at ${path}`, async () => {
      await using parts = new Parts();
      const { server, origin, sampler } = await attack(parts);
      const text = JSON.stringify(form);
      const body = packed(text, LAYERS);
      const { key } = await server.account("1");
      const headers = {
        ...packedHeaders(LAYERS),
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${key}`,
      };
      const init = { method: "POST", headers, body };
      const answers = await Promise.all(
        Array.from({ length: count(4, 10) }, () => statusOf(fetch(origin + path, init))),
      );
      const peaks = sampler.stop();
      report(`${path} of ${body.length} bytes`, peaks, answers);
      expect(peaks.office).toBeLessThanOrEqual(OFFICE_MAX);
      expect(peaks.gate).toBeLessThanOrEqual(GATE_MAX);
    });
  }

  const small = "word ".repeat(20_000);
  const CHAT = [
    ["a hundred kilobytes", small],
    ["letters", "word ".repeat((16 * MIB) / 5)],
    ["wide letters", `好${"word ".repeat((16 * MIB) / 5)}`],
  ] as const;
  for (const [name, content] of isFull ? CHAT : CHAT.slice(-1)) {
    for (const layers of isFull ? [0, 1] : [1]) {
      test(`is not filled by requests of ${name} for models, packed ${layers} times`, async () => {
        await using parts = new Parts();
        const vendor = slowVendor(parts);
        const { server, sampler } = await attack(parts, vendor.settings);
        const body = packed(
          JSON.stringify({ model: "gpt-6-luna", messages: [{ role: "user", content }] }),
          layers,
        );
        const headers = layers ? packedHeaders(layers) : { "content-type": "application/json" };
        const ask = (key: string) =>
          rawStatus(
            server.url,
            [
              "POST /v1/chat/completions HTTP/1.1",
              "host: 127.0.0.1",
              `authorization: Bearer ${key}`,
              `content-length: ${body.length}`,
              ...Object.entries(headers).map(([field, value]) => `${field}: ${value}`),
            ],
            body,
          );
        const accounts = await Promise.all(
          Array.from({ length: 8 }, () => server.account("1000000", "--rpm", "0")),
        );
        const answers: string[] = [];
        const asked = accounts.flatMap(({ key }) =>
          Array.from({ length: content === small ? 200 : count(3, 6) }, () =>
            ask(key).then((said) => answers.push(said)),
          ),
        );
        const isThere = () => vendor.seen.calls + answers.length >= asked.length;
        await eventually("each is refused or at the vendor", isThere);
        vendor.answer();
        await Promise.all(asked);
        const peaks = sampler.stop();
        report(`${name}, ${layers}: at the vendor ${vendor.seen.calls}`, peaks, answers);
        expect(peaks.gate).toBeLessThanOrEqual(GATE_MAX);
        expect(peaks.office).toBeLessThanOrEqual(OFFICE_MAX);
      });
    }
  }
});
