// Drafts and the built-in platform, one calling the other over real HTTP while things go wrong.
import { describe, expect, test } from "bun:test";
import type { ArticleDoc } from "../../src/drafts/contract/article.ts";
import type { Draft } from "../../src/drafts/draft.ts";
import { newId } from "../../src/lib/ids.ts";
import { faultOf } from "../support/errors.ts";
import { boxOnPlatform, CALL_MS } from "../support/houses/box-on-platform.ts";
import { perSuite } from "../support/houses/house.ts";
import { servedPlatform } from "../support/houses/served-platform.ts";
import { animatedGif, animatedPng, picture } from "../support/samples/pictures.ts";
import { eventually } from "../support/waiting.ts";

const ADD = "/cgi-bin/draft/add";
const UPDATE = "/cgi-bin/draft/update";

const MARKDOWN = `## 第一节

正文，**重点**和[链接](https://example.com/a)。

- 一
- 二

![图](PICTURE)

\`\`\`js
const a = "b";
\`\`\`
`;

describe("drafts on the platform", () => {
  const served = perSuite(servedPlatform);
  const remote = perSuite(() => served.account());
  let image: string;
  const accountId = newId("acc_");

  const house = perSuite(async (parts) => {
    image = `data:image/png;base64,${(await picture("png", 235, 100)).toString("base64")}`;
    return boxOnPlatform(parts, { url: served.url, account: remote });
  });

  let made = 0;
  const article = (more: Partial<ArticleDoc> = {}): ArticleDoc => ({
    type: "news",
    title: `标题 ${++made}`,
    author: "作者",
    source: { format: "markdown", text: MARKDOWN.replace("PICTURE", image) },
    cover: { data: image },
    ...more,
  });
  const create = (...articles: ArticleDoc[]) =>
    house.draftService.create(accountId, { articles, by: "me" });
  const fault = (members: Record<string, unknown>) =>
    served.controlled("POST", "faults", { route: ADD, ...members });
  const count = async () =>
    Number((await served.get("/cgi-bin/draft/count", remote)).body.total_count);
  const stored = async ({ mediaId }: Draft) => {
    const answer = await served.post("/cgi-bin/draft/get", `{"media_id":"${mediaId}"}`, remote);
    return (answer.body.news_item ?? []) as Record<string, unknown>[];
  };

  /** The box has one draft more, and it is this one. */
  async function expectOne(draft: Draft, before: number): Promise<void> {
    expect(await count()).toBe(before + 1);
    const titles = (await stored(draft)).map(({ title }) => title);
    expect(titles).toEqual(draft.articles.map(({ title }) => title));
    await served.controlled("DELETE", "faults");
  }

  const LOST: [string, Record<string, unknown>, boolean][] = [
    ["nothing goes wrong", { delay_ms: 1 }, false],
    ["the connection is cut before it is stored", { drop_before_commit: true }, false],
    ["the connection is cut after it was stored", { drop_after_commit: true }, true],
    ["the platform is busy and has stored it", { errcode: -1, after_commit: true }, true],
    ["the platform is busy and has not", { errcode: -1 }, false],
    ["something in between breaks after it was stored", { http: 502, after_commit: true }, true],
    ["something in between breaks before", { http: 503 }, false],
    ["the answer has no media_id", { answer: {}, after_commit: true }, true],
    ["the answer has no media_id and nothing is stored", { answer: {} }, false],
    ["the code is one that nobody knows", { errcode: 999_999, after_commit: true }, true],
    ["the platform is slower than the caller waits", { delay_ms: CALL_MS + 300 }, true],
    ["the answer is later than the caller waits", { delay_ms: CALL_MS + 100 }, true],
    ["the token is stale", { errcode: 40001 }, false],
    ["the token has expired", { errcode: 42001 }, false],
  ];
  test.each(LOST)("one draft is in the box when %s", async (_what, members, isReconciled) => {
    const before = await count();
    const { id } = await create(article());
    await fault(members);
    const { draft, receipt } = await house.draftService.push(accountId, id);
    expect(receipt).toMatchObject({ mediaId: draft.mediaId, reconciled: isReconciled });
    await expectOne(draft, before);
    // Asked again, nothing more is sent.
    expect((await house.draftService.push(accountId, id)).receipt.mediaId).toBe(receipt.mediaId);
    expect(await count()).toBe(before + 1);
  });

  test("what moves is in the box as a GIF that moves, and is uploaded once", async () => {
    const moving = [animatedGif(60, 40), await animatedPng(60, 40)].map(
      (bytes) => `data:image/png;base64,${bytes.toString("base64")}`,
    );
    const text = moving.map((src) => `![](${src})`).join("\n\n");
    const source = { format: "markdown", text } as const;
    const { draft, receipt } = await house.draftService.push(
      accountId,
      (await create(article({ source }))).id,
    );
    expect([receipt.uploadedFiles, receipt.warnings]).toEqual([2, []]);
    const content = String((await stored(draft))[0]?.content);
    const urls = [...content.matchAll(/data-src="([^"]+)"/g)].map(([, url = ""]) => url);
    expect(urls).toHaveLength(2);
    for (const url of urls) {
      expect(url).toContain("/mmbiz_gif/");
      const bytes = Buffer.from(await (await fetch(url.replaceAll("&amp;", "&"))).arrayBuffer());
      expect(bytes.toString("latin1", 0, 6)).toBe("GIF89a");
      expect(bytes.toString("latin1").split("\x21\xf9\x04").length - 1).toBe(2);
    }
    const again = await house.draftService.push(accountId, (await create(article({ source }))).id);
    expect(again.receipt).toMatchObject({ uploadedFiles: 0, reusedFiles: 3 });
  });

  test("the same words sent twice, both with a lost answer, are two drafts", async () => {
    const before = await count();
    const same = article({ title: "同样" });
    const drafts = [await create(same), await create(same)];
    await fault({ drop_after_commit: true, count: 2 });
    const ids = [];
    for (const { id } of drafts)
      ids.push((await house.draftService.push(accountId, id)).receipt.mediaId);
    expect(new Set(ids).size).toBe(2);
    expect(await count()).toBe(before + 2);
  });

  test("a draft that is pushed by many at once is sent once", async () => {
    const before = await count();
    const { id } = await create(article());
    await fault({ drop_after_commit: true });
    const pushes = Array.from({ length: 4 }, () => house.draftService.push(accountId, id));
    const ids = (await Promise.all(pushes)).map(({ receipt }) => receipt.mediaId);
    expect(new Set(ids).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  test("a box that cannot be read leaves the outcome open, until it can", async () => {
    const before = await count();
    const { id } = await create(article());
    await fault({ drop_after_commit: true });
    await fault({ route: "/cgi-bin/draft/batchget", http: 500, count: 2 });
    expect(await faultOf(house.draftService.push(accountId, id))).toMatchObject({
      fault: "platform_unknown",
    });
    expect(await house.draftService.find(accountId, id)).toMatchObject({ status: "unknown" });
    const { draft, receipt } = await house.draftService.push(accountId, id);
    expect(receipt).toMatchObject({ reconciled: true, sends: 1 });
    await expectOne(draft, before);
  });

  test("tokens that have really ended are replaced", async () => {
    const force = JSON.stringify({
      ...{ grant_type: "client_credential", appid: remote.appid, secret: remote.secret },
      force_refresh: true,
    });
    const given = await served.ask("/cgi-bin/stable_token", { method: "POST", body: force });
    Object.assign(remote, { token: String(given.body.access_token) });
    let before = await count();
    await expectOne(
      (await house.draftService.push(accountId, (await create(article())).id)).draft,
      before,
    );
    before += 1;
    await served.controlled("PUT", "clock", { offset_ms: 7_200_000 });
    const { draft } = await house.draftService.push(accountId, (await create(article())).id);
    await served.controlled("PUT", "clock", { offset_ms: 0 });
    await expectOne(draft, before);
  });

  test("uploads whose answers are lost are made again", async () => {
    const before = await count();
    const flowers = `data:image/jpeg;base64,${(await picture("jpeg", 90, 90)).toString("base64")}`;
    const source = { format: "markdown", text: `![](${flowers})` } as const;
    const { id } = await create(article({ source, cover: { card: true } }));
    await fault({ route: "/cgi-bin/media/uploadimg", drop_after_commit: true });
    await fault({ route: "/cgi-bin/material/add_material", http: 504, after_commit: true });
    const { draft } = await house.draftService.push(accountId, id);
    await expectOne(draft, before);
    const [item] = await stored(draft);
    expect(item?.content).toMatch(
      /<img data-src="http:\/\/127\.0\.0\.1:\d+\/platform\/mmbiz_jpg\//,
    );
    expect(item?.pic_crop_235_1).toMatch(/^[\d.]+_[\d.]+_[\d.]+_[\d.]+$/);
  });

  test("the platform keeps what was rendered, to the last byte", async () => {
    const { id } = await create(
      article({ digest: "摘要", source_url: "https://example.com/原文" }),
    );
    expect((await house.draftService.push(accountId, id)).receipt.differences).toEqual([]);
    const { differences, url, articles } = await house.draftService.readBack(accountId, id);
    expect(differences).toEqual([]);
    expect(articles?.[0]?.content).toContain("第一节");
    const page = await fetch(url ?? "");
    expect(await page.text()).toContain("重点");
    expect(page.headers.get("content-security-policy")).toStartWith("sandbox; default-src 'none'");
  });

  test("image messages and several articles arrive whole", async () => {
    const before = await count();
    const text = { source: { format: "markdown", text: "第一行\n\n第二行" } } as const;
    const pictures = [{ data: image }, { card: true }, { media_id: remote.thumb }] as const;
    const newspic = article({ type: "newspic", ...text, images: pictures });
    await fault({ drop_after_commit: true });
    const one = (await house.draftService.push(accountId, (await create(newspic)).id)).draft;
    await expectOne(one, before);
    const [item] = await stored(one);
    expect(item).toMatchObject({ article_type: "newspic", content: "第一行\n\n第二行" });
    expect(item?.image_info).toMatchObject({ image_list: { length: 3 } });
    await fault({ errcode: -1, after_commit: true });
    const three = [article(), article({ open_comment: true }), article(newspic)];
    const many = (await house.draftService.push(accountId, (await create(...three)).id)).draft;
    await expectOne(many, before + 1);
    expect(await stored(many)).toMatchObject([
      { article_type: "news", need_open_comment: 0, digest: "" },
      { article_type: "news", need_open_comment: 1 },
      { article_type: "newspic" },
    ]);
  });

  test.each([
    ["the connection is cut", { drop_after_commit: true }],
    ["the connection is cut before it is stored", { drop_before_commit: true }],
    ["the platform is busy", { errcode: -1, after_commit: true }],
    ["something in between breaks", { http: 502, after_commit: true }],
    ["the answer says nothing", { answer: {}, after_commit: true }],
    ["the token is stale", { errcode: 40001 }],
  ])("an update leaves one draft, changed, when %s", async (_what, members) => {
    const first = (
      await house.draftService.push(accountId, (await create(article(), article())).id)
    ).draft;
    const before = await count();
    const articles = first.articles.map((each) => ({ ...each, title: `${each.title} neu` }));
    await house.draftService.save(accountId, first.id, { articles, by: "me", base: first.version });
    await fault({ route: UPDATE, ...members });
    const { draft } = await house.draftService.push(accountId, first.id);
    expect(draft.mediaId).toBe(first.mediaId);
    await expectOne(draft, before - 1);
  });

  test("a draft that was deleted there is not added again unasked", async () => {
    const { draft } = await house.draftService.push(accountId, (await create(article())).id);
    const [changed] = draft.articles.map((each) => ({ ...each, digest: "anders" }));
    await served.post("/cgi-bin/draft/delete", `{"media_id":"${draft.mediaId}"}`, remote);
    const before = await count();
    const articles = changed ? [changed] : [];
    await house.draftService.save(accountId, draft.id, { articles, by: "me", base: draft.version });
    expect(await faultOf(house.draftService.push(accountId, draft.id))).toMatchObject({
      fault: "platform_refused",
    });
    expect(await count()).toBe(before);
    const again = await house.draftService.push(accountId, draft.id, { asNew: true });
    await expectOne(again.draft, before);
  });

  test.each([
    ["nothing goes wrong", { delay_ms: 1 }],
    ["the answer is lost", { drop_after_commit: true }],
    ["the platform is busy", { errcode: -1, after_commit: true }],
  ])("a draft is deleted and published once when %s", async (_what, members) => {
    const [gone, shown] = [await create(article()), await create(article())];
    for (const { id } of [gone, shown]) await house.draftService.push(accountId, id);
    const before = await count();
    await fault({ route: "/cgi-bin/draft/delete", ...members });
    await house.draftService.remove(accountId, gone.id);
    expect(await count()).toBe(before - 1);
    await fault({ route: "/cgi-bin/freepublish/submit", ...members });
    // What is lost is looked for while the platform may still be publishing.
    await house.draftService.publish(accountId, shown.id).catch(() => {});
    await eventually("the box has two less", async () => (await count()) === before - 2);
    expect((await house.draftService.publish(accountId, shown.id)).status).toBe("published");
    const listed = await served.post("/cgi-bin/freepublish/batchget", PAGE, remote);
    const titles = JSON.stringify(listed.body.item);
    expect(titles.split(shown.articles[0]?.title ?? "?")).toHaveLength(2);
  });

  test("no token and no secret is in any line of the log", () => {
    const all = house.lines.join("\n");
    expect(house.lines.length).toBeGreaterThan(10);
    expect(all).not.toContain(remote.secret);
    expect(all).not.toContain(remote.token);
  });
});

const PAGE = '{"offset":0,"count":20,"no_content":1}';
