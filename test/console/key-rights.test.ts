// A key may do in its account what the person who made it may do now, and no more.
import { describe, expect, spyOn, test } from "bun:test";
import { Accounts } from "../../src/accounts/accounts.ts";
import { KeyRights } from "../../src/accounts/keys/key-rights.ts";
import { peopleStores } from "../../src/accounts/tables/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { onEngines } from "../store/engines.ts";
import { type Browser, bodyOf } from "../support/browser.ts";
import { Parts, perFile } from "../support/houses/house.ts";
import { wholeApp } from "../support/houses/whole-app.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { eventually } from "../support/waiting.ts";

const house = await perFile(wholeConsole);
const operator = await house.operator("op@example.com");
const account = await house.account(operator, "Mine");
const base = `/api/accounts/${account}`;
const owner = await house.person(operator, account, "owner", "owner@example.com");

let people = 0;
async function person(role: string) {
  const email = `${role}${++people}@example.com`;
  const browser = await house.person(operator, account, role, email);
  const { user } = await bodyOf<{ user: { id: string } }>(browser.get("/api/me"));
  return { browser, email, id: user.id };
}

async function keyOf(browser: Browser, form: object = { account_read: true }) {
  const made = await bodyOf(browser.post(`${base}/keys`, { name: "k", ...form }));
  return { id: String(made.id), secret: String(made.secret) };
}

