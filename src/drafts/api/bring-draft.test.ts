// What somebody types into a draft stays here, whatever programs ask for the draft meanwhile.
import { describe, expect, test } from "bun:test";
import { faultOf } from "../../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { addDraft, getDraft, updateDraft } from "./bring-draft.ts";

const drafts = perSuite(draftStores);
const ADD = "/cgi-bin/draft/add";
const UPDATE = "/cgi-bin/draft/update";
const SUBMIT = "/cgi-bin/freepublish/submit";

function open() {
  const house = new DraftHouse(drafts.store);
  const { accountId, stub } = house;
  const draftService = house.start({ publishOn: true });
  const services = { draftService, publishOn: true };
  const ask = () => Promise.reject(new Error("no model is asked"));
  const client = {
    accountId,
    by: "program",
    ask,
    who: async () => ({ name: "program" }),
    note: async () => {},
  };
  const theDraft = async () => {
    const [draft] = await draftService.list(accountId, undefined, 1);
    if (!draft) throw new Error("there is no draft");
    return draft;
  };
  return {
    ...{ house, stub, draftService, accountId },
    add: (form: object) =>
      addDraft(services, client, { title: "Whole", markdown: "Whole.", ...form }, "K"),
    change: async (title: string) =>
      updateDraft(services, client, (await theDraft()).id, { title }),
    get: async () => getDraft(services, client, (await theDraft()).id),
    theDraft,
    /** Ada's editor saves what she has typed so far. */
    async types(title: string) {
      const { id, version } = await theDraft();
      await draftService.save(accountId, id, {
        articles: [article(title)],
        by: "Ada",
        base: version,
      });
    },
    inBox: () => [...stub.drafts.values()].map(({ articles }) => articles[0]?.title),
  };
}

describe("the same Idempotency-Key again, after somebody has typed into the draft", () => {
  test("sends nothing, and has the answer of the first call", async () => {
    const { add, types, inBox, stub } = open();
    const first = await add({});
    await types("Half a sen");
    const again = await add({});
    expect(inBox()).toEqual(["Whole"]);
    expect(stub.calls).not.toContain(UPDATE);
    expect(again).toMatchObject({ status: "in_box", version: 2, pushed_version: 1 });
    expect("receipt" in again && again.receipt).toEqual("receipt" in first && first.receipt);
  });

  test("does not publish what was typed", async () => {
    const { house, add, types, inBox, stub } = open();
    house.fault = (path) => (path === SUBMIT ? "unreachable" : undefined);
    expect(await faultOf(add({ publish: true }))).toMatchObject({ fault: "upstream_unavailable" });
    house.fault = () => undefined;
    await types("Half a sen");
    const told = await faultOf(add({ publish: true }));
    expect(told).toMatchObject({ fault: "invalid_value" });
    expect(told.message).toBe("The newest version is not in the box; push it first.");
    expect([inBox(), stub.published]).toEqual([["Whole"], []]);
  });

  test("brings its own words where they are not in the box yet", async () => {
    const { house, add, types, inBox, theDraft } = open();
    house.fault = (path) => (path === ADD ? "unreachable" : undefined);
    expect(await faultOf(add({}))).toMatchObject({ fault: "upstream_unavailable" });
    house.fault = () => undefined;
    await types("");
    expect(await add({})).toMatchObject({ status: "in_box", pushed_version: 1 });
    expect(inBox()).toEqual(["Whole"]);
    expect((await theDraft()).articles[0]?.title).toBe("");
  });

  test("finds what was sent with an unknown outcome, and sends nothing else", async () => {
    const { house, add, types, inBox } = open();
    house.fault = (path) => (/draft\/(add|batchget)$/.test(path) ? "reset_after" : undefined);
    expect(await faultOf(add({}))).toMatchObject({ fault: "platform_unknown" });
    house.fault = () => undefined;
    await types("Half a sen");
    expect(await add({})).toMatchObject({ status: "in_box", pushed_version: 1 });
    expect(inBox()).toEqual(["Whole"]);
  });

  test("has what somebody has brought into the box since", async () => {
    const { add, types, inBox, draftService, accountId, theDraft } = open();
    await add({});
    await types("By Ada");
    await draftService.push(accountId, (await theDraft()).id);
    await types("By Ada, and");
    expect(await add({})).toMatchObject({ version: 3, pushed_version: 2 });
    expect(inBox()).toEqual(["By Ada"]);
  });
});

test("a change brings what it says, though somebody types while it is sent", async () => {
  const { house, add, change, types, inBox } = open();
  await add({});
  let typed: Promise<void> | undefined;
  house.fault = (path) => {
    if (path === UPDATE) typed ??= types("Half a sen");
    return undefined;
  };
  expect(await change("Changed")).toMatchObject({ pushed_version: 2 });
  await typed;
  expect(inBox()).toEqual(["Changed"]);
});

test.each([
  ["was refused", "platform_refused"],
  ["is in doubt", "platform_unknown"],
])("what is in the box has its receipt, though a later update %s", async (_words, fault) => {
  const { house, stub, add, change, get } = open();
  await add({});
  if (fault === "platform_unknown") {
    house.fault = (path) => (path === UPDATE ? "reset_before" : undefined);
  } else stub.refusals.set(UPDATE, { errcode: 45009, errmsg: "reach max api daily quota limit" });
  expect(await faultOf(change("Changed"))).toMatchObject({ fault });
  const shown = await get();
  expect(shown.status).toBe("in_box");
  expect(shown.receipt?.media_id).toBe(String(shown.media_id));
});
