import { describe, expect, test } from "bun:test";
import { failureOf } from "../../test/store/samples.ts";
import { faultOf } from "../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../test/support/houses/draft-house.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { STUB_URL } from "../../test/support/outside/wechat-stub.ts";
import { Fault, StorageError } from "../lib/faults.ts";
import type { ArticleDoc } from "./contract/article.ts";

const drafts = perSuite(draftStores);

function open(options: { readonly publishOn?: boolean } = {}) {
  const house = new DraftHouse(drafts.store);
  return { house, draftService: house.start(options), account: house.accountId };
}

describe("a push", () => {
  test("uploads, adds, reads back and gives a receipt", async () => {
    const { house, draftService, account } = open();
    const text = "look ![a](https://pictures.test/a.png) and ![b](https://pictures.test/b.png)";
    const doc = article("标题", {
      author: "麦多多",
      digest: "摘要",
      source: { format: "markdown", text },
      source_url: "https://example.com/a",
      open_comment: true,
    });
    const writing = [
      { requestId: "req_1", model: "sandbox-1.0", cost: "0.0012", purpose: "write" },
    ] as const;
    const draft = await draftService.create(account, { articles: [doc], by: "me", writing });
    const { receipt, draft: pushed } = await draftService.push(account, draft.id);
    const [stored] = house.stub.drafts.values();
    expect(stored?.articles[0]).toMatchObject({
      article_type: "news",
      title: "标题",
      author: "麦多多",
      digest: "摘要",
      content_source_url: "https://example.com/a",
      need_open_comment: 1,
      only_fans_can_comment: 0,
      pic_crop_235_1: expect.stringMatching(/^[\d.]+(_[\d.]+){3}$/),
      cover_info: { crop_percent_list: [{ ratio: "2.35_1" }, { ratio: "1_1" }] },
    });
    expect(String(stored?.articles[0]?.content)).toContain("https://mmbiz.qpic.cn/");
    expect(pushed).toMatchObject({ status: "in_box", mediaId: stored?.mediaId, writing });
    expect(receipt).toMatchObject({
      mediaId: stored?.mediaId,
      sandbox: true,
      url: "http://mp.weixin.qq.com/s?__biz=stub",
      uploadedFiles: 3,
      reusedFiles: 0,
      sends: 1,
      reconciled: false,
    });
  });

  test("says where the draft goes, and warns of the sandbox beside a real account", async () => {
    const { house, draftService, account } = open();
    const push = async (title: string) => {
      const form = { articles: [article(title)], by: "me" };
      return (await draftService.push(account, (await draftService.create(account, form)).id))
        .receipt;
    };
    const { appid } = house.stub;
    const sandbox = { name: "sandbox", appid, sandbox: true, platformUrl: null };
    const alone = await push("alone");
    expect(alone.destination).toEqual(sandbox);
    expect(alone.warnings).toEqual([]);
    const real = { name: "real", appid, secret: house.stub.secret, platformUrl: STUB_URL };
    await draftService.publicAccounts.add(account, { ...real, isDefault: false });
    const beside = await push("beside");
    expect(beside.destination).toEqual(sandbox);
    expect(beside.warnings).toMatchObject([{ code: "sandbox_beside_real", limit: "real" }]);
    const preview = await draftService.preview(account, { articles: [article("seen")] });
    expect(preview.destination).toEqual(sandbox);
    expect(preview.problems).toContainEqual(
      expect.objectContaining({ code: "sandbox_beside_real", severity: "warning" }),
    );
    await draftService.publicAccounts.add(account, { ...real, name: "ours" });
    const there = await push("there");
    expect(there.destination).toEqual({
      name: "ours",
      appid,
      sandbox: false,
      platformUrl: STUB_URL,
    });
    expect(there.warnings).toEqual([]);
  });

  test("again sends nothing, and tells when the draft was taken out of the box", async () => {
    const { house, draftService, account } = open();
    const draft = await draftService.create(account, { articles: [article("again")], by: "me" });
    const first = await draftService.push(account, draft.id);
    const again = await draftService.push(account, draft.id);
    expect(again.push.id).toBe(first.push.id);
    expect(house.stub.drafts.size).toBe(1);
    house.stub.drafts.clear();
    expect((await draftService.push(account, draft.id)).draft.status).toBe("removed");
    expect(house.stub.drafts.size).toBe(0);
    const anew = await draftService.push(account, draft.id, { asNew: true });
    expect(anew.receipt.mediaId).not.toBe(first.receipt.mediaId);
    expect(anew.draft.status).toBe("in_box");
  });

  test("uploads a picture once, and anew when the platform has lost it", async () => {
    const { house, draftService, account } = open();
    const cover = { url: "https://pictures.test/cover.jpg" };
    const make = async (title: string) => {
      const form = { articles: [article(title, { cover })], by: "me" };
      return (await draftService.push(account, (await draftService.create(account, form)).id))
        .receipt;
    };
    expect(await make("one")).toMatchObject({ uploadedFiles: 1, reusedFiles: 0 });
    expect(await make("two")).toMatchObject({ uploadedFiles: 0, reusedFiles: 1 });
    house.stub.materials.clear();
    expect(await make("three")).toMatchObject({ uploadedFiles: 1 });
    expect(house.stub.drafts.size).toBe(3);
  });

  test("uploads the pictures of a text anew, too, when the platform has lost a cover", async () => {
    const { house, draftService, account } = open();
    const cover = { url: "https://pictures.test/cover.jpg" };
    const text = "![a](https://pictures.test/a.jpg) ![b](https://pictures.test/b.gif)";
    const source = { format: "markdown", text } as const;
    const make = async (title: string) => {
      const form = { articles: [article(title, { cover, source })], by: "me" };
      const { receipt } = await draftService.push(
        account,
        (await draftService.create(account, form)).id,
      );
      const content = String(house.stub.titled(title)[0]?.articles[0]?.content);
      return { receipt, shown: [...content.matchAll(/src="([^"]+)"/g)].map(([, src]) => src) };
    };
    const first = await make("one");
    expect((await make("two")).shown).toEqual(first.shown);
    // As after a reset of the built-in platform: what was uploaded is nowhere any more.
    house.stub.materials.clear();
    const after = await make("three");
    expect(after.shown).toHaveLength(2);
    expect(after.shown.filter((src) => first.shown.includes(src))).toEqual([]);
    expect(after.receipt).toMatchObject({ uploadedFiles: 3, reusedFiles: 0 });
  });

  test("uploads nothing anew for a cover that somebody named and the platform does not know", async () => {
    const { house, draftService, account } = open();
    const source = { format: "markdown", text: "![a](https://pictures.test/a.jpg)" } as const;
    const make = async (title: string, cover: NonNullable<ArticleDoc["cover"]>) => {
      const form = { articles: [article(title, { cover, source })], by: "me" };
      return draftService.push(account, (await draftService.create(account, form)).id);
    };
    await make("one", { url: "https://pictures.test/cover.jpg" });
    const uploads = () => house.stub.calls.filter((path) => path.endsWith("uploadimg")).length;
    const before = uploads();
    const refused = await faultOf(make("two", { media_id: "no-such-medium" }));
    expect([refused.fault, uploads()]).toEqual(["platform_refused", before]);
  });

  test("brings what moves as material, once for the text and the cover", async () => {
    const { house, draftService, account } = open();
    const url = "https://pictures.test/cat.gif";
    const source = { format: "markdown", text: `![a](${url}) ![b](${url}?x.gif)` } as const;
    const make = async (title: string) => {
      const form = { articles: [article(title, { source, cover: { url } })], by: "me" };
      return (await draftService.push(account, (await draftService.create(account, form)).id))
        .receipt;
    };
    expect(await make("moves")).toMatchObject({ uploadedFiles: 2, reusedFiles: 1 });
    expect(house.stub.calls.filter((path) => path.endsWith("uploadimg"))).toEqual([]);
    const [id] = house.stub.materials;
    expect(String(house.stub.titled("moves")[0]?.articles[0]?.content)).toContain(
      `https://mmbiz.qpic.cn/mmbiz_jpg/${id}/0`,
    );
    expect(await make("moves again")).toMatchObject({ uploadedFiles: 0, reusedFiles: 3 });
    expect(house.stub.materials.size).toBe(2);
  });

  test("brings a picture of megabytes that stands in the text", async () => {
    const { house, draftService, account } = open();
    const gif = Buffer.alloc(2 * 1024 * 1024, "GIF89a").toString("base64");
    const text = `words ![a](data:image/gif;base64,${gif})`;
    const articles = [article("heavy", { source: { format: "markdown", text } })];
    const preview = await draftService.preview(account, { articles });
    expect(preview.problems.filter(({ severity }) => severity !== "info")).toEqual([]);
    const draft = await draftService.create(account, { articles, by: "me" });
    const { receipt } = await draftService.push(account, draft.id);
    expect(receipt.contentBytes).toBeLessThan(1_000);
    const counted = preview.articles[0]?.counts.content_bytes ?? 0;
    expect(Math.abs(counted - receipt.contentBytes)).toBeLessThan(200);
    const content = String(house.stub.titled("heavy")[0]?.articles[0]?.content);
    expect(content).toContain("https://mmbiz.qpic.cn/");
    expect(content).not.toContain("data:");
  });

  test("brings again what moves, where its address was not kept", async () => {
    const { house, draftService, account } = open();
    const url = "https://pictures.test/old.gif";
    const push = async (more: Parameters<typeof article>[1]) => {
      const form = { articles: [article("old", more)], by: "me" };
      return (await draftService.push(account, (await draftService.create(account, form)).id))
        .receipt;
    };
    await push({ cover: { url } });
    await drafts.sql.query("update draft_uploads set url = null", []);
    const source = { format: "markdown", text: `![a](${url})` } as const;
    expect(await push({ source, cover: { url } })).toMatchObject({
      uploadedFiles: 1,
      reusedFiles: 1,
    });
    expect(house.stub.materials.size).toBe(2);
  });

  test("warns of a picture that does not move any more, and names it", async () => {
    const { draftService, account } = open();
    const text = "words\n\n![a](https://pictures.test/first-frame.png)";
    const form = {
      articles: [article("still", { source: { format: "markdown", text } })],
      by: "me",
    };
    const { receipt } = await draftService.push(
      account,
      (await draftService.create(account, form)).id,
    );
    expect(receipt.warnings).toEqual([
      {
        severity: "warning",
        code: "image_still",
        article: 0,
        field: "source.text",
        picture: "https://pictures.test/first-frame.png",
        line: 3,
        message: expect.stringMatching(
          /^https:\/\/pictures\.test\/first-frame\.png \(line 3\): .*first frame/,
        ),
      },
    ]);
  });

  test.each([
    [
      "source.text",
      "https://pictures.test/no.gif (line 2)",
      "a\n![a](https://pictures.test/no.gif)",
    ],
    ["cover", "https://pictures.test/cover.gif", "a"],
  ])("that is refused for a picture in %s names it", async (field, picture, text) => {
    const { house, draftService, account } = open();
    house.stub.refusals.set("/cgi-bin/material/add_material", {
      errcode: 40009,
      errmsg: "invalid image size",
    });
    const cover = { url: "https://pictures.test/cover.gif" };
    const doc = article("named", { source: { format: "markdown", text }, cover });
    const form = { articles: [article("first", { cover: { media_id: "m" } }), doc], by: "me" };
    const { id } = await draftService.create(account, form);
    const fault = await faultOf(draftService.push(account, id));
    expect(fault.message).toContain(`The platform refused the picture ${picture}: 40009`);
    expect(fault.facts).toMatchObject({ picture, field: `articles[1].${field}` });
  });

  test("of a changed draft updates what is there", async () => {
    const { house, draftService, account } = open();
    const draft = await draftService.create(account, { articles: [article("before")], by: "me" });
    const { receipt } = await draftService.push(account, draft.id);
    const saved = await draftService.save(account, draft.id, {
      articles: [article("after")],
      by: "me",
      base: 1,
    });
    expect(saved).toMatchObject({ version: 2, pushedVersion: 1, status: "in_box" });
    house.fault = (path) =>
      path.endsWith("update")
        ? house.stub.calls.length % 2
          ? "reset_after"
          : undefined
        : undefined;
    const updated = await draftService.push(account, draft.id);
    expect(updated.receipt.mediaId).toBe(receipt.mediaId);
    expect(updated.draft.pushedVersion).toBe(2);
    expect([...house.stub.drafts.values()].map(({ articles }) => articles[0]?.title)).toEqual([
      "after",
    ]);
    const two = [article("after"), article("more")];
    await draftService.save(account, draft.id, { articles: two, by: "me", base: 2 });
    const fault = await faultOf(draftService.push(account, draft.id));
    expect([fault.fault, fault.param]).toEqual(["invalid_value", "articles"]);
    house.stub.drafts.clear();
    await draftService.save(account, draft.id, { articles: [article("gone")], by: "me", base: 3 });
    const gone = await faultOf(draftService.push(account, draft.id));
    expect([gone.fault, gone.facts.class]).toEqual(["platform_refused", "removed"]);
  });

  test("brings several articles and image messages", async () => {
    const { house, draftService, account } = open();
    const images = [{ url: "https://pictures.test/1.png" }, { data: "data:image/png;base64,AAAA" }];
    const pictures = article("pictures", { type: "newspic", images });
    const form = { articles: [article("first", { digest: "unused" }), pictures], by: "me" };
    await draftService.push(account, (await draftService.create(account, form)).id);
    const [stored] = house.stub.drafts.values();
    expect(stored?.articles).toHaveLength(2);
    expect(stored?.articles[0]?.digest).toBe("");
    const info = stored?.articles[1]?.image_info as { image_list: unknown[] };
    expect(info.image_list).toHaveLength(2);
    expect(stored?.articles[1]?.thumb_media_id).toBeUndefined();
  });
});

describe("a refusal", () => {
  test("by the preflight comes before any call, with the field and both numbers", async () => {
    const { house, draftService, account } = open();
    const draft = await draftService.create(account, {
      articles: [article("x".repeat(33))],
      by: "me",
    });
    const fault = await faultOf(draftService.push(account, draft.id));
    expect([fault.fault, fault.param]).toEqual(["preflight_failed", "articles[0].title"]);
    expect(fault.facts.problems).toContainEqual(
      expect.objectContaining({ code: "title_too_long", field: "title", limit: 32, found: 33 }),
    );
    expect(house.stub.calls).toEqual([]);
    expect(await draftService.pushes(account, draft.id)).toEqual([]);
  });

  test("of a picture names where it stands, and nothing is sent", async () => {
    const { house, draftService, account } = open();
    const doc = article("p", {
      type: "newspic",
      images: [{ url: "https://pictures.test/ok.png" }, { url: "https://pictures.test/broken" }],
    });
    const draft = await draftService.create(account, { articles: [doc], by: "me" });
    const fault = await faultOf(draftService.push(account, draft.id));
    expect([fault.fault, fault.param]).toEqual(["preflight_failed", "articles[0].images[1]"]);
    expect(house.stub.calls).toEqual([]);
  });

  test("by the platform has its words, the field and what to do", async () => {
    const { house, draftService, account } = open();
    house.stub.refusals.set("/cgi-bin/draft/add", {
      errcode: 88000,
      errmsg: "without comment privilege",
    });
    const draft = await draftService.create(account, { articles: [article("c")], by: "me" });
    const fault = await faultOf(draftService.push(account, draft.id));
    expect([fault.fault, fault.status, fault.param]).toEqual([
      "platform_refused",
      502,
      "articles[0].open_comment",
    ]);
    expect(fault.facts).toMatchObject({
      errcode: 88000,
      class: "input",
      rid: expect.stringMatching(/^[0-9a-f]{8}-0badcafe-0badf00d$/),
    });
    expect((await draftService.find(account, draft.id)).status).toBe("refused");
    house.stub.refusals.clear();
    expect((await draftService.push(account, draft.id)).draft.status).toBe("in_box");
    expect((await draftService.pushes(account, draft.id)).map(({ state }) => state)).toEqual([
      "done",
      "refused",
    ]);
  });

  test("never tells the token or the secret", async () => {
    const { house, draftService, account } = open();
    const { secret } = house.stub;
    house.stub.refusals.set("/cgi-bin/stable_token", {
      errcode: 40125,
      errmsg: `invalid appsecret ${secret} access_token=86_1TTTT`,
    });
    const draft = await draftService.create(account, { articles: [article("s")], by: "me" });
    const fault = await faultOf(draftService.push(account, draft.id));
    const said = JSON.stringify([fault.message, fault.facts, house.logged]);
    expect(said).toContain("invalid appsecret");
    expect(said).not.toContain(secret);
    expect(said).not.toContain("86_1");
    house.stub.refusals.clear();
    house.stub.refusals.set("/cgi-bin/draft/add", { errcode: 40007, errmsg: "x" });
    await faultOf(draftService.push(account, draft.id));
    expect(JSON.stringify(house.logged)).not.toMatch(/86_\d/);
    const rows = await drafts.sql.query("select * from draft_tokens");
    expect(rows).not.toBeEmpty();
    // Sealed text may have a few marks of a token by chance, but not as many as these.
    expect(JSON.stringify(rows)).not.toMatch(/86_\d+TTTTTTTT|0123456789abcdef0123/);
  });
});

describe("an Idempotency-Key", () => {
  test("leads to its draft, and is refused for another body", async () => {
    const { draftService, account } = open();
    const begun = await draftService.begin(account, "key-1", "sum-a");
    if (begun.kind !== "new") throw new Error("the key is new");
    const form = { articles: [article("k")], by: "me", ticket: begun.ticket };
    const draft = await draftService.create(account, form);
    const again = await draftService.begin(account, "key-1", "sum-a");
    expect(again).toMatchObject({ kind: "known", draft: { id: draft.id } });
    const fault = await faultOf(draftService.begin(account, "key-1", "sum-b"));
    expect([fault.fault, fault.status]).toEqual(["idempotency_conflict", 409]);
    expect((await draftService.begin("acc_other", "key-1", "sum-b")).kind).toBe("new");
  });

  test("is busy while its first request writes, and free when that gave up", async () => {
    const { house, draftService, account } = open();
    const begun = await draftService.begin(account, "key-2", "sum");
    if (begun.kind !== "new") throw new Error("the key is new");
    const writing = Promise.withResolvers<never>();
    const held = failureOf(draftService.holding(begun.ticket, () => writing.promise));
    expect((await faultOf(draftService.begin(account, "key-2", "sum"))).fault).toBe("push_busy");
    writing.reject(new Error("nobody's fault"));
    await held;
    const second = await draftService.begin(account, "key-2", "sum");
    expect(second.kind).toBe("new");
    // Whoever never came back loses the key, and cannot bind a draft to it any more.
    house.nowMs += 3_600_000;
    expect((await draftService.begin(account, "key-2", "sum")).kind).toBe("new");
    const ticket = second.kind === "new" ? second.ticket : undefined;
    const late = draftService.create(account, { articles: [], by: "me", ticket });
    expect((await faultOf(late)).fault).toBe("idempotency_conflict");
  });
});

describe("who takes an Idempotency-Key by a clock that is wrong", () => {
  test("and ahead does not take what somebody has", async () => {
    const { house, draftService, account } = open();
    expect((await draftService.begin(account, "key-7", "sum")).kind).toBe("new");
    const ahead = house.start({ aheadMs: 59_000 });
    const startedMs = house.nowMs;
    expect((await ahead.begin(account, "key-7", "sum")).kind).toBe("new");
    // Not before who has it has been silent for all of its lease.
    expect(house.nowMs - startedMs).toBeGreaterThanOrEqual(60_000);
  });

  test("and behind is not told what became of a call before it", async () => {
    const { house, account } = open();
    const ahead = house.start({ aheadMs: 30_000 });
    const begun = await ahead.begin(account, "key-8", "sum");
    if (begun.kind !== "new") throw new Error("the key is new");
    const work = () => Promise.reject(new Fault("writing_failed", "no article"));
    await failureOf(ahead.holding(begun.ticket, work));
    expect((await house.start().begin(account, "key-8", "another sum")).kind).toBe("new");
  });
});

describe("who waits for an Idempotency-Key", () => {
  /** Somebody has the key, and somebody else waits for it. */
  async function waitingFor(key: string) {
    const { house, draftService, account } = open();
    const { life } = house;
    const begun = await draftService.begin(account, key, "sum");
    if (begun.kind !== "new") throw new Error("the key is new");
    const writing = Promise.withResolvers<never>();
    const held = draftService.holding(begun.ticket, () => writing.promise);
    held.catch(() => {});
    const other = house.start();
    const waiting = other.begin(account, key, "sum");
    return { house, life, account, other, waiting, fail: writing.reject };
  }

  test("is told what it failed with, while the next call takes it anew", async () => {
    const { account, other, waiting, fail } = await waitingFor("key-3");
    const failure = { param: "model", facts: { cost: "0.1" }, headers: { "retry-after": "1" } };
    fail(new Fault("writing_failed", "no article", failure));
    const told = await faultOf(waiting);
    expect([told.fault, told.message]).toEqual(["writing_failed", "no article"]);
    expect(told).toMatchObject(failure);
    expect((await other.begin(account, "key-3", "another sum")).kind).toBe("new");
  });

  test("is told of what was nobody's fault too, and does not pay again", async () => {
    const { account, other, waiting, fail } = await waitingFor("key-5");
    fail(new StorageError("the disk is full"));
    const told = await faultOf(waiting);
    expect([told.fault, told.message]).toEqual([
      "storage_unavailable",
      "The gateway cannot reach its storage. Try again shortly.",
    ]);
    expect((await other.begin(account, "key-5", "sum")).kind).toBe("new");
    const bug = await waitingFor("key-6");
    bug.fail(new TypeError("x is not a function"));
    expect((await faultOf(bug.waiting)).fault).toBe("internal_error");
  });

  test("takes it when who had it dies, and not before", async () => {
    const { house, life, waiting } = await waitingFor("key-4");
    const [bornMs, dieAtMs] = [house.nowMs, house.nowMs + 20_000];
    house.onCall = () => {
      if (house.nowMs >= dieAtMs) life.die();
    };
    expect((await waiting).kind).toBe("new");
    expect(house.nowMs - bornMs).toBeGreaterThanOrEqual(60_000);
  });
});

describe("the working copy", () => {
  test("keeps versions, folds those of one sitting, and refuses an old base", async () => {
    const { house, draftService, account } = open();
    const draft = await draftService.create(account, { articles: [article("v1")], by: "me" });
    const save = (title: string, base: number, by = "me") =>
      draftService.save(account, draft.id, { articles: [article(title)], by, base });
    await save("v2", 1);
    await save("v3", 2);
    await save("v4", 3, "she");
    house.nowMs += 11 * 60_000;
    const last = await save("v5", 4, "she");
    expect(last.version).toBe(5);
    expect((await draftService.versions(account, draft.id)).map(({ version }) => version)).toEqual([
      5, 4, 3, 1,
    ]);
    const fault = await faultOf(save("late", 3));
    expect([fault.fault, fault.status, fault.facts.version]).toEqual(["edit_conflict", 409, 5]);
    expect((await draftService.version(account, draft.id, 3)).articles[0]?.title).toBe("v3");
    expect((await save("v5", 5)).version).toBe(5);
  });

  test("is saved once by whoever asks again because the answer was lost", async () => {
    const { draftService, account } = open();
    const draft = await draftService.create(account, { articles: [article("v1")], by: "me" });
    const save = (title: string, base: number) =>
      draftService.save(account, draft.id, { articles: [article(title)], by: "me", base });
    expect((await save("v2", 1)).version).toBe(2);
    expect((await save("v2", 1)).version).toBe(2);
    const both = await Promise.all([save("v3", 2), save("v3", 2)]);
    expect(both.map(({ version }) => version)).toEqual([3, 3]);
    expect((await faultOf(save("v4", 2))).fault).toBe("edit_conflict");
    expect((await faultOf(save("v3", 1))).fault).toBe("edit_conflict");
  });

  test("goes to another public account only with a save that is taken", async () => {
    const { house, draftService, account } = open();
    const form = { articles: [article("v1")], by: "me" };
    const { id, publicAccountId: first } = await draftService.create(account, form);
    const { appid, secret } = house.stub;
    const other = await draftService.publicAccounts.add(account, { name: "other", appid, secret });
    const save = (title: string, base: number, publicAccount?: string) =>
      draftService.save(account, id, { articles: [article(title)], by: "me", base, publicAccount });
    const place = async () => (await draftService.find(account, id)).publicAccountId;
    await save("v2", 1);
    expect((await faultOf(save("late", 1, "other"))).fault).toBe("edit_conflict");
    expect(await place()).toBe(first);
    const tight = house.start({ charsMax: 1 });
    const much = { articles: [article("v3")], by: "me", base: 2, publicAccount: "other" };
    expect((await faultOf(tight.save(account, id, much))).fault).toBe("invalid_value");
    expect(await place()).toBe(first);
    expect((await save("v3", 2, "other")).publicAccountId).toBe(other.id);
    // What says the same as before is moved without a new version.
    expect(await save("v3", 3, "sandbox")).toMatchObject({ version: 3, publicAccountId: first });
    await draftService.push(account, id);
    expect(await faultOf(save("v4", 3, "other"))).toMatchObject({ param: "account" });
    expect(await draftService.find(account, id)).toMatchObject({
      version: 3,
      publicAccountId: first,
    });
  });

  test("is another account's secret", async () => {
    const { draftService, account } = open();
    const draft = await draftService.create(account, { articles: [article("mine")], by: "me" });
    expect((await faultOf(draftService.find("acc_other", draft.id))).fault).toBe("not_found");
    expect((await faultOf(draftService.push("acc_other", draft.id))).fault).toBe("not_found");
  });
});

describe("the box", () => {
  test("is read back, with what the platform made of it", async () => {
    const { house, draftService, account } = open();
    const draft = await draftService.create(account, { articles: [article("r")], by: "me" });
    await draftService.push(account, draft.id);
    const [stored] = house.stub.drafts.values();
    if (stored?.articles[0]) stored.articles[0].title = "renamed there";
    const back = await draftService.readBack(account, draft.id);
    expect(back.url).toBe("http://mp.weixin.qq.com/s?__biz=stub");
    expect(back.differences).toContainEqual({
      article: 0,
      field: "title",
      submitted: "r",
      stored: "renamed there",
    });
    house.stub.drafts.clear();
    expect((await draftService.readBack(account, draft.id)).draft.status).toBe("removed");
  });

  test("is compared with what was sent before the receipt is written", async () => {
    const { house, draftService, account } = open();
    const draft = await draftService.create(account, { articles: [article("r")], by: "me" });
    house.stub.changed = { author: "somebody" };
    const { receipt } = await draftService.push(account, draft.id);
    expect(receipt.differences).toEqual([
      { article: 0, field: "author", submitted: "", stored: "somebody" },
    ]);
  });

  test("is listed and counted, and its drafts can be taken over for editing", async () => {
    const { house, draftService, account } = open();
    house.stub.materials.add("thumb");
    const remote = {
      article_type: "news",
      title: "made there",
      content: '<p>hello <img class="x" data-src="https://mmbiz.qpic.cn/a/0"></p>',
      thumb_media_id: "thumb",
      pic_crop_1_1: "0.1_0_0.9_1",
      need_open_comment: 1,
    };
    house.stub.drafts.set("m1", { mediaId: "m1", articles: [remote], updateTime: 1 });
    const page = await draftService.listBox(account, undefined, { offset: 0, count: 20 });
    expect(page.total).toBe(1);
    expect(page.items.map(({ mediaId }) => mediaId)).toEqual(["m1"]);
    const { draft, isNew } = await draftService.importDraft(account, undefined, "m1", "me");
    expect(isNew).toBe(true);
    expect(draft).toMatchObject({ status: "in_box", mediaId: "m1" });
    expect(draft.articles[0]).toMatchObject({
      title: "made there",
      cover: { media_id: "thumb", crops: { square: { x1: 0.1, y1: 0, x2: 0.9, y2: 1 } } },
      open_comment: true,
    });
    expect(draft.articles[0]?.source.text).toContain(' src="https://mmbiz');
    const again = await draftService.importDraft(account, undefined, "m1", "me");
    expect([again.draft.id, again.isNew]).toEqual([draft.id, false]);
    const gone = await faultOf(draftService.importDraft(account, undefined, "m2", "me"));
    expect(gone.fault).toBe("not_found");
  });

  test("loses a draft that is removed, also when the answer was lost", async () => {
    const { house, draftService, account } = open();
    const draft = await draftService.create(account, { articles: [article("d")], by: "me" });
    await draftService.push(account, draft.id);
    let isFirst = true;
    house.fault = (path) => {
      if (!path.endsWith("delete") || !isFirst) return undefined;
      isFirst = false;
      return "reset_after";
    };
    await draftService.remove(account, draft.id);
    expect(house.stub.drafts.size).toBe(0);
    expect((await faultOf(draftService.find(account, draft.id))).fault).toBe("not_found");
  });

  test("is not published from unless both switches are on", async () => {
    const off = open();
    const first = await off.draftService.create(off.account, {
      articles: [article("p")],
      by: "me",
    });
    await off.draftService.push(off.account, first.id);
    const refused = await faultOf(off.draftService.publish(off.account, first.id));
    expect(refused.fault).toBe("permission_denied");
    const { house, draftService, account } = open({ publishOn: true });
    const draft = await draftService.create(account, { articles: [article("p")], by: "me" });
    expect((await faultOf(draftService.publish(account, draft.id))).fault).toBe("invalid_value");
    await draftService.push(account, draft.id);
    expect((await draftService.publish(account, draft.id)).status).toBe("published");
    expect(house.stub.published).toHaveLength(1);
    const [sandbox] = await draftService.publicAccounts.list(account);
    await draftService.publicAccounts.change(account, sandbox?.id ?? "", { publishAllowed: false });
    const other = await draftService.create(account, { articles: [article("q")], by: "me" });
    await draftService.push(account, other.id);
    expect((await faultOf(draftService.publish(account, other.id))).fault).toBe(
      "permission_denied",
    );
  });
});

describe("publishing", () => {
  async function inBox() {
    const { house, draftService, account } = open({ publishOn: true });
    const draft = await draftService.create(account, { articles: [article("p")], by: "me" });
    await draftService.push(account, draft.id);
    return { house, draftService, account, id: draft.id };
  }

  test("that takes long is followed by the next call", async () => {
    const { house, draftService, account, id } = await inBox();
    house.stub.publishStatus = 1;
    expect((await draftService.publish(account, id)).status).toBe("publishing");
    house.stub.publishStatus = 0;
    expect((await draftService.publish(account, id)).status).toBe("published");
    expect(house.stub.published).toHaveLength(1);
    expect((await draftService.readBack(account, id)).articles).toBeUndefined();
  });

  test("that the platform's review refuses is told", async () => {
    const { house, draftService, account, id } = await inBox();
    house.stub.publishStatus = 4;
    const fault = await faultOf(draftService.publish(account, id));
    expect([fault.fault, fault.facts.publish_status]).toEqual(["platform_refused", 4]);
  });

  test.each([5, 6])(
    "that ended with status %i was done all the same, and is told",
    async (status) => {
      const { house, draftService, account, id } = await inBox();
      house.stub.publishStatus = status;
      const fault = await faultOf(draftService.publish(account, id));
      expect([fault.fault, fault.facts.publish_status]).toEqual(["platform_refused", status]);
      expect((await draftService.find(account, id)).status).toBe("published");
    },
  );

  test("whose answer was lost is told by what has left the box", async () => {
    const { house, draftService, account, id } = await inBox();
    house.fault = (path) => (path.endsWith("submit") ? "reset_after" : undefined);
    expect((await draftService.publish(account, id)).status).toBe("published");
    const other = await inBox();
    other.house.fault = (path) => (path.endsWith("submit") ? "reset_before" : undefined);
    const fault = await faultOf(other.draftService.publish(other.account, other.id));
    expect(fault.fault).toBe("platform_unknown");
    expect((await other.draftService.find(other.account, other.id)).status).toBe("publishing");
  });
});

describe("the preview", () => {
  test("calls nobody and shows what the platform will keep", async () => {
    const { house, draftService, account } = open();
    const text = 'hi <a href="https://elsewhere.test">link</a> ![a](https://pictures.test/a.webp)';
    const doc = article("预览", { source: { format: "markdown", text } });
    const preview = await draftService.preview(account, { articles: [doc] });
    expect(house.stub.calls).toEqual([]);
    const [shown] = preview.articles;
    expect(shown?.html).toContain('src="https://pictures.test/a.webp"');
    expect(shown?.html).not.toContain("<a");
    expect(shown?.counts.title).toEqual({ characters: 2, units: 4 });
    expect(shown?.uploads).toEqual([
      { field: "source.text", from: "https://pictures.test/a.webp" },
      { field: "cover", from: "a title card" },
    ]);
    expect(preview.problems.map(({ code }) => code)).toEqual([
      "outside_link",
      "image_kinds",
      "cover_drawn",
    ]);
    expect(JSON.parse(preview.request)).toMatchObject({
      articles: [{ thumb_media_id: "<cover>" }],
    });
  });
});
