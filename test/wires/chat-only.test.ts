// Real vendors too have a model that is available on chat completions alone.
import { expect, test } from "bun:test";
import { expectError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { CHAT, type JsonObject, RESPONSES } from "../support/samples/wires.ts";
import { answerAsChat } from "../support/vendors/foreign-vendors.ts";
import { MockVendor, VENDOR_KEY } from "../support/vendors/mock-vendor.ts";

const ONLY_CHAT = "mistral-large-3";
const BOTH = "mistral-medium-3.5";

const { server, vendor, key } = await perFile(async (parts) => {
  const made = parts.keep(new MockVendor());
  made.play(answerAsChat);
  const settings = { MISTRAL_API_KEY: VENDOR_KEY, MISTRAL_BASE_URL: made.url };
  const { server: started } = await serve(parts, { settings, books: true });
  return { server: started, vendor: made, key: (await started.account("100")).key };
});

test("a vendor's list has a model that only chat completions offers, beside those that both do", async () => {
  const { data } = (await (await server.fetch("/models", key)).json()) as { data: JsonObject[] };
  expect(data.map(({ id }) => id)).toEqual([BOTH, ONLY_CHAT]);
  const asked = await server.post(CHAT.path, key, { ...CHAT.request("Hello"), model: ONLY_CHAT });
  expect(asked.status).toBe(200);
  const both = await server.post(RESPONSES.path, key, {
    ...RESPONSES.request("Hello"),
    model: BOTH,
  });
  expect(both.status).toBe(200);
  expect(vendor.calls.map(({ path }) => path)).toEqual(Array(2).fill("/v1/chat/completions"));
});

test("such a model is refused on responses, with the endpoint that has it", async () => {
  const body = { ...RESPONSES.request("Hello"), model: ONLY_CHAT };
  const { message } = await expectError(await server.post(RESPONSES.path, key, body), {
    status: 400,
    code: "unsupported_endpoint",
    param: "model",
  });
  expect(message).toContain("POST /v1/chat/completions");
});
