import { expect, test } from "bun:test";
import { faultOf } from "../../../../test/support/errors.ts";
import { article, DraftHouse, draftStores } from "../../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../../test/support/houses/house.ts";
import type { PlatformFetch } from "../../platform-api/platform-http.ts";
import { type Doer, importedNoted, publishNoted, pushNoted, removeNoted } from "./box-work.ts";

const drafts = perSuite(draftStores);

const ADD = "/cgi-bin/draft/add";

/** Lets the next call at a path wait. */
function heldCalls(house: DraftHouse) {
  let next: { path: string; arrived(): void; go: Promise<void> } | undefined;
  const fetch: PlatformFetch = async (address, call) => {
    const held = next && new URL(address).pathname === next.path ? next : undefined;
    if (held) next = undefined;
    held?.arrived();
    await held?.go;
    return house.stub.fetch(address, call);
  };
  const hold = (path: string) => {
    const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    next = { path, arrived: arrived.resolve, go: go.promise };
    return { arrived: arrived.promise, go: go.resolve };
  };
  return { fetch, hold };
}

async function open(title: string) {
  const house = new DraftHouse(drafts.store);
  const { accountId } = house;
  const { fetch, hold } = heldCalls(house);
  const draftService = house.start({ publishOn: true, fetch });
  const { id: accountName } = await draftService.publicAccounts.find(accountId, undefined);
  await draftService.publicAccounts.change(accountId, accountName, { publishAllowed: true });
  const { id } = await draftService.create(accountId, { articles: [article(title)], by: "me" });
  const doer = (name: string): Doer => ({
    accountId,
    who: async () => ({ name }),
    note: async () => {},
  });
  const told = (from = 0): object[] =>
    house.told.slice(from).map(({ action, target, detail }) => ({ action, target, ...detail }));
  const toldBy = () => house.told.map(({ action, principal }) => `${action} ${principal.name}`);
  /** Somebody else waits for what is held, and then it goes on. */
  const whileHeld = async (
    path: string,
    first: () => Promise<unknown>,
    other: () => Promise<unknown>,
  ) => {
    const held = hold(path);
    const one = first();
    await held.arrived;
    const waits = Promise.withResolvers<void>();
    house.onWait = waits.resolve;
    const two = other();
    await waits.promise;
    held.go();
    await Promise.all([one, two]);
  };
  return {
    ...{ house, draftService, id, doer, told, toldBy, hold, whileHeld },
    push: (by = "Ann") => pushNoted(draftService, doer(by), id, {}),
    publish: (by = "Ann") => publishNoted(draftService, doer(by), id),
    remove: (by = "Ann") => removeNoted(draftService, doer(by), id),
  };
}

test("who only finds in the box what somebody has brought there is not noted", async () => {
  const { id, told, push } = await open("found");
  const { receipt } = await push();
  await push();
  const target = id;
  expect(told()).toEqual([{ action: "draft.push", target, media_id: receipt.mediaId, version: 1 }]);
});

test("who only asks how publishing goes on is not noted", async () => {
  const { house, id, told, push, publish } = await open("followed");
  await push();
  house.stub.publishStatus = 1;
  expect(await publish()).toMatchObject({ status: "publishing" });
  house.stub.publishStatus = 0;
  expect(await publish()).toMatchObject({ status: "published" });
  expect(await publish()).toMatchObject({ status: "published" });
  expect(told(1)).toEqual([{ action: "draft.publish", target: id }]);
});

test("what is refused is not noted, and what may have been done is", async () => {
  const { house, id, told, push, publish, remove } = await open("in doubt");
  house.fault = () => "unreachable";
  await faultOf(push());
  expect(told()).toEqual([]);
  house.fault = (path) => (/draft\/(add|batchget)$/.test(path) ? "reset_after" : undefined);
  expect(await faultOf(push())).toMatchObject({ fault: "platform_unknown" });
  const doubt = { target: id, outcome: "unknown" };
  expect(told()).toEqual([{ action: "draft.push", ...doubt }]);
  // Nothing is sent for this one.
  expect(await faultOf(remove())).toMatchObject({ fault: "platform_unknown" });
  expect(told()).toHaveLength(1);
  house.fault = () => undefined;
  await push();
  house.fault = (path) => (/freepublish\/submit$/.test(path) ? "reset_before" : undefined);
  expect(await faultOf(publish())).toMatchObject({ fault: "platform_unknown" });
  expect(told(2)).toEqual([{ action: "draft.publish", ...doubt }]);
  house.fault = (path) => (/draft\/delete$/.test(path) ? "reset_before" : undefined);
  expect(await faultOf(remove())).toMatchObject({ fault: "platform_unknown" });
  expect(told(3)).toEqual([{ action: "draft.delete", ...doubt }]);
  house.fault = () => undefined;
  await remove();
  expect(told(4)).toEqual([{ action: "draft.delete", target: id }]);
});

test("who publishes a draft while somebody else pushes it is noted", async () => {
  const { toldBy, whileHeld, push, publish } = await open("not in the box yet");
  await whileHeld(
    ADD,
    () => push("Ann"),
    () => publish("Bob"),
  );
  expect(toldBy()).toEqual(["draft.push Ann", "draft.publish Bob"]);
});

