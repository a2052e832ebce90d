import { describe, expect, test } from "bun:test";
import { article, DraftHouse, draftStores } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { STUB_URL } from "../../../test/support/outside/wechat-stub.ts";

const drafts = perSuite(draftStores);
const LIST = "/cgi-bin/freepublish/batchget";
const MINUTE_MS = 60_000;

async function open(options: { readonly publishOn?: boolean } = {}) {
  const house = new DraftHouse(drafts.store);
  const draftService = house.start(options);
  const account = house.accountId;
  const inBox = async (title: string, more = {}) => {
    const { id } = await draftService.create(account, {
      articles: [article(title, more)],
      by: "me",
    });
    const { draft } = await draftService.push(account, id);
    return { id, mediaId: draft.mediaId ?? "" };
  };
  const statusOf = async ({ id }: { readonly id: string }) =>
    (await draftService.find(account, id)).status;
  const listings = () => house.stub.calls.filter((path) => path === LIST).length;
  return { house, stub: house.stub, draftService, account, inBox, statusOf, listings };
}

describe("a draft that has left the box", () => {
  test("is published where the platform lists it as that", async () => {
    const { stub, draftService, account, inBox } = await open();
    const draft = await inBox("out");
    stub.publishThere(draft.mediaId);
    const back = await draftService.readBack(account, draft.id);
    expect([back.draft.status, back.articles]).toEqual(["published", undefined]);
    expect((await draftService.push(account, draft.id)).draft.status).toBe("published");
  });

  test("is noticed by who pushes it again, too", async () => {
    const { stub, draftService, account, inBox } = await open();
    const draft = await inBox("out by push");
    stub.publishThere(draft.mediaId);
    expect((await draftService.push(account, draft.id)).draft.status).toBe("published");
  });

  test("is noticed by who wants to publish it", async () => {
    const { stub, draftService, account, inBox } = await open({ publishOn: true });
    const draft = await inBox("out already");
    stub.publishThere(draft.mediaId);
    expect((await draftService.publish(account, draft.id)).status).toBe("published");
    expect(stub.published).toEqual([]);
  });

  test.each([
    ["another title", { title: "another" }],
    ["another cover", { thumb_media_id: "another" }],
  ])("is gone where only one with %s is listed", async (_what, change) => {
    const { stub, draftService, account, inBox } = await open();
    const draft = await inBox("mine");
    stub.publishThere(draft.mediaId);
    Object.assign(stub.publications[0]?.articles[0] ?? {}, change);
    expect((await draftService.readBack(account, draft.id)).draft.status).toBe("removed");
  });

  test("is gone where what is listed was published before it came there", async () => {
    const { house, stub, draftService, account, inBox } = await open();
    const first = await inBox("weekly");
    stub.publishThere(first.mediaId);
    house.nowMs += 7 * 86_400_000;
    const second = await inBox("weekly");
    stub.drafts.delete(second.mediaId);
    expect((await draftService.readBack(account, second.id)).draft.status).toBe("removed");
    expect((await draftService.readBack(account, first.id)).draft.status).toBe("published");
  });

  test("is gone where the account may not publish", async () => {
    const { stub, draftService, account, inBox } = await open();
    const draft = await inBox("unverified");
    stub.drafts.clear();
    stub.refusals.set(LIST, { errcode: 48001, errmsg: "api unauthorized" });
    expect((await draftService.readBack(account, draft.id)).draft.status).toBe("removed");
  });

  test.each([
    { errcode: -1, errmsg: "system error" },
    { errcode: 45009, errmsg: "reach max api daily quota limit" },
  ])("stays what it was while the list cannot be read: $errcode", async (refusal) => {
    const { stub, draftService, account, inBox } = await open();
    const draft = await inBox("later");
    stub.publishThere(draft.mediaId);
    stub.refusals.set(LIST, refusal);
    expect((await draftService.readBack(account, draft.id)).draft.status).toBe("in_box");
    stub.refusals.clear();
    expect((await draftService.readBack(account, draft.id)).draft.status).toBe("published");
  });

  test("is found behind many others", async () => {
    const { stub, draftService, account, inBox } = await open();
    const draft = await inBox("the first of many");
    stub.publishThere(draft.mediaId);
    const [mine] = stub.publications;
    for (let i = 0; i < 45; i++) {
      stub.publications.unshift({
        articles: [{ title: `${i}` }],
        updateTime: mine?.updateTime ?? 0,
      });
    }
    expect((await draftService.readBack(account, draft.id)).draft.status).toBe("published");
  });
});

