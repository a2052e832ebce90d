// What clients in use send beside what the document has, and who is no server, over the real server.
import { describe, expect, test } from "bun:test";
import { perSuite } from "./support/house.ts";
import { ADD, expectRefusal } from "./support/platform-vectors.ts";
import { servedPlatform } from "./support/served-platform.ts";
import { eventually } from "./support/waiting.ts";

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
