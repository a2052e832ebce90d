import { expect, test } from "bun:test";
import { faultOf } from "../../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { StubFault } from "../../../test/support/outside/wechat-stub.ts";

const drafts = perSuite(draftStores);
const UPDATE = "/cgi-bin/draft/update";

/** A draft that is in the box as "before", and here as "after"; its updates meet these, one after the other. */
async function changedDraft(title: string, ...meets: readonly (StubFault | number)[]) {
  const house = new DraftHouse(drafts.store);
  const { accountId, stub } = house;
  const box = house.start();
  const words = (text: string) => [article(title, { source: { format: "markdown", text } })];
  const { id } = await box.create(accountId, { articles: words("before"), by: "me" });
  await box.push(accountId, id);
  await box.save(accountId, id, { articles: words("after"), by: "me", base: 1 });
  const left = [...meets];
  house.fault = (path) => {
    if (path !== UPDATE) return undefined;
    const meet = left.shift();
    stub.refusals.delete(UPDATE);
    if (typeof meet === "number") stub.refusals.set(UPDATE, { errcode: meet, errmsg: "not today" });
    return typeof meet === "number" ? undefined : meet;
  };
  return {
    house,
    push: () => box.push(accountId, id),
    inBox: () => String([...stub.drafts.values()][0]?.articles[0]?.content),
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

test("an update that the platform refuses for what it says is refused, and one that never left too", async () => {
  const refused = await changedDraft("refused", "busy_before", 45003);
  const told = await faultOf(refused.push());
  expect(told).toMatchObject({ fault: "platform_refused", facts: { errcode: 45003 } });
  const unsent = await changedDraft("unsent", "unreachable", "unreachable", "unreachable");
  expect(await faultOf(unsent.push())).toMatchObject({ fault: "upstream_unavailable" });
  expect(unsent.inBox()).toContain("before");
});
