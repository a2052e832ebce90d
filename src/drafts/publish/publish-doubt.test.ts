import { expect, spyOn, test } from "bun:test";
import { faultOf } from "../../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { StorageError } from "../../lib/faults.ts";
import type { DraftService } from "../draft-service.ts";

const drafts = perSuite(draftStores);

const SUBMIT = "/cgi-bin/freepublish/submit";
const GET = "/cgi-bin/draft/get";
const MINUTE_MS = 60_000;

let titles = 0;
const doc = (text: string) =>
  article(`title ${++titles}`, { source: { format: "markdown", text } });

async function inBox() {
  const house = new DraftHouse(drafts.store);
  const draftService = house.start({ publishOn: true });
  const { accountId, stub } = house;
  const { id } = await draftService.create(accountId, { articles: [doc("one")], by: "me" });
  const mediaId = (await draftService.push(accountId, id)).receipt.mediaId;
  const publish = (by = draftService) => by.publish(accountId, id);
  const status = async () => (await draftService.find(accountId, id)).status;
  const submits = () => stub.calls.filter((path) => path === SUBMIT).length;
  const save = (text: string, base: number) =>
    draftService.save(accountId, id, { articles: [doc(text)], by: "me", base });
  return { house, stub, draftService, accountId, id, mediaId, publish, status, submits, save };
}

/** A draft that lies in the box when the answer of its publish is lost. */
async function inDoubt() {
  const parts = await inBox();
  parts.house.fault = (path) => (path === SUBMIT ? "reset_before" : undefined);
  expect(await faultOf(parts.publish())).toMatchObject({ fault: "platform_unknown" });
  parts.house.fault = () => undefined;
  return parts;
}

test("a publish whose answer was lost is not made again, and not called refused", async () => {
  const { stub, publish, status, submits, id } = await inDoubt();
  // It has the first one still, and would not have a second one beside it.
  stub.refusals.set(SUBMIT, { errcode: 53503, errmsg: "draft is being published" });
  const again = await faultOf(publish());
  expect([again.fault, again.facts.draft_id]).toEqual(["platform_unknown", id]);
  expect([submits(), await status()]).toEqual([1, "publishing"]);
});

const ASK: Record<
  string,
  (draftService: DraftService, accountId: string, id: string) => Promise<unknown>
> = {
  "who asks again": (draftService, accountId, id) => draftService.publish(accountId, id),
  "who opens it": (draftService, accountId, id) => draftService.readBack(accountId, id),
  "who lists the drafts": (draftService, accountId) => draftService.look(accountId),
};

const LATER = [
  ["soon after it", 0],
  ["long after it", 11 * MINUTE_MS],
] as const;
const ASKED = LATER.flatMap(([when, laterMs]) =>
  Object.entries(ASK).map(([who, ask]) => [who, when, laterMs, ask] as const),
);

test.each(ASKED)("%s %s finds that it was published", async (_who, _when, laterMs, ask) => {
  const { house, stub, draftService, accountId, id, mediaId, status, submits } = await inDoubt();
  stub.publishThere(mediaId);
  house.nowMs += laterMs;
  await ask(draftService, accountId, id);
  expect([submits(), await status()]).toEqual([1, "published"]);
});

test("a new version long after it is not put in the place of what was published", async () => {
  const { house, stub, draftService, accountId, id, mediaId, status, save } = await inDoubt();
  stub.publishThere(mediaId);
  await save("two", 1);
  house.nowMs += 11 * MINUTE_MS;
  expect((await faultOf(draftService.push(accountId, id))).facts).toMatchObject({ draft_id: id });
  expect(await status()).toBe("published");
  expect(stub.drafts.size).toBe(0);
});

test("what cannot be read long after it stays in doubt", async () => {
  const { house, draftService, accountId, id, publish, status, submits } = await inDoubt();
  house.nowMs += 11 * MINUTE_MS;
  house.fault = (path) => (path === GET ? "unreachable" : undefined);
  await draftService.look(accountId);
  expect(await faultOf(publish())).toMatchObject({ fault: "platform_unknown" });
  await faultOf(draftService.readBack(accountId, id));
  expect([submits(), await status()]).toEqual([1, "publishing"]);
});

