import { describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { PublicAccount } from "../account.ts";
import type { BoxedDraft, StoredArticle } from "../draftbox/draft.ts";
import { openPlatformStore, type PlatformStore } from "./open.ts";
import type { KeptToken } from "./tokens.ts";
import { PLATFORM_TABLES } from "./versions.ts";

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const ROOMY = 1_000_000;

describe.each(ENGINES)("the tables of the platform on $name", (engine) => {
  const tables = perSuite((parts) => tablesOn(parts, engine, PLATFORM_TABLES));
  const store = perSuite(() => openPlatformStore(tables.sql));
  const other = perSuite(async () => openPlatformStore(await tables.again()));

  let made = 0;
  const account = (changes: Partial<PublicAccount> = {}): PublicAccount => ({
    appid: `wx${++made}`,
    owner: `acct_${made}`,
    name: "n",
    type: "subscription",
    verified: true,
    comments: true,
    product: "ok",
    networks: [],
    frozen: false,
    callback: null,
    createdAtMs: NOW,
    ...changes,
  });

  test("an account comes back as it was, and as it was changed", async () => {
    const first = account({ networks: ["10.0.0.0/8"], callback: "https://e.cn" });
    const kept = { account: first, sealedSecret: "s", isSandbox: false };
    expect(await store.accounts.add(kept)).toBe(true);
    expect(await store.accounts.add(kept)).toBe(false);
    expect(await other.accounts.find(first.appid)).toEqual(kept);
    const changes = {
      name: "m",
      type: "other",
      product: "off",
      frozen: true,
      verified: false,
      comments: false,
      networks: [],
      callback: null,
    } as const;
    expect(await store.accounts.change(first.appid, changes)).toBe(true);
    expect((await other.accounts.find(first.appid))?.account).toEqual({ ...first, ...changes });
    expect(await store.accounts.change("wx_none", { frozen: true })).toBe(false);
    expect(await store.accounts.change("wx_none", {})).toBe(false);
  });

  test("an owner has one sandbox", async () => {
    const mine = account();
    const add = (store: PlatformStore, changed: Partial<PublicAccount>) =>
      store.accounts.add({
        account: account({ owner: mine.owner, ...changed }),
        sealedSecret: "s",
        isSandbox: true,
      });
    const done = await Promise.all([add(store, {}), add(other, {}), add(store, {})]);
    expect(done.filter(Boolean)).toHaveLength(1);
    expect((await store.accounts.findSandbox(mine.owner))?.account.owner).toBe(mine.owner);
    expect(await store.accounts.findSandbox("acct_none")).toBeUndefined();
    expect(await store.accounts.list(mine.owner)).toHaveLength(1);
    expect((await store.accounts.list(undefined)).length).toBeGreaterThan(1);
  });

  const token = (appid: string, changes: Partial<KeptToken> = {}): KeptToken => ({
    hash: `hash_${++made}`,
    sealed: "sealed",
    appid,
    kind: "normal",
    sets: [11, 100],
    createdAtMs: NOW,
    expiresAtMs: NOW + 1,
    supersededAtMs: undefined,
    forced: false,
    ...changes,
  });

  test("a newer token supersedes those of its kind, once", async () => {
    const [first, second, third] = [
      token("wx_t"),
      token("wx_t", { createdAtMs: NOW + 5 }),
      token("wx_t", { createdAtMs: NOW + 9 }),
    ];
    const alone = token("wx_t", { kind: "third-party" });
    await store.tokens.add(alone);
    for (const one of [first, second, third]) await store.tokens.supersede(one);
    expect(await other.tokens.find(first.hash)).toEqual({ ...first, supersededAtMs: NOW + 5 });
    expect(await other.tokens.find(second.hash)).toEqual({ ...second, supersededAtMs: NOW + 9 });
    expect(await other.tokens.find(third.hash)).toEqual(third);
    expect(await other.tokens.find(alone.hash)).toEqual(alone);
    await store.tokens.removeExpired(NOW + 2);
    expect(await store.tokens.find(third.hash)).toBeUndefined();
  });

  test("of stable tokens that are made at once, one is the one", async () => {
    const mine = () => token("wx_s", { kind: "stable" });
    const [one, two] = await Promise.all([
      store.tokens.addStable(mine(), undefined),
      other.tokens.addStable(mine(), undefined),
    ]);
    expect(one.hash).toBe(two.hash);
    const forced = token("wx_s", { kind: "stable", forced: true, createdAtMs: NOW + 7 });
    expect((await store.tokens.addStable(forced, one.hash)).hash).toBe(forced.hash);
    expect((await store.tokens.find(one.hash))?.supersededAtMs).toBe(NOW + 7);
    expect(await other.tokens.newestStable("wx_s")).toEqual({ token: forced, forcedAtMs: NOW + 7 });
    expect(await store.tokens.newestStable("wx_none")).toEqual({
      token: undefined,
      forcedAtMs: undefined,
    });
  });

  test("a quota is counted to its end and not beyond, by everybody together", async () => {
    const count = (from: PlatformStore) => from.quotas.count("wx_q", "publish_delete", NOW);
    const done = await Promise.all(
      Array.from({ length: 16 }, (_, i) => count(i % 2 ? store : other)),
    );
    expect(done.filter(Boolean)).toHaveLength(10);
    expect(await store.quotas.used("wx_q", "publish_delete", NOW)).toBe(10);
    expect(await store.quotas.used("wx_q", "publish_delete", NOW + DAY_MS)).toBe(0);
    await store.quotas.setUsed("wx_q", "draft_get", 3, NOW);
    expect(await store.quotas.clear("wx_q", NOW)).toBe(true);
    expect(await store.quotas.used("wx_q", "draft_get", NOW)).toBe(0);
  });

  test("calls are found by their id, listed and forgotten", async () => {
    const call = (rid: string, at: number) => ({
      rid,
      appid: "wx_c",
      at,
      cost_ms: 1,
      method: "POST",
      path: "/p",
      url: "u",
      request_body: "字",
      response_body: "r",
      client_ip: "::1",
      errcode: -1,
      field: "title",
    });
    await store.calls.add(call("r1", NOW));
    await store.calls.add({ ...call("r2", NOW + 1), appid: null, field: null });
    await store.calls.add(call("r3", NOW + 2));
    expect(await other.calls.find("r1")).toEqual(call("r1", NOW));
    expect((await other.calls.find("r2"))?.appid).toBeNull();
    expect((await store.calls.list(undefined, 2)).map(({ rid }) => rid)).toEqual(["r3", "r2"]);
    expect((await store.calls.list("wx_c", 9)).map(({ rid }) => rid)).toEqual(["r3", "r1"]);
    await store.calls.removeOutside(NOW + 2, NOW + 3);
    expect(await store.calls.find("r2")).toBeUndefined();
    expect(await store.calls.find("r3")).toBeDefined();
  });

  test("only the newest calls of an account, or of nobody, are left", async () => {
    const call = (rid: string, appid: string | null, at: number) => ({
      ...{ rid, appid, at, cost_ms: 1, method: "POST", path: "/p", url: "u", errcode: 0 },
      ...{ request_body: "", response_body: "", client_ip: "::1", field: null },
    });
    for (let i = 0; i < 5; i++) {
      await store.calls.add(call(`t${i}`, "wx_t", NOW + 10 + i));
      await store.calls.add(call(`n${i}`, null, NOW + 10 + i));
    }
    await other.calls.trim("wx_t", 2, NOW + 20);
    expect((await store.calls.list("wx_t", 9)).map(({ rid }) => rid)).toEqual(["t4", "t3"]);
    expect(await store.calls.find("n0")).toBeDefined();
    await other.calls.trim(null, 3, NOW + 20);
    expect(await store.calls.find("n1")).toBeUndefined();
    expect(await store.calls.find("n2")).toBeDefined();
    expect(await store.calls.list("wx_t", 9)).toHaveLength(2);
  });

  const stored: StoredArticle = {
    article_type: "news",
    title: "标题\u0000\ud800",
    author: "",
    digest: "",
    content: "<p>x</p>",
    content_source_url: "",
    thumb_media_id: "T",
    show_cover_pic: 0,
    need_open_comment: 0,
    only_fans_can_comment: 1,
  };
  const draft = (mediaId: string, count = 1): BoxedDraft => ({
    mediaId,
    articles: Array.from({ length: count }, (_, i) => ({
      submitted: { title: `${mediaId} ${i}` },
      stored,
    })),
    createdAtMs: NOW,
    updatedAtMs: NOW,
  });

  test("a draft comes back as it was, articles in order", async () => {
    const mine = draft("m_many", 12);
    expect(await store.drafts.add("wx_d", mine, ROOMY)).toBe(true);
    expect(await other.drafts.find("wx_d", "m_many")).toEqual(mine);
    expect(await other.drafts.find("wx_e", "m_many")).toBeUndefined();
  });

  test("an account keeps no more drafts than it may", async () => {
    const article = (chars: number) => ({ submitted: { a: "x".repeat(chars) }, stored });
    const sized = (mediaId: string, chars: number) => ({
      ...draft(mediaId),
      articles: [article(chars)],
    });
    expect(await store.drafts.add("wx_f", sized("f1", 1_000), 3_000)).toBe(true);
    expect(await store.drafts.add("wx_f", sized("f2", 3_000), 3_000)).toBe(false);
    expect(await store.drafts.count("wx_f")).toBe(1);
    const replace = (chars: number) =>
      store.drafts.replace("wx_f", "f1", 0, article(chars), 3_000, NOW);
    expect(await replace(3_000)).toBe("full");
    expect(await store.drafts.find("wx_f", "f1")).toEqual(sized("f1", 1_000));
    expect(await replace(2_000)).toBe("replaced");
    expect(await store.drafts.add("wx_f", sized("f3", 1_000), 3_000)).toBe(false);
    expect(await store.drafts.remove("wx_f", "f1")).toBe(true);
    expect(await store.drafts.add("wx_f", sized("f3", 1_000), 3_000)).toBe(true);
  });

  test("drafts are listed by their last change; a removed one is gone", async () => {
    for (const id of ["l1", "l2", "l3"]) await store.drafts.add("wx_l", draft(id, 2), ROOMY);
    const ids = async (offset: number, limit: number) =>
      (await other.drafts.list("wx_l", offset, limit)).map(({ mediaId }) => mediaId);
    expect(await ids(0, 2)).toEqual(["l3", "l2"]);
    const article = { submitted: { title: "new" }, stored: { ...stored, title: "new" } };
    const replaced = await store.drafts.replace("wx_l", "l1", 1, article, ROOMY, NOW + 9);
    expect(replaced).toBe("replaced");
    expect(await ids(0, 9)).toEqual(["l1", "l3", "l2"]);
    const changed = await other.drafts.find("wx_l", "l1");
    expect(changed?.articles[1]).toEqual(article);
    expect(changed?.articles[0]?.submitted.title).toBe("l1 0");
    expect(changed).toMatchObject({ createdAtMs: NOW, updatedAtMs: NOW + 9 });
    expect(await store.drafts.replace("wx_l", "l1", 2, article, ROOMY, NOW)).toBe("gone");
    expect(await store.drafts.replace("wx_x", "l1", 0, article, ROOMY, NOW)).toBe("gone");
    expect(await store.drafts.remove("wx_x", "l1")).toBe(false);
    expect(await store.drafts.remove("wx_l", "l1")).toBe(true);
    expect(await store.drafts.remove("wx_l", "l1")).toBe(false);
    expect(await other.drafts.count("wx_l")).toBe(2);
    expect(await ids(1, 1)).toEqual(["l2"]);
  });

  test("a product card keeps its key", async () => {
    const ids = { appid: "wx_p", product_id: "1", article_type: "news" };
    const card = { ...ids, card_type: 0, created_at: NOW };
    expect(await store.products.add({ ...card, key: "k1" })).toBe("k1");
    expect(await other.products.add({ ...card, key: "k2" })).toBe("k1");
    expect(await store.products.has("wx_p", "k1")).toBe(true);
    expect(await store.products.has("wx_q", "k1")).toBe(false);
    expect(await store.products.has("wx_p", "k2")).toBe(false);
  });
});
