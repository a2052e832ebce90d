// Lists of rows that were all made in one moment: each is there once, in the order of making, however
// few fit on a page.
import { beforeAll, expect, test } from "bun:test";
import { Accounts } from "../../src/accounts/accounts.ts";
import { Memberships } from "../../src/accounts/people/members.ts";
import { OperatorTokens } from "../../src/accounts/people/operator-tokens.ts";
import { peopleStores } from "../../src/accounts/tables/open.ts";
import { TryWindowsTable } from "../../src/accounts/tables/try-windows.ts";
import {
  NEWEST_PLACE,
  placeToText,
  readPlace,
  statementPage,
} from "../../src/console/usage/statement.ts";
import type { Draft, Push } from "../../src/drafts/draft.ts";
import { openDraftBoxStore } from "../../src/drafts/tables/open.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Sql } from "../../src/lib/sql/sql.ts";
import { Codes } from "../../src/payments/codes.ts";
import { newOrder } from "../../src/payments/orders.ts";
import { openPaymentsStore } from "../../src/payments/tables/open.ts";
import type { PublicAccount as PlatformAccount } from "../../src/platform/account.ts";
import type { StoredArticle } from "../../src/platform/draftbox/draft.ts";
import type { StoredMedia } from "../../src/platform/media/media.ts";
import { newRid } from "../../src/platform/protocol/rid.ts";
import { MediaRows } from "../../src/platform/tables/media.ts";
import { openPlatformStore } from "../../src/platform/tables/open.ts";
import { PublishingRows } from "../../src/platform/tables/publishing.ts";
import { ROOMS } from "../../src/store/migrations/rooms.ts";
import { operatorBooks } from "../../src/store/money-reads/operator-books.ts";
import { onEngines, tablesOn } from "../store/engines.ts";
import { admitted, customer } from "../store/samples.ts";
import { happened } from "../store/traffic.ts";
import { perSuite } from "../support/houses/house.ts";
import { SILENT } from "../support/logs.ts";
import { VAULT } from "../support/vault.ts";

const NOW = 1_800_000_000_000;
const clock = () => NOW;
/** Few enough to be quick, too many to be in order by chance. */
const ROWS = 9;
const ROOMY = 1_000_000;

interface PagePosition {
  /** The cursor of the last row that was read. */
  readonly after: string | undefined;
  readonly offset: number;
}

interface Row {
  /** What `make` called it. */
  readonly name: string;
  readonly cursor?: string;
}

interface List {
  readonly name: string;
  readonly oldestFirst?: true;
  /** Whether it comes as a whole. */
  readonly whole?: true;
  /** Rows are made one after the other, because the database counts them. */
  readonly inTurn?: true;
  make(): Promise<string>;
  read(position: PagePosition, limit: number): Promise<readonly Row[]>;
}

const byId = (rows: readonly { readonly id: string }[]): Row[] =>
  rows.map(({ id }) => ({ name: id, cursor: id }));

async function made({ inTurn, make }: List): Promise<string[]> {
  if (!inTurn) return Promise.all(Array.from({ length: ROWS }, make));
  const names: string[] = [];
  while (names.length < ROWS) names.push(await make());
  return names;
}

async function walked(list: List, limit: number): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  for (;;) {
    const read = await list.read({ after, offset: found.length }, limit);
    const page = list.whole ? read : read.slice(0, limit);
    found.push(...page.map(({ name }) => name));
    if (list.whole || page.length === 0 || found.length > 3 * ROWS) return found;
    after = page.at(-1)?.cursor;
  }
}

async function expectInOrder(list: List): Promise<void> {
  const names = await made(list);
  const wanted = list.oldestFirst ? names : names.toReversed();
  for (const limit of list.whole ? [ROWS] : [1, 2, ROWS]) {
    expect({ limit, names: await walked(list, limit) }).toEqual({ limit, names: wanted });
  }
}

