import { describe, expect, test } from "bun:test";
import { faultOf } from "../../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { StubFault } from "../../../test/support/outside/wechat-stub.ts";
import { proxyRefusal, refusalFault } from "../platform-api/refusal.ts";

const drafts = perSuite(draftStores);
const UPDATE = "/cgi-bin/draft/update";

/**
 * A draft that is in the box as "before", and here as "after"; its updates meet these, one after the other. Nothing
 * stands in the way of those that meet "nothing".
 */
async function changedDraft(
  titles: string | readonly string[],
  ...meets: readonly (StubFault | number | "nothing")[]
) {
  const house = new DraftHouse(drafts.store);
  const { accountId, stub } = house;
  const draftService = house.start();
  const words = (text: string, of = titles) =>
    [of].flat().map((title) => article(title, { source: { format: "markdown", text } }));
  const { id } = await draftService.create(accountId, { articles: words("before"), by: "me" });
  await draftService.push(accountId, id);
  let version = 1;
  const save = (text: string, of = titles) =>
    draftService.save(accountId, id, { articles: words(text, of), by: "me", base: version++ });
  await save("after");
  const left = [...meets];
  house.fault = (path) => {
    if (path !== UPDATE) return undefined;
    const meet = left.shift();
    stub.refusals.delete(UPDATE);
    if (typeof meet === "number") stub.refusals.set(UPDATE, { errcode: meet, errmsg: "not today" });
    return typeof meet === "number" || meet === "nothing" ? undefined : meet;
  };
  return {
    house,
    save,
    readBack: () => draftService.readBack(accountId, id),
    push: (options = {}) => draftService.push(accountId, id, options),
    inBox: (index = 0) => String([...stub.drafts.values()][0]?.articles[index]?.content),
  };
}

test("an update whose first answer was lost is in doubt, though nobody is reached afterwards", async () => {
  const gone = ["unreachable", "unreachable", "unreachable"] as const;
  const [, ...twice] = gone;
  const { push, inBox } = await changedDraft("lost", "reset_after", ...twice, ...gone);
  expect(await faultOf(push())).toMatchObject({ fault: "platform_unknown" });
  expect(inBox()).toContain("after");
  // Who takes it up has sent nothing, and still cannot say that nothing is there.
  expect(await faultOf(push())).toMatchObject({ fault: "platform_unknown" });
  expect((await push()).draft).toMatchObject({ status: "in_box", pushedVersion: 2 });
});

test.each([
  ["limit", 45009],
  ["ip", 40164],
  ["config", 48001],
])("so it is where the next try is refused for a reason of its own: %s", async (kind, code) => {
  const { push, inBox } = await changedDraft(kind, "slow_after", code);
  const fault = await faultOf(push());
  expect(fault.fault).toBe("platform_unknown");
  expect(fault.message).toContain("not today");
  expect(inBox()).toContain("after");
  expect((await push()).draft.pushedVersion).toBe(2);
});

test.each([
  ["its article cannot be sent", ""],
  ["a picture is refused", "![](https://pictures.test/new.png) refused"],
])("so it is where %s before it is sent again", async (why, text) => {
  const gone = ["unreachable", "unreachable"] as const;
  const { house, push, save, inBox } = await changedDraft(why, "reset_after", ...gone);
  expect(await faultOf(push())).toMatchObject({ fault: "platform_unknown" });
  await save(text);
  house.stub.refusals.set("/cgi-bin/media/uploadimg", { errcode: 45009, errmsg: "not today" });
  expect(await faultOf(push())).toMatchObject({ fault: "platform_unknown" });
  expect(inBox()).toContain("after");
  await save("much later");
  expect((await push()).draft).toMatchObject({ status: "in_box", pushedVersion: 4 });
  expect(inBox()).toContain("much later");
});

