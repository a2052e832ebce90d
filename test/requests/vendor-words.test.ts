// What a vendor quotes of what it was sent reaches nobody: its key, and the headers of the channel.
import { expect, test } from "bun:test";
import { perFile } from "../support/houses/house.ts";
import { event } from "../support/houses/pipeline.ts";
import { serve } from "../support/houses/serving.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import {
  answer,
  MockVendor,
  streamOf,
  VENDOR_KEY,
  type VendorCall,
} from "../support/vendors/mock-vendor.ts";

const PASS = "Zq81mmTop9";
const BEARER = "proxy+pass/word==";
const SECRETS = [VENDOR_KEY, PASS, BEARER];

const house = await perFile(async (parts) => {
  const vendor = parts.keep(new MockVendor());
  const channel = {
    ...{ id: "openai", vendor: "openai", base_url: vendor.url, keys: [VENDOR_KEY] },
    headers: {
      "x-corp-pass": PASS,
      "proxy-authorization": `Bearer ${BEARER}`,
      "x-raw": "true",
      "x-tag": "a",
    },
  };
  const { server } = await serve(parts, { file: { channels: [channel] } });
  return { vendor, server };
});

/** A careless vendor's sentence about what it was sent. */
function words({ headers }: VendorCall): string {
  const bearer = String(headers.get("proxy-authorization"));
  const sent = [headers.get("authorization"), headers.get("x-corp-pass"), bearer, bearer.slice(7)];
  return `A bad field: colour (${sent.join(", ")}).`;
}

function errorOf(call: VendorCall): JsonObject {
  const code = "invalid_request_error";
  return { error: { message: words(call), type: code, code, param: "colour", raw: true } };
}

/** What a request is answered, and what its receipt says of it. */
async function answered(stream = false, key = house.server.firstKey) {
  const { server } = house;
  const messages = [{ role: "user", content: "Hello." }];
  const body = { model: "gpt-4.1", messages, stream };
  const response = await server.post("/chat/completions", key, body);
  const text = await response.text();
  const id = response.headers.get("x-request-id");
  const receipt = await (await server.fetch(`/generation?id=${id}`, key)).text();
  return { text, receipt };
}

async function said(stream: boolean): Promise<string> {
  const { text, receipt } = await answered(stream);
  // It was understood, and kept.
  for (const each of [text, receipt]) expect(each).toContain("A bad field: colour");
  return text + receipt;
}

test.each([
  ["in a refusal", false, (call: VendorCall) => Response.json(errorOf(call), { status: 400 })],
  [
    "in a refusal whose signs are written as numbers",
    false,
    (call: VendorCall) => {
      const text = JSON.stringify(errorOf(call)).replaceAll("/", "\\/").replaceAll("Z", "\\u005a");
      return new Response(text, { status: 400 });
    },
  ],
  ["in an error with a 200", false, (call: VendorCall) => Response.json(errorOf(call))],
  [
    "in a stream",
    true,
    (call: VendorCall) => {
      const delta = { choices: [{ index: 0, delta: { content: "Hi" } }] };
      return streamOf([event({ id: "c1", ...delta }), event(errorOf(call))]);
    },
  ],
])("what was sent and is quoted %s is hidden", async (_name, stream, script) => {
  house.vendor.play(script);
  const told = await said(stream);
  expect(SECRETS.filter((secret) => told.includes(secret))).toEqual([]);
});

test("words that are not about the request are shown to no key, be it of the operator's account", async () => {
  const message = "The engine is on fire";
  house.vendor.play(() => Response.json({ error: { message } }, { status: 500 }));
  const { key } = await house.server.account("1");
  for (const each of [house.server.firstKey, key]) {
    const { text, receipt } = await answered(false, each);
    expect(text + receipt).not.toContain(message);
    const { attempts } = JSON.parse(receipt) as { attempts: JsonObject[] };
    const told = { ...{ channel: null, status: 500 }, code: "upstream_unavailable" };
    expect(attempts.at(-1)).toMatchObject({ ...told, message: null });
  }
});

test("a header that is a word of any sentence takes nothing out of it", async () => {
  house.vendor.play((call) => Response.json(errorOf(call), { status: 400 }));
  const told = await said(false);
  expect(told).toContain("A bad field: colour (");
  house.vendor.play(answer);
});
