// A push brings the version that it was asked for, and nothing that is saved meanwhile.
import { describe, expect, test } from "bun:test";
import { faultOf } from "../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../test/support/houses/draft-house.ts";
import { perSuite } from "../../test/support/houses/house.ts";

const drafts = perSuite(draftStores);
const ADD = "/cgi-bin/draft/add";
const UPDATE = "/cgi-bin/draft/update";

async function open(title: string) {
  const house = new DraftHouse(drafts.store);
  const { accountId, stub } = house;
  const box = house.start();
  const { id } = await box.create(accountId, { articles: [article(title)], by: "me" });
  const save = async (words: string) => {
    const { version } = await box.find(accountId, id);
    await box.save(accountId, id, { articles: [article(words)], by: "Ada", base: version });
  };
  const saved: Promise<void>[] = [];
  return {
    ...{ house, save },
    push: (options = {}) => box.push(accountId, id, options),
    find: () => box.find(accountId, id),
    /** Saves this as soon as the platform is called at this path. */
    saveDuring(path: string, words: string) {
      house.fault = (called) => {
        if (called === path && saved.length === 0) saved.push(save(words));
        return undefined;
      };
    },
    saved: () => Promise.all(saved),
    inBox: () => [...stub.drafts.values()].map(({ articles }) => articles[0]?.title),
  };
}

describe("what is saved while a push is on its way", () => {
  test.each(["", "half a sen"])("is not sent by it: %j", async (words) => {
    const { push, saveDuring, saved, inBox, find } = await open("meant");
    saveDuring(ADD, words);
    const { receipt, push: row } = await push();
    expect([receipt.sends, row.version, inBox()]).toEqual([1, 1, ["meant"]]);
    await saved();
    expect(await find()).toMatchObject({ status: "in_box", version: 2, pushedVersion: 1 });
  });

  test("is brought by the next one", async () => {
    const { push, saveDuring, saved, inBox } = await open("meant");
    saveDuring(ADD, "meant later");
    await push();
    await saved();
    expect((await push()).draft).toMatchObject({ pushedVersion: 2 });
    expect(inBox()).toEqual(["meant later"]);
  });

  test("is not sent by an update either", async () => {
    const { push, save, saveDuring, saved, inBox } = await open("first");
    await push();
    await save("meant");
    saveDuring(UPDATE, "half a sen");
    expect((await push()).push.version).toBe(2);
    await saved();
    expect(inBox()).toEqual(["meant"]);
  });
});

test("an update in doubt is made again with what is meant, not with what was typed since", async () => {
  const { house, push, save, inBox } = await open("first");
  await push();
  await save("meant");
  house.fault = (path) => (path === UPDATE ? "reset_before" : undefined);
  expect(await faultOf(push())).toMatchObject({ fault: "platform_unknown" });
  house.fault = () => undefined;
  await save("half a sen");
  expect((await push({ version: 2 })).draft).toMatchObject({ version: 3, pushedVersion: 2 });
  expect(inBox()).toEqual(["meant"]);
});

test("a version that is not kept any more is not replaced by another", async () => {
  const { push, save, find, inBox } = await open("first");
  await save("second");
  // One of the same sitting takes its place.
  await save("third");
  expect(await faultOf(push({ version: 2 }))).toMatchObject({ fault: "edit_conflict" });
  expect([inBox(), (await find()).status]).toEqual([[], "local"]);
});
