import { expect, test } from "bun:test";
import { faultOf } from "../../../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../../test/support/houses/house.ts";
import { publishNoted, pushNoted, removeNoted } from "./box-work.ts";

const drafts = perSuite(draftStores);

async function open(title: string) {
  const house = new DraftHouse(drafts.store);
  const { accountId } = house;
  const box = house.start({ publishOn: true });
  const { id: accountName } = await box.publicAccounts.find(accountId, undefined);
  await box.publicAccounts.change(accountId, accountName, { publishAllowed: true });
  const { id } = await box.create(accountId, { articles: [article(title)], by: "me" });
  const noted: object[] = [];
  const doer = {
    accountId,
    note: async (action: string, target: string, detail = {}) =>
      void noted.push({ action, target, ...detail }),
  };
  return {
    ...{ house, id, noted },
    push: () => pushNoted(box, doer, id, {}),
    publish: () => publishNoted(box, doer, id),
    remove: () => removeNoted(box, doer, id),
  };
}

test("who only finds in the box what somebody has brought there is not noted", async () => {
  const { id, noted, push } = await open("found");
  const { receipt } = await push();
  await push();
  const target = id;
  expect(noted).toEqual([{ action: "draft.push", target, media_id: receipt.mediaId, version: 1 }]);
});

test("who only asks how publishing goes on is not noted", async () => {
  const { house, id, noted, push, publish } = await open("followed");
  await push();
  house.stub.publishStatus = 1;
  expect(await publish()).toMatchObject({ status: "publishing" });
  house.stub.publishStatus = 0;
  expect(await publish()).toMatchObject({ status: "published" });
  expect(await publish()).toMatchObject({ status: "published" });
  expect(noted.slice(1)).toEqual([{ action: "draft.publish", target: id }]);
});

test("what is refused is not noted, and what may have been done is", async () => {
  const { house, id, noted, push, publish, remove } = await open("in doubt");
  house.fault = () => "unreachable";
  await faultOf(push());
  expect(noted).toEqual([]);
  house.fault = (path) => (/draft\/(add|batchget)$/.test(path) ? "reset_after" : undefined);
  expect(await faultOf(push())).toMatchObject({ fault: "platform_unknown" });
  const doubt = { target: id, outcome: "unknown" };
  expect(noted).toEqual([{ action: "draft.push", ...doubt }]);
  // Nothing is sent for this one.
  expect(await faultOf(remove())).toMatchObject({ fault: "platform_unknown" });
  expect(noted).toHaveLength(1);
  house.fault = () => undefined;
  await push();
  house.fault = (path) => (/freepublish\/submit$/.test(path) ? "reset_before" : undefined);
  expect(await faultOf(publish())).toMatchObject({ fault: "platform_unknown" });
  expect(noted.slice(2)).toEqual([{ action: "draft.publish", ...doubt }]);
  house.fault = (path) => (/draft\/delete$/.test(path) ? "reset_before" : undefined);
  expect(await faultOf(remove())).toMatchObject({ fault: "platform_unknown" });
  expect(noted.slice(3)).toEqual([{ action: "draft.delete", ...doubt }]);
  house.fault = () => undefined;
  await remove();
  expect(noted.slice(4)).toEqual([{ action: "draft.delete", target: id }]);
});
