// What an account may, and what can be done with its drafts, over real HTTP.
import { describe, expect, test } from "bun:test";
import { Parts, perSuite } from "../../../test/support/houses/house.ts";
import { platformHouse } from "../../../test/support/houses/platform-house.ts";
import {
  ADD,
  added,
  articleWith,
  boxCount,
  expectRefusal,
  GOOD,
  HINT,
  readBack,
} from "../../../test/support/samples/platform-vectors.ts";

describe("rights", () => {
  const house = perSuite(platformHouse);

  const product = (key: string) =>
    articleWith(`,"product_info":{"footer_product_info":{"product_key":"${key}"}}`);

  async function productKey(): Promise<string> {
    const answer = await house.post(
      "/channels/ec/service/product/getcardinfo",
      '{"product_id":"10000123","article_type":"news","card_type":1}',
    );
    expect(answer.body).toMatchObject({ errcode: 0, errmsg: "ok", DOM: expect.any(String) });
    return String(answer.body.product_key);
  }

  test("comments need the right to them", async () => {
    await house.platform.accounts.set(house.appid, { comments: false });
    const answer = await house.post(ADD, articleWith(',"need_open_comment":1'));
    expectRefusal(answer, 88000, `without comment privilege${HINT}`);
    await added(house, articleWith(',"only_fans_can_comment":1'));
    await house.platform.accounts.set(house.appid, { comments: true });
  });

  test("a product needs a key that was given out", async () => {
    const key = await productKey();
    expect(await productKey()).toBe(key);
    const media = await added(house, product(key));
    expect((await readBack(house, media)).product_info).toEqual({
      footer_product_info: { product_key: key },
    });
    for (const body of [
      product("PRODUCT_KEY"),
      product(""),
      product("a b\\u0000"),
      articleWith(',"product_info":{"footer_product_info":{"product_key":7}}'),
      articleWith(',"product_info":{"footer_product_info":{}}'),
      articleWith(',"product_info":"x"'),
    ]) {
      expectRefusal(await house.post(ADD, body), 53405, "插入商品信息有误");
    }
  });

  test("a restricted account is 53404, one without shopping 53406, whatever the key", async () => {
    const key = await productKey();
    for (const [right, errcode, message] of [
      ["restricted", 53404, "账号已被限制带货能力，请删除商品后重试"],
      ["off", 53406, "请先开通带货能力"],
    ] as const) {
      await house.platform.accounts.set(house.appid, { product: right });
      expectRefusal(await house.post(ADD, product(key)), errcode, `${message}${HINT}`);
      expectRefusal(await house.post(ADD, product("x")), errcode);
      await added(house);
    }
    await house.platform.accounts.set(house.appid, { product: "ok" });
    await added(house, product(key));
  });

  test.each([
    ['{"product_id":"x","article_type":"news","card_type":0}', 10170001],
    ['{"article_type":"news","card_type":0}', 10170001],
    ['{"product_id":"1","article_type":"video","card_type":0}', 10170002],
    ['{"product_id":"1","article_type":"news","card_type":3}', 10170003],
    ['{"product_id":"1","article_type":"newspic","card_type":0}', 10170003],
  ])("a card for %s is %d", async (body, errcode) => {
    const answer = await house.post("/channels/ec/service/product/getcardinfo", body);
    expectRefusal(answer, errcode);
  });

  test("service accounts add drafts, other accounts are 48001", async () => {
    await house.platform.accounts.set(house.appid, { type: "service" });
    await added(house);
    await house.platform.accounts.set(house.appid, { type: "other" });
    expectRefusal(await house.post(ADD, GOOD), 48001, "api unauthorized rid");
    await house.platform.accounts.set(house.appid, { type: "subscription" });
  });

  test("an unverified account adds drafts", async () => {
    await house.platform.accounts.set(house.appid, { verified: false });
    await added(house);
    await house.platform.accounts.set(house.appid, { verified: true });
  });
});