test.each(Object.entries(ASK).slice(1))(
  "%s long after it finds it in the box, and it can be published",
  async (_who, ask) => {
    const { house, draftService, accountId, id, publish, status, submits } = await inDoubt();
    house.nowMs += 9 * MINUTE_MS;
    await ask(draftService, accountId, id);
    expect(await status()).toBe("publishing");
    house.nowMs += 2 * MINUTE_MS;
    await ask(draftService, accountId, id);
    expect(await status()).toBe("in_box");
    expect((await publish()).status).toBe("published");
    expect(submits()).toBe(2);
  },
);

test("who publishes it long after it submits it anew, also when the clock was set back", async () => {
  const { house, publish, submits } = await inDoubt();
  house.clockSetMs -= 3 * 3_600_000;
  expect((await publish()).status).toBe("published");
  expect(submits()).toBe(2);
});

test("a new version waits for what became of it, and is brought afterwards", async () => {
  const { house, stub, draftService, accountId, id, mediaId, save } = await inDoubt();
  await save("two", 1);
  expect(await faultOf(draftService.push(accountId, id))).toMatchObject({
    fault: "platform_unknown",
  });
  house.nowMs += 11 * MINUTE_MS;
  expect((await draftService.push(accountId, id)).draft).toMatchObject({
    status: "in_box",
    mediaId,
  });
  expect(String(stub.drafts.get(mediaId)?.articles[0]?.content)).toContain("two");
});

test("a draft that is typed in meanwhile is not in doubt for longer", async () => {
  const { house, publish, status, save } = await inDoubt();
  house.nowMs += 9 * MINUTE_MS;
  await save("two", 1);
  house.nowMs += 2 * MINUTE_MS;
  expect(await faultOf(publish())).toMatchObject({ fault: "invalid_value" });
  expect(await status()).toBe("in_box");
});

test("what is refused, or does not reach the platform, leaves the draft in the box", async () => {
  const { house, stub, publish, status } = await inBox();
  house.fault = (path) => (path === SUBMIT ? "unreachable" : undefined);
  expect(await faultOf(publish())).toMatchObject({ fault: "upstream_unavailable" });
  expect(await status()).toBe("in_box");
  house.fault = () => undefined;
  stub.refusals.set(SUBMIT, { errcode: 48001, errmsg: "api unauthorized" });
  expect((await faultOf(publish())).facts.errcode).toBe(48001);
  expect(await status()).toBe("in_box");
});

/** A draft that lies in the box, while the process that had asked to publish it ended before it heard the answer. */
async function leftWithoutAnswer() {
  const parts = await inBox();
  const { house, stub, accountId, id } = parts;
  const dying = house.start({
    publishOn: true,
    fetch: (address, call) =>
      stub.fetch(address, call).finally(() => {
        if (address.includes(SUBMIT)) house.life.die();
      }),
  });
  // Whether the platform publishes it is not seen in the box.
  house.fault = (path) => (path === SUBMIT ? "reset_before" : undefined);
  void dying.publish(accountId, id).catch(() => {});
  await house.life.died;
  house.fault = () => undefined;
  const next = house.start({ publishOn: true });
  house.pass(61_000);
  return { ...parts, next };
}

test("a publish is not made again behind a process that ended before its answer", async () => {
  const { stub, next, id, mediaId, publish, status, submits } = await leftWithoutAnswer();
  const again = await faultOf(publish(next));
  expect([again.fault, again.facts.draft_id]).toEqual(["platform_unknown", id]);
  expect([submits(), await status()]).toEqual([1, "publishing"]);
  stub.publishThere(mediaId);
  expect((await publish(next)).status).toBe("published");
  expect(submits()).toBe(1);
});

test("a publish is not made again where it could not be written down that it was taken", async () => {
  const { house, draftService, accountId, id, status, submits } = await inBox();
  using rows = spyOn(drafts.store.drafts, "changeSeen");
  rows.mockRejectedValueOnce(new StorageError("away for a moment"));
  const told = await draftService.publish(accountId, id).catch((thrown: unknown) => thrown);
  expect(told).toBeInstanceOf(StorageError);
  house.pass(61_000);
  await draftService.publish(accountId, id);
  expect([submits(), await status()]).toEqual([1, "published"]);
});

test("what such a process may have published is not replaced by a new version", async () => {
  const { stub, next, accountId, id, mediaId, save, status } = await leftWithoutAnswer();
  await save("two", 1);
  expect(await faultOf(next.push(accountId, id))).toMatchObject({ fault: "platform_unknown" });
  expect(await status()).toBe("publishing");
  expect(String(stub.drafts.get(mediaId)?.articles[0]?.content)).toContain("one");
});
