// Every field of an article by the document, over real HTTP.
import { describe, expect, test } from "bun:test";
import { perSuite } from "../../../test/support/houses/house.ts";
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

describe("the draft box by the document", () => {
  const house = perSuite(platformHouse);

  /** The add is refused so, and the box is as it was. */
  async function refused(body: string, errcode: number, message?: string): Promise<void> {
    const before = await boxCount(house);
    expectRefusal(await house.post(ADD, body), errcode, message);
    expect(await boxCount(house)).toBe(before);
  }

  test("an add answers with the media id and nothing else", async () => {
    const answer = await house.post(ADD, GOOD);
    expect(answer.status).toBe(200);
    expect(answer.type).toBe("application/json");
    expect(answer.text).toMatch(/^\{"media_id":"[A-Za-z0-9_-]{64}"\}$/);
  });

  test("defaults are seen in what is read back", async () => {
    const media = await added(
      house,
      '{"articles":[{"title":"t","content":"<p>正文 &amp; so on</p>","thumb_media_id":"THUMB"}]}',
    );
    expect(await readBack(house, media)).toEqual({
      article_type: "news",
      title: "t",
      author: "",
      digest: "正文 & so on",
      content: "<p>正文 &amp; so on</p>",
      content_source_url: "",
      thumb_media_id: "THUMB",
      show_cover_pic: 0,
      need_open_comment: 0,
      only_fans_can_comment: 0,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/platform\/s\?__biz=.*#rd$/),
    });
  });

  test("an empty digest becomes the first 54 characters of the text", async () => {
    const text = `${"字".repeat(53)}😀${"末".repeat(20)}`;
    const media = await added(
      house,
      `{"articles":[{"title":"t","digest":"","content":"<p>${text}</p>","thumb_media_id":"THUMB"}]}`,
    );
    expect((await readBack(house, media)).digest).toBe(`${"字".repeat(53)}😀`);
  });

  test("several articles have no digests", async () => {
    const media = await added(
      house,
      '{"articles":[{"title":"a","digest":"one","content":"c","thumb_media_id":"THUMB"},' +
        '{"title":"b","digest":"two","content":"c","thumb_media_id":"THUMB"}]}',
    );
    const { body } = await house.post("/cgi-bin/draft/get", `{"media_id":"${media}"}`);
    expect(body.news_item).toMatchObject([
      { title: "a", digest: "" },
      { title: "b", digest: "" },
    ]);
  });

  test.each([
    ["missing", '{"articles":[{"content":"c","thumb_media_id":"THUMB"}]}', 40035],
    ["empty", '{"articles":[{"title":"","content":"c","thumb_media_id":"THUMB"}]}', 40035],
    ["null", '{"articles":[{"title":null,"content":"c","thumb_media_id":"THUMB"}]}', 40035],
    ["a number", '{"articles":[{"title":7,"content":"c","thumb_media_id":"THUMB"}]}', 40035],
  ])("title: %s is refused", (_what, body, errcode) => refused(body, errcode));

  test("title: 32 characters pass, 33 are 45003", async () => {
    const body = (title: string) =>
      `{"articles":[{"title":"${title}","content":"c","thumb_media_id":"THUMB"}]}`;
    await added(house, body("字".repeat(31).concat("😀")));
    await refused(body("字".repeat(33)), 45003, `title size out of limit${HINT}`);
    await refused(body("a".repeat(33)), 45003);
  });

  test("escapes are undone before anything is counted", async () => {
    const media = await added(
      house,
      '{"articles":[{"title":"\\u4f5c\\u8005","content":"c","thumb_media_id":"THUMB"}]}',
    );
    expect((await readBack(house, media)).title).toBe("作者");
  });

  test("author: 16 characters pass, 17 are 45110", async () => {
    await added(house, articleWith(`,"author":"${"作".repeat(16)}"`));
    await refused(articleWith(`,"author":"${"作".repeat(17)}"`), 45110, "author size out of limit");
  });

  test("digest: 128 characters pass, 129 are 45004", async () => {
    await added(house, articleWith(`,"digest":"${"摘".repeat(128)}"`));
    const long = articleWith(`,"digest":"${"摘".repeat(129)}"`);
    await refused(long, 45004, "description size out of limit");
  });

  test("content_source_url: 1,024 bytes pass, 1,025 are 45005, script is 41039", async () => {
    const at = (path: string) => articleWith(`,"content_source_url":"https://e.cn/${path}"`);
    await added(house, at("a".repeat(1011)));
    await refused(at("a".repeat(1012)), 45005, "url size out of limit");
    await refused(at("源".repeat(338)), 45005);
    await refused(articleWith(',"content_source_url":"javascript:alert(1)"'), 41039);
  });

  test.each([
    ["missing", '{"articles":[{"title":"t","thumb_media_id":"THUMB"}]}'],
    ["empty", '{"articles":[{"title":"t","content":"","thumb_media_id":"THUMB"}]}'],
  ])("content: %s is 40035", (_what, body) => refused(body, 40035));

  test("content: exactly 20,000 visible characters pass, 20,001 are 45002", async () => {
    const body = (count: number) =>
      `{"articles":[{"title":"t","thumb_media_id":"THUMB","content":"<section style=\\"a:b\\">` +
      `<p>${"字".repeat(count - 1)}</p>\\n<p>&amp;</p></section>"}]}`;
    // The line break between the two is folded into one space, which is seen.
    await added(house, body(19_999));
    await refused(body(20_000), 45002, `content size out of limit${HINT}`);
    await added(house, articleWith(`,"content":"${"a".repeat(20_000)}"`));
    await refused(articleWith(`,"content":"${"a".repeat(20_001)}"`), 45002);
  });

  test("content: 1 MB passes, one byte more is 45002", async () => {
    const body = (bytes: number) =>
      articleWith(`,"content":"<p title='${"a".repeat(bytes - 19)}'>字</p>"`);
    expect(Buffer.byteLength("<p title=''>字</p>")).toBe(19);
    await added(house, body(1_048_576));
    await refused(body(1_048_577), 45002);
  });

  test("content: a tree that no article has is 45166", async () => {
    await refused(articleWith(`,"content":"${"<div>".repeat(5_000)}"`), 45166);
  });

  test.each([
    ["no cover", '{"articles":[{"title":"t","content":"c"}]}'],
    ["an empty cover", articleWith(',"thumb_media_id":""')],
    ["an unknown cover", articleWith(',"thumb_media_id":"NOBODY"')],
    ["a cover that is no id", articleWith(',"thumb_media_id":"a\\u0000b"')],
  ])("thumb_media_id: %s is 40007", (_what, body) =>
    refused(body, 40007, `invalid media_id${HINT}`),
  );

  test("thumb_media_id: temporary, foreign or no image is 40007; a thumb is fine", async () => {
    house.plant("TEMPORARY", { permanent: false });
    house.plant("FOREIGN", { appid: "wx_other" });
    house.plant("VOICE", { type: "voice" });
    house.plant("SMALL", { type: "thumb" });
    for (const id of ["TEMPORARY", "FOREIGN", "VOICE"]) {
      await refused(articleWith(`,"thumb_media_id":"${id}"`), 40007);
    }
    await added(house, articleWith(',"thumb_media_id":"SMALL"'));
  });

  test.each(["need_open_comment", "only_fans_can_comment"])("%s: 0 and 1 only", async (field) => {
    const media = await added(house, articleWith(`,"${field}":1`));
    expect((await readBack(house, media))[field]).toBe(1);
    for (const value of ["2", "-1", "0.5", '"1"', "true", "[]", '""']) {
      await refused(articleWith(`,"${field}":${value}`), 40035);
    }
  });

  test("article_type: another than the two is 40035", async () => {
    await refused(articleWith(',"article_type":"video"'), 40035);
    await refused(articleWith(',"article_type":1'), 40035);
    await added(house, articleWith(',"article_type":"news"'));
  });

  test("crops of the cover come back as they were sent, in both spellings", async () => {
    const crops =
      ',"pic_crop_235_1":"0.1945_0_1_0.5236","pic_crop_1_1":"0.166454_0_0.833545_1",' +
      '"cover_info":{"crop_percent_list":[{"ratio":"1_1","x1":"0.166454","y1":"0","x2":"0.833545","y2":"1"}]}';
    expect(await readBack(house, await added(house, articleWith(crops)))).toMatchObject({
      pic_crop_235_1: "0.1945_0_1_0.5236",
      pic_crop_1_1: "0.166454_0_0.833545_1",
      cover_info: {
        crop_percent_list: [{ ratio: "1_1", x1: "0.166454", y1: "0", x2: "0.833545", y2: "1" }],
      },
    });
    await refused(articleWith(',"pic_crop_235_1":[1]'), 40035);
    await refused(articleWith(',"pic_crop_1_1":0.5'), 40035);
    await refused(articleWith(',"cover_info":"wide"'), 40035);
    await refused(articleWith(',"cover_info":{"crop_percent_list":["1_1"]}'), 40035);
  });

  describe("an image message", () => {
    const images = (count: number) =>
      Array.from({ length: count }, (_, i) => `{"image_media_id":"IMAGE_${i}"}`).join(",");
    const message = (info: string) =>
      `{"articles":[{"article_type":"newspic","title":"t","content":"一行 & <二>\\n行"${info}}]}`;

    test("needs no cover and holds up to 20 images", async () => {
      const body = message(`,"image_info":{"image_list":[${images(20)}]}`);
      const item = await readBack(house, await added(house, body));
      expect(item).toMatchObject({ article_type: "newspic", content: "一行 & <二>\n行" });
      expect(item.image_info).toEqual({
        image_list: Array.from({ length: 20 }, (_, i) => ({ image_media_id: `IMAGE_${i}` })),
      });
    });

    test.each([
      ["no image_info", ""],
      ["no list", ',"image_info":{}'],
      ["an empty list", ',"image_info":{"image_list":[]}'],
      ["21 images", `,"image_info":{"image_list":[${images(21)}]}`],
      ["a list of texts", ',"image_info":{"image_list":["IMAGE_0"]}'],
      ["an image_info that is a list", ',"image_info":[]'],
    ])("with %s is 40035", (_what, info) => refused(message(info), 40035));

    test("with an image that is not there, or goes away, is 40007", async () => {
      const one = (id: string) =>
        message(`,"image_info":{"image_list":[{"image_media_id":"${id}"}]}`);
      house.plant("PASSING", { permanent: false });
      await refused(one("NOBODY"), 40007);
      await refused(one("PASSING"), 40007);
      await refused(one(""), 40007);
    });
  });

  test.each([
    ["nothing at all", "", 44002, "empty post data rid"],
    ["white space", " \n", 44002, undefined],
    ["no JSON", '{"articles":[', 47001, "data format error"],
    ["bytes that are no UTF-8", "\xff", 47001, undefined],
    ["a list", "[]", 47001, undefined],
    ["no articles", "{}", 44003, `empty news data${HINT}`],
    ["no article", '{"articles":[]}', 44003, `empty news data${HINT}`],
    ["articles as an object", '{"articles":{"title":"t"}}', 44003, undefined],
    ["articles within articles", `{"articles":${GOOD}}`, 44003, undefined],
    ["a request as an article", `{"articles":[${GOOD}]}`, 44003, undefined],
    ["articles that are texts", '{"articles":["t"]}', 44003, undefined],
  ])("%s is refused", async (_what, body, errcode, message) => {
    const before = await boxCount(house);
    const bytes = new Uint8Array(Buffer.from(body, "latin1"));
    const answer = await house.post(ADD, body === "\xff" ? bytes : body);
    expectRefusal(answer, errcode, message);
    expect(await boxCount(house)).toBe(before);
  });

  test("one bad article at the end keeps all of them out", async () => {
    const good = '{"title":"t","content":"c","thumb_media_id":"THUMB"}';
    await refused(`{"articles":[${good},${good},{"title":"t","content":"c"}]}`, 40007);
  });

  test("null means that nothing was said", async () => {
    const nulls =
      ',"author":null,"digest":null,"content_source_url":null,"need_open_comment":null,' +
      '"image_info":null,"cover_info":null,"product_info":null,"pic_crop_1_1":null';
    expect(await readBack(house, await added(house, articleWith(nulls)))).toMatchObject({
      author: "",
      need_open_comment: 0,
    });
  });

  test("what is read back is what the filter left, images by data-src", async () => {
    const image = `${house.url}/mmbiz_png/abc/0?wx_fmt=png`;
    const content =
      `<section onclick='x()'><script>1</script><style>p{}</style><p style='color:red'>a</p>` +
      `<img src='${image}' alt='i'><img src='https://elsewhere.example/x.png'>` +
      `<a href='https://elsewhere.example'>away</a><a href='https://mp.weixin.qq.com/s/1'>here</a></section>`;
    const media = await added(house, articleWith(`,"content":"${content}"`));
    const stored =
      `<section><p style="color:red">a</p><img data-src="${image}" alt="i"><img>away` +
      '<a href="https://mp.weixin.qq.com/s/1">here</a></section>';
    expect((await readBack(house, media)).content).toBe(stored);
    const draft = await house.platform.box.find(house.appid, media);
    expect(draft?.articles[0]?.submitted.content).toBe(content);
    expect(draft?.articles[0]?.stored.content).toBe(stored);
  });
});