describe("the box", () => {
  const house = perSuite(platformHouse);

  test("is counted and listed, the last changed first, page by page", async () => {
    const ids: string[] = [];
    for (const title of ["one", "two", "three"]) {
      ids.unshift(await added(house, articleWith(`,"title":"${title}"`)));
    }
    expect((await house.get("/cgi-bin/draft/count")).text).toBe('{"total_count":3}');
    const list = async (body: string) => (await house.post("/cgi-bin/draft/batchget", body)).body;
    const first = await list('{"offset":0,"count":2,"no_content":0}');
    expect(first).toMatchObject({
      total_count: 3,
      item_count: 2,
      item: [
        { media_id: ids[0], update_time: Math.floor(house.world.nowMs / 1000) },
        { media_id: ids[1], content: { news_item: [{ title: "two", content: "c" }] } },
      ],
    });
    const rest = (await list('{"offset":2,"count":20,"no_content":1}')) as {
      item: { content: { news_item: object[] } }[];
    };
    expect(rest).toMatchObject({ item_count: 1, item: [{ media_id: ids[2] }] });
    expect(rest.item[0]?.content.news_item[0]).not.toHaveProperty("content");
    const update = `{"media_id":"${ids[2]}","index":0,"articles":{"title":"new","content":"c","thumb_media_id":"THUMB"}}`;
    await house.post("/cgi-bin/draft/update", update);
    expect(await list('{"offset":0,"count":1}')).toMatchObject({ item: [{ media_id: ids[2] }] });
  });

  test.each(['{"offset":0}', '{"offset":-1,"count":1}', '{"offset":0,"count":21}', '{"count":1}'])(
    "a list by %s is 40097",
    async (body) => {
      expectRefusal(await house.post("/cgi-bin/draft/batchget", body), 40097, "invalid args");
    },
  );

  test("an update takes one article and an index", async () => {
    const media = await added(house);
    const update = (rest: string) =>
      house.post("/cgi-bin/draft/update", `{"media_id":"${media}",${rest}}`);
    const article = '{"title":"new","content":"<p>x</p>","thumb_media_id":"THUMB"}';
    expectRefusal(await update(`"index":0,"articles":[${article}]`), 47001, "data format error");
    expectRefusal(await update(`"index":9,"articles":${article}`), 40114, "invalid index value");
    expectRefusal(await update(`"index":-1,"articles":${article}`), 40114);
    expectRefusal(await update('"index":0,"articles":{"title":"new","content":"c"}'), 40007);
    expectRefusal(await update('"index":0'), 44003);
    expect((await readBack(house, media)).title).toBe("标题");
    house.world.nowMs += 5_000;
    const done = await update(`"index":0,"articles":${article}`);
    expect(done.text).toBe('{"errcode":0,"errmsg":"ok"}');
    expect(await readBack(house, media)).toMatchObject({ title: "new", digest: "x", author: "" });
    const draft = await house.platform.box.find(house.appid, media);
    expect((draft?.updatedAtMs ?? 0) - (draft?.createdAtMs ?? 0)).toBe(5_000);
  });

  test("an update keeps the type of an image message", async () => {
    const images = '"image_info":{"image_list":[{"image_media_id":"IMAGE_0"}]}';
    const media = await added(
      house,
      `{"articles":[{"article_type":"newspic","title":"t","content":"c",${images}}]}`,
    );
    const body = `{"media_id":"${media}","index":0,"articles":{"title":"u","content":"d",${images}}}`;
    expect((await house.post("/cgi-bin/draft/update", body)).body.errcode).toBe(0);
    expect(await readBack(house, media)).toMatchObject({ article_type: "newspic", title: "u" });
  });

  test("a draft that was deleted is gone for everything", async () => {
    const media = await added(house);
    const body = `{"media_id":"${media}"}`;
    const done = await house.post("/cgi-bin/draft/delete", body);
    expect(done.text).toBe('{"errcode":0,"errmsg":"ok"}');
    for (const path of ["get", "delete"]) {
      expectRefusal(await house.post(`/cgi-bin/draft/${path}`, body), 40007, "invalid media_id");
    }
    const update = `{"media_id":"${media}","index":0,"articles":{"title":"t","content":"c","thumb_media_id":"THUMB"}}`;
    expectRefusal(await house.post("/cgi-bin/draft/update", update), 40007);
    expectRefusal(await house.post("/cgi-bin/draft/get", "{}"), 41006, "media_id missing");
    expectRefusal(await house.post("/cgi-bin/draft/get", '{"media_id":"\\u0000"}'), 40007);
  });

  test("the drafts of one account are not those of another", async () => {
    const media = await added(house);
    const other = await house.platform.accounts.create("acct_other");
    const { token } = await house.platform.tokens.stable(other.account.appid, false);
    expect((await house.get("/cgi-bin/draft/count", token)).body).toEqual({ total_count: 0 });
    const body = `{"media_id":"${media}"}`;
    expectRefusal(await house.post("/cgi-bin/draft/get", body, token), 40007);
    expectRefusal(await house.post("/cgi-bin/draft/delete", body, token), 40007);
    expect((await readBack(house, media)).title).toBe("标题");
  });

  test("a box that is full takes nothing more", async () => {
    await using parts = new Parts();
    const small = await platformHouse(parts, { limits: { platform_draft_chars_max: 3_000 } });
    const long = (chars: number) => articleWith(`,"note":"${"x".repeat(chars)}"`);
    const media = await added(small, long(1_000));
    expectRefusal(await small.post(ADD, long(2_000)), 45001, "media size out of limit");
    expect(await boxCount(small)).toBe(1);
    const update = `{"media_id":"${media}","articles":${long(3_000).slice(13, -2)}}`;
    expectRefusal(await small.post("/cgi-bin/draft/update", update), 45001);
  });

  test("a hundred articles are taken, one more is not", async () => {
    const articles = (count: number) =>
      `{"articles":[${Array(count).fill(articleWith("").slice(13, -2)).join()}]}`;
    await added(house, articles(100));
    expectRefusal(await house.post(ADD, articles(101)), 45008, "article size out of limit");
  });

  test("the switch has been thrown", async () => {
    const answer = await house.post("/cgi-bin/draft/switch", "");
    expect(answer.text).toBe('{"errcode":0,"errmsg":"ok","is_open":1}');
  });

  test("the address of a draft shows it, and runs nothing", async () => {
    const media = await added(house, articleWith(',"title":"<b>&","content":"<p>seen</p>"'));
    const { url } = await readBack(house, media);
    const response = await fetch(String(url));
    expect(response.headers.get("content-security-policy")).toContain(
      "sandbox; default-src 'none'",
    );
    const page = await response.text();
    expect(page).toContain("<h1>&lt;b>&amp;</h1>");
    expect(page).toContain("<p>seen</p>");
    const forged = await fetch(String(url).replace(/sn=./, "sn=x"));
    expect(await forged.json()).toMatchObject({ errcode: 40066 });
  });
});