function call(secret: string, method: string, path: string, body?: unknown) {
  return fetch(`${house.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const ACCOUNTS = "/wechat/accounts";
// Drafts go on to the sandbox: this one is at an address where nobody listens.
const REAL = {
  ...{ appid: "wx1", secret: "s3cret", platform_url: "http://127.0.0.1:9" },
  is_default: false,
};

let publicAccounts = 0;
const newPublicAccount = async (by: string) =>
  bodyOf(call(by, "POST", ACCOUNTS, { ...REAL, name: `real${++publicAccounts}` }));

const ownerKey = await keyOf(owner);
// Whoever looks first opens the sandbox, where drafts go from then on.
await bodyOf(call(ownerKey.secret, "GET", ACCOUNTS));

/** The statuses of every change of public accounts by a key. */
async function changes(secret: string): Promise<number[]> {
  const { id } = await newPublicAccount(ownerKey.secret);
  const made = await call(secret, "POST", ACCOUNTS, { ...REAL, name: `more${++publicAccounts}` });
  const changed = await call(secret, "PATCH", `${ACCOUNTS}/${id}`, { secret: "another" });
  const removed = await call(secret, "DELETE", `${ACCOUNTS}/${id}`);
  return [made, changed, removed].map(({ status }) => status);
}

const draft = { title: "Cranes", markdown: "Cranes **stay**." };

test("a member's key changes no public account, whatever it may read", async () => {
  const { browser } = await person("member");
  const { secret } = await keyOf(browser);
  expect(await changes(secret)).toEqual([403, 403, 403]);
  expect((await call(secret, "GET", ACCOUNTS)).status).toBe(200);
  expect((await call(secret, "POST", "/drafts", draft)).status).toBe(200);
  const refusal = (await (await call(secret, "POST", ACCOUNTS, REAL)).json()) as JsonObject;
  expect(refusal.error).toMatchObject({
    code: "permission_denied",
    message: "This call needs the role owner; the maker of this key has the role member.",
  });
});

test("an owner's key does, and one that was made on the command line", async () => {
  expect(await changes(ownerKey.secret)).toEqual([200, 200, 200]);
  const operators = await keyOf(operator);
  expect(await changes(operators.secret)).toEqual([200, 200, 200]);
  const { secret } = await house.commandKey(account);
  expect(await changes(secret)).toEqual([200, 200, 200]);
});

test("a key follows what becomes of who made it", async () => {
  const { browser, id } = await person("owner");
  const { secret } = await keyOf(browser);
  const become = (role: string) => owner.send("PATCH", `${base}/members/${id}`, { role });
  expect(await changes(secret)).toEqual([200, 200, 200]);
  await bodyOf(become("member"));
  expect(await changes(secret)).toEqual([403, 403, 403]);
  expect((await call(secret, "POST", "/drafts", draft)).status).toBe(200);
  await bodyOf(become("viewer"));
  expect((await call(secret, "POST", "/drafts", draft)).status).toBe(403);
  expect((await call(secret, "GET", "/drafts")).status).toBe(200);
  expect((await call(secret, "GET", "/credits")).status).toBe(200);
  await bodyOf(become("owner"));
  expect(await changes(secret)).toEqual([200, 200, 200]);
});

test("a key of somebody who was removed sees and changes nothing of the account", async () => {
  const { browser, id } = await person("owner");
  const key = await keyOf(browser);
  expect((await call(key.secret, "GET", "/credits")).status).toBe(200);
  await bodyOf(owner.send("DELETE", `${base}/members/${id}`));
  expect(await changes(key.secret)).toEqual([403, 403, 403]);
  for (const path of ["/drafts", ACCOUNTS, "/credits"]) {
    expect([path, (await call(key.secret, "GET", path)).status]).toEqual([path, 403]);
  }
  // Models are the account's to call, until somebody disables the key: only its balance is missing.
  const models = await call(key.secret, "GET", "/models");
  const { error } = (await models.json()) as { error: { type: string } };
  expect([models.status, error.type]).toEqual([400, "budget_exceeded"]);
  // Somebody who gives it the account again answers for it from then on.
  await bodyOf(owner.send("PATCH", `${base}/keys/${key.id}`, { account_read: true }));
  expect(await changes(key.secret)).toEqual([200, 200, 200]);
});

describe("of a key that somebody else has made, who is removed after they had another secret", () => {
  const rotate = async (by: Browser, id: string, overlap_seconds = 0) => {
    const path = `${base}/keys/${id}/rotate`;
    return String((await bodyOf(by.post(path, { overlap_seconds }))).secret);
  };

  async function rotatedByRemoved() {
    const { id } = await keyOf(owner);
    const removed = await person("owner");
    const secret = await rotate(removed.browser, id);
    expect((await call(secret, "GET", "/credits")).status).toBe(200);
    await bodyOf(owner.send("DELETE", `${base}/members/${removed.id}`));
    return { id, secret };
  }

  test("sees and changes nothing of the account, until somebody answers for it", async () => {
    const { id, secret } = await rotatedByRemoved();
    expect(await changes(secret)).toEqual([403, 403, 403]);
    for (const path of ["/drafts", ACCOUNTS, "/credits"]) {
      expect([path, (await call(secret, "GET", path)).status]).toEqual([path, 403]);
    }
    await bodyOf(owner.send("PATCH", `${base}/keys/${id}`, { account_read: true }));
    expect(await changes(secret)).toEqual([200, 200, 200]);
  });

  test("keeps nobody from the account when their secret has ended", async () => {
    const { id, secret } = await rotatedByRemoved();
    const another = await rotate(owner, id, 3_600);
    expect((await call(another, "GET", "/drafts")).status).toBe(403);
    await bodyOf(owner.send("DELETE", `${base}/keys/${id}/former-secrets`));
    expect((await call(another, "GET", "/drafts")).status).toBe(200);
    expect((await call(secret, "GET", "/drafts")).status).toBe(401);
  });
});

test("a secret of somebody who was removed stays shut out while it works beside another's", async () => {
  const { browser, id } = await person("owner");
  const key = await keyOf(browser);
  await bodyOf(owner.send("DELETE", `${base}/members/${id}`));
  await bodyOf(owner.post(`${base}/keys/${key.id}/rotate`, { overlap_seconds: 3_600 }));
  expect((await call(key.secret, "GET", "/drafts")).status).toBe(403);
});

test("a key may no more than who had its secret may by now", async () => {
  const { id } = await keyOf(owner);
  const demoted = await person("owner");
  const path = `${base}/keys/${id}/rotate`;
  const secret = String((await bodyOf(demoted.browser.post(path, { overlap_seconds: 0 }))).secret);
  expect(await changes(secret)).toEqual([200, 200, 200]);
  await bodyOf(owner.send("PATCH", `${base}/members/${demoted.id}`, { role: "member" }));
  expect(await changes(secret)).toEqual([403, 403, 403]);
});

/** What a key may read of a customer's account that belongs to no other account of its maker. */
async function operatorsKey(email: string) {
  const browser = await house.operator(email);
  const me = await bodyOf<{ user: { id: string }; accounts: { id: string }[] }>(
    browser.get("/api/me"),
  );
  const key = await keyOf(browser);
  expect((await call(key.secret, "GET", "/credits")).status).toBe(200);
  return { ...key, member: `/api/accounts/${me.accounts[0]?.id}/members/${me.user.id}` };
}
const readsAccount = async ({ id }: { id: string }) =>
  (await bodyOf(owner.get(`${base}/keys/${id}`))).account_read;

test("keys of an operator who is put out lose the accounts of customers", async () => {
  const key = await operatorsKey("gone@example.com");
  await bodyOf(operator.send("DELETE", key.member));
  expect((await call(key.secret, "GET", "/credits")).status).toBe(403);
  expect(await readsAccount(key)).toBe(false);
});

test("so do keys of an operator who stays as a member", async () => {
  const key = await operatorsKey("demoted@example.com");
  await bodyOf(operator.send("PATCH", key.member, { operator: false }));
  expect((await call(key.secret, "GET", "/credits")).status).toBe(403);
  expect(await readsAccount(key)).toBe(false);
});

type Look = (...args: unknown[]) => Promise<void>;

/**
 * The write of a key that comes behind this look at who may waits, as for a slow database; resolves
 * with what lets it go on, once it has come to that.
 */
function writeHeldBehind(look: "noteMaker" | "widen"): Promise<() => void> {
  const came = Promise.withResolvers<() => void>();
  const rights = KeyRights.prototype as unknown as Record<string, Look>;
  const real = rights[look] as Look;
  const spy = spyOn(rights, look);
  spy.mockImplementation(async function (this: unknown, ...args) {
    spy.mockRestore();
    await real.apply(this, args);
    await new Promise<void>((goOn) => came.resolve(goOn));
  });
  return came.promise;
}

describe("somebody who is removed while", () => {
  test("a key of theirs is being made has none that reads the account", async () => {
    const { browser, id } = await person("owner");
    const coming = writeHeldBehind("noteMaker");
    const making = keyOf(browser);
    const goOn = await coming;
    await bodyOf(owner.send("DELETE", `${base}/members/${id}`));
    goOn();
    const key = await making;
    expect((await call(key.secret, "GET", "/credits")).status).toBe(403);
    expect(await readsAccount(key)).toBe(false);
  });

  test("they widen a key has none either", async () => {
    const { browser, id } = await person("owner");
    const key = await keyOf(browser, { account_read: false });
    const coming = writeHeldBehind("widen");
    const widening = browser.send("PATCH", `${base}/keys/${key.id}`, { account_read: true });
    const goOn = await coming;
    await bodyOf(owner.send("DELETE", `${base}/members/${id}`));
    goOn();
    expect(await bodyOf(widening)).toMatchObject({ account_read: false });
    expect((await call(key.secret, "GET", "/credits")).status).toBe(403);
  });
});

test("a member does not widen a key of somebody who may more", async () => {
  const { browser } = await person("member");
  const narrow = await keyOf(owner, { account_read: false });
  const path = `${base}/keys/${narrow.id}`;
  const widened = await browser.send("PATCH", path, { account_read: true });
  expect(widened.status).toBe(403);
  expect(await widened.json()).toMatchObject({ error: { param: "account_read" } });
  expect((await browser.send("PATCH", path, { name: "renamed" })).status).toBe(200);
  expect(await changes(narrow.secret)).toEqual([403, 403, 403]);
});

test("agents are held to it too", async () => {
  const { browser, id } = await person("member");
  const { secret } = await keyOf(browser);
  const tool = async (name: string, args: object) => {
    const response = await fetch(`${house.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${secret}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name, arguments: args },
      }),
    });
    return response.text();
  };
  expect(await tool("draft_add", draft)).toContain('"isError":false');
  await bodyOf(owner.send("PATCH", `${base}/members/${id}`, { role: "viewer" }));
  expect(await tool("draft_add", draft)).toContain("permission_denied");
  expect(await tool("account_doctor", {})).toContain("permission_denied");
  expect(await tool("draft_list", {})).toContain('"isError":false');
  await bodyOf(owner.send("DELETE", `${base}/members/${id}`));
  expect(await tool("draft_list", {})).toContain("permission_denied");
});