function listsOfPeople(sql: Sql): List[] {
  const stores = peopleStores(sql, clock);
  const memberships = new Memberships(sql, VAULT, clock);
  const { audit } = stores;
  const tokens = new OperatorTokens({ store: stores.tokens, memberships, audit, clock });
  const house = { id: "acct_house", name: "", operator: true, enabled: true, hard: false };
  const account = { ...house, overdraft: 0n, createdAtMs: NOW };
  const principal = { userId: undefined, name: "a test", operator: true };
  let changes = 0;
  return [
    {
      name: "the audit log",
      async make() {
        const target = `target ${++changes}`;
        await stores.audit.write({ principal, accountId: "acct", action: "key.create", target });
        return target;
      },
      read: async ({ after }, limit) =>
        (await stores.audit.list({ after, limit }, { accountId: "acct" })).map(
          ({ id, target }) => ({
            name: target,
            cursor: id,
          }),
        ),
    },
    {
      name: "operator tokens",
      whole: true,
      make: async () => (await tokens.create({ name: "one" }, principal)).token.id,
      read: async () => byId(await tokens.list()),
    },
    {
      name: "invitations",
      whole: true,
      oldestFirst: true,
      async make() {
        const form = { email: "a@b.c", role: "member", operator: false, invitedBy: "me" } as const;
        return (await memberships.invite(account, form)).invitation.id;
      },
      read: async () => byId(await memberships.invitationsOf(account.id)),
    },
  ];
}

function listsOfPayments(sql: Sql): List[] {
  const store = openPaymentsStore(sql);
  const ledger = { credit: async () => true, debit: async () => "done" } as never;
  const codes = new Codes({
    ...{ store: store.codes, ledger, clock, log: SILENT },
    tries: new TryWindowsTable(sql),
    audit: { write: async () => {} },
  });
  const form = { count: 1, amount: "5", expiresAtMs: null, note: "" };
  return [
    {
      name: "orders",
      async make() {
        const asked = {
          accountId: "acct",
          provider: "test",
          amount: 1n,
          automatic: false,
        } as const;
        const order = newOrder(asked, { currency: "usd", minor: 1n }, NOW);
        await store.orders.add(order);
        return order.id;
      },
      read: async ({ after }, limit) => byId(await store.orders.list("acct", after, limit)),
    },
    {
      name: "batches of codes",
      make: async () => (await codes.createBatch(form)).batch.id,
      read: async ({ after }, limit) => byId(await codes.listBatches(after, limit)),
    },
  ];
}

function listsOfDrafts(sql: Sql): List[] {
  const store = openDraftBoxStore(sql);
  const times = { createdAtMs: NOW, updatedAtMs: NOW };
  const addDraft = async (accountId: string) => {
    const id = newId("drf_");
    const draft: Draft = {
      ...{ id, accountId, publicAccountId: "pub", articles: [], version: 1, writing: [] },
      ...{ pushedVersion: null, mediaId: null, status: "local", publishId: null, ...times },
      publishDoubtUntilMs: null,
    };
    await store.drafts.add(draft, "me", ROOMY);
    return id;
  };
  let pushed: Promise<string> | undefined;
  return [
    {
      name: "public accounts",
      whole: true,
      oldestFirst: true,
      async make() {
        const id = newId("pub_");
        await store.publicAccounts.add({
          ...{ id, name: id, accountId: "acct", kind: "wechat", appid: "wx1", sealedSecret: "s" },
          ...{ platformUrl: null, isDefault: false, theme: null, author: null },
          ...{ publishAllowed: false, createdAtMs: NOW },
        });
        return id;
      },
      read: async () => byId(await store.publicAccounts.list("acct")),
    },
    {
      name: "drafts",
      make: () => addDraft("acct"),
      read: async ({ after }, limit) => byId(await store.drafts.list("acct", after, limit)),
    },
    {
      name: "pushes of a draft",
      whole: true,
      inTurn: true,
      async make() {
        pushed ??= addDraft("acct_pushing");
        const draftId = await pushed;
        const push: Push = {
          ...{ id: newId("psh_"), accountId: "acct_pushing", draftId, publicAccountId: "pub" },
          ...{ kind: "add", version: 1, state: "planned", request: null, ends: 0 },
          ...{ sends: 0, sentAtMs: null, mediaId: null },
          ...{ refusal: null, doubt: null, receipt: null },
          ...times,
        };
        const lease = { owner: "me", untilMs: NOW };
        const last = await store.pushes.latest(draftId);
        await store.pushes.add(push, "box", lease, last?.id);
        await store.pushes.step(push, { state: "done" }, lease, NOW);
        return push.id;
      },
      read: async () => byId(await store.pushes.list((await pushed) ?? "", ROWS)),
    },
  ];
}

