// The commands of the platform, as a person types them.
import { beforeAll, describe, expect, test } from "bun:test";
import { TestServer } from "../server.ts";
import { Parts, perFile, perSuite } from "../support/houses/house.ts";
import { answerOf } from "../support/houses/platform-house.ts";
import { fileForm } from "../support/houses/served-platform.ts";
import { startServer } from "../support/houses/serving.ts";
import { ADD, expectRefusal, GOOD } from "../support/samples/platform-vectors.ts";
import { typed } from "./commands.ts";

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46]);

const folder = await perFile((parts) => parts.folder());

describe("faregate platform", () => {
  const settings = { FAREGATE_DATA: folder };
  const type = (...args: string[]) => typed(["platform", ...args], settings);
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await type(...args, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  let known: Record<string, unknown>;
  let url: string;
  let thumb: string;

  const ask = async (path: string, init: RequestInit = {}) =>
    answerOf(await fetch(`${url}${path}`, init));
  const add = (token: unknown, members = "") =>
    ask(`${ADD}?access_token=${token}`, {
      method: "POST",
      body: GOOD.replaceAll("THUMB", thumb).replace('"title"', `${members}"title"`),
    });

  const server = perSuite(async (parts) => {
    // On a folder in which nothing has ever been served.
    known = await json("account");
    return parts.keep(await startServer(settings));
  });
  beforeAll(async () => {
    url = server.url.replace(/\/v1$/, "/platform");
    const { access_token } = await json("token");
    const path = `/cgi-bin/material/add_material?type=image&access_token=${access_token}`;
    thumb = String((await ask(path, fileForm("a.jpg", JPEG))).body.media_id);
  });

  test("account tells the same appid and secret before and while a server runs", async () => {
    expect(known).toEqual({
      appid: expect.stringMatching(/^wx[0-9a-f]{16}$/) as never,
      secret: expect.stringMatching(/^[0-9a-f]{32}$/) as never,
    });
    expect(await json("account")).toEqual(known);
    const { stdout } = await type("account");
    expect(stdout).toBe(`AppID      ${known.appid}\nAppSecret  ${known.secret}\n`);
  });

  test("the account of a fresh install adds a draft at {platform_url}/cgi-bin/draft/add", async () => {
    const query = `grant_type=client_credential&appid=${known.appid}&secret=${known.secret}`;
    const { body } = await ask(`/cgi-bin/token?${query}`);
    expect(Object.keys((await add(body.access_token)).body)).toEqual(["media_id"]);
  });

  test("token gives one of the account, or of a third party with permission sets", async () => {
    const own = await json("token");
    expect(own).toEqual({
      access_token: expect.any(String),
      expires_in: expect.any(Number),
    } as never);
    expect((await add(own.access_token)).body.media_id).toBeDefined();
    for (const [sets, isAllowed] of [
      ["11", true],
      ["100", true],
      ["7", false],
    ] as const) {
      const { access_token } = await json("token", "--third-party", "--sets", sets);
      const answer = await add(access_token);
      if (isAllowed) expect(answer.body.media_id).toBeDefined();
      else expectRefusal(answer, 61007);
    }
    const { access_token, refresh_token } = await json("token", "--third-party");
    expectRefusal(await add(access_token), 61007);
    const refreshed = await ask("/cgi-bin/component/api_authorizer_token?access_token=COMPONENT", {
      method: "POST",
      body: `{"component_appid":"wxc","authorizer_appid":"${known.appid}","authorizer_refresh_token":"${refresh_token}"}`,
    });
    expect(refreshed.body.authorizer_refresh_token).toBe(String(refresh_token));
  });

  test("the root of a gateway is not the platform's", async () => {
    const path = server.url.replace(/\/v1$/, "/cgi-bin/token");
    expect((await fetch(path)).status).toBe(404);
  });

  test("account set changes the rights of a running server's account", async () => {
    const { access_token } = await json("token");
    const product = '"product_info":{"footer_product_info":{"product_key":"K"}},';
    expectRefusal(await add(access_token, product), 53405);
    for (const [right, errcode] of [
      ["restricted", 53404],
      ["off", 53406],
    ] as const) {
      expect(await json("account", "set", "--product", right)).toMatchObject({ product: right });
      expectRefusal(await add(access_token, product), errcode);
    }
    await json("account", "set", "--type", "other");
    expectRefusal(await add(access_token), 48001);
    await json("account", "set", "--type", "service");
    expect((await add(access_token)).body.media_id).toBeDefined();
    await json("account", "set", "--comments", "no");
    expectRefusal(await add(access_token, '"need_open_comment":1,'), 88000);
    const set = ["--networks", "10.0.0.0/8", "--verified", "no", "--callback", "https://e.cn/wx"];
    expect(await json("account", "set", ...set)).toEqual({
      appid: known.appid,
      type: "service",
      verified: false,
      comments: false,
      product: "off",
      networks: ["10.0.0.0/8"],
      callback: "https://e.cn/wx",
    });
    const query = `grant_type=client_credential&appid=${known.appid}&secret=${known.secret}`;
    expectRefusal(await ask(`/cgi-bin/token?${query}`), 40164);
    const back = ["--networks", "all", "--callback", "none", "--type", "subscription"];
    expect(await json("account", "set", ...back, "--product", "ok")).toMatchObject({
      networks: [],
      callback: null,
      type: "subscription",
    });
  });

  test.each([
    [["account", "set"], /name at least one right/],
    [["account", "set", "--type", "shop"], /--type must be one of subscription, service, other/],
    [["account", "set", "--product", "yes"], /--product must be one of ok, restricted, off/],
    [["account", "set", "--verified", "1"], /--verified must be yes or no/],
    [["account", "set", "--networks", "here"], /"here" is not an address or CIDR range/],
    [["account", "set", "--callback", "ftp://e.cn"], /--callback must begin with http/],
    [["account", "wx1"], /"wx1" is not expected here/],
    [["token", "--sets", "11"], /--sets needs --third-party/],
    [["token", "--third-party", "--sets", "all,x"], /--sets must be numbers/],
    [["box"], /platform takes one of account, account set, token/],
  ])("%j is told what is wrong with it", async (args, message) => {
    const { code, stdout, stderr } = await type(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("    at ");
  });
});

describe("faregate platform alone", () => {
  test("serves the platform and the console's sign-in, and no gateway", async () => {
    await using parts = new Parts();
    const settings = { FAREGATE_DATA: parts.folder() };
    const server = parts.keep(await TestServer.start(settings, "platform"));
    const base = /http:\/\/[\d.:]+/.exec(server.greeting)?.[0] ?? "";
    const known = await server.command("platform", "account");
    expect(server.greeting).toContain(`${known.appid}`);
    const query = `grant_type=client_credential&appid=${known.appid}&secret=${known.secret}`;
    const token = await answerOf(await fetch(`${base}/platform/cgi-bin/token?${query}`));
    expect(token.body.expires_in).toBe(7200);
    expect((await fetch(`${base}/api/sign-in-options`)).status).toBe(200);
    expect((await fetch(`${base}/platform/__sandbox/accounts`)).status).toBe(401);
    expect((await fetch(`${base}/v1/models`)).status).toBe(404);
    // Clients that know only another server find everything where the real one has it.
    const ask = async (path: string, init: RequestInit = {}) =>
      answerOf(await fetch(`${base}${path}`, init));
    for (const root of ["/cgi-bin", "//cgi-bin"]) {
      const { access_token } = (await ask(`${root}/token?${query}`)).body;
      const upload = `${root}/material/add_material?type=image&access_token=${access_token}`;
      const { media_id, url } = (await ask(upload, fileForm("a.jpg", JPEG))).body;
      expect(url).toStartWith(`${base}/platform/mmbiz_jpg/`);
      const body = GOOD.replaceAll("THUMB", String(media_id));
      const add = { method: "POST", body };
      const added = await ask(`${root}/draft/add?access_token=${access_token}`, add);
      expect(Object.keys(added.body)).toEqual(["media_id"]);
      expectRefusal(await ask(`${root}/nowhere?access_token=${access_token}`), 40066);
    }
    const card = await ask("/channels/ec/service/product/getcardinfo", { method: "POST" });
    expectRefusal(card, 41001);
    const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as { paths: object };
    const described = Object.keys(paths);
    expect(described).toContain("/cgi-bin/draft/add");
    expect(described).toContain("/platform/cgi-bin/draft/add");
    expect(described).not.toContain("/v1/responses");
    expect(await server.stop()).toBe(0);
  });
});
