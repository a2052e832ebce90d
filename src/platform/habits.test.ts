// What clients in use send beside what the document has, and who is no server, over the real server.
import { describe, expect, test } from "bun:test";
import { perSuite } from "../../test/support/houses/house.ts";
import { type ServedAccount, servedPlatform } from "../../test/support/houses/served-platform.ts";
import { picture } from "../../test/support/samples/pictures.ts";
import { ADD, expectRefusal } from "../../test/support/samples/platform-vectors.ts";
import { eventually } from "../../test/support/waiting.ts";

describe.each(["doc", "live", "lenient"] as const)("habits of clients, as %s", (profile) => {
  const served = perSuite((parts) => servedPlatform(parts, { FAREGATE_PLATFORM_PROFILE: profile }));
  const mine = perSuite(() => served.account());

  const article = (members: string, own = mine) =>
    `{"articles":[{"title":"t","content":"c","thumb_media_id":"${own.thumb}"${members}}]}`;
  const add = (members: string, own = mine) => served.post(ADD, article(members, own), own);
  const added = async (members: string, own = mine) => {
    const { body } = await add(members, own);
    expect(body.errcode).toBeUndefined();
    return String(body.media_id);
  };
  const readBack = async (mediaId: string) => {
    const { body } = await served.post("/cgi-bin/draft/get", `{"media_id":"${mediaId}"}`, mine);
    return (body.news_item as Record<string, unknown>[])[0] ?? {};
  };
  const count = async (own = mine) =>
    Number((await served.get("/cgi-bin/draft/count", own)).body.total_count);

  describe("yes and no", () => {
    const published = async () => {
      const submitted = await served.post(
        "/cgi-bin/freepublish/submit",
        `{"media_id":"${await added("")}"}`,
        mine,
      );
      expect(submitted.body.errcode).toBe(0);
      await eventually("it is published", async () => {
        const body = `{"publish_id":${submitted.body.publish_id}}`;
        const { publish_status } = (await served.post("/cgi-bin/freepublish/get", body, mine)).body;
        return publish_status === 0;
      });
    };

    test.each(["draft", "freepublish"])(
      "no_content of %s/batchget may be a boolean",
      async (room) => {
        await (room === "draft" ? added("") : published());
        const hasContent = async (flag: string) => {
          const body = `{"offset":0,"count":1,"no_content":${flag}}`;
          const answer = await served.post(`/cgi-bin/${room}/batchget`, body, mine);
          const [item] = answer.body.item as { content: { news_item: object[] } }[];
          return "content" in (item?.content.news_item[0] ?? {});
        };
        expect(await hasContent("true")).toBe(false);
        expect(await hasContent("1")).toBe(false);
        expect(await hasContent("false")).toBe(true);
        expect(await hasContent("0")).toBe(true);
        for (const flag of ["2", '"true"', "[]"]) {
          const body = `{"offset":0,"count":1,"no_content":${flag}}`;
          expectRefusal(await served.post(`/cgi-bin/${room}/batchget`, body, mine), 40097);
        }
      },
    );

    test("the pages of material are asked for alike", async () => {
      const body = '{"type":"image","offset":0,"count":1,"no_content":true}';
      const answer = await served.post("/cgi-bin/material/batchget_material", body, mine);
      expect(answer.body).toMatchObject({ item_count: 1 });
    });

    test("comments are numbers by the document, and booleans too elsewhere", async () => {
      for (const field of ["need_open_comment", "only_fans_can_comment"]) {
        if (profile === "doc") {
          expectRefusal(await add(`,"${field}":true`), 40035);
          continue;
        }
        expect((await readBack(await added(`,"${field}":true`)))[field]).toBe(1);
        expect((await readBack(await added(`,"${field}":false`)))[field]).toBe(0);
      }
    });

    test("the cover is shown by a number or a boolean", async () => {
      for (const [flag, shown] of [
        ["true", 1],
        ["1", 1],
        ["false", 0],
        ["0", 0],
      ] as const) {
        const item = await readBack(await added(`,"show_cover_pic":${flag}`));
        expect(item.show_cover_pic).toBe(shown);
      }
    });

    test("force_refresh may be a number", async () => {
      const { appid, secret } = await served.account();
      const ask = async (force: string) => {
        const grant = `"grant_type":"client_credential","appid":"${appid}","secret":"${secret}"`;
        const body = `{${grant},"force_refresh":${force}}`;
        const answer = await served.ask("/cgi-bin/stable_token", { method: "POST", body });
        return String(answer.body.access_token);
      };
      const first = await ask("0");
      expect(await ask("false")).toBe(first);
      expect(await ask("1")).not.toBe(first);
    });
  });

  test("a mini-program is known by its Referer and is 48001", async () => {
    const before = await count();
    const from = (referer: string, path = `${ADD}?access_token=${mine.token}`) =>
      served.ask(path, { method: "POST", headers: { referer }, body: article("") });
    for (const referer of [
      "https://servicewechat.com/wx0123456789abcdef/12/page-frame.html",
      "https://servicewechat.com/",
      "https://servicewechat.com",
      "HTTPS://SERVICEWECHAT.COM/wx0/devtools/page-frame.html",
    ]) {
      expectRefusal(await from(referer), 48001, "api unauthorized rid: ");
      expectRefusal(await from(referer, "/cgi-bin/stable_token"), 48001);
    }
    expect(await count()).toBe(before);
    for (const referer of ["https://example.com/servicewechat.com/", "servicewechat.com"]) {
      expect((await from(referer)).body.media_id).toBeDefined();
    }
  });

  describe("content that nobody can see", () => {
    const content = (text: string) => `,"content":${JSON.stringify(text)}`;

    test.each([
      ["only tags", "<section><p></p><br></section>"],
      ["spaces in tags", "<p> \n\t</p>"],
      ["spaces that do not break", "<p>&nbsp;\u00a0&#160;</p>"],
      ["wide spaces", "<p>\u3000\u2003</p>"],
      ["characters without width", "<p>\u200b\u200d\u2060\ufeff&#8203;&zwnj;</p>"],
      ["marks of direction", "\u200e\u202a\u00ad"],
      ["only a script", "<script>alert('words')</script>"],
      ["only styles", "<style>p{color:red}</style><p></p>"],
      ["only a comment", "<!-- words -->"],
      ["a picture from elsewhere", '<p><img src="https://example.com/a.png"></p>'],
      ["a picture without an address", "<img>"],
    ])("%s: 40035", async (_what, text) => {
      const before = await count();
      expectRefusal(await add(content(text)), 40035, "invalid parameter");
      expect(await count()).toBe(before);
    });

    test("a title of such characters: 40035", async () => {
      expectRefusal(await add(`,"title":${JSON.stringify("\u200b\u2060")}`), 40035);
    });

    test("an image message of such characters: 40035", async () => {
      const images = `,"article_type":"newspic","image_info":{"image_list":[{"image_media_id":"${mine.thumb}"}]}`;
      expectRefusal(await add(`${images}${content("\u200b\u00a0")}`), 40035);
      await added(`${images}${content("x")}`);
    });

    test("an update with it: 40035", async () => {
      const mediaId = await added("");
      const one = `{"title":"t","content":"<p>&nbsp;</p>","thumb_media_id":"${mine.thumb}"}`;
      const body = `{"media_id":"${mediaId}","index":0,"articles":${one}}`;
      expectRefusal(await served.post("/cgi-bin/draft/update", body, mine), 40035);
    });

    test("a picture, a drawing, a video, a card or a background is seen", async () => {
      const upload = await served.upload(
        "/cgi-bin/media/uploadimg",
        mine.token,
        "a.png",
        await picture("png"),
      );
      const { url } = upload.body;
      for (const text of [
        `<p><img src="${url}"></p>`,
        `<section style="background-image:url('${url}')"></section>`,
        '<svg width="9" height="9"><rect width="9" height="9"></rect></svg>',
        '<iframe class="video_iframe" data-mpvid="wxv_1" src="https://mp.weixin.qq.com/v"></iframe>',
        '<mp-common-profile data-id="MzA"></mp-common-profile>',
        "<hr>",
        "<p>&nbsp;x</p>",
        "<p>😀</p>",
      ]) {
        await added(content(text));
      }
    });
  });

  describe("a product card inside the content", () => {
    const card = async (own: ServedAccount) => {
      const path = "/channels/ec/service/product/getcardinfo";
      const body = '{"product_id":"1","article_type":"news","card_type":0}';
      return (await served.post(path, body, own)).body;
    };
    const withCard = (dom: unknown) => `,"content":${JSON.stringify(`<p>Buy:</p>${dom}`)}`;
    const set = (own: ServedAccount, product: string) =>
      served.controlled("PATCH", `accounts/${own.appid}`, { product });

    test("obeys the account's right to sell, as the product below it does", async () => {
      const own = await served.account();
      const { DOM } = await card(own);
      await added(withCard(DOM), own);
      for (const [right, errcode] of [
        ["restricted", 53404],
        ["off", 53406],
      ] as const) {
        await set(own, right);
        const before = await count(own);
        expectRefusal(await add(withCard(DOM), own), errcode);
        expectRefusal(await add(withCard(String(DOM).toUpperCase()), own), errcode);
        expect(await count(own)).toBe(before);
      }
      await set(own, "ok");
      const one = `{"title":"t","content":${JSON.stringify(DOM)},"thumb_media_id":"${own.thumb}"}`;
      const mediaId = await added("", own);
      await set(own, "off");
      const body = `{"media_id":"${mediaId}","articles":${one}}`;
      expectRefusal(await served.post("/cgi-bin/draft/update", body, own), 53406);
    });

    test("must be one that the account was given: else 53405", async () => {
      const own = await served.account();
      const { DOM } = await card(mine);
      expectRefusal(await add(withCard(DOM), own), 53405);
      expectRefusal(await add(withCard("<mp-common-product></mp-common-product>"), own), 53405);
    });
  });

  test.each(["material/add_news", "material/update_news", "media/uploadnews"])(
    "%s was closed when the draft box came: 45106",
    async (path) => {
      const refused = await served.post(`/cgi-bin/${path}`, article(""), mine);
      expectRefusal(refused, 45106, "This API has been unsupported rid: ");
      expectRefusal(await served.post(`/cgi-bin/${path}`, "{}", { token: "99_forged" }), 40001);
      expectRefusal(await served.get(`/cgi-bin/${path}`, mine), 43002);
    },
  );
});