test("a draft that has left the box since is added anew at the first call, also where its update is in doubt", async () => {
  const gone = ["reset_before", "reset_before", "reset_before"] as const;
  const { house, push, readBack } = await changedDraft("left", ...gone);
  expect(await faultOf(push())).toMatchObject({ fault: "platform_unknown" });
  house.stub.drafts.clear();
  expect((await readBack()).draft.status).toBe("removed");
  expect((await faultOf(push())).facts.class).toBe("removed");
  expect((await push({ asNew: true })).draft).toMatchObject({ status: "in_box", pushedVersion: 2 });
  expect(house.stub.drafts.size).toBe(1);
});

describe("an update in doubt after which the draft has another number of articles", () => {
  const BEFORE = ["one", "two"];
  const GONE = ["reset_before", "reset_before", "reset_before"] as const;

  async function inDoubt(now: readonly string[]) {
    const parts = await changedDraft(BEFORE, ...GONE);
    expect(await faultOf(parts.push())).toMatchObject({ fault: "platform_unknown" });
    await parts.save("later", now);
    return parts;
  }

  test.each([[["one"]], [["one", "two", "three"]]])("is not made of %p", async (now) => {
    const { house, push, save, inBox } = await inDoubt(now);
    const told = await faultOf(push());
    expect(told).toMatchObject({ fault: "invalid_value", param: "articles" });
    expect([inBox(0), inBox(1)].join()).not.toContain("later");
    await save("as before", BEFORE);
    expect((await push()).draft).toMatchObject({ status: "in_box", pushedVersion: 4 });
    expect([inBox(0), inBox(1)].every((words) => words.includes("as before"))).toBe(true);
    expect(house.stub.drafts.size).toBe(1);
  });

  test.each([[["one"]], [["one", "two", "three"]]])("can be added anew as %p", async (now) => {
    const { house, push } = await inDoubt(now);
    const { draft, receipt } = await push({ asNew: true });
    expect(draft).toMatchObject({ status: "in_box", pushedVersion: 3 });
    const [old, added] = [...house.stub.drafts.values()];
    expect(added).toMatchObject({ mediaId: receipt.mediaId });
    expect(added?.articles.map(({ title }) => title)).toEqual([...now]);
    expect(old?.articles.map(({ content }) => String(content)).join()).not.toContain("later");
  });
});

test("an update that the platform refuses for what it says is refused, and one that never left too", async () => {
  const refused = await changedDraft("refused", "busy_before", 45003);
  const told = await faultOf(refused.push());
  expect(told).toMatchObject({ fault: "platform_refused", facts: { errcode: 45003 } });
  const unsent = await changedDraft("unsent", "unreachable", "unreachable", "unreachable");
  expect(await faultOf(unsent.push())).toMatchObject({ fault: "upstream_unavailable" });
  expect(unsent.inBox()).toContain("before");
});

describe("an update whose second article is refused", () => {
  test.each([
    ["what it says", 45003, "articles[1].title"],
    ["another reason", 45009, null],
  ])("for %s says that the box has the first one anew", async (_why, code, param) => {
    const { push, inBox } = await changedDraft(["one", "two", "three"], "nothing", code);
    const told = await faultOf(push());
    const facts = { errcode: code, replaced: 1 };
    expect(told).toMatchObject({ fault: "platform_refused", param, facts });
    expect(told.message).toMatch(/refused article 2: .*The article before it was replaced/);
    const isNew = [0, 1, 2].map((index) => inBox(index).includes("after"));
    expect(isNew).toEqual([true, false, false]);
    expect((await push()).draft).toMatchObject({ status: "in_box", pushedVersion: 2 });
    expect(inBox(2)).toContain("after");
  });

  test("by what stands before the platform does not say that nothing was sent", () => {
    const told = refusalFault({ ...proxyRefusal("The proxy says no."), replaced: 2 });
    expect(told).toMatchObject({ fault: "proxy_failed", facts: { replaced: 2 } });
    expect(told.message).not.toContain("Nothing was sent");
    expect(told.message).toContain("The 2 before it were replaced");
  });
});
