// What was sent twice and stored twice, the first of them long after its push was over.
import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../test/store/engines.ts";
import { article, DraftHouse, draftStores } from "../../test/support/houses/draft-house.ts";
import { perSuite } from "../../test/support/houses/house.ts";

const ADD = "/cgi-bin/draft/add";

describe.each(ENGINES)("a twin that came late, on $name", (engine) => {
  const drafts = perSuite((parts) => draftStores(parts, engine));

  async function withTwin(title: string) {
    const house = new DraftHouse(drafts.store);
    const box = house.start();
    const account = house.accountId;
    const { id } = await box.create(account, { articles: [article(title)], by: "me" });
    let adds = 0;
    house.fault = (path) => (path === ADD && adds++ === 0 ? "slow_before" : undefined);
    const { receipt } = await box.push(account, id);
    expect(receipt.sends).toBe(2);
    const stored = house.stub.drafts.get(receipt.mediaId);
    if (!stored) throw new Error("it is not in the box");
    const articles = stored.articles.map((one) => ({ ...one }));
    house.stub.drafts.set("late", { ...stored, mediaId: "late", articles });
    return { house, box, account, id };
  }

  test("leaves the box with its draft, also where updates came between", async () => {
    const { house, box, account, id } = await withTwin("updated since");
    for (const base of [1, 2]) {
      const articles = [article("updated since", { digest: `digest ${base}` })];
      await box.save(account, id, { articles, by: `editor ${base}`, base });
      await box.push(account, id);
    }
    await box.remove(account, id);
    expect([...house.stub.drafts.keys()]).toEqual([]);
  });

  test("leaves the box with its draft, also where it was added once more", async () => {
    const { house, box, account, id } = await withTwin("added since");
    await box.push(account, id, { asNew: true });
    await box.remove(account, id);
    expect([...house.stub.drafts.keys()]).toEqual([]);
  });

  test("stays where there are more of its words than were sent", async () => {
    const { house, box, account, id } = await withTwin("copied by somebody");
    const late = house.stub.drafts.get("late");
    if (!late) throw new Error("there is no twin");
    house.stub.drafts.set("copy", { ...late, mediaId: "copy" });
    const articles = [article("copied by somebody", { digest: "another" })];
    await box.save(account, id, { articles, by: "me", base: 1 });
    await box.push(account, id);
    await box.remove(account, id);
    expect([...house.stub.drafts.keys()].sort()).toEqual(["copy", "late"]);
  });

  test("the words that were sent are kept only for the newest that was sent twice", async () => {
    const { box, account, id } = await withTwin("kept words");
    for (const base of [1, 2, 3]) {
      const articles = [article("kept words", { digest: `digest ${base}` })];
      await box.save(account, id, { articles, by: `editor ${base}`, base });
      await box.push(account, id);
    }
    const kept = (await box.pushes(account, id)).map(({ request }) => request !== null);
    expect(kept).toEqual([true, true, false, true]);
  });
});