test("of two who publish a draft at once the one who did is noted", async () => {
  const { toldBy, whileHeld, push, publish } = await open("published by two");
  await push();
  await whileHeld(
    "/cgi-bin/freepublish/submit",
    () => publish("Ann"),
    () => publish("Bob"),
  );
  expect(toldBy()).toEqual(["draft.push Ann", "draft.publish Ann"]);
});

/** Lets the audit log fail once. */
function failOnce(house: DraftHouse): void {
  house.onTell = () => {
    house.onTell = () => {};
    throw new Error("the log is away");
  };
}

test("who has published is noted later where the audit log was away", async () => {
  const { house, draftService, toldBy, push, publish } = await open("published unnoted");
  await push();
  failOnce(house);
  expect(await publish("Ann")).toMatchObject({ status: "published" });
  expect(toldBy()).toEqual(["draft.push Ann"]);
  await publish("Bob");
  expect(toldBy()).toEqual(["draft.push Ann", "draft.publish Ann"]);
  await draftService.recover();
  expect(toldBy()).toHaveLength(2);
});

test("who has published is noted by the next process where theirs ended before", async () => {
  const { house, toldBy, push, publish } = await open("published by the dead");
  await push();
  house.onTell = () => {
    house.life.die();
    return new Promise(() => {});
  };
  void publish("Ann");
  await house.life.died;
  expect(toldBy()).toEqual(["draft.push Ann"]);
  house.onTell = () => {};
  await house.start().recover();
  expect(toldBy()).toEqual(["draft.push Ann", "draft.publish Ann"]);
});

test("what was published is noted, though the platform has taken it back at once", async () => {
  const { house, toldBy, push, publish } = await open("banned");
  await push();
  house.stub.publishStatus = 6;
  expect(await faultOf(publish())).toMatchObject({ fault: "platform_refused" });
  expect(toldBy()).toEqual(["draft.push Ann", "draft.publish Ann"]);
});

test("of two who push a draft at once the one who did is noted", async () => {
  const { toldBy, whileHeld, push } = await open("pushed by two");
  await whileHeld(
    ADD,
    () => push("Ann"),
    () => push("Bob"),
  );
  expect(toldBy()).toEqual(["draft.push Ann"]);
});

test("who has pushed is noted later where the audit log was away", async () => {
  const { house, toldBy, push } = await open("pushed unnoted");
  failOnce(house);
  await push("Ann");
  expect(toldBy()).toEqual([]);
  await push("Bob");
  expect(toldBy()).toEqual(["draft.push Ann"]);
});

test("who began a push is noted where another process has finished it", async () => {
  const { house, toldBy, hold, push } = await open("pushed by the dead");
  const held = hold(ADD);
  void push("Ann");
  await held.arrived;
  house.life.die();
  house.pass(120_000);
  await house.start().recover();
  expect(toldBy()).toEqual(["draft.push Ann"]);
});

test("who takes up a push in doubt is noted beside who began it", async () => {
  const { house, told, toldBy, push } = await open("taken up");
  house.fault = (path) => (/draft\/(add|batchget)$/.test(path) ? "reset_after" : undefined);
  await faultOf(push("Ann"));
  house.fault = () => undefined;
  await push("Bob");
  expect(toldBy()).toEqual(["draft.push Ann", "draft.push Bob"]);
  expect(told()).toMatchObject([{ outcome: "unknown" }, { version: 1 }]);
});

test("who pushed is noted as in doubt, though the audit log was away", async () => {
  const { house, draftService, told, push } = await open("in doubt unnoted");
  house.fault = (path) => (/draft\/(add|batchget)$/.test(path) ? "reset_after" : undefined);
  failOnce(house);
  expect(await faultOf(push())).toMatchObject({ fault: "platform_unknown" });
  await draftService.recover();
  expect(told()).toMatchObject([{ action: "draft.push", outcome: "unknown" }]);
});

test("of two who delete a draft at once the one who did is noted", async () => {
  const { toldBy, whileHeld, push, remove } = await open("deleted by two");
  await push();
  await whileHeld(
    "/cgi-bin/draft/delete",
    () => remove("Ann"),
    () => remove("Bob"),
  );
  expect(toldBy()).toEqual(["draft.push Ann", "draft.delete Ann"]);
});

test("who has deleted a draft is noted later where the audit log was away", async () => {
  const { house, draftService, toldBy, remove } = await open("deleted unnoted");
  failOnce(house);
  await remove("Ann");
  expect(toldBy()).toEqual([]);
  await draftService.recover();
  expect(toldBy()).toEqual(["draft.delete Ann"]);
});

test("who brings a draft in from the box is noted, and who finds it here is not", async () => {
  const { house, draftService, doer } = await open("beside it");
  const articles = [{ title: "there", content: "<p>a</p>", thumb_media_id: "t" }];
  house.stub.drafts.set("m", { mediaId: "m", articles, updateTime: 1 });
  const noted: unknown[] = [];
  const ann: Doer = {
    ...doer("Ann"),
    note: async (action, target, detail) => {
      noted.push({ action, target, ...detail });
    },
  };
  const bring = async () =>
    importedNoted(ann, await draftService.importDraft(house.accountId, undefined, "m", "Ann"), "m");
  const { id } = await bring();
  expect((await bring()).id).toBe(id);
  expect(noted).toEqual([{ action: "draft.import", target: id, media_id: "m" }]);
});
