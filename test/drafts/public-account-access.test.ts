// Public accounts without an AppSecret, and by a proxy, over real HTTP.
import { expect, test } from "bun:test";
import { expectError } from "../support/errors.ts";
import { draftsServer } from "../support/houses/drafts-server.ts";
import { perFile } from "../support/houses/house.ts";
import { ForwardProxy } from "../support/outside/forward-proxy.ts";
import type { JsonObject } from "../support/samples/wires.ts";

const house = await perFile(async (parts) => ({
  ...(await draftsServer(parts, { FAREGATE_DRAFTS_PRIVATE_NETWORKS: "on" })),
  proxy: parts.keep(await new ForwardProxy(1, "me:pr0xy-pw").listen()),
}));
const ACCOUNTS = "/wechat/accounts";
const DRAFT = { title: "Cranes", markdown: "Cranes **stay**." };

function put(path: string, body: unknown, key = house.server.firstKey): Promise<Response> {
  return fetch(`${house.server.url}${path}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** An error of drafts has more members than those of other calls. */
async function expectFault(response: Response, status: number, code: string): Promise<string> {
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status });
  expect(JSON.parse(text)).toMatchObject({ error: { code } });
  return text;
}

const { appid = "", secret = "" } = await house.server.command<Record<string, string>>(
  ...["platform", "account"],
);
// Whoever looks first opens the sandbox.
await house.read(ACCOUNTS);

async function centralToken(): Promise<string> {
  const address = `${house.origin}/platform/cgi-bin/token`;
  const query = new URLSearchParams({
    ...{ grant_type: "client_credential", appid, secret },
  });
  const answer = (await (await fetch(`${address}?${query}`)).json()) as JsonObject;
  return String(answer.access_token);
}

test("a token that is kept elsewhere brings a draft into the box", async () => {
  const form = { name: "central", appid, credential: "supplied", platform_url: "built-in" };
  const added = await house.made<JsonObject>(ACCOUNTS, form);
  expect(added).toMatchObject({ credential: "supplied", token_source: null, is_default: false });
  const draft = { ...DRAFT, account: "central" };
  await expectFault(await house.post("/drafts", draft), 502, "token_unavailable");
  const token = { access_token: await centralToken(), expires_in: 7_200 };
  expect((await put(`${ACCOUNTS}/central/token`, token)).status).toBe(200);
  const pushed = await house.made<JsonObject>("/drafts", draft);
  expect(pushed.status).toBe("in_box");
  expect(pushed.receipt).toMatchObject({ destination: { name: "central", sandbox: true } });
  const shown = await house.read<JsonObject>(`${ACCOUNTS}/central`);
  expect(JSON.stringify(shown)).not.toContain(token.access_token);
  for (const [body, param] of [
    [{ access_token: "x" }, "expires_in"],
    [{ access_token: "x", expires_in: 0 }, "expires_in"],
    [{ expires_in: 7_200 }, "access_token"],
  ] as const) {
    const refused = await put(`${ACCOUNTS}/central/token`, body);
    await expectError(refused, { status: 400, code: "invalid_value", param });
  }
  const { key } = await house.server.account("1");
  expect((await put(`${ACCOUNTS}/central/token`, token, key)).status).toBe(403);
});

test("a third party's account takes a ticket, and one with an AppSecret none", async () => {
  const form = {
    ...{ name: "third", authorizer_appid: "wx-third", component_appid: "wx-component" },
    ...{ component_appsecret: "c0mponent", authorizer_refresh_token: "r3fresh" },
    is_default: false,
  };
  const added = await house.made<JsonObject>(ACCOUNTS, form);
  expect(added).toMatchObject({
    ...{ credential: "component", appid: "wx-third", component_appid: "wx-component" },
    platform_url: "https://api.weixin.qq.com",
  });
  expect(JSON.stringify(added)).not.toMatch(/c0mponent|r3fresh/);
  const ticket = { component_verify_ticket: "ticket@@@1" };
  expect((await put(`${ACCOUNTS}/third/ticket`, ticket)).status).toBe(200);
  const wrong = await put(`${ACCOUNTS}/sandbox/ticket`, ticket);
  const param = "component_verify_ticket";
  await expectError(wrong, { status: 400, code: "invalid_value", param });
});

test("a third party brings drafts into the box, also when its token has ended", async () => {
  const sets = ["--third-party", "--sets", "11"];
  const given = await house.server.command<Record<string, string>>("platform", "token", ...sets);
  const form = {
    ...{ name: "authorised", authorizer_appid: appid, component_appid: "wx-component-2" },
    ...{ component_appsecret: "c0mponent", authorizer_refresh_token: given.refresh_token },
    ...{ component_verify_ticket: "ticket@@@2", platform_url: "built-in", is_default: false },
  };
  const added = await house.made<JsonObject>(ACCOUNTS, form);
  expect(added).toMatchObject({ credential: "component", appid });
  const asked = async (name: string) => {
    const { data } = await house.controlled("GET", "requests?limit=1000");
    const path = `/cgi-bin/component/${name}`;
    return (data as JsonObject[]).filter((call) => Object.values(call).includes(path)).length;
  };
  const draft = (title: string) => ({ ...DRAFT, title, account: "authorised" });
  for (const title of ["First of a third party", "Second of a third party"]) {
    const pushed = await house.made<JsonObject>("/drafts", draft(title));
    expect(pushed).toMatchObject({ status: "in_box" });
  }
  expect([await asked("api_component_token"), await asked("api_authorizer_token")]).toEqual([1, 1]);
  // The platform ends the token before its time: 40001, to whichever call comes first.
  await house.controlled("POST", "faults", { route: "*", errcode: 40001, count: 1 });
  const title = "Third of a third party";
  expect(await house.made<JsonObject>("/drafts", draft(title))).toMatchObject({ status: "in_box" });
  expect(await house.box(title)).toHaveLength(1);
  expect([await asked("api_component_token"), await asked("api_authorizer_token")]).toEqual([1, 2]);
});

test.each([
  [{ appid: "wx" }, "secret"],
  [{ secret: "x" }, "appid"],
  [{ appid: "wx", secret: "x", token_url: "https://t.test" }, "secret"],
  [{ appid: "wx", secret: "x", token_bearer: "b" }, "token_bearer"],
  [{ appid: "wx", credential: "supplied", token_bearer: "b" }, "token_bearer"],
  [{ appid: "wx", token_url: "https://me:pw@t.test" }, "token_url"],
  [{ appid: "wx", token_url: "https://t.test/#" }, "token_url"],
  [{ appid: "wx", component_appid: "c", component_appsecret: "s" }, "authorizer_refresh_token"],
  [{ appid: "wx", secret: "x", proxy_url: "https://p.test" }, "proxy_url"],
  [{ appid: "wx", secret: "x", proxy_url: "http://p.test/path" }, "proxy_url"],
  [{ appid: "wx", secret: "x", proxy_url: "http://p.test/?" }, "proxy_url"],
  [{ appid: "wx", secret: "x", proxy_url: "http://p", platform_url: "built-in" }, "proxy_url"],
  [{ appid: "wx", secret: "x", platform_url: "sandbox" }, "platform_url"],
])("%j is refused at %s", async (form, param) => {
  const response = await house.post(ACCOUNTS, { name: "wrong", ...form });
  await expectError(response, { status: 400, code: "invalid_value", param });
});

test("a proxy that refuses is named, and its password never shown", async () => {
  const { proxy } = house;
  const { host } = new URL(proxy.url());
  const form = {
    ...{ name: "far", appid: "wx1", secret: "s3cret", is_default: false },
    proxy_url: `http://me:wr0ng-w0rds@${host}`,
  };
  const added = await house.made<JsonObject>(ACCOUNTS, form);
  expect(added.proxy).toBe(proxy.url());
  const sick = await house.made<JsonObject>(`${ACCOUNTS}/far:doctor`, {});
  expect(sick.healthy).toBe(false);
  const [finding] = sick.findings as JsonObject[];
  expect(finding).toMatchObject({ check: "proxy", state: "failed" });
  expect(proxy.asked).toEqual(["CONNECT api.weixin.qq.com:443"]);
  const refused = await house.post("/drafts", { ...DRAFT, account: "far" });
  const text = await expectFault(refused, 502, "proxy_failed");
  expect(JSON.stringify([added, sick, text])).not.toContain("wr0ng-w0rds");
  const change = { proxy_url: null };
  const patched = await fetch(`${house.server.url}${ACCOUNTS}/far`, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${house.server.firstKey}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(change),
  });
  expect(await patched.json()).toMatchObject({ proxy: null, credential: "secret" });
});
