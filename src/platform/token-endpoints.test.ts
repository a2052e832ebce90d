// Tokens and quotas of the platform, over real HTTP.
import { expect, test } from "bun:test";
import { onEngines } from "../../test/store/engines.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { platformHouse } from "../../test/support/houses/platform-house.ts";
import {
  ADD,
  added,
  boxCount,
  expectRefusal,
  GOOD,
} from "../../test/support/samples/platform-vectors.ts";

const NOT_LATEST =
  "invalid credential, access_token is invalid or not latest, could get access_token by " +
  "getStableAccessToken, more details at https://mmbizurl.cn/s/JtxxFh33r rid: ";

onEngines("tokens on $name", (engine) => {
  const house = perSuite((parts) => platformHouse(parts, { engine }));

  const tokenQuery = (changes: Record<string, string> = {}) => {
    const query = { grant_type: "client_credential", appid: house.appid, secret: house.secret };
    return `/cgi-bin/token?${new URLSearchParams({ ...query, ...changes })}`;
  };
  const issue = async () => String((await house.ask(tokenQuery())).body.access_token);
  const stableBody = (more = "") =>
    `{"grant_type":"client_credential","appid":"${house.appid}","secret":"${house.secret}"${more}}`;
  const stable = (more = "", url = house.url) =>
    fetch(`${url}/cgi-bin/stable_token`, { method: "POST", body: stableBody(more) }).then(
      async (response) => (await response.json()) as Record<string, unknown>,
    );
  const count = (token: string) => house.get("/cgi-bin/draft/count", token);

  test("a token is given for appid and secret, and works", async () => {
    const answer = await house.ask(tokenQuery());
    expect(answer.text).toMatch(/^\{"access_token":"\d{1,3}_[\w-]{100,}","expires_in":7200\}$/);
    expect((await count(String(answer.body.access_token))).body.total_count).toBeNumber();
  });

  test("a newer token leaves the older one five minutes", async () => {
    const first = await issue();
    const second = await issue();
    house.world.nowMs += 299_000;
    expect((await count(first)).body.total_count).toBeNumber();
    house.world.nowMs += 2_000;
    const late = await count(first);
    expectRefusal(late, 40001);
    expect(late.body.errmsg).toStartWith(NOT_LATEST);
    expect((await count(second)).body.total_count).toBeNumber();
  });

  test("a token ends after two hours", async () => {
    const token = await issue();
    house.world.nowMs += 7_199_000;
    expect((await count(token)).body.total_count).toBeNumber();
    house.world.nowMs += 1_000;
    expectRefusal(await count(token), 42001, "access_token expired rid");
  });

  test("the stable token stays the same until five minutes before its end", async () => {
    house.world.nowMs += 86_400_000;
    const first = await stable();
    expect(first.expires_in).toBe(7200);
    house.world.nowMs += 6_000_000;
    const second = await stable();
    expect(second).toEqual({ access_token: first.access_token, expires_in: 1200 });
    house.world.nowMs += 900_000;
    const third = await stable();
    expect(third.expires_in).toBe(7200);
    expect(third.access_token).not.toBe(first.access_token);
    expect((await count(String(first.access_token))).body.total_count).toBeNumber();
  });

  test("many who ask at once, in two processes, get one stable token", async () => {
    house.world.nowMs += 86_400_000;
    const elsewhere = await house.another();
    const asked = Array.from({ length: 8 }, (_, i) => stable("", i % 2 ? elsewhere : house.url));
    const tokens = (await Promise.all(asked)).map(({ access_token }) => access_token);
    expect(new Set(tokens).size).toBe(1);
    const response = await fetch(`${elsewhere}/cgi-bin/draft/count?access_token=${tokens[0]}`);
    expect(await response.json()).toHaveProperty("total_count");
  });

  test("force makes a new stable token and ends the old one, 30 s apart, 20 a day", async () => {
    house.world.nowMs += 86_400_000;
    const before = await stable();
    const forced = await stable(',"force_refresh":true');
    expect(forced.access_token).not.toBe(before.access_token);
    expectRefusal(await count(String(before.access_token)), 40001);
    expect(await stable()).toMatchObject({ access_token: forced.access_token });
    expect(await stable(',"force_refresh":true')).toMatchObject({ errcode: 45011 });
    await house.platform.quotas.setUsed(house.appid, "stable_token_force", 19, house.world.nowMs);
    house.world.nowMs += 30_000;
    expect(await stable(',"force_refresh":true')).toHaveProperty("access_token");
    house.world.nowMs += 30_000;
    expect(await stable(',"force_refresh":true')).toMatchObject({ errcode: 45009 });
  });

  test("the two kinds leave each other alone", async () => {
    const { access_token } = await stable();
    const normal = await issue();
    await issue();
    house.world.nowMs += 301_000;
    expectRefusal(await count(normal), 40001);
    expect((await count(String(access_token))).body.total_count).toBeNumber();
  });

  test("the appid is looked at first, then what it is asked for, then the secret", async () => {
    const ask = (query: string) => house.ask(`/cgi-bin/token?${query}`);
    const { appid } = house;
    expectRefusal(await ask(""), 41002, "appid missing rid");
    expectRefusal(await ask("appid=wx0000000000000000"), 40013, "invalid appid rid");
    expectRefusal(await ask("appid=%00"), 40013);
    expectRefusal(await ask(`appid=${appid}`), 40002, "invalid grant_type rid");
    const grant = `grant_type=client_credential&appid=${appid}`;
    expectRefusal(await ask(grant), 41004, "appsecret missing rid");
    expectRefusal(await ask(`${grant}&secret=wrong`), 40125, "invalid appsecret rid");
    const post = (body: string) => house.ask("/cgi-bin/stable_token", { method: "POST", body });
    expectRefusal(await post(""), 44002);
    expectRefusal(await post("{"), 47001);
    expectRefusal(await post("{}"), 41002);
    expectRefusal(await post(`{"appid":"${appid}"}`), 40002);
    expectRefusal(await house.ask("/cgi-bin/stable_token"), 43002, "require POST method rid");
  });

  test("an address outside the list is told its own", async () => {
    const token = await issue();
    await house.platform.accounts.set(house.appid, { networks: ["203.0.113.0/24"] });
    const from = (address: string) =>
      house.ask(tokenQuery(), { headers: { "x-sandbox-client-ip": address } });
    expectRefusal(
      await from("120.244.112.8"),
      40164,
      "invalid ip 120.244.112.8 ipv6 ::ffff:120.244.112.8, not in whitelist rid",
    );
    expectRefusal(await house.ask(tokenQuery()), 40164);
    expect((await from("203.0.113.7")).body).toHaveProperty("access_token");
    // Only the giving out of tokens asks where a caller is.
    expect((await count(token)).body.total_count).toBeNumber();
    await house.platform.accounts.set(house.appid, { networks: ["0.0.0.0/0"] });
    expect((await from("120.244.112.8")).body).toHaveProperty("access_token");
    await house.platform.accounts.set(house.appid, { networks: [] });
  });

  test("a frozen secret gives no tokens, and those given out go on", async () => {
    const token = await issue();
    await house.platform.accounts.set(house.appid, { frozen: true });
    expectRefusal(await house.ask(tokenQuery()), 40243, "AppSecret已被冻结");
    expect(await stable()).toMatchObject({ errcode: 40243 });
    expect((await count(token)).body.total_count).toBeNumber();
    await house.platform.accounts.set(house.appid, { frozen: false });
  });

  test("a third party needs one of the sets 11 and 100", async () => {
    const add = async (sets: number[]) => {
      const { token } = await house.platform.tokens.authorize(house.appid, sets);
      return house.post(ADD, GOOD, token);
    };
    expect((await add([11])).body).toHaveProperty("media_id");
    expect((await add([7, 100])).body).toHaveProperty("media_id");
    expectRefusal(await add([7]), 61007, "api is unauthorized to component rid");
    expectRefusal(await add([]), 61007);
    const { token } = await house.platform.tokens.authorize(house.appid, [11, 100]);
    const body = '{"product_id":"1","article_type":"news","card_type":0}';
    const card = await house.post("/channels/ec/service/product/getcardinfo", body, token);
    expectRefusal(card, 61007);
  });

  test("a third party refreshes its token with what it was given", async () => {
    const { refreshToken } = await house.platform.tokens.authorize(house.appid, [11]);
    const refresh = (token: string, appid = house.appid) =>
      house.ask("/cgi-bin/component/api_authorizer_token?access_token=COMPONENT", {
        method: "POST",
        body: `{"component_appid":"wxcomponent","authorizer_appid":"${appid}","authorizer_refresh_token":"${token}"}`,
      });
    const answer = await refresh(refreshToken);
    expect(answer.body).toMatchObject({ expires_in: 7200, authorizer_refresh_token: refreshToken });
    const given = String(answer.body.authorizer_access_token);
    expect((await house.post(ADD, GOOD, given)).body).toHaveProperty("media_id");
    expectRefusal(await refresh("made up"), 61023);
    expectRefusal(await refresh(refreshToken, "wx0000000000000000"), 40013);
    expectRefusal(await count(refreshToken), 40001);
  });

  test("a token of the platform's cloud is refused", async () => {
    const { token } = await house.platform.tokens.cloud(house.appid);
    const before = await boxCount(house);
    expectRefusal(await house.post(ADD, GOOD, token), 48001, "api unauthorized rid");
    const named = await house.ask(`${ADD}?cloudbase_access_token=x`, {
      method: "POST",
      body: GOOD,
    });
    expectRefusal(named, 48001);
    expect(await boxCount(house)).toBe(before);
  });
});