const STORED: StoredArticle = {
  ...{ article_type: "news", title: "t", author: "", digest: "", content: "c" },
  ...{ content_source_url: "", thumb_media_id: "T", show_cover_pic: 0 },
  ...{ need_open_comment: 0, only_fans_can_comment: 0 },
};

/** Names as the platform gives them, which say nothing of when they were given. */
const chance = () => crypto.randomUUID();

function listsOfPlatform(sql: Sql): List[] {
  const store = openPlatformStore(sql);
  const media = new MediaRows(sql);
  const addDraft = async (appid: string) => {
    const mediaId = chance();
    const articles = [{ submitted: {}, stored: STORED }];
    const draft = { mediaId, articles, createdAtMs: NOW, updatedAtMs: NOW };
    await store.drafts.add(appid, draft, ROOMY);
    return mediaId;
  };
  return [
    {
      name: "accounts of the platform",
      whole: true,
      oldestFirst: true,
      inTurn: true,
      async make() {
        const account: PlatformAccount = {
          ...{ appid: chance(), owner: "acct", name: "n", type: "other", verified: true },
          ...{ comments: true, product: "ok", networks: [], frozen: false },
          ...{ callback: null, createdAtMs: NOW },
        };
        await store.accounts.add({ account, sealedSecret: "s", isSandbox: false });
        return account.appid;
      },
      read: async () =>
        (await store.accounts.list("acct")).map(({ account }) => ({ name: account.appid })),
    },
    {
      name: "calls of the platform",
      whole: true,
      async make() {
        const rid = newRid(NOW);
        await store.calls.add({
          ...{ rid, appid: "wx1", at: NOW, cost_ms: 0, method: "GET", path: "/", url: "/" },
          ...{ request_body: "", response_body: "", client_ip: "::1", errcode: 0, field: null },
        });
        return rid;
      },
      read: async () => (await store.calls.list("wx1", ROWS)).map(({ rid }) => ({ name: rid })),
    },
    {
      name: "drafts in the box",
      inTurn: true,
      make: () => addDraft("wx1"),
      read: async ({ offset }, limit) =>
        (await store.drafts.list("wx1", offset, limit)).map(({ mediaId }) => ({ name: mediaId })),
    },
    {
      name: "material",
      inTurn: true,
      async make() {
        const media_id = chance();
        const file: StoredMedia = {
          ...{ media_id, appid: "wx1", keeping: "permanent", type: "image", file_name: "a.png" },
          ...{ format: "png", bytes: 1, title: "", introduction: "", public_id: media_id },
          ...{ created_at: NOW, expires_at: null },
        };
        await media.add(file, new Uint8Array(1), ROOMY);
        return media_id;
      },
      read: async ({ offset }, limit) =>
        (await media.list("wx1", "image", offset, limit)).map((row) => ({ name: row.media_id })),
    },
    listOfPublications(sql, () => addDraft("wx2")),
  ];
}

function listOfPublications(sql: Sql, addDraft: () => Promise<string>): List {
  const publishing = new PublishingRows(sql);
  return {
    name: "publications",
    inTurn: true,
    async make() {
      const publishId = crypto.getRandomValues(new Uint32Array(1))[0] as number;
      await publishing.submit({
        ...{ publish_id: publishId, appid: "wx2", media_id: await addDraft(), origin: "o" },
        ...{ outcome: 0, failed: [], submitted_at: NOW, due_at: NOW },
      });
      return (await publishing.finish(publishId, chance(), 0, NOW))?.articleId ?? "";
    },
    read: async ({ offset }, limit) =>
      (await publishing.list("wx2", offset, limit)).map(({ articleId }) => ({ name: articleId })),
  };
}

