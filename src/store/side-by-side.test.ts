// An older program and a newer one on one database: what the newer one has only added, the older one does not
// notice, and what it has taken away keeps the older one out.
import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../test/store/engines.ts";
import {
  columnsForAll,
  contractedBy,
  expandedBy,
  openedWith,
} from "../../test/store/other-versions.ts";
import {
  account,
  admitted,
  credit,
  failureOf,
  key,
  post,
  raise,
  refusal,
  request,
  voidHold,
} from "../../test/store/samples.ts";
import { perTest } from "../../test/support/houses/house.ts";
import type { NewKey } from "../accounts/account.ts";
import type { ConsoleStore } from "../console/store.ts";
import { newId } from "../lib/ids.ts";
import type { Store } from "./store.ts";

const NOW_MS = Date.now();
const SPAN = { nowMs: NOW_MS, expiresAtMs: NOW_MS + 1_000_000 };
const NO_CAP = 1_000_000_000;
/** As many as make each connection prepare what it is asked. */
const AT_ONCE = 4;

async function everyRead(store: Store, reads: ConsoleStore, made: NewKey) {
  const { accountId } = made;
  expect(await store.accounts.findAccount(accountId)).toMatchObject({ id: accountId });
  await store.accounts.operatorAccount();
  expect(await store.accounts.listAccounts()).not.toEqual([]);
  expect(await store.accounts.listKeys(accountId)).toHaveLength(1);
  expect(await store.accounts.describeKey(made.id)).toMatchObject({ id: made.id });
  expect(await store.accounts.findKey(made.hash)).toBeDefined();
  expect(await reads.listRequests({ accountId, limit: 3 })).toMatchObject({ next: null });
}

async function storeAnswers(store: Store, { id: keyId, accountId }: NewKey): Promise<void> {
  const turn = {
    id: newId("resp_"),
    accountId,
    keyId,
    parentId: null,
    createdAtMs: NOW_MS,
    expiresAtMs: SPAN.expiresAtMs,
    itemIds: [newId("msg_")],
    body: new Uint8Array([1, 2]),
  };
  await store.conversations.save(turn, NO_CAP);
  expect(await store.conversations.find(turn.id, { accountId }, NOW_MS)).toEqual(turn);
  const asked = { keyId, value: "v", accountId, requestId: newId("req_"), fingerprint: "f" };
  expect(await store.keptAnswers.claim(asked, SPAN)).toMatchObject({ state: "running" });
  const answer = { ...SPAN, body: new Uint8Array([3]), accountBytesMax: NO_CAP };
  expect(await store.keptAnswers.keepAnswer(asked, answer)).toBe(true);
}

/** What a server does with its database while it serves and shows pages. */
async function serveOne(store: Store, reads: ConsoleStore): Promise<void> {
  const owner = account();
  await store.accounts.createAccount(owner);
  await credit(store, owner.id, 1_000n);
  const made = key(owner.id);
  await store.accounts.createKey(made);
  const asked = await admitted(store, made, 10n);
  await raise(store, asked, 20n);
  await post(store, asked, 5n);
  await voidHold(store, await admitted(store, made, 10n));
  await store.ledger.refuse(refusal(request(made, 1n)));
  await everyRead(store, reads, made);
  await storeAnswers(store, made);
  expect(await store.ledger.recover()).toEqual([]);
  expect(await store.ledger.balance(owner.id)).toMatchObject({ charged: 5n, held: 0n });
}

const serveSome = (store: Store, reads: ConsoleStore) =>
  Promise.all(Array.from({ length: AT_ONCE }, () => serveOne(store, reads)));

describe.each(ENGINES)("two versions on $name", (engine) => {
  const here = perTest(async (parts) => ({ site: await engine.site(parts) }));

  test("serve side by side when the newer one has only added something", async () => {
    const { site } = here;
    const older = await site.open();
    const { reads } = await site.reads();
    await serveSome(older, reads);
    const text = await columnsForAll(site);
    await openedWith(site, (tables) => expandedBy(tables, text));
    await serveSome(older, reads);
    expect((await older.ledger.verify()).problems).toEqual([]);
    // It may also start, and leaves the tables to the newer one.
    await older.close();
    const again = await site.open();
    await serveSome(again, reads);
    expect((await again.ledger.verify()).problems).toEqual([]);
    const failure = await failureOf(openedWith(site, (tables) => expandedBy(tables, "select 1")));
    expect(failure.message).toContain("of the tables of money was applied with another text");
  });

  test("do not share what the newer one has taken something from", async () => {
    const { site } = here;
    await (await site.open()).close();
    await openedWith(site, (tables) =>
      contractedBy(tables, "alter table holds drop column channel"),
    );
    const failure = await failureOf(site.open());
    expect(failure.name).toBe("UnfitDatabaseError");
    expect(failure.message).toContain("The tables of money were written by a newer Faregate");
    expect(failure.message).toContain("Upgrade this one");
  });
});
