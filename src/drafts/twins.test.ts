// What was sent twice and stored twice, the first of them long after its push was over.
import { expect, test } from "bun:test";
import { onEngines } from "../../test/store/engines.ts";
import { faultOf } from "../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../test/support/houses/draft-house.ts";
import { perSuite } from "../../test/support/houses/house.ts";

const ADD = "/cgi-bin/draft/add";

onEngines("a twin that came late, on $name", (engine) => {
  const drafts = perSuite((parts) => draftStores(parts, engine));

  async function withTwin(title: string) {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start();
    const account = house.accountId;
    const { id } = await draftService.create(account, { articles: [article(title)], by: "me" });
    let adds = 0;
    house.fault = (path) => (path === ADD && adds++ === 0 ? "slow_before" : undefined);
    const { receipt } = await draftService.push(account, id);
    expect(receipt.sends).toBe(2);
    const stored = house.stub.drafts.get(receipt.mediaId);
    if (!stored) throw new Error("it is not in the box");
    const articles = stored.articles.map((one) => ({ ...one }));
    house.stub.drafts.set("late", { ...stored, mediaId: "late", articles });
    return { house, draftService, account, id };
  }

  test.each([
    ["does not reach the platform", "unreachable"],
    ["is refused for another reason", { errcode: 45009, errmsg: "quota" }],
    ["meets an unknown code", { errcode: 99123, errmsg: "never seen" }],
  ] as const)("is looked for where the sending after it %s", async (why, meets) => {
    const house = new DraftHouse(drafts.store);
    const { accountId: account, stub } = house;
    const draftService = house.start();
    const { id } = await draftService.create(account, { articles: [article(why)], by: "me" });
    let adds = 0;
    house.fault = (path) => {
      if (path !== ADD) return undefined;
      if (adds++ === 0) return "slow_before";
      if (meets === "unreachable") return meets;
      stub.refusals.set(ADD, meets);
      return undefined;
    };
    const told = await faultOf(draftService.push(account, id));
    expect(told.fault).toBe("platform_unknown");
    expect(told.message).not.toContain("Nothing was stored");
    expect((await draftService.find(account, id)).status).toBe("unknown");
    // The first one is stored only now.
    const articles = JSON.parse((await draftService.pushes(account, id))[0]?.request ?? "[]");
    const updateTime = Math.floor(house.nowMs / 1000);
    stub.drafts.set("late", { mediaId: "late", articles, updateTime });
    stub.refusals.clear();
    house.fault = () => undefined;
    const { receipt } = await draftService.push(account, id);
    expect(receipt).toMatchObject({ mediaId: "late", sends: 2, reconciled: true });
    expect([...stub.drafts.keys()]).toEqual(["late"]);
  });

  test("is not waited for where the article itself is refused", async () => {
    const house = new DraftHouse(drafts.store);
    const draftService = house.start();
    const articles = [article("refused itself")];
    const { id } = await draftService.create(house.accountId, { articles, by: "me" });
    house.fault = (path) => {
      if (path !== ADD || house.stub.refusals.has(ADD)) return undefined;
      house.stub.refusals.set(ADD, { errcode: 45003, errmsg: "title" });
      return "slow_before";
    };
    const told = await faultOf(draftService.push(house.accountId, id));
    expect(told).toMatchObject({ fault: "platform_refused", facts: { errcode: 45003 } });
  });

  test("leaves the box with its draft, also where updates came between", async () => {
    const { house, draftService, account, id } = await withTwin("updated since");
    for (const base of [1, 2]) {
      const articles = [article("updated since", { digest: `digest ${base}` })];
      await draftService.save(account, id, { articles, by: `editor ${base}`, base });
      await draftService.push(account, id);
    }
    await draftService.remove(account, id);
    expect([...house.stub.drafts.keys()]).toEqual([]);
  });

  test("leaves the box with its draft, also where it was added once more", async () => {
    const { house, draftService, account, id } = await withTwin("added since");
    await draftService.push(account, id, { asNew: true });
    await draftService.remove(account, id);
    expect([...house.stub.drafts.keys()]).toEqual([]);
  });

  test("stays where there are more of its words than were sent", async () => {
    const { house, draftService, account, id } = await withTwin("copied by somebody");
    const late = house.stub.drafts.get("late");
    if (!late) throw new Error("there is no twin");
    house.stub.drafts.set("copy", { ...late, mediaId: "copy" });
    const articles = [article("copied by somebody", { digest: "another" })];
    await draftService.save(account, id, { articles, by: "me", base: 1 });
    await draftService.push(account, id);
    await draftService.remove(account, id);
    expect([...house.stub.drafts.keys()].sort()).toEqual(["copy", "late"]);
  });

  test("the words that were sent are kept only for the newest that was sent twice", async () => {
    const { draftService, account, id } = await withTwin("kept words");
    for (const base of [1, 2, 3]) {
      const articles = [article("kept words", { digest: `digest ${base}` })];
      await draftService.save(account, id, { articles, by: `editor ${base}`, base });
      await draftService.push(account, id);
    }
    const kept = (await draftService.pushes(account, id)).map(({ request }) => request !== null);
    expect(kept).toEqual([true, true, false, true]);
  });
});
