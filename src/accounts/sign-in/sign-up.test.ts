import { afterEach, beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { type Browser, PASSWORD } from "../../../test/support/browser.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { StorageError } from "../../lib/faults.ts";

onEngines("signing up on $name", (engine) => {
  const house = perSuite((parts) => peopleHouse(parts, { engine }));
  beforeAll(async () => {
    await house.operator("op@example.com");
  });
  beforeEach(() => {
    house.terms = { policy: "invite", credit: 0n };
  });

  const signUp = (email: string, name = "New", password = PASSWORD) => {
    const browser = house.visitor();
    const answer = browser.post("/api/auth/sign-up/email", { email, name, password });
    return { browser, answer };
  };
  type Me = { accounts: { id: string; role: string }[]; operator: boolean };

  test("needs an invitation, and says so whether or not the address is known", async () => {
    for (const policy of ["invite", "closed"] as const) {
      house.terms = { policy, credit: 0n };
      const unknown = await signUp("stranger@example.com").answer;
      const known = await signUp("op@example.com").answer;
      expect([unknown.status, await unknown.json()]).toEqual([known.status, await known.json()]);
      expect(unknown.status).toBe(403);
    }
    const people = await house.sql.query("select id from auth_user");
    expect(people).toHaveLength(1);
  });

  /** Signs up; resolves once the mail that goes out for it is there. */
  async function signedUp(email: string, password = PASSWORD) {
    const mails = house.mails.length;
    const { browser, answer } = signUp(email, "New", password);
    const response = await answer;
    await eventually("a mail goes out", async () => house.mails.length > mails);
    return { browser, response, token: house.lastToken() };
  }
  const confirm = (browser: Browser, token: string, password = PASSWORD) =>
    browser.post("/api/sign-up/confirm", { token, password });
  const verified = async (browser: Browser) =>
    ((await (await browser.get("/api/me")).json()) as { user: { email_verified: boolean } }).user
      .email_verified;

  test("where it is open, it opens an account that cannot be overrun, once it is confirmed", async () => {
    house.terms = { policy: "open", credit: 2_000_000_000n };
    const { browser, response, token } = await signedUp("first@example.com");
    expect([response.status, await response.json()]).toEqual([200, { status: "confirm" }]);
    expect((await browser.get("/api/me")).status).toBe(401);
    expect((await browser.signIn("first@example.com", PASSWORD)).status).toBe(401);
    expect(house.credits).toEqual([]);
    expect(house.mails.at(-1)).toMatchObject({ to: "first@example.com" });
    expect((await confirm(browser, token)).status).toBe(200);
    const me = (await (await browser.get("/api/me")).json()) as Me;
    expect(me).toMatchObject({ operator: false, accounts: [{ role: "owner" }] });
    const [{ id } = { id: "" }] = me.accounts;
    expect(await house.services.accounts.findAccount(id)).toMatchObject({
      hard: true,
      operator: false,
    });
    expect(house.credits).toMatchObject([{ accountId: id, amount: 2_000_000_000n, kind: "trial" }]);
    expect(await verified(browser)).toBe(true);
    expect((await confirm(house.visitor(), token)).status).toBe(404);
  });

  test("where it is open, whoever has invited the address waits for an answer like everybody", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    house.credits.length = 0;
    const stranger = await house.owner("stranger@example.com");
    const form = { email: "asked@example.com", role: "owner" };
    await stranger.browser.post(`/api/accounts/${stranger.accountId}/invitations`, form);
    const invitation = house.lastToken();
    const { browser, token } = await signedUp("asked@example.com");
    expect((await confirm(browser, token)).status).toBe(200);
    const accounts = async () => ((await (await browser.get("/api/me")).json()) as Me).accounts;
    const [own, ...others] = await accounts();
    expect(others).toEqual([]);
    expect(own?.id).not.toBe(stranger.accountId);
    expect(house.credits).toMatchObject([{ accountId: own?.id }]);
    // It is still open, for a yes of their own.
    const accepted = await browser.post("/api/invitations/accept", { token: invitation });
    expect(accepted.status).toBe(200);
    expect((await accounts()).map(({ id }) => id)).toContain(stranger.accountId);
  });

  test("gives no credit unless there is some", async () => {
    house.terms = { policy: "open", credit: 0n };
    house.credits.length = 0;
    const { browser, token } = await signedUp("second@example.com");
    expect((await confirm(browser, token)).status).toBe(200);
    expect(house.credits).toEqual([]);
  });

  test("answers the same for an address that has an identity, whose owner is told", async () => {
    house.terms = { policy: "open", credit: 0n };
    const fresh = await signedUp("third@example.com");
    await confirm(fresh.browser, fresh.token);
    const [unknown, known] = [
      await signedUp("unknown@example.com"),
      await signedUp("third@example.com"),
    ];
    const shape = async ({ response }: typeof known) => [
      response.status,
      await response.json(),
      [...response.headers.keys()].sort(),
    ];
    expect(await shape(known)).toEqual(await shape(unknown));
    expect(house.mails.at(-1)).toMatchObject({
      to: "third@example.com",
      subject: "You can already sign in to Faregate",
    });
    expect(house.mails.at(-1)?.text).not.toContain("ln-fg-");
    // Neither does what comes after it tell.
    const after = async (email: string) => {
      const response = await house.visitor().signIn(email, "a password of the prober");
      return [response.status, await response.json()];
    };
    expect(await after("third@example.com")).toEqual(await after("unknown@example.com"));
  });

  test("with an address that somebody else has written keeps its owner from nothing", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    const squatter = await signedUp("wanted@example.com", "password of a squatter");
    const owner = await signedUp("wanted@example.com");
    // The owner opens the wrong mail: without the squatter's password it makes nothing of theirs.
    const mistaken = await confirm(owner.browser, squatter.token);
    expect([mistaken.status, await mistaken.json()]).toMatchObject([
      400,
      { error: { param: "password" } },
    ]);
    expect((await confirm(owner.browser, owner.token)).status).toBe(200);
    expect((await confirm(squatter.browser, squatter.token, "password of a squatter")).status).toBe(
      404,
    );
    expect(
      (await house.visitor().signIn("wanted@example.com", "password of a squatter")).status,
    ).toBe(401);
    expect((await house.visitor().signIn("wanted@example.com", PASSWORD)).status).toBe(200);
  });

  test("ends an identity of before that nobody had confirmed, and all that it comes in with", async () => {
    house.terms = { policy: "open", credit: 0n };
    const { browser: squatter, accountId } = await house.owner("before@example.com");
    const { user } = (await (await squatter.get("/api/me")).json()) as { user: { id: string } };
    await house.sql.query(
      `insert into auth_passkey (id, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
       values ('pk', 'x', $1, 'c', 0, 'x', 0)`,
      [user.id],
    );
    const owner = await signedUp("before@example.com", "password of the owner");
    expect((await squatter.get("/api/me")).status).toBe(200);
    expect((await confirm(owner.browser, owner.token, "password of the owner")).status).toBe(200);
    expect((await squatter.get("/api/me")).status).toBe(401);
    expect((await house.visitor().signIn("before@example.com", PASSWORD)).status).toBe(401);
    expect(await house.sql.query("select id from auth_passkey")).toEqual([]);
    // Nobody is in the account of before who was only said to be somebody.
    expect(await house.services.memberships.ofUser(user.id)).toEqual([]);
    const me = (await (await owner.browser.get("/api/me")).json()) as Me;
    expect(me.accounts).toMatchObject([{ role: "owner" }]);
    expect(me.accounts[0]?.id).not.toBe(accountId);
    const records = await house.services.audit.list({ after: undefined, limit: 100 });
    expect(records).toContainEqual(
      expect.objectContaining({ action: "identity.end", target: user.id }),
    );
  });

  test("leaves out whoever signs in as that identity meanwhile, and whom it has let in", async () => {
    house.terms = { policy: "open", credit: 0n };
    const email = "raced@example.com";
    const squatter = await house.owner(email);
    const friend = await house.owner("friend@example.com");
    const form = { email: "friend@example.com", role: "owner" };
    await squatter.browser.post(`/api/accounts/${squatter.accountId}/invitations`, form);
    await friend.browser.post("/api/invitations/accept", { token: house.lastToken() });
    const { keyRights } = house.services;
    const late = house.visitor();
    const disable = keyRights.disableKeysOf.bind(keyRights);
    const disabling = spyOn(keyRights, "disableKeysOf").mockImplementation(async (userId) => {
      await late.signIn(email, PASSWORD);
      await disable(userId);
    });
    const owner = await signedUp(email, "password of the owner");
    expect((await confirm(owner.browser, owner.token, "password of the owner")).status).toBe(200);
    expect(disabling).toHaveBeenCalled();
    disabling.mockRestore();
    expect((await late.get("/api/me")).status).toBe(401);
    const [own] = ((await (await owner.browser.get("/api/me")).json()) as Me).accounts;
    const members = `/api/accounts/${own?.id}/members`;
    expect((await owner.browser.get(members)).status).toBe(200);
    expect((await friend.browser.get(members)).status).toBe(404);
  });

  test("ends nothing where the door was closed before the link was opened", async () => {
    const { browser } = await house.owner("stays@example.com");
    const late = await signUpBefore("stays@example.com");
    expect((await confirm(late.browser, late.token)).status).toBe(400);
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  test("never takes over who runs the installation", async () => {
    house.terms = { policy: "open", credit: 0n };
    const { response } = await signedUp("op@example.com");
    expect(await response.json()).toEqual({ status: "confirm" });
    expect(house.mails.at(-1)?.subject).toBe("You can already sign in to Faregate");
  });

  test("gives one mailbox one credit, whatever is written behind a plus or in capitals", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    house.credits.length = 0;
    const emails = ["farm@example.com", "farm+1@example.com", "FARM+two@Example.com"];
    for (const email of [...emails, "farmer@example.com"]) {
      const { browser, token } = await signedUp(email);
      expect((await confirm(browser, token)).status).toBe(200);
    }
    // The ledger credits an id once.
    const ids = house.credits.map(({ id }) => id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(2);
    expect(ids[3]).not.toBe(ids[0] ?? "");
    expect(JSON.stringify(ids)).not.toContain("farm");
  });

  test("makes nothing for a link that is made up, late, or opened after the door was closed", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    const { browser, token } = await signedUp("careful@example.com");
    house.credits.length = 0;
    expect((await confirm(browser, "ln-fg-made-up")).status).toBe(404);
    house.laterMs = 25 * 3_600_000;
    expect((await confirm(browser, token)).status).toBe(404);
    house.laterMs = 0;
    house.terms = { policy: "closed", credit: 1_000_000_000n };
    const late = await signUpBefore("later@example.com");
    expect((await confirm(late.browser, late.token)).status).toBe(400);
    expect(house.credits).toEqual([]);
    const stored = await house.sql.query("select * from pending_sign_ups");
    expect(JSON.stringify(stored)).not.toContain(token);
  });
  async function signUpBefore(email: string) {
    house.terms = { policy: "open", credit: 0n };
    const made = await signedUp(email);
    house.terms = { policy: "closed", credit: 0n };
    return made;
  }

  /** Everything that somebody has who came by this address. */
  async function placeOf(browser: Browser, email: string) {
    const { accounts } = (await (await browser.get("/api/me")).json()) as Me;
    const people = await house.sql.query("select id from auth_user where email = $1", [email]);
    const credits = house.credits.map(({ id, accountId }) => `${id} ${accountId}`);
    return { accounts, people: people.length, credits: new Set(credits).size };
  }
  const WHOLE = { accounts: [{ role: "owner" }], people: 1, credits: 1 };

  test("keeps the link where the account could not be opened, and opens one by it later", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    house.credits.length = 0;
    const { browser, token } = await signedUp("unlucky@example.com");
    house.opening = () => Promise.reject(new StorageError("not now"));
    expect((await confirm(browser, token)).status).toBe(503);
    house.opening = undefined;
    expect((await confirm(browser, token)).status).toBe(200);
    expect(await placeOf(browser, "unlucky@example.com")).toMatchObject(WHOLE);
    const again = house.visitor();
    expect((await again.signIn("unlucky@example.com", PASSWORD)).status).toBe(200);
    expect(await placeOf(again, "unlucky@example.com")).toMatchObject(WHOLE);
  });

  /** What a process that has ended was waiting for; the suite cannot end before that is over. */
  let ended: PromiseWithResolvers<never> | undefined;
  afterEach(() => {
    ended?.reject(new StorageError("the process has ended"));
    ended = undefined;
  });

  /** A sign-up whose process has ended while its account was opened: what it did then goes no further. */
  async function killed(email: string): Promise<string> {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    house.credits.length = 0;
    const { browser, token } = await signedUp(email);
    const reached = Promise.withResolvers<void>();
    const waiting = Promise.withResolvers<never>();
    ended = waiting;
    house.opening = () => {
      reached.resolve();
      return waiting.promise;
    };
    confirm(browser, token).catch(() => {});
    await reached.promise;
    house.opening = undefined;
    return token;
  }

  test("places whoever signs in after a process has ended on the way, once", async () => {
    await killed("killed@example.com");
    for (let times = 0; times < 2; times++) {
      const browser = house.visitor();
      expect((await browser.signIn("killed@example.com", PASSWORD)).status).toBe(200);
      expect(await placeOf(browser, "killed@example.com")).toMatchObject(WHOLE);
    }
    const about = { actor: "killed@example.com", action: "account.create" };
    expect(await house.services.audit.list({ after: undefined, limit: 10 }, about)).toHaveLength(1);
  });

  test("is finished by another one where a process has ended on the way", async () => {
    const token = await killed("again@example.com");
    expect((await confirm(house.visitor(), token)).status).toBe(404);
    const other = await signedUp("again@example.com", "another good password");
    expect((await confirm(other.browser, other.token, "another good password")).status).toBe(200);
    expect(await placeOf(other.browser, "again@example.com")).toMatchObject(WHOLE);
    const signIn = (password: string) => house.visitor().signIn("again@example.com", password);
    expect((await signIn(PASSWORD)).status).toBe(401);
    expect((await signIn("another good password")).status).toBe(200);
  });

  test("gives nobody a second account who has left the first, or came by a link", async () => {
    house.terms = { policy: "open", credit: 0n };
    const { browser: guest } = await house.owner("leaves@example.com");
    const { browser: founder, token } = await signedUp("goes@example.com");
    await confirm(founder, token);
    for (const [browser, email] of [
      [guest, "leaves@example.com"],
      [founder, "goes@example.com"],
    ] as const) {
      const { user } = (await (await browser.get("/api/me")).json()) as { user: { id: string } };
      await house.services.memberships.leaveAll(user.id);
      const again = house.visitor();
      expect((await again.signIn(email, PASSWORD)).status).toBe(200);
      expect(await placeOf(again, email)).toMatchObject({ accounts: [] });
    }
  });

  test("somebody who was invited has opened no account, and gets no credit for one", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    const mails = house.mails.length;
    house.credits.length = 0;
    await house.owner("guest@example.com");
    expect(house.mails).toHaveLength(mails);
    const email = "guest@example.com";
    await house.visitor().post("/api/auth/request-password-reset", { email });
    await eventually("a mail goes out", async () => house.mails.length > mails);
    const token = /reset-password#(\S+)/.exec(house.mails.at(-1)?.text ?? "")?.[1] ?? "";
    const form = { token, newPassword: "another good password" };
    expect((await house.visitor().post("/api/auth/reset-password", form)).status).toBe(200);
    expect(house.credits).toEqual([]);
  });

  test.each([
    ["a short password", "third@example.com", "New", "short"],
    ["no address", "not an address", "New", PASSWORD],
    ["a name of control characters", "third@example.com", "a\u0000b", PASSWORD],
    ["an endless name", "third@example.com", "n".repeat(101), PASSWORD],
  ])("refuses %s", async (_what, email, name, password) => {
    house.terms = { policy: "open", credit: 0n };
    const { status } = await signUp(email, name, password).answer;
    expect(status).toBe(400);
  });
});

onEngines("signing up without a mail server on $name", (engine) => {
  const house = perSuite((parts) => peopleHouse(parts, { engine, mailless: true }));

  test("answers the same for every address; the new one signs in at once", async () => {
    house.terms = { policy: "open", credit: 0n };
    const signUp = async (email: string, password = PASSWORD) => {
      const body = { email, name: "New", password };
      const response = await house.visitor().post("/api/auth/sign-up/email", body);
      const { user, ...rest } = (await response.json()) as { user: object };
      return [response.status, rest, Object.keys(user).sort(), response.headers.getSetCookie()];
    };
    const fresh = await signUp("new@example.com");
    expect(await signUp("new@example.com", "another good password")).toEqual(fresh);
    expect((await house.visitor().signIn("new@example.com", PASSWORD)).status).toBe(200);
    expect((await house.visitor().signIn("new@example.com", "another good password")).status).toBe(
      401,
    );
  });
});