test("what keys change of public accounts is in the audit log, with the key and its person", async () => {
  const { browser, email, id } = await person("owner");
  const { id: key, secret } = await keyOf(browser);
  const made = await newPublicAccount(secret);
  await bodyOf(call(secret, "PATCH", `${ACCOUNTS}/${made.id}`, { secret: "another" }));
  await bodyOf(call(secret, "DELETE", `${ACCOUNTS}/${made.id}`));
  const log = await bodyOf<{ data: JsonObject[] }>(operator.get("/api/operator/audit?limit=100"));
  const rows = log.data.filter(({ target }) => target === made.id);
  const actor = {
    user_id: id,
    actor: `key k …${secret.slice(-4)} of ${email}`,
    account_id: account,
  };
  expect(rows).toMatchObject([
    { ...actor, action: "public_account.delete", detail: { key } },
    { ...actor, action: "public_account.change", detail: { key, fields: ["secret"] } },
    { ...actor, action: "public_account.create", detail: { key } },
  ]);
  expect(JSON.stringify(rows)).not.toContain("another");
});

// People are in one database and keys in another: a crash may come between the two.
onEngines("after a start on $name", (engine) => {
  test("keys of those who are gone have lost the account, those of members have not", async () => {
    await using parts = new Parts();
    const site = await engine.site(parts);
    const { store, stop } = await wholeApp(parts, site);
    const accounts = new Accounts(store.accounts, systemClock, 0);
    const { id: accountId } = await accounts.createAccount("of a customer");
    const { keyMakers, members } = peopleStores(store.sql, systemClock);
    const madeBy = async (userId: string) => {
      const made = await accounts.createKey(accountId, { name: userId, accountRead: true });
      await keyMakers.set(made?.id ?? "", userId);
      return made?.id ?? "";
    };
    const member = { userId: "usr_a_member", role: "viewer", operator: false } as const;
    await members.add({ accountId, ...member }, 1);
    const [kept, left] = [await madeBy(member.userId), await madeBy("usr_gone")];
    await stop();
    const again = await wholeApp(parts, site);
    const reads = async (id: string) => (await again.store.accounts.describeKey(id))?.accountRead;
    await eventually("the key has lost the account", async () => (await reads(left)) === false);
    expect(await reads(kept)).toBe(true);
  });
});
