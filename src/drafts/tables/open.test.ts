import { beforeEach, describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { newId } from "../../lib/ids.ts";
import type { Draft, PublicAccount, PublicAccountAccess, Push } from "../draft.ts";
import type { KeptFault } from "../push/kept-fault.ts";
import { openDraftBoxStore } from "./open.ts";
import { DRAFTS_TABLES } from "./versions.ts";

const NOW = 1_800_000_000_000;
const ROOMY = 1_000_000;
const failure: KeptFault = {
  ...{ fault: "writing_failed", message: "m", param: null, headers: {}, facts: { n: 1 } },
};

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
    publishDoubtUntilMs: null,
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
    ends: 0,
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
    return { ...openDraftBoxStore(sql), sql };
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

  const become = (after: PublicAccount, refresh?: string) =>
    store.publicAccounts.change(after.accountId, after.id, () => after, refresh);

  const lease = (owner: string, untilMs = NOW + 60_000) => ({ owner, untilMs });

  test("have public accounts with one default, whose names differ", async () => {
    const { accountId } = account;
    const second = publicAccount(accountId, "two");
    expect(await store.publicAccounts.add(second)).toBe(true);
    expect(await store.publicAccounts.add(publicAccount(accountId, "two"))).toBe(false);
    expect(await become({ ...second, name: "one" })).toBe("taken");
    expect(await become({ ...second, theme: "ink" })).toBe("done");
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
    expect(await store.publicAccounts.remove(accountId, second.id, NOW)).toBe(true);
    expect(await names()).toEqual([["one", true]]);
    expect(await store.drafts.find(accountId, draft.id)).toBeUndefined();
  });

  test("keep what was handed over for a public account, and lose it with the account", async () => {
    const { accountId } = account;
    const access: PublicAccountAccess = {
      credential: "component",
      ...{ proxyOrigin: null, sealedProxy: null, sourceOrigin: null },
      ...{ sealedSource: null, componentAppid: "wxc", sealedComponentSecret: "sealed" },
    };
    const third = { ...publicAccount(accountId, "third"), access };
    await store.publicAccounts.add(third, "one");
    expect(await store.publicAccounts.find(accountId, third.id)).toEqual(third);
    const { grants } = store;
    expect(await grants.find(third.id)).toMatchObject({ sealedRefresh: "one" });
    await grants.saveTicket(accountId, "wxc", "ticket", NOW);
    // Two have refreshed at once: whoever is late does not undo the other.
    await grants.saveRefresh(third.id, "two", "one");
    await grants.saveRefresh(third.id, "late", "one");
    const changed = { ...third, access: { ...access, proxyOrigin: "http://p", sealedProxy: "p" } };
    expect(await become(changed)).toBe("done");
    expect(await store.publicAccounts.find(accountId, third.id)).toEqual(changed);
    expect(await grants.find(third.id)).toEqual({
      ...{ sealedToken: null, tokenUntilMs: 0, sealedRefresh: "two" },
      ...{ sealedTicket: "ticket", ticketAtMs: NOW },
    });
    // A change that is refused leaves what was handed over as well.
    const other = publicAccount(accountId, "not the third");
    await store.publicAccounts.add(other);
    const handed = "three";
    expect(await become({ ...changed, name: other.name }, handed)).toBe("taken");
    expect(await grants.find(third.id)).toMatchObject({ sealedRefresh: "two" });
    expect(await become(changed, handed)).toBe("done");
    expect(await grants.find(third.id)).toMatchObject({ sealedRefresh: "three" });
    await store.publicAccounts.remove("acc_other", third.id, NOW);
    expect(await grants.find(third.id)).toBeDefined();
    await store.publicAccounts.remove(accountId, third.id, NOW);
    expect(await grants.find(third.id)).toBeUndefined();
    // What has nothing but an AppSecret has no such row.
    await grants.saveToken(account.id, "sealed", NOW);
    expect(await grants.find(account.id)).toBeUndefined();
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
    const kept = async () => (await store.versions.list(draft.id, 10)).map(({ version: at }) => at);
    expect(await kept()).toEqual([3, 1]);
    expect((await store.drafts.find(account.accountId, draft.id))?.articles).toEqual(articles);
    await store.versions.trim(draft.id, 1, ROOMY);
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
    expect(await store.exclusiveJobs.take(next.id, lease("a"), NOW)).toBe("taken");
    expect(await store.drafts.remove("acc_other", next.id, "a")).toBe(false);
    expect(await store.drafts.remove(account.accountId, next.id, "b")).toBe(false);
    expect(await ids()).toHaveLength(2);
    expect(await store.drafts.remove(account.accountId, next.id, "a")).toBe(true);
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
      (await store.versions.list(draft.id, 10)).map(({ version }) => version);
    await store.versions.trim(draft.id, 10, 12_000);
    expect(await kept()).toEqual([4, 3, 1]);
    await store.versions.trim(draft.id, 10, 1);
    expect(await kept()).toEqual([4, 1]);
  });

  test("bind a key to one draft", async () => {
    const { accountId } = account;
    const ticket = (owner: string) => ({ accountId, key: "k", owner });
    const take = (owner: string, nowMs: number, waitedFor?: string) =>
      store.keys.take(ticket(owner), "s", nowMs + 1000, nowMs, waitedFor);
    expect(await take("a", NOW)).toBe("taken");
    expect(await take("b", NOW)).toEqual({
      ...{ requestSum: "s", draftId: null, failure: null, answer: null },
      ...{ owner: "a", leaseUntilMs: NOW + 1000, begunBy: "a" },
    });
    expect(await store.keys.renew(ticket("a"), NOW + 2000)).toBe(true);
    expect(await take("b", NOW + 1000)).toMatchObject({ owner: "a" });
    expect(await take("b", NOW + 2000)).toBe("taken");
    expect(await store.keys.renew(ticket("a"), NOW + 9000)).toBe(false);
    const late = draftOf(account);
    const bound = (draft: Draft, owner: string) =>
      store.drafts.add(draft, "me", ROOMY, { key: "k", owner, answer: "told" });
    expect(await bound(late, "a")).toBe("key_lost");
    expect(await store.drafts.find(accountId, late.id)).toBeUndefined();
    const draft = draftOf(account);
    expect(await bound(draft, "b")).toBe("added");
    await store.keys.fail(ticket("b"), failure, NOW);
    expect(await take("c", NOW + 9_000_000)).toMatchObject({
      ...{ draftId: draft.id, answer: "told" },
    });
  });

  test("tell who began what a key is for, until that has come to something", async () => {
    const { accountId } = account;
    const ticket = (owner: string) => ({ accountId, key: "b", owner });
    let nowMs = NOW;
    /** The next owner, once the time of the one before is over. */
    const next = async (owner: string, sum = "s") => {
      nowMs += 1000;
      expect(await store.keys.take(ticket(owner), sum, nowMs + 1000, nowMs)).toBe("taken");
      return store.keys.begunBy(ticket(owner));
    };
    expect(await next("a")).toBe("a");
    expect(await next("b")).toBe("a");
    await store.keys.fail(ticket("b"), { ...failure, fault: "budget_exceeded" }, nowMs);
    expect(await next("c")).toBe("a");
    await store.keys.fail(ticket("c"), { ...failure, fault: "writing_failed" }, nowMs);
    expect(await next("d")).toBe("d");
    expect(await next("e", "another")).toBe("e");
    await store.keys.answer(ticket("e"), "told", nowMs);
    expect(await next("f", "another")).toBe("f");
  });

  test("keep an answer under its key until its time is over", async () => {
    const { accountId } = account;
    const ticket = (owner: string) => ({ accountId, key: "w", owner });
    const take = (owner: string, nowMs: number) =>
      store.keys.take(ticket(owner), "s", nowMs + 1000, nowMs);
    expect(await take("a", NOW)).toBe("taken");
    await store.keys.answer(ticket("stranger"), "theirs", NOW + 5000);
    expect(await take("b", NOW)).toMatchObject({ owner: "a", answer: null });
    await store.keys.answer(ticket("a"), "mine", NOW + 5000);
    // A beat that comes late does not shorten the time of the answer.
    expect(await store.keys.renew(ticket("a"), NOW + 2000)).toBe(false);
    expect(await take("b", NOW + 4999)).toMatchObject({ answer: "mine", draftId: null });
    const left = () => store.sql.query("select owner from draft_keys where idem_key = 'w'");
    await store.keys.forgetOld(NOW + 4999);
    expect(await left()).toEqual([{ owner: "a" }]);
    await store.keys.forgetOld(NOW + 5000);
    expect(await left()).toEqual([]);
    expect(await take("b", NOW + 5000)).toBe("taken");
    expect(await take("d", NOW + 5000)).toMatchObject({ owner: "b", answer: null });
  });

  test("keep an answer, whichever comes first of it and a failure of the same owner", async () => {
    const { accountId } = account;
    for (const isAnswerFirst of [true, false]) {
      const ticket = { accountId, key: `both ${isAnswerFirst}`, owner: "a" };
      expect(await store.keys.take(ticket, "s", NOW + 1000, NOW)).toBe("taken");
      const writes = [
        () => store.keys.answer(ticket, "mine", NOW + 5000),
        () => store.keys.fail(ticket, failure, NOW),
      ];
      for (const write of isAnswerFirst ? writes : writes.reverse()) await write();
      const found = await store.keys.take({ ...ticket, owner: "b" }, "s", NOW + 2000, NOW + 1000);
      expect(found).toMatchObject({ owner: "a", answer: "mine", failure: null });
    }
  });

  test("tell of a failure those who waited for it, and let others take the key anew", async () => {
    const { accountId } = account;
    const ticket = (owner: string) => ({ accountId, key: "f", owner });
    const take = (owner: string, waitedFor?: string) =>
      store.keys.take(ticket(owner), "s", NOW + 1000, NOW, waitedFor);
    expect(await take("a")).toBe("taken");
    await store.keys.fail(ticket("stranger"), failure, NOW);
    expect(await take("b", "a")).toMatchObject({ owner: "a", failure: null });
    await store.keys.fail(ticket("a"), failure, NOW);
    expect(await store.keys.renew(ticket("a"), NOW + 9000)).toBe(false);
    expect(await take("b", "a")).toMatchObject({ owner: "a", failure });
    // Also where this one's time is not over by the clock of who asks.
    await store.sql.query("update draft_keys set lease_until = $1 where account_id = $2", [
      ...[NOW + 30_000, accountId],
    ]);
    expect(await take("c")).toBe("taken");
    expect(await take("b", "a")).toMatchObject({ owner: "c", failure: null });
    await store.keys.fail(ticket("c"), failure, NOW);
    expect(await take("b", "a")).toBe("taken");
    await store.keys.fail(ticket("b"), failure, NOW);
    await store.keys.forgetOld(NOW + 600_000);
    expect(await take("e", "b")).toBe("taken");
  });

  test("count a lease as over that lies further ahead than one lasts", async () => {
    const draft = await addDraft();
    const push = pushOf(draft);
    // Since then somebody has set the clock back.
    const nowMs = NOW - 3 * 3_600_000;
    const held = lease("mine", nowMs + 60_000);
    expect(await store.exclusiveJobs.take(draft.id, lease("dead"), NOW)).toBe("taken");
    expect(await store.exclusiveJobs.take(draft.id, held, nowMs)).toBe("taken");
    await store.exclusiveJobs.renew(draft.id, lease("mine"));
    const begun = { ...push, createdAtMs: nowMs, updatedAtMs: nowMs };
    expect(await store.pushes.add(begun, "box", lease("dead"), undefined)).toBe("added");
    await store.pushes.step(push, { state: "sending" }, lease("dead"), NOW);
    expect(await store.pushes.listAbandoned(nowMs, 1000)).toContain(push.id);
    expect(await store.pushes.take(push.id, held, nowMs)).toMatchObject({ id: push.id });
    // Of one that was just taken it is not.
    expect(await store.pushes.listAbandoned(nowMs, 1000)).not.toContain(push.id);
    expect(await store.pushes.take(push.id, lease("late"), nowMs)).toBeUndefined();
    await store.pushes.step(push, { state: "unknown" }, lease("mine"), nowMs);
    expect(await store.exclusiveJobs.take(draft.id, held, nowMs)).toBe("taken");
    await store.exclusiveJobs.renew(draft.id, lease("mine"));
    expect(await store.publicAccounts.remove(account.accountId, account.id, nowMs)).toBe(true);
  });

  test("count a key and the turn of a token as free in the same way", async () => {
    const nowMs = NOW - 3 * 3_600_000;
    const ticket = (owner: string) => ({ accountId: account.accountId, key: "back", owner });
    const take = (owner: string, atMs: number) =>
      store.keys.take(ticket(owner), "s", atMs + 60_000, atMs);
    expect(await take("dead", NOW)).toBe("taken");
    expect(await take("mine", nowMs)).toBe("taken");
    expect(await take("late", nowMs)).toMatchObject({ owner: "mine" });
    // What came of it is kept for longer than anybody holds it.
    await store.keys.answer(ticket("mine"), "told", NOW);
    expect(await take("late", nowMs)).toMatchObject({ answer: "told" });
    const token = { box: newId("box_"), appid: "wx", secretSum: "s" };
    const turn = (owner: string, atMs: number) =>
      store.tokens.takeLease(token, owner, atMs, atMs + 60_000);
    expect(await turn("dead", NOW)).toBe(true);
    expect(await turn("mine", nowMs)).toBe(true);
    expect(await turn("late", nowMs)).toBe(false);
  });

  test("let either a push or an exclusive job be at work on a draft", async () => {
    const draft = await addDraft();
    const push = pushOf(draft);
    const take = (owner: string, nowMs = NOW) =>
      store.exclusiveJobs.take(draft.id, lease(owner, nowMs + 60_000), nowMs);
    expect(await take("a")).toBe("taken");
    expect(await take("b")).toBe("busy");
    expect(await store.pushes.add(push, "box", lease("p"), undefined)).toBe("busy");
    expect(await store.publicAccounts.remove(account.accountId, account.id, NOW)).toBe(false);
    expect(await store.exclusiveJobs.renew(draft.id, lease("b"))).toBe(false);
    expect(await store.exclusiveJobs.renew(draft.id, lease("a", NOW + 90_000))).toBe(true);
    expect(await take("b", NOW + 60_000)).toBe("busy");
    await store.exclusiveJobs.end(draft.id, "b");
    expect(await take("b", NOW + 60_000)).toBe("busy");
    await store.exclusiveJobs.end(draft.id, "a");
    expect(await store.pushes.add(push, "box", lease("p"), undefined)).toBe("added");
    expect(await take("b")).toBe("busy");
    expect(await store.publicAccounts.remove(account.accountId, account.id, NOW)).toBe(false);
    // One that was left is for somebody to finish, however long ago that was.
    expect(await take("b", NOW + 999_999)).toBe("busy");
    await store.pushes.step(push, { state: "unknown" }, lease("p"), NOW);
    expect(await take("b")).toBe("busy");
    await store.pushes.release(push.id, "p");
    expect(await take("b")).toBe("taken");
    expect(await store.pushes.take(push.id, lease("q"), NOW)).toBeUndefined();
    await store.exclusiveJobs.end(draft.id, "b");
    expect(await store.pushes.take(push.id, lease("q"), NOW)).toMatchObject({ id: push.id });
    expect(await store.exclusiveJobs.take("drf_none", lease("a"), NOW)).toBe("gone");
  });

  test("call a draft in doubt whose exclusive job asked to publish it and is over without an end", async () => {
    const draft = await addDraft();
    const { accountId, id } = draft;
    const inBox = "update drafts set status = 'in_box', media_id = 'm' where id = $1";
    await store.sql.query(inBox, [id]);
    const take = (owner: string, nowMs: number) =>
      store.exclusiveJobs.take(id, lease(owner, nowMs + 60_000), nowMs);
    expect(await take("a", NOW)).toBe("taken");
    expect(await store.exclusiveJobs.submits(id, "b", NOW)).toBe(false);
    expect(await store.exclusiveJobs.submits(id, "a", NOW + 1)).toBe(true);
    expect(await store.drafts.find(accountId, id)).toMatchObject({ status: "in_box" });
    expect(await take("b", NOW + 60_000)).toBe("taken");
    const doubtful = { status: "publishing", publishId: null, publishDoubtUntilMs: NOW + 600_001 };
    expect(await store.drafts.find(accountId, id)).toMatchObject(doubtful);
    // That is said once, and of nothing that the next one has not asked for.
    await store.sql.query(inBox, [id]);
    expect(await take("c", NOW + 120_000)).toBe("taken");
    expect(await store.drafts.find(accountId, id)).toMatchObject({ status: "in_box" });
    await store.exclusiveJobs.submits(id, "c", NOW + 120_000);
    const update = { ...pushOf(draft), kind: "update", createdAtMs: NOW + 180_000 } as const;
    const lies = { mediaId: "m" };
    expect(await store.pushes.add(update, "box", lease("p"), undefined, lies)).toBe("stale");
    expect(await store.drafts.find(accountId, id)).toMatchObject({ status: "publishing" });
  });

  test("move and mark a draft only while that is true of it", async () => {
    const other = publicAccount(account.accountId, "other");
    await store.publicAccounts.add(other);
    const draft = await addDraft();
    const push = pushOf(draft);
    expect(await store.drafts.move(draft.id, other.id, NOW)).toBe(true);
    // A push of what was read before goes to the wrong box.
    expect(await store.pushes.add(push, "box", lease("a"), undefined)).toBe("stale");
    const moved = { ...push, publicAccountId: other.id };
    expect(await store.pushes.add(moved, "box", lease("a"), undefined)).toBe("added");
    expect(await store.drafts.move(draft.id, account.id, NOW)).toBe(false);
    const status = async () => (await store.drafts.find(account.accountId, draft.id))?.status;
    await store.drafts.change(draft.id, { mediaId: "m2" }, NOW);
    const seen = { id: draft.id, status: "in_box", mediaId: "m2" } as const;
    const gone = { status: "removed" } as const;
    await store.drafts.changeSeen(seen, gone, NOW);
    expect(await status()).toBe("pushing");
    await store.drafts.change(draft.id, { status: "in_box" }, NOW);
    await store.drafts.changeSeen({ ...seen, mediaId: "m1" }, gone, NOW);
    expect(await status()).toBe("in_box");
    await store.drafts.changeSeen(seen, gone, NOW);
    expect(await status()).toBe("removed");
  });

  test("know what pushes of a draft have put into the box, in their order by any clock", async () => {
    const draft = await addDraft();
    const [one, two] = [pushOf(draft), { ...pushOf(draft), createdAtMs: NOW - 5_000 }];
    const box = `${account.platformUrl} ${account.appid}`;
    await store.pushes.add(one, box, lease("a"), undefined);
    await store.pushes.step(one, { state: "done", mediaId: `1-${one.id}` }, lease("a"), NOW);
    await store.pushes.add(two, box, lease("b"), one.id);
    await store.pushes.step(two, { state: "done", mediaId: `2-${one.id}` }, lease("b"), NOW);
    expect(await store.pushes.latest(draft.id)).toMatchObject({ id: two.id });
    expect([...(await store.pushes.added(draft.id))].sort()).toEqual([
      `1-${one.id}`,
      `2-${one.id}`,
    ]);
    await addDraft({ mediaId: `1-${one.id}` });
    expect(await store.pushes.added(draft.id)).toEqual([`2-${one.id}`]);
  });

  test("have one open push for a draft, and let one process at a time take its steps", async () => {
    const draft = await addDraft();
    const push = pushOf(draft);
    expect(await store.pushes.add(push, "box", lease("a"), undefined)).toBe("added");
    expect(await store.pushes.add(pushOf(draft), "box", lease("b"), push.id)).toBe("busy");
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
    expect(await store.pushes.add(pushOf(draft), "box", lease("b"), undefined)).toBe("busy");
    expect(await store.pushes.add(pushOf(draft), "box", lease("b"), push.id)).toBe("stale");
    expect(
      await store.pushes.add(pushOf(draft), "box", lease("b"), push.id, { mediaId: "m1" }),
    ).toBe("added");
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
    await store.uploads.forget([key]);
    expect(await store.uploads.find(key)).toBeUndefined();
  });
});