onEngines("made in one moment, on $name", (engine) => {
  const opened = perSuite((parts) => tablesOn(parts, engine, ...ROOMS));
  let lists: List[];
  beforeAll(() => {
    const rooms = [listsOfPeople, listsOfPayments, listsOfDrafts, listsOfPlatform];
    lists = rooms.flatMap((room) => room(opened.sql));
  });

  test.each([
    ...["the audit log", "operator tokens", "invitations", "orders", "batches of codes"],
    ...["public accounts", "drafts", "pushes of a draft", "accounts of the platform"],
    ...["calls of the platform", "drafts in the box", "material", "publications"],
  ])("%s: each row once, in the order of making", async (name) => {
    const list = lists.find((each) => each.name === name);
    if (!list) throw new Error(`there is no list of ${name}`);
    await expectInOrder(list);
  });

  test("a publication of which a part was deleted is the newest", async () => {
    const publishing = new PublishingRows(opened.sql);
    const [first, second, ...others] = await publishing.list("wx2", 0, ROWS);
    if (!first || !second) throw new Error("nothing is published");
    await publishing.setDeleted({ ...second, articles: [STORED, STORED] }, [1], NOW);
    const ids = (await publishing.list("wx2", 0, ROWS)).map(({ articleId }) => articleId);
    expect(ids).toEqual([second, first, ...others].map(({ articleId }) => articleId));
  });
});

onEngines("money of one moment, on $name", (engine) => {
  const site = perSuite(engine.site);

  test("accounts, keys and holds are listed in the order of making, each once", async () => {
    const store = await site.open();
    const { reader } = await site.reads();
    const size = async () => ({ engine: "sqlite", bytes: 1, parts: [] }) as const;
    const books = operatorBooks(reader, size);
    const accounts = new Accounts(store.accounts, clock, 0);
    await expectInOrder({
      name: "accounts",
      make: async () => (await accounts.createAccount("one")).id,
      read: async ({ after }, limit) => byId(await books.accounts({ after, limit }, undefined)),
    });
    const [{ id: accountId } = { id: "" }] = await store.accounts.listAccounts();
    await expectInOrder({
      name: "keys",
      whole: true,
      oldestFirst: true,
      make: async () => (await accounts.createKey(accountId, { name: "k" }))?.id ?? "",
      read: async () => byId(await store.accounts.listKeys(accountId)),
    });
    const key = await customer(store, { credit: 1_000n });
    await expectInOrder({
      name: "holds",
      make: async () => (await admitted(store, key, 1n)).requestId,
      read: async ({ after }, limit) => byId(await books.holds({ after, limit })),
    });
  });
});

onEngines("pages of one moment, on $name", (engine) => {
  const site = perSuite(engine.site);

  test("requests and lines of a statement are listed in the order of making, each once", async () => {
    const store = await site.open();
    const { reads } = await site.reads();
    const key = await customer(store, { credit: 0n });
    const { accountId } = key;
    let credits = 0;
    await expectInOrder({
      name: "lines of a statement",
      inTurn: true,
      async make() {
        const note = `credit ${++credits}`;
        const [id, kind, createdAtMs] = [newId("ref_"), "topup" as const, NOW];
        await store.ledger.credit({ id, accountId, amount: 9n, kind, note, createdAtMs });
        return note;
      },
      async read({ after }, limit) {
        const position = after === undefined ? NEWEST_PLACE : readPlace(after);
        const page = position && (await statementPage(reads, accountId, position, limit));
        const next = page?.next ? placeToText(page.next) : "nothing";
        return page?.lines.map(({ note }) => ({ name: note, cursor: next })) ?? [];
      },
    });
    await expectInOrder({
      name: "requests",
      inTurn: true,
      make: async () => (await happened(store, { key, atMs: NOW })).requestId,
      read: async ({ after: beforeId }, limit) =>
        byId((await reads.listRequests({ accountId, limit, beforeId })).rows),
    });
    const other = await customer(store, { credit: 100n });
    const filter = { accountId: other.accountId, keyId: other.id };
    await expectInOrder({
      name: "requests of a key",
      inTurn: true,
      make: async () => (await happened(store, { key: other, atMs: NOW })).requestId,
      read: async ({ after: beforeId }, limit) =>
        byId((await reads.listRequests({ ...filter, limit, beforeId })).rows),
    });
  });
});
