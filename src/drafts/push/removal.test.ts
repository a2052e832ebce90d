// What a draft has put into the box is known until it is deleted, and goes with it.
import { describe, expect, test } from "bun:test";
import { faultOf } from "../../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { STUB_URL } from "../../../test/support/outside/wechat-stub.ts";

const drafts = perSuite(draftStores);
const ADD = "/cgi-bin/draft/add";

async function pushed(title: string) {
  const house = new DraftHouse(drafts.store);
  const draftService = house.start({ publishOn: true });
  const account = house.accountId;
  const { id } = await draftService.create(account, { articles: [article(title)], by: "me" });
  const { receipt } = await draftService.push(account, id);
  return { house, draftService, account, id, mediaId: receipt.mediaId };
}

describe("a draft in the box that could not be added once more", () => {
  async function refusedAgain(title: string) {
    const parts = await pushed(title);
    const { house, draftService, account, id } = parts;
    house.stub.refusals.set(ADD, { errcode: 45009, errmsg: "quota" });
    await faultOf(draftService.push(account, id, { asNew: true }));
    house.stub.refusals.clear();
    return parts;
  }

  test("is in the box as before, and a plain push says so", async () => {
    const { draftService, account, id, mediaId } = await refusedAgain("refused again");
    expect(await draftService.find(account, id)).toMatchObject({ status: "in_box", mediaId });
    expect((await draftService.push(account, id)).draft).toMatchObject({
      status: "in_box",
      mediaId,
    });
  });

  test("leaves the box when it is deleted", async () => {
    const { house, draftService, account, id } = await refusedAgain("refused, deleted");
    await draftService.remove(account, id);
    expect(house.stub.drafts.size).toBe(0);
  });

  test("leaves the box also where an earlier release has marked it as refused", async () => {
    const { house, draftService, account, id } = await pushed("marked as refused");
    await drafts.store.drafts.change(id, { status: "refused" }, house.nowMs);
    await draftService.remove(account, id);
    expect(house.stub.drafts.size).toBe(0);
  });

  test("does not move to another public account", async () => {
    const { house, draftService, account, id } = await pushed("stays");
    await drafts.store.drafts.change(id, { status: "refused" }, house.nowMs);
    const other = { name: "other", appid: "wxother", secret: "x", platformUrl: STUB_URL };
    await draftService.publicAccounts.add(account, other);
    const edit = { articles: [article("stays")], by: "me", base: 1, publicAccount: "other" };
    expect((await faultOf(draftService.save(account, id, edit))).fault).toBe("invalid_value");
  });

  test("is still gone where it was taken out before", async () => {
    const { house, draftService, account, id, mediaId } = await pushed("taken out");
    house.stub.drafts.delete(mediaId);
    await draftService.readBack(account, id);
    expect((await draftService.find(account, id)).status).toBe("removed");
    house.stub.refusals.set(ADD, { errcode: 45009, errmsg: "quota" });
    await faultOf(draftService.push(account, id, { asNew: true }));
    expect((await draftService.find(account, id)).status).toBe("removed");
  });
});

test("who waits for a push that an older release ends without counting it adds no second one", async () => {
  const house = new DraftHouse(drafts.store);
  const draftService = house.start();
  const account = house.accountId;
  const { id } = await draftService.create(account, {
    articles: [article("older release")],
    by: "me",
  });
  house.fault = (path) => {
    if (path === ADD) return "reset_after";
    return path.endsWith("batchget") ? "busy_before" : undefined;
  };
  await faultOf(draftService.push(account, id));
  house.fault = () => undefined;
  const [stored] = house.stub.titled("older release");
  const [push] = await draftService.pushes(account, id);
  if (!stored || !push) throw new Error("it was not sent");
  const receipt = JSON.stringify({ mediaId: stored.mediaId, rids: [], warnings: [] });
  await drafts.sql.query(
    "update draft_pushes set owner = 'old', lease_until = $1, updated_at = $2 where id = $3",
    [house.nowMs + 60_000, house.nowMs, push.id],
  );
  const waits = Promise.withResolvers<void>();
  house.onCall = () => {
    if (house.nowMs > push.updatedAtMs + 1_000) waits.resolve();
  };
  const waiter = draftService.push(account, id);
  await waits.promise;
  await drafts.sql.transaction(async (sql) => {
    await sql.query(
      `update draft_pushes set state = 'done', media_id = $1, receipt = $2, owner = null,
         lease_until = 0 where id = $3`,
      [stored.mediaId, receipt, push.id],
    );
    await sql.query(
      "update drafts set status = 'in_box', media_id = $1, pushed_version = 1 where id = $2",
      [stored.mediaId, id],
    );
  });
  expect((await waiter).receipt.mediaId).toBe(stored.mediaId);
  expect(house.stub.titled("older release")).toHaveLength(1);
});

test("a draft whose review refuses it after all leaves the box when it is deleted", async () => {
  const { house, draftService, account, id, mediaId } = await pushed("under review");
  const stored = house.stub.drafts.get(mediaId);
  if (!stored) throw new Error("it is not in the box");
  house.stub.publishStatus = 1;
  expect((await draftService.publish(account, id)).status).toBe("publishing");
  house.stub.drafts.set(mediaId, stored);
  house.stub.publishStatus = 4;
  await draftService.remove(account, id);
  expect(house.stub.drafts.size).toBe(0);
});

describe("a draft whose adding once more is in doubt", () => {
  const LIST = "/cgi-bin/draft/batchget";

  /** It was taken out of the box; then it was added anew, and nobody heard of it. */
  async function inDoubt(title: string) {
    const parts = await pushed(title);
    const { house, draftService, account, id, mediaId } = parts;
    house.stub.drafts.delete(mediaId);
    expect((await draftService.readBack(account, id)).draft.status).toBe("removed");
    house.fault = (path) => {
      if (path === ADD) return "reset_after";
      return path === LIST ? "http_before" : undefined;
    };
    await faultOf(draftService.push(account, id, { asNew: true }));
    house.fault = () => undefined;
    expect(house.stub.drafts.size).toBe(1);
    return parts;
  }

  /** It is not deleted, and once its push is known it leaves the box with all that it has there. */
  async function leavesNothing({
    house,
    draftService,
    account,
    id,
  }: Awaited<ReturnType<typeof inDoubt>>) {
    expect(await faultOf(draftService.remove(account, id))).toMatchObject({
      fault: "platform_unknown",
    });
    expect((await draftService.push(account, id)).receipt).toMatchObject({
      sends: 1,
      reconciled: true,
    });
    await draftService.remove(account, id);
    expect(house.stub.drafts.size).toBe(0);
  }

  test("is in doubt also after somebody has looked at it", async () => {
    const parts = await inDoubt("looked at");
    const { draftService, account, id } = parts;
    const back = await draftService.readBack(account, id);
    expect([back.draft.status, back.articles]).toEqual(["unknown", undefined]);
    await leavesNothing(parts);
  });

  test("is not deleted where an earlier release has marked it as removed", async () => {
    const parts = await inDoubt("marked as removed");
    const { house, id } = parts;
    await drafts.store.drafts.change(id, { status: "removed" }, house.nowMs);
    await leavesNothing(parts);
  });
});
