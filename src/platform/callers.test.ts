// Who may call the platform, over the real server.
import { describe, expect, test } from "bun:test";
import { perSuite } from "../../test/support/houses/house.ts";
import { type ServedAccount, servedPlatform } from "../../test/support/houses/served-platform.ts";
import { ADD, expectRefusal, GOOD } from "../../test/support/samples/platform-vectors.ts";
import { eventually } from "../../test/support/waiting.ts";

describe("callers of the platform", () => {
  const served = perSuite(servedPlatform);
  const mine = perSuite(() => served.account());

  const good = () => GOOD.replaceAll("THUMB", mine.thumb);
  const count = async () => (await served.get("/cgi-bin/draft/count", mine)).body.total_count;
  const addWith = (headers: Record<string, string>) =>
    served.ask(`${ADD}?access_token=${mine.token}`, { method: "POST", headers, body: good() });

  test("a page is 48001, and nothing is stored", async () => {
    const before = await count();
    const pages = [
      { origin: "https://example.com" },
      { origin: "null" },
      { "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" },
    ];
    for (const headers of pages) {
      const rid = "rid: [0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}$";
      expectRefusal(
        await addWith(headers as Record<string, string>),
        48001,
        `api unauthorized ${rid}`,
      );
    }
    expect(await count()).toBe(before);
  });

  test("a server that only tells its fetch mode is let in", async () => {
    const answer = await addWith({ "sec-fetch-mode": "cors" });
    expect(answer.body).toEqual({ media_id: expect.any(String) } as never);
  });

  const tokenOf = async (kind: string, sets: number[] = []) => {
    const given = await served.controlled("POST", "tokens", { appid: mine.appid, kind, sets });
    return { token: String(given.access_token) };
  };

  test("a third party needs the permission set 11 or 100", async () => {
    for (const sets of [[11], [100], [7, 11, 100]]) {
      const answer = await served.post(ADD, good(), await tokenOf("third-party", sets));
      expect(answer.body).toEqual({ media_id: expect.any(String) } as never);
    }
    const before = await count();
    for (const sets of [[], [7], [1, 12, 99]]) {
      const refused = await served.post(ADD, good(), await tokenOf("third-party", sets));
      expectRefusal(refused, 61007, "api is unauthorized to component rid: ");
    }
    expect(await count()).toBe(before);
  });

  test("a third party comes from its ticket to a token of the account, and to a draft", async () => {
    const { appid } = mine;
    const authorization = { appid, kind: "third-party", sets: [11] };
    const authorized = await served.controlled("POST", "tokens", authorization);
    const call = (path: string, body: object) =>
      served.ask(`/cgi-bin/component/${path}`, { method: "POST", body: JSON.stringify(body) });
    const own = {
      component_appid: "wxcomponent",
      component_appsecret: "SECRET-OF-THE-COMPONENT",
      component_verify_ticket: "TICKET-OF-THE-COMPONENT",
    };
    const { body } = await call("api_component_token", own);
    const token = String(body.component_access_token);
    expect(body).toEqual({ component_access_token: token, expires_in: 7200 } as never);
    const refresh = (authorizer_refresh_token: unknown, name = "component_access_token") =>
      call(`api_authorizer_token?${name}=${token}`, {
        component_appid: own.component_appid,
        authorizer_appid: appid,
        authorizer_refresh_token,
      });
    for (const name of ["component_access_token", "access_token"]) {
      const given = await refresh(authorized.refresh_token, name);
      expect(given.body.authorizer_refresh_token).toBe(String(authorized.refresh_token));
      const added = await served.post(ADD, good(), {
        token: String(given.body.authorizer_access_token),
      });
      expect(added.body.media_id).toBeDefined();
    }
    expectRefusal(await refresh("refreshtoken@@@wrong"), 61023, "refresh_token is invalid rid: ");
    expectRefusal(await refresh(authorized.access_token), 61023);
    expectRefusal(await call("api_component_token", { ...own, component_appid: "" }), 41002);
    expectRefusal(await call("api_component_token", { ...own, component_appsecret: null }), 41004);
    expectRefusal(
      await call("api_component_token", { ...own, component_verify_ticket: "" }),
      61006,
    );
    const log = await (await served.control("GET", "requests?limit=50")).text();
    expect(log).toContain("api_component_token");
    for (const secret of [own.component_appsecret, own.component_verify_ticket, token]) {
      expect(log).not.toContain(secret);
    }
  });

  test("a third party needs the permission set 7 to publish", async () => {
    const before = await count();
    const { body } = await served.post(ADD, good(), mine);
    const submit = async (sets: number[]) =>
      served.post(
        "/cgi-bin/freepublish/submit",
        `{"media_id":"${body.media_id}"}`,
        await tokenOf("third-party", sets),
      );
    expectRefusal(await submit([11, 100]), 61007);
    expect((await submit([7])).body.errcode).toBe(0);
    await eventually("its draft has left the box", async () => (await count()) === before);
  });

  test("a call from the platform's cloud is refused", async () => {
    const before = await count();
    expectRefusal(await served.post(ADD, good(), await tokenOf("cloud")), 48001);
    expect(await count()).toBe(before);
  });

  test("service accounts are let in, others are not", async () => {
    const service = await served.account({ type: "service" });
    const add = (own: ServedAccount) => served.post(ADD, GOOD.replaceAll("THUMB", own.thumb), own);
    expect((await add(service)).body.media_id).toBeDefined();
    await served.controlled("PATCH", `accounts/${service.appid}`, { type: "other" });
    expectRefusal(await add(service), 48001);
  });
});
