import { expect, test } from "bun:test";
import { readConfig } from "../config.ts";
import type { Incoming } from "../lib/route.ts";
import { openWires } from "../protocols/wires.ts";
import { callGemini } from "./foreign-routes.ts";
import type { Services } from "./services.ts";

const URL_OF = "http://faregate.test/v1beta/models/sandbox-1.0:streamGenerateContent";

test("a Gemini stream is refused for its key before it is for its form", async () => {
  const services: Pick<Services, "accounts" | "clock" | "wires"> = {
    accounts: { findKey: async () => undefined },
    clock: () => 0,
    wires: openWires(readConfig({}).limits),
  };
  const incoming: Incoming = {
    request: new Request(URL_OF, { method: "POST", body: "{}" }),
    requestId: "req_1",
    url: new URL(URL_OF),
    params: { call: "sandbox-1.0:streamGenerateContent" },
    keepOpen() {},
    address: () => "127.0.0.1",
  };
  await expect(callGemini(services as Services, incoming)).rejects.toMatchObject({
    fault: "invalid_api_key",
  });
});
