// The order of the platform's checks, its log of calls, and what tests put in between, over real HTTP.
import { describe, expect, spyOn, test } from "bun:test";
import { RawClient } from "../../../test/support/clients/raw-client.ts";
import { drops } from "../../../test/support/clients/slow-bodies.ts";
import { Parts, perSuite } from "../../../test/support/houses/house.ts";
import { platformHouse } from "../../../test/support/houses/platform-house.ts";
import {
  ADD,
  boxCount,
  expectRefusal,
  GOOD,
} from "../../../test/support/samples/platform-vectors.ts";
import { PlatformError } from "../platform-error.ts";
import type { Interference } from "./protocol.ts";

const FORGED = `88_${"x".repeat(128)}`;
const NOT_LATEST =
  "invalid credential, access_token is invalid or not latest, could get access_token by " +
  "getStableAccessToken, more details at https://mmbizurl.cn/s/JtxxFh33r rid: ";

describe("the wire", () => {
  const limits = { platform_body_bytes_max: 3 * 1024 * 1024 };
  const house = perSuite((parts) => platformHouse(parts, { limits }));

  test("a token only counts in the query", async () => {
    const call = (init: RequestInit) => house.ask(ADD, { method: "POST", body: GOOD, ...init });
    expectRefusal(await call({}), 41001, "access_token missing rid");
    const bearer = { authorization: `Bearer ${house.token}` };
    expectRefusal(await call({ headers: bearer }), 41001);
    const inBody = await call({ body: `{"access_token":"${house.token}","articles":[]}` });
    expectRefusal(inBody, 41001);
  });

  test("a token that was never given out is refused before the body is looked at", async () => {
    const answer = await house.post(ADD, "{", FORGED);
    expectRefusal(answer, 40001);
    expect(answer.body.errmsg).toStartWith(NOT_LATEST);
    expectRefusal(await house.post(ADD, GOOD, "abc"), 40001);
    expectRefusal(await house.post(ADD, GOOD, "%E5%AD%97"), 40014, "invalid access_token rid");
  });

  test("a client that cuts off its call is no error in the log", async () => {
    const { calls } = house.platform;
    const begun = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const head = `POST /platform${ADD}?access_token=${house.token} HTTP/1.1`;
    const finding = spyOn(house.platform.wire, "handle").mockImplementationOnce((incoming) => {
      finding.mockRestore();
      begun.resolve();
      return house.platform.wire.handle(incoming);
    });
    const recording = spyOn(calls, "record").mockImplementationOnce(async () => over.resolve());
    const client = await RawClient.connect(house.url);
    client.send(`${head}\r\nhost: gate\r\ncontent-length: 1000\r\n\r\n{"articles":[`);
    await begun.promise;
    client.leave();
    await over.promise;
    recording.mockRestore();
    expect(house.lines).toEqual([]);
  });

  test("a call from a page is refused, whatever else it brings", async () => {
    const before = await boxCount(house);
    for (const headers of [
      { origin: "https://page.example" },
      { "sec-fetch-site": "cross-site" },
    ] as Record<string, string>[]) {
      const init = { method: "POST", body: GOOD, headers };
      expectRefusal(await house.ask(`${ADD}?access_token=${house.token}`, init), 48001);
      expectRefusal(await house.ask("/cgi-bin/nowhere", init), 48001);
      expectRefusal(await house.ask("/cgi-bin/token", { headers }), 48001);
    }
    expect(await boxCount(house)).toBe(before);
    const node = { "sec-fetch-mode": "cors" };
    const init = { method: "POST", body: GOOD, headers: node };
    const answer = await house.ask(`${ADD}?access_token=${house.token}`, init);
    expect(answer.body).toHaveProperty("media_id");
  });

  test("an unknown path is 40066, a wrong method 43002 or 43001", async () => {
    expectRefusal(await house.get("/cgi-bin/nowhere"), 40066, "invalid url rid");
    expectRefusal(await house.get("/elsewhere"), 40066);
    expectRefusal(await house.get(ADD), 43002, "require POST method rid");
    expectRefusal(await house.ask(ADD, { method: "DELETE" }), 43002);
    expectRefusal(await house.post("/cgi-bin/draft/count", ""), 43001, "require GET method rid");
  });

  test("two slashes are one", async () => {
    expect((await house.get("//cgi-bin/draft/count")).body).toHaveProperty("total_count");
  });

  test("a body beyond the bound is refused with HTTP 200", async () => {
    const answer = await house.post(ADD, `"${"a".repeat(3 * 1024 * 1024)}"`);
    expectRefusal(answer, 45002);
  });

  test("a body that comes drop by drop is not waited for longer than an upload takes", async () => {
    await using parts = new Parts();
    const hasty = await platformHouse(parts, { limits: { upload_ms: 100 } });
    const slow = { method: "POST", body: drops() };
    expectRefusal(await hasty.ask(`${ADD}?access_token=${hasty.token}`, slow), 47001);
    const fresh = { method: "POST", body: drops() };
    expectRefusal(await hasty.ask("/cgi-bin/stable_token", fresh), 47001);
  });

  test("an error's id tells its second, and the call can be looked up by it", async () => {
    const answer = await house.post(ADD, '{"articles":[{"content":"c"}]}');
    const rid = /rid: (\S+)$/.exec(answer.body.errmsg ?? "")?.[1] ?? "";
    expect(Number.parseInt(rid.slice(0, 8), 16)).toBe(Math.floor(house.world.nowMs / 1000));
    const find = (body: string, token = house.token) =>
      house.post("/cgi-bin/openapi/rid/get", body, token);
    const found = await find(`{"rid":"${rid}"}`);
    expect(found.body).toMatchObject({
      errcode: 0,
      errmsg: "ok",
      request: {
        invoke_time: Math.floor(house.world.nowMs / 1000),
        request_url: `${house.url}${ADD}?access_token=***`,
        request_body: '{"articles":[{"content":"c"}]}',
        response_body: answer.text,
        client_ip: "127.0.0.1",
      },
    });
    const other = await house.platform.accounts.create("acct_other");
    const { token } = await house.platform.tokens.stable(other.account.appid, false);
    expectRefusal(await find(`{"rid":"${rid}"}`, token), 76003);
    expectRefusal(await find(`{"rid":"${rid.slice(0, -1)}${rid.endsWith("0") ? 1 : 0}"}`), 76001);
    expectRefusal(await find('{"rid":"x"}'), 76002);
    expectRefusal(await find('{"rid":"5fa26c60-00000000-00000000"}'), 76004);
  });

  test("no secret stays in the log of calls", async () => {
    const query = { grant_type: "client_credential", appid: house.appid, secret: house.secret };
    const given = await house.ask(`/cgi-bin/token?${new URLSearchParams(query)}`);
    const body = JSON.stringify(query);
    await house.ask("/cgi-bin/stable_token", { method: "POST", body });
    const kept = JSON.stringify(await house.platform.calls.list(undefined, 100));
    expect(kept).toContain("stable_token");
    for (const secret of [house.secret, house.token, String(given.body.access_token)]) {
      expect(kept).not.toContain(secret);
    }
  });

  test("what is nested beyond any call is no data, and costs nothing", async () => {
    const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const bodyWith = (value: string) => GOOD.replace("{", `{"more":${value},`);
    expectRefusal(await house.post(ADD, bodyWith(deep(60_000))), 47001, "data format error");
    expectRefusal(await house.post("/cgi-bin/stable_token", "[".repeat(60_000)), 47001);
    const brackets = bodyWith(`"${'[\\"{'.repeat(1_000)}"`);
    expect((await house.post(ADD, brackets)).body).toHaveProperty("media_id");
    expect((await house.post(ADD, bodyWith(deep(50)))).body).toHaveProperty("media_id");
  });

  test("what anybody sends is kept in part, whatever it looks like", async () => {
    const body = "a".repeat(1_000_000);
    house.world.nowMs += 1;
    const answer = await house.ask(`/cgi-bin/${"a".repeat(7_000)}`, { method: "POST", body });
    expectRefusal(answer, 40066);
    const [call] = await house.platform.calls.list(undefined, 1);
    house.world.nowMs += 1;
    expect(call?.url.length).toBe(1_024);
    expect(call?.path.length).toBe(1_024);
    expectRefusal(await house.post(ADD, body), 47001);
    const [known] = await house.platform.calls.list(house.appid, 1);
    expect(known?.request_body).toBe("a".repeat(4_096));
  });

  test("only so many calls are remembered", async () => {
    await using parts = new Parts();
    const small = await platformHouse(parts, { limits: { platform_calls_max: 3 } });
    const bodies = Array.from({ length: 101 }, (_, i) => `{"media_id":"${i}"}`);
    for (const body of bodies) {
      small.world.nowMs += 1;
      await small.post("/cgi-bin/draft/get", body);
    }
    const calls = await small.platform.calls.list(small.appid, 200);
    expect(calls.map(({ request_body }) => request_body)).toEqual(bodies.slice(-3).reverse());
  });

  test("the platform tells its addresses", async () => {
    for (const path of ["/cgi-bin/get_api_domain_ip", "/cgi-bin/getcallbackip"]) {
      expect((await house.get(path)).body).toEqual({ ip_list: ["127.0.0.1"] });
    }
  });
});

describe("what stands between a caller and the platform", () => {
  let next: Interference | undefined;
  const house = perSuite((parts) =>
    platformHouse(parts, {
      interfere: (path, work, keepOpen) => {
        const now = next;
        next = undefined;
        return now ? now(path, work, keepOpen) : work();
      },
    }),
  );

  test("may lose an answer after the draft was stored", async () => {
    next = async (_path, work) => {
      await work();
      return new Response("{}", { status: 502 });
    };
    expect((await house.post(ADD, GOOD)).status).toBe(502);
    expect(await boxCount(house)).toBe(1);
  });

  test("may refuse in the platform's words before anything is stored", async () => {
    next = async () => {
      throw new PlatformError(45011);
    };
    expectRefusal(await house.post(ADD, GOOD), 45011, "api minute-quota reach limit");
    expect(await boxCount(house)).toBe(1);
  });

  test("may break, which the caller hears as a busy system", async () => {
    next = async () => {
      throw new Error("out of paper");
    };
    expectRefusal(await house.post(ADD, GOOD), -1, "system error rid");
    expect(house.lines.join("")).toContain("out of paper");
  });
});
