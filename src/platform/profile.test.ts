// The same platform by its other two profiles, over real HTTP.
import { describe, expect, test } from "bun:test";
import { perSuite } from "../../test/support/houses/house.ts";
import { platformHouse } from "../../test/support/houses/platform-house.ts";
import {
  ADD,
  added,
  articleWith,
  expectRefusal,
  GOOD,
  readBack,
} from "../../test/support/samples/platform-vectors.ts";

describe("the draft box as it was seen live", () => {
  const house = perSuite((parts) => platformHouse(parts, { profile: "live" }));

  const titled = (title: string) =>
    `{"articles":[{"title":"${title}","content":"c","thumb_media_id":"THUMB"}]}`;

  async function mediaOf(body: string): Promise<string> {
    const { text } = await house.post(ADD, body);
    return /^\{"media_id":"([\w-]{64})","item":\[\]\}$/.exec(text)?.[1] ?? text;
  }

  test("an add answers with an empty list beside the media id", async () => {
    expect(await mediaOf(GOOD)).toMatch(/^[\w-]{64}$/);
  });

  test("an escape is six characters, and is stored as them", async () => {
    const escaped = "\\u4f5c";
    expectRefusal(await house.post(ADD, titled(escaped.repeat(22))), 45003, "title size out");
    const media = await mediaOf(titled(escaped.repeat(3)));
    const answer = await house.post("/cgi-bin/draft/get", `{"media_id":"${media}"}`);
    expect(answer.body.news_item).toMatchObject([{ title: "\\u4f5c\\u4f5c\\u4f5c" }]);
  });

  test("lengths are columns: 64 Chinese characters of title, 8 of author, 120 of digest", async () => {
    await mediaOf(titled("字".repeat(33)));
    expect(await mediaOf(titled("字".repeat(64)))).toMatch(/^[\w-]{64}$/);
    expectRefusal(await house.post(ADD, titled("字".repeat(65))), 45003);
    const author = (text: string) => house.post(ADD, articleWith(`,"author":"${text}"`));
    expect((await author("作".repeat(8))).body.media_id).toBeString();
    expectRefusal(await author("作".repeat(9)), 45110);
    expectRefusal(await author("a".repeat(17)), 45110);
    const digest = (text: string) => house.post(ADD, articleWith(`,"digest":"${text}"`));
    expect((await digest("摘".repeat(120))).body.media_id).toBeString();
    expectRefusal(await digest("摘".repeat(121)), 45004);
  });

  test("content is measured in bytes, up to 680 KB", async () => {
    const content = (text: string) => house.post(ADD, articleWith(`,"content":"${text}"`));
    expect((await content("字".repeat(30_000))).body.media_id).toBeString();
    expectRefusal(await content("a".repeat(680 * 1024 + 1)), 45002);
  });

  test("nine articles are too many, and an image message has little text", async () => {
    const article = '{"title":"t","content":"c","thumb_media_id":"THUMB"}';
    const many = (count: number) =>
      house.post(ADD, `{"articles":[${Array(count).fill(article).join(",")}]}`);
    expect((await many(8)).body.media_id).toBeString();
    expectRefusal(await many(9), 45008);
    const images = '"image_info":{"image_list":[{"image_media_id":"IMAGE_0"}]}';
    const body = `{"articles":[{"article_type":"newspic","title":"t","content":"${"字".repeat(1_001)}",${images}}]}`;
    expectRefusal(await house.post(ADD, body), 45166, "invalid content");
  });

  test("slashes are escaped, and a draft tells its times", async () => {
    const media = await mediaOf(GOOD);
    const { text, body } = await house.post("/cgi-bin/draft/get", `{"media_id":"${media}"}`);
    expect(text).toContain('"url":"http:\\/\\/127.0.0.1:');
    expect(text).not.toMatch(/[^\\]\//);
    expect(body).toMatchObject({
      create_time: Math.floor(house.world.nowMs / 1000),
      update_time: Math.floor(house.world.nowMs / 1000),
      news_item: [{ is_deleted: false, thumb_url: "" }],
    });
  });
});

describe("the lenient draft box", () => {
  const house = perSuite((parts) => platformHouse(parts, { profile: "lenient" }));

  test("takes texts of any length and flags in any form", async () => {
    const long = "字".repeat(500);
    const media = await added(
      house,
      `{"articles":[{"title":"${long}","author":"${long}","digest":"${long}","content":"${"a".repeat(30_000)}",` +
        `"thumb_media_id":"THUMB","need_open_comment":"1","only_fans_can_comment":false}]}`,
    );
    expect(await readBack(house, media)).toMatchObject({
      title: long,
      digest: long,
      need_open_comment: 1,
      only_fans_can_comment: 0,
    });
  });

  test("still asks for a cover, and for less than 1 MB", async () => {
    expectRefusal(await house.post(ADD, '{"articles":[{"title":"t","content":"c"}]}'), 40007);
    expectRefusal(
      await house.post(ADD, articleWith(`,"content":"${"a".repeat(1_048_577)}"`)),
      45002,
    );
    expectRefusal(await house.post(ADD, articleWith(',"need_open_comment":"yes"')), 40035);
  });
});
