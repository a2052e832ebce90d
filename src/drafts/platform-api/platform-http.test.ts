import { describe, expect, test } from "bun:test";
import {
  type SafeFetchCall,
  SafeFetchError,
  type SafeFetchResponse,
} from "../../lib/net/safe-fetch.ts";
import { PlatformHttp, type Reply } from "./platform-http.ts";

const LIMITS = { draft_call_ms: 1_000, draft_upload_ms: 2_000, draft_answer_bytes_max: 1_000 };
const TOKEN = "86_secrettoken";

async function call(
  answer: Partial<SafeFetchResponse> | Error,
  seen: SafeFetchCall[] = [],
): Promise<Reply<string>> {
  const wire = new PlatformHttp(
    async (url, request) => {
      seen.push(request);
      if (answer instanceof Error) throw answer;
      return { status: 200, headers: {}, bytes: new Uint8Array(), url, ...answer };
    },
    LIMITS,
    () => 0,
  );
  return wire.call({
    platformUrl: "https://p.test",
    path: "/cgi-bin/draft/add",
    query: { access_token: TOKEN },
    json: { title: "作者" },
    secrets: [TOKEN],
    read: ({ media_id }) => (typeof media_id === "string" ? media_id : undefined),
  });
}

/** Whether something is at an address that answers so. */
function isThere(answer: Partial<SafeFetchResponse> | Error): Promise<boolean> {
  const wire = new PlatformHttp(
    async (url) => {
      if (answer instanceof Error) throw answer;
      return { status: 200, headers: {}, bytes: new Uint8Array(), url, ...answer };
    },
    LIMITS,
    () => 0,
  );
  return wire.isThere("https://p.test/mmbiz_png/a/0", {});
}

const body = (text: string) => ({ bytes: new TextEncoder().encode(text) });

describe("one call of the platform", () => {
  test("sends UTF-8 as it is, within a deadline", async () => {
    const seen: SafeFetchCall[] = [];
    await call(body("{}"), seen);
    expect(new TextDecoder().decode(seen[0]?.body)).toBe('{"title":"作者"}');
    expect(seen[0]).toMatchObject({
      method: "POST",
      deadlineMs: 1_000,
      bytesMax: 1_000,
      headers: { "content-type": "application/json; charset=utf-8" },
    });
  });

  test("reads a good answer, with what it does not know", async () => {
    const date = "Sun, 15 Nov 2026 08:00:00 GMT";
    const answer = { ...body('{"media_id":"m","item":[]}'), headers: { date } };
    expect(await call(answer)).toEqual({
      kind: "ok",
      value: "m",
      platformTimeMs: Date.UTC(2026, 10, 15, 8),
    });
  });

  test("reads a refusal with its rid, and hides what is secret in it", async () => {
    const errmsg = `invalid ${TOKEN} for access_token=${TOKEN}&x rid: 6aac005a-01bfdbee-79769285`;
    expect(await call(body(JSON.stringify({ errcode: 45003, errmsg })))).toEqual({
      kind: "refused",
      refusal: {
        errcode: 45003,
        errmsg: "invalid … for access_token=…&x rid: 6aac005a-01bfdbee-79769285",
        rid: "6aac005a-01bfdbee-79769285",
        class: "input",
        field: "title",
        fix: "Shorten the title.",
        ip: null,
      },
    });
  });

  test("finds the address that is to be allowed", async () => {
    const errmsg = "invalid ip 203.0.113.7 ipv6 ::ffff:203.0.113.7, not in whitelist rid: x";
    expect(await call(body(JSON.stringify({ errcode: 40164, errmsg })))).toMatchObject({
      refusal: { class: "ip", ip: "203.0.113.7", fix: expect.stringContaining("203.0.113.7") },
    });
  });

  test.each([
    ["-1", body('{"errcode":-1,"errmsg":"system error"}')],
    ["an answer without the id", body('{"item":[]}')],
    ["broken JSON", body('{"media_id":"m"')],
    ["a list", body("[]")],
    ["HTTP 500", { status: 500, ...body("oops") }],
    ["HTTP 408", { status: 408 }],
    ["a reset", new SafeFetchError("broken", "reset", true)],
    ["a deadline", new SafeFetchError("deadline", "late", true)],
    ["too large an answer", new SafeFetchError("answer_too_large", "large", true)],
  ])("does not know what %s means", async (_what, answer) => {
    expect(await call(answer)).toMatchObject({ kind: "unknown", sent: true });
  });

  test("knows what was never sent", async () => {
    const unreachable = new SafeFetchError("unreachable", "refused", false);
    expect(await call(unreachable)).toMatchObject({ kind: "unknown", sent: false });
    const inside = new SafeFetchError("address_private", "https://p.test is private", false);
    expect(await call(inside)).toMatchObject({ kind: "refused", refusal: { class: "config" } });
    expect(await call({ status: 404 })).toMatchObject({ refusal: { class: "config" } });
  });
});

test.each([
  ["a picture", {}, true],
  ["a large one", new SafeFetchError("answer_too_large", "large", true), true],
  ["nothing", { status: 404 }, false],
  ["a server that is away", new SafeFetchError("unreachable", "refused", false), true],
  ["a server that fails", { status: 502 }, true],
])("an address is given up only where nothing is there: %s", async (_what, answer, isShown) => {
  expect(await isThere(answer)).toBe(isShown);
});
