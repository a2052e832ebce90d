// Prices at their upper bound: what a request may come to is counted without wrapping, and refused where it is absurd.
import { expect, test } from "bun:test";
import { onEngines } from "../store/engines.ts";
import { expectError } from "../support/errors.ts";
import { perTest } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { CHAT } from "../support/samples/wires.ts";
import { MockVendor } from "../support/vendors/mock-vendor.ts";

/** A shipped model, whose tokens can be counted: an unknown one would be held at its whole context. */
const DEAR = "gpt-4.1";
const TOKENS = 100_000_000;
const BODY = { ...CHAT.request("Tell me about foxes."), model: DEAR };

onEngines("a model at the highest price on $name", (engine) => {
  const house = perTest(async (parts) => {
    const vendor = parts.keep(new MockVendor());
    const file = {
      models: [
        {
          ...{ id: DEAR, context: TOKENS, max_output: TOKENS },
          ...{ upstream: { openai: DEAR }, price: { input: "100000", output: "100000" } },
        },
      ],
    };
    const { server } = await serve(parts, { engine, settings: vendor.settings, file, books: true });
    return { vendor, server, key: (await server.account("100")).key };
  });

  test("is charged to the nano, and the books are right", async () => {
    const { server, key } = house;
    const answered = await server.post(CHAT.path, key, { ...BODY, max_tokens: 100 });
    expect(answered.status).toBe(200);
    // Eleven tokens of input and seven of output, at ten cents each.
    expect(answered.headers.get("x-faregate-cost")).toBe("1.8");
  });

  test("refuses a request that may come to more than can be counted, before anybody is asked", async () => {
    const { server, key, vendor } = house;
    const refused = { status: 400, code: "invalid_value", param: "model" };
    const body = { ...BODY, n: 128 };
    const { message } = await expectError(await server.post(CHAT.path, key, body), refused);
    expect(message).toContain(DEAR);
    expect(message).toContain("less output");
    const asked = { endpoint: "/v1/chat/completions", ...body };
    await expectError(await server.post("/estimate", key, asked), refused);
    expect(vendor.calls).toEqual([]);
  });
});
