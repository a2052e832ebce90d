import { beforeEach, describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { perSuite } from "../../../test/support/house.ts";
import type { Draft, PublicAccount, Push } from "../../drafts/draft.ts";
import { newId } from "../../lib/ids.ts";
import { openDraftBoxStore } from "./drafts.ts";
import { DRAFTS_TABLES } from "./drafts-tables.ts";

const NOW = 1_800_000_000_000;
const ROOMY = 1_000_000;

function publicAccount(accountId: string, name: string): PublicAccount {
  return {
    id: newId("pub_"),
    accountId,
    name,
    kind: "wechat",
    appid: "wx1",
    sealedSecret: "sealed",
    platformUrl: "https://p.test",
    isDefault: false,
    theme: null,
    author: "她",
    publishAllowed: false,
    createdAtMs: NOW,
  };
}

function draftOf(account: PublicAccount, more: Partial<Draft> = {}): Draft {
  return {
    id: newId("drf_"),
    accountId: account.accountId,
    publicAccountId: account.id,
    articles: [{ type: "news", title: "标题", source: { format: "markdown", text: "x" } }],
    version: 1,
    pushedVersion: null,
    mediaId: null,
    status: "local",
    publishId: null,
    writing: [{ requestId: "req_1", model: "m", cost: "0.1", purpose: "write" }],
    createdAtMs: NOW,
    updatedAtMs: NOW,
    ...more,
  };
}

function pushOf(draft: Draft): Push {
  return {
    id: newId("psh_"),
    accountId: draft.accountId,
    draftId: draft.id,
    publicAccountId: draft.publicAccountId,
    kind: "add",
    version: draft.version,
    state: "planned",
    request: null,
    sends: 0,
    sentAtMs: null,
    mediaId: null,
    refusal: null,
    doubt: null,
    receipt: null,
    createdAtMs: NOW,
    updatedAtMs: NOW,
  };
}

describe.each(ENGINES)("the tables of drafts on $name", (engine) => {
  const store = perSuite(async (parts) => {
    const { sql } = await tablesOn(parts, engine, DRAFTS_TABLES);
    return openDraftBoxStore(sql);
  });
  let account: PublicAccount;
  beforeEach(async () => {
    account = publicAccount(newId("acc_"), "one");
    await store.publicAccounts.add(account);
  });

  async function addDraft(more: Partial<Draft> = {}): Promise<Draft> {
    const draft = draftOf(account, more);
    expect(await store.drafts.add(draft, "me", ROOMY)).toBe("added");
    return draft;
  }

  const lease = (owner: string, untilMs = NOW + 60_000) => ({ owner, untilMs });

  test("have public accounts with one default, whose names differ", async () => {
    const { accountId } = account;
    const second = publicAccount(accountId, "two");
    expect(await store.publicAccounts.add(second)).toBe(true);
    expect(await store.publicAccounts.add(publicAccount(accountId, "two"))).toBe(false);
    expect(await store.publicAccounts.save({ ...second, name: "one" })).toBe(false);
    expect(await store.publicAccounts.save({ ...second, theme: "ink" })).toBe(true);
    const names = async () =>
      (await store.publicAccounts.list(accountId)).map((row) => [row.name, row.isDefault]);
    expect(await names()).toEqual([
      ["one", true],
      ["two", false],
    ]);
    await store.publicAccounts.makeDefault(accountId, second.id);
    expect(await store.publicAccounts.find(accountId, second.id)).toEqual({
      ...second,
      theme: "ink",
      isDefault: true,
    });
    expect(await store.publicAccounts.find("acc_other", second.id)).toBeUndefined();
    const draft = await addDraft({ publicAccountId: second.id });
    await store.publicAccounts.remove(accountId, second.id);
    expect(await names()).toEqual([["one", true]]);
    expect(await store.drafts.find(accountId, draft.id)).toBeUndefined();
  });

  test("have drafts and their versions", async () => {
    const draft = await addDraft();
    expect(await store.drafts.find(account.accountId, draft.id)).toEqual(draft);
    const articles = [{ ...draft.articles[0], title: "neu" }] as Draft["articles"];
    const version = { draftId: draft.id, version: 2, articles, by: "me", createdAtMs: NOW + 1 };
    expect(await store.drafts.saveVersion(version, 1, undefined, ROOMY)).toBe("saved");
    expect(await store.drafts.saveVersion(version, 1, undefined, ROOMY)).toBe("changed");
    const third = { ...version, version: 3 };
    expect(await store.drafts.saveVersion(third, 2, 2, ROOMY)).toBe("saved");
    const kept = async () =>
      (await store.drafts.versions(draft.id, 10)).map(({ version: at }) => at);
    expect(await kept()).toEqual([3, 1]);
    expect((await store.drafts.find(account.accountId, draft.id))?.articles).toEqual(articles);
    await store.drafts.trimVersions(draft.id, 1, ROOMY);
    expect(await kept()).toEqual([3]);
    await store.drafts.change(draft.id, { status: "in_box", mediaId: "m9" }, NOW + 2);
    expect(await store.drafts.findByMedia(account.id, "m9")).toMatchObject({
      id: draft.id,
      status: "in_box",
      updatedAtMs: NOW + 2,
    });
    const next = await addDraft();
    const ids = async (after?: string) =>
      (await store.drafts.list(account.accountId, after, 5)).map(({ id }) => id);
    expect(await ids()).toEqual([draft.id, next.id].sort().reverse());
    await store.drafts.remove("acc_other", next.id);
    expect(await ids()).toHaveLength(2);
    await store.drafts.remove(account.accountId, next.id);
    expect(await ids()).toEqual([draft.id]);
  });

  test("keep no more than an account may have, and no version that is too much", async () => {
    const draft = await addDraft({ pushedVersion: 1 });
    const save = (version: number, chars: number, charsMax: number) => {
      const articles = [{ ...draft.articles[0], title: "x".repeat(chars) }] as Draft["articles"];
      const row = { draftId: draft.id, version, articles, by: "me", createdAtMs: NOW };
      return store.drafts.saveVersion(row, version - 1, undefined, charsMax);
    };
    expect(await save(2, 5_000, 5_000)).toBe("full");
    expect(await store.drafts.find(account.accountId, draft.id)).toEqual(draft);
    for (const version of [2, 3, 4]) expect(await save(version, 5_000, ROOMY)).toBe("saved");
    expect(await store.drafts.add(draftOf(account), "me", 10_000)).toBe("full");
    const kept = async () =>
      (await store.drafts.versions(draft.id, 10)).map(({ version }) => version);
    await store.drafts.trimVersions(draft.id, 10, 12_000);
    expect(await kept()).toEqual([4, 3, 1]);
    await store.drafts.trimVersions(draft.id, 10, 1);
    expect(await kept()).toEqual([4, 1]);
  });

  test("bind a key to one draft", async () => {
    const { accountId } = account;
    const row = { requestSum: "s", draftId: null, leaseUntilMs: NOW + 1000 };
    expect(await store.drafts.takeKey(accountId, "k", row, "a", NOW)).toBe("taken");
    expect(await store.drafts.takeKey(accountId, "k", row, "b", NOW)).toEqual(row);
    expect(await store.drafts.takeKey(accountId, "k", row, "b", NOW + 1000)).toBe("taken");
    const late = draftOf(account);
    const bound = (draft: Draft, owner: string) =>
      store.drafts.add(draft, "me", ROOMY, { key: "k", owner });
    expect(await bound(late, "a")).toBe("key_lost");
    expect(await store.drafts.find(accountId, late.id)).toBeUndefined();
    const draft = draftOf(account);
    expect(await bound(draft, "b")).toBe("added");
    await store.drafts.freeKey(accountId, "k", "b");
    const found = await store.drafts.takeKey(accountId, "k", row, "c", NOW + 9_000_000);
    expect(found).toMatchObject({ draftId: draft.id });
  });

  test("have one open push for a draft, and let one process at a time take its steps", async () => {
    const draft = await addDraft();
    const push = pushOf(draft);
    expect(await store.pushes.add(push, "box", lease("a"), undefined)).toBe(true);
    expect(await store.pushes.add(pushOf(draft), "box", lease("b"), push.id)).toBe(false);
    expect((await store.drafts.find(account.accountId, draft.id))?.status).toBe("pushing");
    expect(await store.pushes.take(push.id, lease("b"), NOW + 59_999)).toBeUndefined();
    const later = lease("b", NOW + 120_000);
    expect(await store.pushes.take(push.id, later, NOW + 60_000)).toMatchObject({ id: push.id });
    expect(await store.pushes.step(push, { state: "uploading" }, lease("a"), NOW)).toBe("lost");
    const end = { state: "done", mediaId: "m1", receipt: { mediaId: "m1" } as Push["receipt"] };
    const change = { status: "in_box", mediaId: "m1" } as const;
    expect(await store.pushes.step(push, end as object, later, NOW + 5, change)).toBe("done");
    expect(await store.pushes.latest(draft.id)).toMatchObject({
      state: "done",
      mediaId: "m1",
      receipt: { mediaId: "m1" },
      updatedAtMs: NOW + 5,
    });
    expect((await store.drafts.find(account.accountId, draft.id))?.mediaId).toBe("m1");
    expect(await store.pushes.take(push.id, later, NOW + 999_999)).toBeUndefined();
    // Whoever read the draft before that push does not know what it came to.
    expect(await store.pushes.add(pushOf(draft), "box", lease("b"), undefined)).toBe(false);
    expect(await store.pushes.add(pushOf(draft), "box", lease("b"), push.id)).toBe(true);
  });

  test("keep what was sent only of the last push that was stored", async () => {
    const draft = await addDraft();
    const ended = ["done", "done", "refused"] as const;
    let last: string | undefined;
    for (const [at, state] of ended.entries()) {
      const push = { ...pushOf(draft), createdAtMs: NOW + at };
      await store.pushes.add(push, "box", lease("a"), last);
      last = push.id;
      const step = { state, request: `[${at}]` } as const;
      expect(await store.pushes.step(push, step, lease("a"), NOW)).toBe("done");
    }
    await store.pushes.add({ ...pushOf(draft), createdAtMs: NOW + 9 }, "box", lease("a"), last);
    const requests = (await store.pushes.list(draft.id, 9)).map(({ request }) => request);
    expect(requests).toEqual([null, null, "[1]", null]);
  });

  test("send the same words to a box one after another", async () => {
    const [one, two] = [pushOf(await addDraft()), pushOf(await addDraft())];
    const box = newId("box_");
    await store.pushes.add(one, box, lease("a"), undefined);
    await store.pushes.add(two, box, lease("b"), undefined);
    const step = { state: "sending", fingerprint: "f", sends: 1 } as const;
    expect(await store.pushes.step(one, step, lease("a"), NOW)).toBe("done");
    expect(await store.pushes.step(two, step, lease("b"), NOW)).toBe("busy");
    expect((await store.pushes.find(two.id))?.state).toBe("planned");
    await store.pushes.step(one, { state: "unknown" }, lease("a"), NOW);
    expect(await store.pushes.step(two, step, lease("b"), NOW)).toBe("busy");
    await store.pushes.step(one, { state: "done" }, lease("a"), NOW);
    expect(await store.pushes.step(two, step, lease("b"), NOW)).toBe("done");
  });

  test("tell what dead processes left, and whose a draft of the box is", async () => {
    const draft = await addDraft();
    const push = pushOf(draft);
    const box = `${account.platformUrl} ${account.appid}`;
    await store.pushes.add(push, box, lease("a"), undefined);
    expect(await store.pushes.listAbandoned(NOW + 59_000, 10_000)).not.toContain(push.id);
    expect(await store.pushes.listAbandoned(NOW + 60_000, 10_000)).toContain(push.id);
    await store.pushes.release(push.id, "a");
    expect(await store.pushes.listAbandoned(NOW, 10_000)).toContain(push.id);
    const mine = `m-${push.id}`;
    await store.pushes.take(push.id, lease("c"), NOW);
    await store.pushes.step(push, { mediaId: mine }, lease("c"), NOW);
    const taken = await addDraft({ mediaId: `t-${push.id}` });
    const ids = [mine, taken.mediaId ?? "", "free"];
    const except = (pushId: string, draftId: string) =>
      store.pushes.claimed(box, ids, { pushId, draftId });
    expect([...(await except("psh_other", "drf_other"))].sort()).toEqual(ids.slice(0, 2).sort());
    expect([...(await except(push.id, taken.id))]).toEqual([]);
    expect([
      ...(await store.pushes.claimed("elsewhere", ids, { pushId: "", draftId: "" })),
    ]).toEqual([]);
  });

  test("keep uploads until they are forgotten", async () => {
    const key = { box: newId("box_"), appid: "wx", use: "material", sha256: "s" } as const;
    await store.uploads.save(key, { mediaId: "m1", url: null }, NOW);
    await store.uploads.save(key, { mediaId: "m2", url: null }, NOW);
    expect(await store.uploads.find(key)).toEqual({ mediaId: "m2", url: null });
    expect(await store.uploads.find({ ...key, use: "body" })).toBeUndefined();
    await store.uploads.forget(key.box, "wx", ["m2"]);
    expect(await store.uploads.find(key)).toBeUndefined();
  });
});
