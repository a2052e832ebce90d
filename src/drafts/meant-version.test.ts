// A push brings the version that it was asked for, and nothing that is saved meanwhile.
import { describe, expect, test } from "bun:test";
import { faultOf } from "../../test/support/errors.ts";
import {
  article,
  DraftHouse,
  draftStores,
  holdingStore,
} from "../../test/support/houses/draft-house.ts";
import { perSuite } from "../../test/support/houses/house.ts";

const drafts = perSuite(draftStores);
const ADD = "/cgi-bin/draft/add";
const UPDATE = "/cgi-bin/draft/update";
const UPLOAD = "/cgi-bin/material/add_material";
/** As long as nobody takes a push of who has died. */
const LEASE_MS = 61_000;

async function open(title: string) {
  const house = new DraftHouse(drafts.store);
  const { accountId, stub } = house;
  const draftService = house.start();
  const { id } = await draftService.create(accountId, { articles: [article(title)], by: "me" });
  const save = async (words: string) => {
    const { version } = await draftService.find(accountId, id);
    await draftService.save(accountId, id, {
      articles: [article(words)],
      by: "Ada",
      base: version,
    });
  };
  const saved: Promise<void>[] = [];
  return {
    ...{ house, save },
    push: (options = {}) => draftService.push(accountId, id, options),
    find: () => draftService.find(accountId, id),
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

describe("a push whose process dies", () => {
  /** A draft, a process that dies when it asks the platform at a path, and one that lives. */
  async function mortals(path: string) {
    const { store, hold } = holdingStore(drafts.sql);
    const house = new DraftHouse(store);
    const { accountId, stub } = house;
    const mortal = house.start({
      async fetch(address, request) {
        if (new URL(address).pathname === path) life.die();
        return stub.fetch(address, request);
      },
    });
    const { life } = house;
    const next = house.start();
    const { id } = await next.create(accountId, { articles: [article("first")], by: "Ada" });
    return {
      ...{ house, id, hold, died: life.died },
      push: (version?: number) => next.push(accountId, id, { version }),
      /** Never comes to its end. */
      pushAndDie: (version?: number) => void mortal.push(accountId, id, { version }),
      async save(words: string) {
        const { version: base } = await next.find(accountId, id);
        await next.save(accountId, id, { articles: [article(words)], by: "Ada", base });
      },
      async recover() {
        house.nowMs += LEASE_MS;
        await next.recover();
        return next.find(accountId, id);
      },
      inBox: () => [...stub.drafts.values()].map(({ articles }) => articles[0]?.title),
    };
  }

  test("brings what was meant, though it was replaced before there was a push", async () => {
    const { hold, died, pushAndDie, save, recover, inBox } = await mortals(UPLOAD);
    await save("meant");
    const { arrived, go } = hold();
    pushAndDie();
    await arrived;
    // Of the same sitting: it takes the place of what is meant.
    await save("half a sen");
    go();
    await died;
    expect(await recover()).toMatchObject({ status: "in_box", version: 3, pushedVersion: 2 });
    expect(inBox()).toEqual(["meant"]);
  });

  test("brings what was meant where it is taken up in doubt, and replaced before that", async () => {
    const { house, hold, died, push, pushAndDie, save, recover, inBox } = await mortals(UPDATE);
    await push();
    await save("in doubt");
    house.fault = (path) => (path === UPDATE ? "reset_before" : undefined);
    expect(await faultOf(push())).toMatchObject({ fault: "platform_unknown" });
    house.fault = () => undefined;
    await save("meant");
    const { arrived, go } = hold();
    pushAndDie(3);
    await arrived;
    await save("half a sen");
    go();
    await died;
    expect(await recover()).toMatchObject({ version: 4, pushedVersion: 3 });
    expect(inBox()).toEqual(["meant"]);
  });

  test("sends nothing where nobody knows any more what was meant", async () => {
    const { id, died, pushAndDie, save, recover, inBox } = await mortals(UPLOAD);
    await save("meant");
    pushAndDie();
    await died;
    await save("half a sen");
    // As a program of before has left it.
    const text = "delete from draft_versions where draft_id = $1 and version = 2";
    await drafts.sql.query(text, [id]);
    expect(await recover()).toMatchObject({ status: "refused", pushedVersion: null });
    expect(inBox()).toEqual([]);
  });
});
