// What a real client and the real platform say to each other, byte by byte, over the real server.
import { describe, expect, test } from "bun:test";
import { RawClient } from "../../test/support/clients/raw-client.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { servedPlatform } from "../../test/support/houses/served-platform.ts";
import { picture } from "../../test/support/samples/pictures.ts";
import { ADD, expectRefusal, GOOD, HINT } from "../../test/support/samples/platform-vectors.ts";
import { eventually } from "../../test/support/waiting.ts";

const RID = "rid: [0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}";
const ESCAPED = "\\u4f5c";

describe.each(["doc", "live", "lenient"] as const)("the platform as %s", (profile) => {
  const isLive = profile === "live";

  const served = perSuite((parts) => servedPlatform(parts, { FAREGATE_PLATFORM_PROFILE: profile }));
  const mine = perSuite(() => served.account());

  /** One article, its members as they stand. */
  const article = (members: string, thumb = mine.thumb) =>
    `{"articles":[{"title":"t","content":"c","thumb_media_id":"${thumb}"${members}}]}`;
  const good = () => GOOD.replaceAll("THUMB", mine.thumb);
  const add = (body: string, from = mine) => served.post(ADD, body, from);
  const added = async (body: string, from = mine) => {
    const answer = await add(body, from);
    const expected = {
      media_id: expect.stringMatching(/^[\w-]{64}$/),
      ...(isLive && { item: [] }),
    };
    expect(answer.body).toEqual(expected as never);
    return String(answer.body.media_id);
  };
  const readBack = async (mediaId: string) => {
    const answer = await served.post("/cgi-bin/draft/get", `{"media_id":"${mediaId}"}`, mine);
    return (answer.body.news_item as Record<string, unknown>[])[0] ?? {};
  };
  const count = async (from = mine) =>
    (await served.get("/cgi-bin/draft/count", from)).body.total_count;

  /** Whether a body is stored or refused, and that a refusal stores nothing. */
  const expectAdd = async (body: string, errcode: number | "stored") => {
    const before = Number(await count());
    if (errcode === "stored") await added(body);
    else expectRefusal(await add(body), errcode);
    expect(await count()).toBe(before + (errcode === "stored" ? 1 : 0));
  };

  test("without a token: 41001", async () => {
    const answer = await served.ask(ADD, { method: "POST", body: good() });
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(
      new RegExp(`^\\{"errcode":41001,"errmsg":"access_token missing ${RID}"\\}$`),
    );
  });

  test("with a forged token: 40001 in full", async () => {
    const answer = await served.post(ADD, good(), { token: "99_forged" });
    expectRefusal(
      answer,
      40001,
      "invalid credential, access_token is invalid or not latest, could get access_token by " +
        `getStableAccessToken, more details at https://mmbizurl.cn/s/JtxxFh33r ${RID}$`,
    );
    expect(answer.text.includes("https:\\/\\/mmbizurl.cn")).toBe(isLive);
  });

  test("no articles: 44003", async () => {
    expectRefusal(await add('{"articles":[]}'), 44003, `empty news data${HINT}`);
  });

  test("news without a cover: 40007", async () => {
    const body = '{"articles":[{"title":"t","content":"c"}]}';
    expectRefusal(await add(body), 40007, `invalid media_id${HINT}`);
  });

  test("a temporary image as cover: 40007", async () => {
    const path = "/cgi-bin/media/upload?type=image";
    const answer = await served.upload(path, mine.token, "a.jpg", await picture("jpeg"));
    expect(answer.body).toMatchObject({ type: "image", created_at: expect.any(Number) });
    await expectAdd(article("", String(answer.body.media_id)), 40007);
  });

  test("a title of 33 characters: 45003 by the document", async () => {
    const title = (n: number) => article(`,"title":"${"字".repeat(n)}"`);
    await expectAdd(title(32), "stored");
    await expectAdd(title(33), profile === "doc" ? 45003 : "stored");
    await expectAdd(title(65), profile === "lenient" ? "stored" : 45003);
  });

  test("an escaped title is six characters each, live", async () => {
    const title = (n: number) => article(`,"title":"${ESCAPED.repeat(n)}"`);
    await expectAdd(title(22), isLive ? 45003 : "stored");
    const mediaId = await added(title(3));
    expect((await readBack(mediaId)).title).toBe(isLive ? ESCAPED.repeat(3) : "作作作");
  });

  test("an author of 17: 45110", async () => {
    const author = (n: number) => article(`,"author":"${"a".repeat(n)}"`);
    await expectAdd(author(16), "stored");
    await expectAdd(author(17), profile === "lenient" ? "stored" : 45110);
  });

  test("a digest of 129: 45004", async () => {
    const digest = (n: number) => article(`,"digest":"${"摘".repeat(n)}"`);
    await expectAdd(digest(isLive ? 120 : 128), "stored");
    await expectAdd(digest(129), profile === "lenient" ? "stored" : 45004);
  });

  test("content of 1 MB and one byte: 45002", async () => {
    const content = (bytes: number) => article(`,"content":"<p>x${" ".repeat(bytes - 4)}"`);
    await expectAdd(content(1_048_576), isLive ? 45002 : "stored");
    await expectAdd(content(1_048_577), 45002);
  });

  test("20 images pass, 21 do not", async () => {
    const images = (n: number) => {
      const list = Array.from({ length: n }, () => `{"image_media_id":"${mine.thumb}"}`).join();
      return (
        '{"articles":[{"article_type":"newspic","title":"t","content":"c",' +
        `"image_info":{"image_list":[${list}]}}]}`
      );
    };
    await expectAdd(images(20), "stored");
    await expectAdd(images(21), 40035);
    await expectAdd(images(0), 40035);
  });

  test("what is read back is what the filter left", async () => {
    const png = await picture("png");
    const path = "/cgi-bin/media/uploadimg";
    const { url } = (await served.upload(path, mine.token, "a.png", png)).body;
    const mediaId = await added(
      article(
        `,"content":"<p onclick=\\"x()\\">正文<a href=\\"https://e.cn/\\">链</a></p>` +
          `<script>alert(1)</script><img src=\\"${url}\\"><img src=\\"https://e.cn/a.png\\">"`,
      ),
    );
    const { content } = await readBack(mediaId);
    expect(content).toContain(`data-src="${url}"`);
    expect(content).toContain("<p>正文链</p>");
    for (const gone of ["script", "onclick", "e.cn", " src="]) expect(content).not.toContain(gone);
  });

  test("an update with a list: 47001; of article 9: 40114", async () => {
    const mediaId = await added(good());
    const update = (index: number, articles: string) =>
      served.post(
        "/cgi-bin/draft/update",
        `{"media_id":"${mediaId}","index":${index},"articles":${articles}}`,
        mine,
      );
    const one = `{"title":"u","content":"c","thumb_media_id":"${mine.thumb}"}`;
    expectRefusal(await update(0, `[${one}]`), 47001, `data format error${HINT}`);
    expectRefusal(await update(9, one), 40114, `invalid index value${HINT}`);
    expect((await update(0, one)).text).toBe('{"errcode":0,"errmsg":"ok"}');
  });

  test("a draft that was deleted: 40007", async () => {
    const body = `{"media_id":"${await added(good())}"}`;
    const removed = await served.post("/cgi-bin/draft/delete", body, mine);
    expect(removed.text).toBe('{"errcode":0,"errmsg":"ok"}');
    for (const path of ["draft/get", "draft/delete", "freepublish/submit"]) {
      expectRefusal(await served.post(`/cgi-bin/${path}`, body, mine), 40007);
    }
  });

  test("publishing takes a draft out of the box", async () => {
    const own = await served.account();
    const mediaId = await added(article("", own.thumb), own);
    const submitted = await served.post(
      "/cgi-bin/freepublish/submit",
      `{"media_id":"${mediaId}"}`,
      own,
    );
    expect(submitted.text).toMatch(/^\{"errcode":0,"errmsg":"ok","publish_id":\d{10}\}$/);
    await eventually("the box is empty", async () => (await count(own)) === 0);
    const list = await served.post(
      "/cgi-bin/draft/batchget",
      '{"offset":0,"count":20,"no_content":0}',
      own,
    );
    expect(list.body).toEqual({ total_count: 0, item_count: 0, item: [] });
  });

  test("an older token lives 300 s beside a newer one", async () => {
    const { appid, secret } = mine;
    const query = `grant_type=client_credential&appid=${appid}&secret=${secret}`;
    const token = async () => (await served.ask(`/cgi-bin/token?${query}`)).body;
    const first = { token: String((await token()).access_token) };
    expect(await token()).toEqual({ access_token: expect.any(String), expires_in: 7200 } as never);
    await served.controlled("PUT", "clock", { offset_ms: 299_000 });
    expect((await served.get("/cgi-bin/draft/count", first)).body.errcode).toBeUndefined();
    await served.controlled("PUT", "clock", { offset_ms: 301_000 });
    expectRefusal(await served.get("/cgi-bin/draft/count", first), 40001);
    await served.controlled("PUT", "clock", { offset_ms: 0 });
  });

  test("the stable token is the same twice", async () => {
    const { appid, secret } = mine;
    const body = `{"grant_type":"client_credential","appid":"${appid}","secret":"${secret}"}`;
    const ask = () => served.ask("/cgi-bin/stable_token", { method: "POST", body });
    expect((await ask()).body.access_token).toBe((await ask()).body.access_token);
  });

  test("the 1,001st add of a day: 45009", async () => {
    const own = await served.account();
    await served.controlled("PUT", "quotas", { appid: own.appid, name: "draft_add", used: 999 });
    await added(article("", own.thumb), own);
    const refused = await add(article("", own.thumb), own);
    expectRefusal(refused, 45009, `reach max api daily quota limit ${RID}$`);
    expect(await count(own)).toBe(1);
  });

  test("webp that is called jpg: 40113", async () => {
    const webp = await picture("webp");
    for (const path of ["media/uploadimg", "material/add_material?type=image"]) {
      const answer = await served.upload(`/cgi-bin/${path}`, mine.token, "a.jpg", webp);
      expectRefusal(answer, 40113, `unsupported file type${HINT}`);
    }
  });

  test("a picture for articles of 1 MB: 40009; a gif: 40005", async () => {
    const jpeg = Buffer.alloc(1_048_576);
    (await picture("jpeg")).copy(jpeg);
    const upload = (name: string, bytes: Uint8Array) =>
      served.upload("/cgi-bin/media/uploadimg", mine.token, name, bytes);
    expectRefusal(await upload("a.jpg", jpeg), 40009, `invalid image size${HINT}`);
    expect((await upload("a.jpg", jpeg.subarray(1))).body.errcode).toBe(40113);
    expect((await upload("a.jpg", jpeg.subarray(0, -1))).body).toMatchObject({ errcode: 0 });
    expectRefusal(await upload("a.gif", await picture("gif")), 40005, `invalid file type${HINT}`);
  });

  test("an answer that is lost after the draft was stored leaves one draft", async () => {
    const own = await served.account();
    const fault = { route: ADD, drop_after_commit: true };
    await served.controlled("POST", "faults", fault);
    const client = await RawClient.connect(served.url);
    const body = article("", own.thumb);
    client.send(
      `POST /platform${ADD}?access_token=${own.token} HTTP/1.1\r\nhost: 127.0.0.1\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await client.closed;
    expect(client.text).toBe("");
    // A client that looks before it sends again finds what it has sent.
    expect(await count(own)).toBe(1);
    const list = await served.post("/cgi-bin/draft/batchget", '{"offset":0,"count":20}', own);
    expect(list.body).toMatchObject({ total_count: 1, item_count: 1 });
    await added(body, own);
    expect(await count(own)).toBe(2);
  });

  test("a product on a restricted account: 53404 and what to do", async () => {
    const own = await served.account({ product: "restricted" });
    const product = ',"product_info":{"footer_product_info":{"product_key":"K"}}';
    const refused = await add(article(product, own.thumb), own);
    expectRefusal(refused, 53404, `账号已被限制带货能力，请删除商品后重试${HINT}`);
    expect(await count(own)).toBe(0);
  });
});
