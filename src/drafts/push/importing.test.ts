// A draft of the box becomes one of ours once, and never one that a push is still looking for.
import { expect, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { faultOf } from "../../../test/support/errors.ts";
import {
  article,
  DraftHouse,
  draftStores,
  holdingStore,
} from "../../../test/support/houses/draft-house.ts";
import { perSuite } from "../../../test/support/houses/house.ts";

const ADD = "/cgi-bin/draft/add";
const LIST = "/cgi-bin/draft/batchget";

onEngines("importing on $name", (engine) => {
  const drafts = perSuite((parts) => draftStores(parts, engine));

  function open() {
    const house = new DraftHouse(drafts.store);
    return { house, draftService: house.start(), account: house.accountId };
  }

  /** A push that was stored, whose answer was lost, and nobody could read the box. */
  async function inDoubt(title: string) {
    const parts = open();
    const { house, draftService, account } = parts;
    const { id } = await draftService.create(account, { articles: [article(title)], by: "me" });
    house.fault = (path) => {
      if (path === ADD) return "reset_after";
      return path === LIST ? "busy_before" : undefined;
    };
    expect((await faultOf(draftService.push(account, id))).fault).toBe("platform_unknown");
    house.fault = () => undefined;
    const [stored] = house.stub.titled(title);
    if (!stored) throw new Error("it is not in the box");
    return { ...parts, id, mediaId: stored.mediaId };
  }

  /** Something that somebody has written on the platform itself. */
  function madeThere(house: DraftHouse, mediaId: string, title: string) {
    const articles = [{ title, content: "<p>hello</p>", thumb_media_id: "thumb" }];
    house.stub.drafts.set(mediaId, { mediaId, articles, updateTime: 1 });
  }

  test("what a push in doubt has put there is left to its retry", async () => {
    const { house, draftService, account, id, mediaId } = await inDoubt("in doubt");
    const refused = await faultOf(draftService.importDraft(account, undefined, mediaId, "me"));
    expect(refused).toMatchObject({ fault: "push_busy", facts: { draft_id: id } });
    expect((await draftService.push(account, id)).receipt.mediaId).toBe(mediaId);
    expect(house.stub.titled("in doubt")).toHaveLength(1);
    expect((await draftService.importDraft(account, undefined, mediaId, "me")).draft.id).toBe(id);
    expect(await draftService.list(account, undefined, 10)).toHaveLength(1);
  });

  test("what is not of its words is imported all the same", async () => {
    const { house, draftService, account } = await inDoubt("doubt beside it");
    madeThere(house, "other", "made there");
    const { draft } = await draftService.importDraft(account, undefined, "other", "me");
    expect(draft).toMatchObject({ status: "in_box", mediaId: "other", pushedVersion: 1 });
  });

  test("what a push has just put there is not imported before it is over", async () => {
    const house = new DraftHouse(drafts.store);
    const account = house.accountId;
    const other = house.start();
    const told: string[] = [];
    const draftService = house.start({
      fetch: async (address, call) => {
        const answer = await house.stub.fetch(address, call);
        const [mediaId] = house.stub.drafts.keys();
        if (address.includes(ADD) && mediaId !== undefined) {
          told.push((await faultOf(other.importDraft(account, undefined, mediaId, "me"))).fault);
        }
        return answer;
      },
    });
    const { id } = await draftService.create(account, {
      articles: [article("just there")],
      by: "me",
    });
    await draftService.push(account, id);
    expect(told).toEqual(["push_busy"]);
    expect(await draftService.list(account, undefined, 10)).toHaveLength(1);
  });

  test("two who import it at once get one draft", async () => {
    const house = new DraftHouse(drafts.store);
    const account = house.accountId;
    madeThere(house, "twice", "twice");
    const held = holdingStore(drafts.sql);
    const [slow, quick] = [house.start({ store: held.store }), house.start()];
    await quick.publicAccounts.find(account, undefined);
    const { arrived, go } = held.hold();
    const first = slow.importDraft(account, undefined, "twice", "me");
    await arrived;
    const second = await quick.importDraft(account, undefined, "twice", "me");
    go();
    expect((await first).draft.id).toBe(second.draft.id);
    expect([(await first).isNew, second.isNew]).toEqual([false, true]);
    expect(await quick.list(account, undefined, 10)).toHaveLength(1);
  });

  test("whoever dies at it leaves no copy that is in no box", async () => {
    const { house, draftService, account } = open();
    madeThere(house, "deadly", "deadly");
    // With a token at hand each one makes the same calls, and dies one call later.
    await draftService.listBox(account, undefined, { offset: 0, count: 1 });
    for (let call = 1; ; call += 1) {
      const dying = house.start();
      const { life } = house;
      let calls = 0;
      house.onCall = () => {
        calls += 1;
        if (calls === call) life.die();
      };
      const ended = dying.importDraft(account, undefined, "deadly", "me").then(() => true);
      const isOver = await Promise.race([ended, life.died.then(() => false)]);
      house.onCall = () => {};
      for (const { mediaId } of await draftService.list(account, undefined, 10)) {
        expect(mediaId).toBe("deadly");
      }
      if (isOver) break;
    }
    expect(await draftService.list(account, undefined, 10)).toHaveLength(1);
  });
});