describe("a look after all drafts", () => {
  test("tells what was published and what is gone from what is there", async () => {
    const { stub, draftService, account, inBox, statusOf, listings } = await open();
    const [stays, out, gone] = [await inBox("stays"), await inBox("out"), await inBox("gone")];
    const local = await draftService.create(account, { articles: [article("local")], by: "me" });
    stub.publishThere(out.mediaId);
    stub.drafts.delete(gone.mediaId);
    expect(await draftService.look(account)).toBe(2);
    const all = await Promise.all([stays, out, gone, local].map(statusOf));
    expect(all).toEqual(["in_box", "published", "removed", "local"]);
    expect(listings()).toBe(1);
  });

  test("asks somebody else's platform once in a while, however often somebody looks", async () => {
    const { house, stub, draftService, account, inBox, statusOf } = await open();
    const { appid, secret } = stub;
    const real = { name: "real", appid, secret, platformUrl: STUB_URL };
    await draftService.publicAccounts.add(account, real);
    const draft = await inBox("one");
    expect(await draftService.look(account)).toBe(0);
    const calls = stub.calls.length;
    stub.publishThere(draft.mediaId);
    expect(await draftService.look(account)).toBe(0);
    expect(stub.calls).toHaveLength(calls);
    house.nowMs += MINUTE_MS;
    expect(await draftService.look(account)).toBe(1);
    expect(await statusOf(draft)).toBe("published");
  });

  test("asks the built-in platform each time", async () => {
    const { stub, draftService, account, inBox, statusOf } = await open();
    const draft = await inBox("one");
    expect(await draftService.look(account)).toBe(0);
    stub.publishThere(draft.mediaId);
    expect(await draftService.look(account)).toBe(1);
    expect(await statusOf(draft)).toBe("published");
  });

  test.each([
    ["the built-in platform", false],
    ["somebody else's platform", true],
  ])("goes on with %s when a clock is set back", async (_whose, isReal) => {
    const { house, stub, draftService, account, inBox, statusOf } = await open();
    const { appid, secret } = stub;
    const real = { name: "real", appid, secret, platformUrl: STUB_URL };
    if (isReal) await draftService.publicAccounts.add(account, real);
    const draft = await inBox("one");
    expect(await draftService.look(account)).toBe(0);
    house.clockSetMs = -60 * MINUTE_MS;
    stub.drafts.delete(draft.mediaId);
    house.pass(10 * MINUTE_MS);
    expect(await draftService.look(account)).toBe(1);
    expect(await statusOf(draft)).toBe("removed");
  });

  test("goes on with the list of what is published when a clock is set back", async () => {
    const { house, stub, draftService, account, inBox, statusOf } = await open();
    const draft = await inBox("late");
    stub.publishThere(draft.mediaId);
    const late = stub.publications.splice(0);
    expect(await draftService.look(account)).toBe(1);
    // The list is read for it once more, and then seldom.
    expect(await draftService.look(account)).toBe(0);
    house.clockSetMs = -60 * MINUTE_MS;
    stub.publications.push(...late);
    house.pass(40 * MINUTE_MS);
    expect(await draftService.look(account)).toBe(1);
    expect(await statusOf(draft)).toBe("published");
  });

  test("finds one that is listed only later, and reads the list seldom for it", async () => {
    const { house, stub, draftService, account, inBox, statusOf, listings } = await open();
    const draft = await inBox("late");
    stub.publishThere(draft.mediaId);
    const late = stub.publications.splice(0);
    expect(await draftService.look(account)).toBe(1);
    expect(await statusOf(draft)).toBe("removed");
    const before = listings();
    stub.publications.push(...late);
    for (let minute = 0; minute < 40; minute++) {
      house.nowMs += MINUTE_MS;
      await draftService.look(account);
    }
    expect(await statusOf(draft)).toBe("published");
    expect(listings() - before).toBeLessThanOrEqual(2);
  });

  test("learns how a publish of ours has ended", async () => {
    const { house, stub, draftService, account, inBox, statusOf } = await open({ publishOn: true });
    const [good, bad] = [await inBox("good"), await inBox("bad")];
    stub.publishStatus = 1;
    for (const { id } of [good, bad]) {
      expect((await draftService.publish(account, id)).status).toBe("publishing");
    }
    house.nowMs += MINUTE_MS;
    expect(await draftService.look(account)).toBe(0);
    house.nowMs += MINUTE_MS;
    stub.publishStatus = 0;
    expect((await draftService.readBack(account, good.id)).draft.status).toBe("published");
    stub.publishStatus = 3;
    expect(await draftService.look(account)).toBe(1);
    expect(await statusOf(bad)).toBe("in_box");
  });

  test("changes nothing where the box cannot be read, or has too much to be read", async () => {
    const { house, stub, draftService, account, inBox, statusOf } = await open();
    const draft = await inBox("somewhere");
    stub.drafts.clear();
    stub.refusals.set("/cgi-bin/draft/batchget", { errcode: -1, errmsg: "system error" });
    expect(await draftService.look(account)).toBe(0);
    stub.refusals.clear();
    for (let i = 0; i < 100; i++) {
      stub.drafts.set(`m${i}`, { mediaId: `m${i}`, articles: [{ title: "x" }], updateTime: 1 });
    }
    house.nowMs += MINUTE_MS;
    expect(await draftService.look(account)).toBe(0);
    expect(await statusOf(draft)).toBe("in_box");
  });
});
