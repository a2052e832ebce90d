import { describe, expect, test } from "bun:test";
import { faultOf } from "../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../test/support/houses/draft-house.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { STUB_URL } from "../../test/support/outside/wechat-stub.ts";
import { SafeFetchError } from "../lib/net/safe-fetch.ts";

const drafts = perSuite(draftStores);

function open(options: { readonly publishOn?: boolean } = {}) {
  const house = new DraftHouse(drafts.store);
  return { house, draftService: house.start(options), account: house.accountId };
}

describe("the doctor", () => {
  test("finds a good account good", async () => {
    const { draftService, account } = open({ publishOn: true });
    const diagnosis = await draftService.doctor(account, undefined);
    expect(diagnosis).toMatchObject({ healthy: true, drafts: 0, quota: { left: 997 } });
    expect(diagnosis).toMatchObject({ canPublish: true, verified: true });
    expect(diagnosis.destination).toMatchObject({ name: "sandbox", sandbox: true });
    expect(diagnosis.findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
      "credential ok",
      "ip ok",
      "draft_right ok",
      "publish_right ok",
      "quota ok",
    ]);
  });

  test("names the address to allow, the wrong secret, and the missing right", async () => {
    const { house, draftService, account } = open();
    house.stub.refusals.set("/cgi-bin/stable_token", {
      errcode: 40164,
      errmsg: "invalid ip 203.0.113.7 ipv6 ::ffff:203.0.113.7, not in whitelist",
    });
    const blocked = await draftService.doctor(account, undefined);
    expect(blocked.healthy).toBe(false);
    expect(blocked.findings).toContainEqual(
      expect.objectContaining({ check: "ip", state: "failed", ip: "203.0.113.7" }),
    );
    house.stub.refusals.clear();
    house.stub.refusals.set("/cgi-bin/freepublish/batchget", {
      errcode: 48001,
      errmsg: "api unauthorized",
    });
    const limited = await draftService.doctor(account, undefined);
    expect(limited.healthy).toBe(true);
    expect(limited).toMatchObject({ canPublish: false, verified: false });
    const right = limited.findings.find(({ check }) => check === "publish_right");
    expect(right).toMatchObject({ state: "failed", reason: "unverified", errcode: 48001 });
    expect(right?.message).toContain("not verified");
    expect(right?.message).toContain("cannot publish");
    house.stub.refusals.clear();
    const form = { name: "wrong", appid: house.stub.appid, secret: "f".repeat(32) };
    await draftService.publicAccounts.add(account, form);
    const wrong = await draftService.doctor(account, "wrong");
    expect(wrong.findings[0]).toMatchObject({ check: "credential", errcode: 40125 });
    expect(wrong).toMatchObject({ canPublish: false, verified: null });
  });

  test.each([
    ["the installation", false, true, "publish_off"],
    ["the public account", true, false, "publish_not_allowed"],
  ] as const)("does not call publishable what %s does not publish", async (_, on, may, reason) => {
    const { house, draftService, account } = open({ publishOn: on });
    const { appid, secret } = house.stub;
    await draftService.publicAccounts.add(account, {
      name: "one",
      appid,
      secret,
      publishAllowed: may,
    });
    const diagnosis = await draftService.doctor(account, "one");
    expect(diagnosis).toMatchObject({ healthy: true, canPublish: false, verified: true });
    const right = diagnosis.findings.find(({ check }) => check === "publish_right");
    expect(right).toMatchObject({ state: "off", reason });
    expect(right?.message).not.toContain("can be published");
  });

  test("warns of a sandbox that drafts go to beside a real account", async () => {
    const { draftService, account } = open();
    expect((await draftService.doctor(account, undefined)).findings.at(-1)?.check).toBe("quota");
    const real = { name: "real", appid: "wx1", secret: "x", platformUrl: STUB_URL };
    await draftService.publicAccounts.add(account, { ...real, isDefault: false });
    const { findings, healthy } = await draftService.doctor(account, undefined);
    expect(healthy).toBe(true);
    expect(findings.at(-1)).toMatchObject({ check: "destination", reason: "sandbox_beside_real" });
  });

  test("does not take a supplied token for an AppSecret, nor for an allowed address", async () => {
    const { house, draftService, account } = open();
    const { appid } = house.stub;
    const form = { name: "central", appid, supplied: { url: undefined, bearer: undefined } };
    const { id } = await draftService.publicAccounts.add(account, form);
    const without = await draftService.doctor(account, id);
    expect(without.healthy).toBe(false);
    expect(without.findings[0]).toMatchObject({ check: "credential", state: "failed" });
    const token = house.stub.token();
    await draftService.publicAccounts.supplyToken(account, id, { token, expiresInS: 7_000 });
    const { healthy, findings } = await draftService.doctor(account, id);
    expect(healthy).toBe(true);
    expect(findings.slice(0, 3)).toMatchObject([
      { check: "credential", state: "ok", reason: "supplied" },
      { check: "ip", state: "skipped", reason: "not_fetched" },
      { check: "draft_right", state: "ok" },
    ]);
    expect(findings[0]?.message).not.toContain("AppSecret");
  });

  test("names the proxy that stands in the way", async () => {
    const { house, draftService, account } = open();
    const proxyUrl = "http://me:proxy-password@out.test:3128";
    const { appid, secret } = house.stub;
    const form = { name: "far", appid, secret, proxyUrl, platformUrl: STUB_URL };
    await draftService.publicAccounts.add(account, form);
    const good = await draftService.doctor(account, "far");
    expect(good.healthy).toBe(true);
    expect(good.findings[0]).toMatchObject({ check: "proxy", state: "ok" });
    const blocked = house.start({
      fetch: async (_address, call) => {
        expect(call.proxy).toBe(proxyUrl);
        throw new SafeFetchError("proxy", "The proxy http://out.test:3128 refused it.", false);
      },
    });
    const bad = await blocked.doctor(account, "far");
    expect(bad.healthy).toBe(false);
    expect(bad.findings[0]).toMatchObject({ check: "proxy", state: "failed" });
    expect(JSON.stringify([good, bad])).not.toContain("proxy-password");
    const draft = await draftService.create(account, {
      ...{ articles: [article("by proxy")], by: "me", publicAccount: "far" },
    });
    const fault = await faultOf(blocked.push(account, draft.id));
    expect(fault).toMatchObject({ fault: "proxy_failed" });
    expect(fault.message).toContain("Nothing was sent");
    expect((await draftService.push(account, draft.id)).draft.status).toBe("in_box");
  });
});
