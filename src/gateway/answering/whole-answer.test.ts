import { describe, expect, test } from "bun:test";
import { HttpResponse } from "../../lib/net/http-response.ts";
import { encodeInSteps } from "../../lib/text/chunked-text.ts";
import { TextThreads } from "../../lib/text/text-threads.ts";
import type { Exchange } from "../../upstream/exchange.ts";
import { bodyOf, keptOf } from "./whole-answer.ts";

const exchange = { isHeld: false, async weigh() {} } as unknown as Exchange;
const threads = new TextThreads();
const HEADERS = { "content-type": "application/json" };

/** What a client is sent of an answer that is written in these pieces. */
async function sent(written: string | readonly string[]) {
  const body = await bodyOf({ threads }, exchange, written);
  const fetch = () => new HttpResponse(body, HEADERS).response();
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
  try {
    const answer = await globalThis.fetch(server.url);
    const { headers } = answer;
    return { text: await answer.text(), length: headers.get("content-length"), body };
  } finally {
    await server.stop(true);
  }
}

describe("a whole answer", () => {
  test.each([
    ["short", '{"a":1}', "7"],
    ["large", [`"${"狐".repeat(400_000)}`, '"'], "1200002"],
    ["larger", [`"${"狐".repeat(4_000_000)}`, '"'], "12000002"],
  ])("that is %s says how long it is", async (_name, written, length) => {
    const told = await sent(written);
    expect(told.length).toBe(length);
    expect(told.text === [...written].join("")).toBe(true);
  });

  test("that is very large goes out in pieces, whole, and is kept in the same ones", async () => {
    const written = Array.from({ length: 40 }, (_, i) => `${i} ${"狐 fox ".repeat(60_000)}`);
    const told = await sent(written);
    expect(told.length).toBeNull();
    expect(told.text === written.join("")).toBe(true);
    const { chunks } = await encodeInSteps(written);
    expect(keptOf(told.body)).toEqual(chunks);
  });
});
