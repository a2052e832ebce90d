import { beforeAll, expect, test } from "bun:test";
import type { AuditEntry } from "../../src/accounts/audit.ts";
import type { Guards } from "../../src/accounts/guards.ts";
import { RecipientsTable } from "../../src/accounts/tables/recipients.ts";
import { alertRoutes } from "../../src/console/alert-routes.ts";
import type { Sql } from "../../src/lib/sql/sql.ts";
import { onEngines } from "../store/engines.ts";
import type { Browser } from "../support/browser.ts";
import { perSuite } from "../support/houses/house.ts";
import { noticeProcess, noticeWorld } from "../support/houses/notice-house.ts";
import { peopleHouse } from "../support/houses/people-house.ts";
import { isSigned, startHookReceiver } from "../support/outside/hook-receiver.ts";

interface Body {
  readonly webhook?: { readonly secret?: string };
  readonly error?: { readonly param: string | null };
}

async function read(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}

onEngines("alert settings on $name", (engine) => {
  const hooks = perSuite((parts) => parts.keep(startHookReceiver()));
  const entries: AuditEntry[] = [];
  const house = perSuite((parts) => {
    const audit = { write: async (entry: AuditEntry) => void entries.push(entry) };
    const routes = (guards: Guards, sql: Sql) => {
      const { alerts } = noticeProcess(sql, noticeWorld(), undefined);
      const operatorAccountId = async () => house.operatorAccount.id;
      return alertRoutes({ alerts, audit, mailConfigured: false, operatorAccountId }, guards);
    };
    return peopleHouse(parts, { engine, routes });
  });
  let owner: Browser;
  let path: string;
  beforeAll(async () => {
    const opened = await house.owner("ann@example.com");
    owner = opened.browser;
    path = `/api/accounts/${opened.accountId}/alerts`;
  });

  const put = (body: unknown, browser = owner) => browser.send("PUT", path, body);

  test("begin with every warning on, at a fifth of the last credit, by mail", async () => {
    const response = await owner.get(path);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        object: "alerts",
        low_balance: { enabled: true, threshold: null },
        budgets: { enabled: true },
        spend_spike: { enabled: true },
        model_deprecation: { enabled: true },
        vendor_down: { enabled: true },
        email: { enabled: true, configured: false },
        webhook: null,
        operators_only: [],
      },
    ]);
  });

  test("are changed in part, answered whole and written to the audit log without secrets", async () => {
    const response = await put({
      low_balance: { threshold: "12.50" },
      budgets: { enabled: false },
      webhook: { url: hooks.url },
    });
    const body = await read(response);
    expect(body).toMatchObject({
      low_balance: { enabled: true, threshold: "12.5" },
      budgets: { enabled: false },
      spend_spike: { enabled: true },
      webhook: { url: hooks.url, enabled: true, failures: 0, last_error: null },
    });
    for (const webhook of [{ enabled: false }, { url: hooks.url }]) {
      const off = { webhook: { url: hooks.url, enabled: false } };
      expect(await read(await put({ webhook }))).toMatchObject(off);
    }
    const { secret = "" } = body.webhook ?? {};
    expect(secret).toStartWith("whsec_");
    expect(entries.at(-1)).toMatchObject({ action: "alerts.change" });
    expect(JSON.stringify(entries)).not.toContain(secret);
    const again = await read(await owner.get(path));
    expect(again).toMatchObject({ budgets: { enabled: false } });
    expect(again.webhook?.secret).toBeUndefined();

    const tested = await owner.post(`${path}/test`, { channel: "webhook" });
    expect(await tested.json()).toEqual({ ok: true, error: null });
    const call = hooks.calls.at(-1);
    expect(call && isSigned(call, secret)).toBe(true);
    const hurried = await owner.post(`${path}/test`, { channel: "webhook" });
    expect([hurried.status, hurried.headers.get("retry-after")]).toEqual([429, "10"]);
  });

  test.each([
    [{ low_balance: { threshold: "-1" } }, "low_balance.threshold"],
    [{ low_balance: { threshold: 5 } }, "low_balance.threshold"],
    [{ low_balance: { threshold: "99999999" } }, "low_balance.threshold"],
    [{ budgets: true }, "budgets"],
    [{ webhook: { url: "http://example.com" } }, "webhook.url"],
    [{ webhook: { url: "https://169.254.169.254/latest" } }, "webhook.url"],
    [{ webhook: { url: "https://[::ffff:10.0.0.1]/" } }, "webhook.url"],
    [{ webhook: { url: 7 } }, "webhook.url"],
  ])("that make no sense are refused at the field: %j", async (body, param) => {
    const before = await (await owner.get(path)).json();
    const response = await put(body);
    const { error } = await read(response);
    expect([response.status, error?.param]).toEqual([400, param]);
    expect(await (await owner.get(path)).json()).toEqual(before);
  });

  test("that nobody knows are refused", async () => {
    expect((await put({ sms: { enabled: true } })).status).toBe(400);
    expect((await owner.post(`${path}/test`, { channel: "pigeon" })).status).toBe(400);
  });

  test("are not there for others", async () => {
    const { browser: stranger } = await house.owner("eve@example.com");
    expect((await stranger.get(path)).status).toBe(404);
    expect((await put({ budgets: { enabled: true } }, stranger)).status).toBe(404);
    expect((await house.visitor().get(path)).status).toBe(401);
  });

  test("are read by viewers, without the part of an address that may be secret", async () => {
    const { browser: viewer } = await house.owner("vic@example.com");
    const [person] = await house.sql.query<{ id: string }>(
      "select id from auth_user where email = 'vic@example.com'",
    );
    const [, , , account = ""] = path.split("/");
    const joined = { ...house.operatorAccount, id: account };
    await house.services.memberships.join(joined, person?.id ?? "", "viewer");
    const body = await read(await viewer.get(path));
    expect(body.webhook).toMatchObject({ url: new URL(hooks.url).origin });
    expect((await put({ budgets: { enabled: true } }, viewer)).status).toBe(403);
    expect((await viewer.post(`${path}/test`, { channel: "webhook" })).status).toBe(403);
  });

  test("go to the owners and to the operators, in the language and zone of each", async () => {
    await owner.send("PATCH", "/api/me", { language: "zh", time_zone: "Asia/Shanghai" });
    await house.operator("op@example.com");
    const recipients = new RecipientsTable(house.sql);
    const [, , , account = ""] = path.split("/");
    expect(await recipients.owners(account)).toEqual([
      { email: "ann@example.com", language: "zh", timeZone: "Asia/Shanghai" },
    ]);
    expect(await recipients.operators()).toEqual([
      { email: "op@example.com", language: "en", timeZone: null },
    ]);
  });

  test("of the operator's account say how operators hear of vendors, which is theirs to change", async () => {
    const operator = await house.operator("boss@example.com");
    const { browser: member } = await house.owner("mia@example.com");
    const [person] = await house.sql.query<{ id: string }>(
      "select id from auth_user where email = 'mia@example.com'",
    );
    await house.services.memberships.join(house.operatorAccount, person?.id ?? "", "owner");
    const ofHouse = `/api/accounts/${house.operatorAccount.id}/alerts`;
    const change = (body: unknown, browser: Browser) => browser.send("PUT", ofHouse, body);
    const webhook = { url: hooks.url };
    const before = await (await operator.get(ofHouse)).json();
    for (const body of [
      { vendor_down: { enabled: false } },
      { email: { enabled: false } },
      { webhook },
      { budgets: { enabled: false }, webhook: null },
    ]) {
      const refused = await change(body, member);
      expect([refused.status, await refused.json()]).toMatchObject([
        403,
        { error: { message: expect.stringContaining("operator") } },
      ]);
    }
    expect(await (await operator.get(ofHouse)).json()).toEqual(before);
    expect((await change({ budgets: { enabled: false } }, member)).status).toBe(200);
    expect(await read(await change({ webhook }, operator))).toMatchObject({ webhook });
    expect(before).toMatchObject({ operators_only: [] });
    const seen = await read(await member.get(ofHouse));
    expect(seen).toMatchObject({ operators_only: ["vendor_down", "email", "webhook"] });
    expect(seen.webhook).toMatchObject({ url: new URL(hooks.url).origin });
  });
});
