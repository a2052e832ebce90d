// A vendor that refuses every key of a channel: who runs the gateway is told, once, and sees it on the page.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, bodyOf } from "../support/browser.ts";
import { perSuite } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";
import { startHookReceiver } from "../support/outside/hook-receiver.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { answering, refusing } from "../support/vendors/good-vendor.ts";
import { ScriptedVendor } from "../support/vendors/scripted-vendor.ts";
import { modelEntry } from "../support/vendors/vendor-house.ts";
import { eventually } from "../support/waiting.ts";

const VENDOR_KEY = "sk-lost-0123456789abcdef";

/** The channel as the page reads it. */
interface ChannelBody {
  readonly state: string;
  readonly last_error: { readonly message: string } | null;
  readonly keys: readonly {
    readonly state: string;
    readonly message: string | null;
    readonly last_four: string;
    readonly cooled_until: string | null;
  }[];
}

describe("a channel whose vendor refuses its keys", () => {
  const house = perSuite(async (parts) => {
    const vendor = parts.keep(await ScriptedVendor.start());
    const hooks = parts.keep(startHookReceiver());
    const file = join(parts.folder(), "faregate.yaml");
    const channel = {
      id: "lost",
      vendor: "custom",
      base_url: vendor.url("lost"),
      protocols: ["responses"],
      keys: [VENDOR_KEY],
      models: { "lost-1.0": "vendor-name" },
    };
    writeFileSync(file, JSON.stringify({ channels: [channel], models: [modelEntry("lost-1.0")] }));
    const app = await wholeConsole(parts, {
      FAREGATE_CONFIG: file,
      FAREGATE_WEBHOOK_LOOPBACK: "on",
      FAREGATE_ALERT_LOOK_MS: "50",
      FAREGATE_NOTICE_TICK_MS: "50",
      FAREGATE_PROBE_MS: "50",
      FAREGATE_CREDENTIAL_PROBE_MS: "600000",
      FAREGATE_CREDENTIAL_PROBE_MS_MAX: "600000",
    });
    return { ...app, vendor, hooks };
  });
  let operator: Browser;
  let key = "";
  beforeAll(async () => {
    operator = await house.operator("op@example.com");
    const { accounts } = await bodyOf<{ accounts: { id: string }[] }>(operator.get("/api/me"));
    const account = String(accounts[0]?.id);
    const webhook = { url: house.hooks.url };
    const set = await operator.send("PUT", `/api/accounts/${account}/alerts`, { webhook });
    expect(set.status).toBe(200);
    key = (await house.commandKey(account)).secret;
  });

  const ask = () =>
    fetch(`${house.url}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "lost-1.0", input: "Hi." }),
    });
  const page = () => bodyOf<ChannelBody>(operator.get("/api/operator/channels/lost"));
  const told = () =>
    house.hooks.calls
      .map(({ body }) => JSON.parse(body) as JsonObject)
      .filter(({ type }) => type === "alert.vendor_down");

  test("is told of once, with the vendor's words and without the key", async () => {
    house.vendor.play("lost", (_call, reply) => {
      const message = `Incorrect API key provided: ${VENDOR_KEY}.`;
      reply.whole(401, JSON.stringify({ error: { message, code: "invalid_api_key" } }));
    });
    const answer = await ask();
    const text = await answer.text();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, null]);
    const [event] = await eventually("the receiver is called", () => told().length > 0 && told());
    const message = expect.stringContaining("Incorrect API key provided");
    expect(event?.data).toMatchObject({ channel: "lost", state: "refused", message });
    for (const words of [text, JSON.stringify(event), JSON.stringify(await page())]) {
      expect(words).not.toContain(VENDOR_KEY);
    }
    expect((await ask()).status).toBe(503);
  });

  test("is shown with why, which key, and when it is asked about again", async () => {
    const { state, keys, last_error } = await page();
    expect([state, keys.length]).toEqual(["refused", 1]);
    expect(last_error?.message).toContain("Incorrect API key provided");
    const [shown] = keys;
    expect(shown).toMatchObject({ state: "refused", last_four: VENDOR_KEY.slice(-4) });
    expect(shown?.message).toStartWith("401 Incorrect API key provided");
    expect(Date.parse(String(shown?.cooled_until))).toBeGreaterThan(Date.now());
  });

  test("serves again once somebody revives it, and shows that", async () => {
    house.vendor.play("lost", answering("responses"));
    expect((await ask()).status).toBe(503);
    expect((await operator.post("/api/operator/channels/lost/revive", {})).status).toBe(200);
    expect((await ask()).status).toBe(200);
    const { state, keys } = await page();
    expect([state, keys[0]?.state, keys[0]?.message]).toEqual(["ok", "ok", null]);
    // Refused again so soon it is no news.
    house.vendor.play("lost", refusing(401));
    expect((await ask()).status).toBe(503);
    expect((await page()).state).toBe("refused");
    expect(told()).toHaveLength(1);
  });
});