onEngines("quotas on $name", (engine) => {
  const house = perSuite((parts) => platformHouse(parts, { engine }));

  const quota = async () => {
    const body = '{"cgi_path":"/cgi-bin/draft/add"}';
    return (await house.post("/cgi-bin/openapi/quota/get", body)).body.quota;
  };

  test("the 1,001st add of a day is 45009, until midnight of China", async () => {
    await added(house);
    expect(await quota()).toEqual({ daily_limit: 1000, used: 1, remain: 999 });
    await house.platform.quotas.setUsed(house.appid, "draft_add", 999, house.world.nowMs);
    await added(house);
    const answer = await house.post(ADD, GOOD);
    expectRefusal(answer, 45009, "reach max api daily quota limit rid");
    expect(await boxCount(house)).toBe(2);
    expect(await quota()).toEqual({ daily_limit: 1000, used: 1000, remain: 0 });
    // The clock starts at noon of China: twelve hours later it is another day.
    house.world.nowMs += 12 * 3_600_000 - 1;
    expectRefusal(await house.post(ADD, GOOD, await fresh()), 45009);
    house.world.nowMs += 1;
    expect((await house.post(ADD, GOOD, await fresh())).body).toHaveProperty("media_id");
  });

  const fresh = async () => (await house.platform.tokens.stable(house.appid, false)).token;

  test("a day begins anew when it is cleared, ten times a month", async () => {
    const token = await fresh();
    await house.platform.quotas.setUsed(house.appid, "draft_add", 1_000, house.world.nowMs);
    const clear = (body: string) => house.post("/cgi-bin/clear_quota", body, token);
    expectRefusal(await clear('{"appid":"wx0000000000000000"}'), 40013);
    expectRefusal(await house.post(ADD, GOOD, token), 45009);
    expect((await clear(`{"appid":"${house.appid}"}`)).text).toBe('{"errcode":0,"errmsg":"ok"}');
    expect((await house.post(ADD, GOOD, token)).body).toHaveProperty("media_id");
    for (let i = 1; i < 10; i++) {
      const second = await house.ask("/cgi-bin/clear_quota/v2", {
        method: "POST",
        body: `{"appid":"${house.appid}","appsecret":"${house.secret}"}`,
      });
      expect(second.body.errcode).toBe(0);
    }
    expectRefusal(await clear(`{"appid":"${house.appid}"}`), 48006, "forbid to clear quota");
  });

  test("a quota of a path that is not there is 76021", async () => {
    const answer = await house.post(
      "/cgi-bin/openapi/quota/get",
      '{"cgi_path":"/cgi-bin/nowhere"}',
      await fresh(),
    );
    expectRefusal(answer, 76021);
  });
});
