// Who may not invite any more, or was a member, leaves no link behind by which they, or whoever they have told it, come in.
import { expect, spyOn, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { type Browser, bodyOf, PASSWORD } from "../../../test/support/browser.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { StorageError } from "../../lib/faults.ts";
import { withdrawLost } from "./withdrawal.ts";

onEngines("invitations on $name", (engine) => {
  const house = perSuite((parts) => peopleHouse(parts, { engine }));

  let people = 0;
  /** An account of somebody who stays, and an owner beside them. */
  async function owners() {
    const number = ++people;
    const staying = await house.owner(`staying${number}@example.com`);
    const email = `going${number}@example.com`;
    const base = `/api/accounts/${staying.accountId}`;
    await invite(staying.browser, base, email);
    const going = house.visitor();
    const details = { token: house.lastToken(), name: email, password: PASSWORD };
    await bodyOf(going.post("/api/invitations/accept", details));
    const { user } = await bodyOf<{ user: { id: string } }>(going.get("/api/me"));
    return { staying: staying.browser, going, base, email, userId: user.id };
  }

  const invite = (by: Browser, base: string, email: string) =>
    bodyOf(by.post(`${base}/invitations`, { email, role: "owner" }));

  async function invited(by: Browser, base: string) {
    const email = `guest${++people}@example.com`;
    await invite(by, base, email);
    return { email, token: house.lastToken() };
  }

  const isOpen = async ({ token }: { token: string }) =>
    (await house.visitor().post("/api/invitations/open", { token })).status === 200;

  /** An invitation of somebody whom the test names. */
  async function invitedAs(by: Browser, base: string, details: object) {
    await bodyOf(by.post(`${base}/invitations`, { role: "owner", ...details }));
    return { token: house.lastToken() };
  }

  const acceptAgain = async (browser: Browser, { token }: { token: string }) =>
    (await browser.post("/api/invitations/accept", { token })).status;

  const linesAbout = async (email: string) => {
    const filter = { action: "invitation.withdraw" };
    const records = await house.services.audit.list({ after: undefined, limit: 20 }, filter);
    return records.filter(({ detail }) => detail.email === email).map(({ actor }) => actor);
  };

  test("of one address end with the one that it accepts, in that account alone", async () => {
    const { staying, base } = await owners();
    const elsewhere = await owners();
    const email = `twice${++people}@example.com`;
    const first = await invitedAs(staying, base, { email });
    const another = await invitedAs(elsewhere.staying, elsewhere.base, { email });
    const second = await invitedAs(staying, base, { email });
    const twice = house.visitor();
    const form = { ...second, name: "Twice", password: PASSWORD };
    await bodyOf(twice.post("/api/invitations/accept", form));
    expect([await isOpen(first), await isOpen(another)]).toEqual([false, true]);
    expect(await linesAbout(email)).toEqual([email]);
    const { user } = await bodyOf<{ user: { id: string } }>(twice.get("/api/me"));
    await bodyOf(staying.send("DELETE", `${base}/members/${user.id}`));
    expect(await acceptAgain(twice, first)).toBe(404);
    expect(await acceptAgain(twice, another)).toBe(200);
  });

  test("to somebody who is removed or leaves do not bring them back", async () => {
    for (const by of ["staying", "going"] as const) {
      const { base, email, userId, ...browsers } = await owners();
      const again = await invitedAs(browsers.staying, base, { email });
      expect(await isOpen(again)).toBe(true);
      await bodyOf(browsers[by].send("DELETE", `${base}/members/${userId}`));
      expect(await acceptAgain(browsers.going, again)).toBe(404);
      expect(await linesAbout(email)).toHaveLength(1);
      // Whoever is asked once more comes back.
      const wanted = await invitedAs(browsers.staying, base, { email });
      expect(await acceptAgain(browsers.going, wanted)).toBe(200);
    }
  });

  test("to somebody who gets another role end with the one of before", async () => {
    const { staying, going, base, email, userId } = await owners();
    const again = await invitedAs(staying, base, { email });
    await bodyOf(staying.send("PATCH", `${base}/members/${userId}`, { role: "viewer" }));
    expect(await isOpen(again)).toBe(false);
    await bodyOf(going.send("DELETE", `${base}/members/${userId}`));
    expect(await acceptAgain(going, again)).toBe(404);
  });

  test("to run the installation make nobody an operator who is one no more", async () => {
    const operator = await house.operator("first-op@example.com");
    const details = { email: "second-op@example.com", operator: true };
    const first = await invitedAs(operator, operators(), details);
    const second = await invitedAs(operator, operators(), details);
    const former = house.visitor();
    const form = { ...second, name: "Second", password: PASSWORD };
    await bodyOf(former.post("/api/invitations/accept", form));
    const third = await invitedAs(operator, operators(), details);
    const { user } = await bodyOf<{ user: { id: string } }>(former.get("/api/me"));
    await bodyOf(operator.send("DELETE", `${operators()}/members/${user.id}`));
    expect([await acceptAgain(former, first), await acceptAgain(former, third)]).toEqual([
      404, 404,
    ]);
    expect(await house.services.memberships.isOperator(user.id)).toBe(false);
  });

  test("of an owner who is removed end with them, those of others do not", async () => {
    const { staying, going, base, userId } = await owners();
    const [theirs, others] = [await invited(going, base), await invited(staying, base)];
    await bodyOf(staying.send("DELETE", `${base}/members/${userId}`));
    expect([await isOpen(theirs), await isOpen(others)]).toEqual([false, true]);
    const { data } = await bodyOf<{ data: { email: string }[] }>(
      staying.get(`${base}/invitations`),
    );
    expect(data.map(({ email }) => email)).toEqual([others.email]);
    const records = await house.services.audit.list({ after: undefined, limit: 10 });
    const detail = { email: theirs.email };
    expect(records).toContainEqual(
      expect.objectContaining({ action: "invitation.withdraw", detail }),
    );
  });

  test("of an owner who becomes a member end, and stay where they are an owner", async () => {
    const { staying, going, base, email, userId } = await owners();
    const elsewhere = await owners();
    await invite(elsewhere.staying, elsewhere.base, email);
    await bodyOf(going.post("/api/invitations/accept", { token: house.lastToken() }));
    const [here, there] = [await invited(going, base), await invited(going, elsewhere.base)];
    await bodyOf(staying.send("PATCH", `${base}/members/${userId}`, { role: "member" }));
    expect([await isOpen(here), await isOpen(there)]).toEqual([false, true]);
  });

  test("to run the installation end with an operator who runs it no more", async () => {
    const operator = await house.operator("op@example.com");
    const former = await house.operator("former@example.com");
    const base = `/api/accounts/${house.operatorAccount.id}`;
    const details = { email: "next@example.com", role: "owner", operator: true };
    await bodyOf(former.post(`${base}/invitations`, details));
    const invitation = { token: house.lastToken() };
    const { user } = await bodyOf<{ user: { id: string } }>(former.get("/api/me"));
    await bodyOf(operator.send("PATCH", `${base}/members/${user.id}`, { operator: false }));
    expect(await isOpen(invitation)).toBe(false);
  });

  /** An operator, and an invitation that a token of theirs has sent. */
  async function invitedByToken(email: string) {
    const operator = await house.operator(email);
    const { secret } = await bodyOf(operator.post("/api/operator/tokens", { name: "ci" }));
    const sent = await fetch(`${house.url}${operators()}/invitations`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ email: `second.${email}`, role: "owner" }),
    });
    expect(await sent.json()).toMatchObject({ invited_by: "token ci" });
    const { user } = await bodyOf<{ user: { id: string } }>(operator.get("/api/me"));
    return { userId: user.id, invitation: { token: house.lastToken() } };
  }

  const operators = () => `/api/accounts/${house.operatorAccount.id}`;

  test("that a token has sent end with the operator whose it is", async () => {
    const staying = await house.operator("keeper@example.com");
    const { userId, invitation } = await invitedByToken("caller@example.com");
    expect(await isOpen(invitation)).toBe(true);
    await bodyOf(staying.send("DELETE", `${operators()}/members/${userId}`));
    expect(await isOpen(invitation)).toBe(false);
  });

  test("that a token has sent end when its operator turns out to be somebody else", async () => {
    const { userId, invitation } = await invitedByToken("stranger@example.com");
    await house.services.memberships.withdrawAllOf(userId);
    expect(await isOpen(invitation)).toBe(false);
  });

  test("that a program of before has sent end with the person whom they name", async () => {
    const { staying, going, base, userId } = await owners();
    const theirs = await invited(going, base);
    // It does not know whose id to write.
    await house.sql.query("update invitations set sender_id = null");
    await bodyOf(staying.send("DELETE", `${base}/members/${userId}`));
    expect(await isOpen(theirs)).toBe(false);
  });

  const linesOf = async (target: string) => {
    const page = { after: undefined, limit: 10 };
    return (await house.services.audit.list(page, { target })).map(({ action }) => action);
  };

  test("end with a removal, and it is in the log, though the keys cannot be reached", async () => {
    const { staying, going, base, userId } = await owners();
    const theirs = await invited(going, base);
    const narrowing = spyOn(house.services.keyRights, "narrowKeysOf");
    narrowing.mockRejectedValueOnce(new StorageError("the money store is away"));
    const remove = async () => (await staying.send("DELETE", `${base}/members/${userId}`)).status;
    expect([await remove(), await remove()]).toEqual([503, 404]);
    expect(await isOpen(theirs)).toBe(false);
    expect(await linesOf(userId)).toContain("member.remove");
    // Who asks again has the keys narrowed, too.
    expect(narrowing).toHaveBeenCalledTimes(2);
    narrowing.mockRestore();
  });

  test("of somebody who was removed by a program of before end at the next start", async () => {
    const { staying, going, base, userId } = await owners();
    const [theirs, others] = [await invited(going, base), await invited(staying, base)];
    const details = { email: "x@example.com", role: "owner", operator: false } as const;
    const { operatorAccount, services } = house;
    const { token } = await services.memberships.invite(operatorAccount, {
      ...details,
      invitedBy: "token of nobody",
    });
    await house.sql.query("delete from members where user_id = $1", [userId]);
    await withdrawLost(services);
    const open = await Promise.all([theirs, others, { token }].map(isOpen));
    expect(open).toEqual([false, true, true]);
    const records = await services.audit.list({ after: undefined, limit: 10 });
    const detail = { email: theirs.email };
    expect(records).toContainEqual(
      expect.objectContaining({ action: "invitation.withdraw", actor: "Faregate", detail }),
    );
  });

  test("of somebody whose address turns out to be another's end, whoever comes then", async () => {
    // Nobody has confirmed this address: the link was handed over.
    const email = "squatted@example.com";
    const { browser, accountId } = await house.owner(email);
    const theirs = await invited(browser, `/api/accounts/${accountId}`);
    const real = house.visitor();
    const mails = house.mails.length;
    await bodyOf(real.post("/api/auth/request-password-reset", { email }));
    await eventually("a mail goes out", async () => house.mails.length > mails);
    const token = /reset-password#(\S+)/.exec(house.mails.at(-1)?.text ?? "")?.[1] ?? "";
    const details = { token, newPassword: "another good password" };
    await bodyOf(real.post("/api/auth/reset-password", details));
    expect(await isOpen(theirs)).toBe(false);
  });

  test("of an identity that ends are gone with it", async () => {
    house.terms = { policy: "open", credit: 0n };
    const email = "ended@example.com";
    const { browser, accountId } = await house.owner(email);
    const theirs = await invited(browser, `/api/accounts/${accountId}`);
    const real = house.visitor();
    const form = { email, name: "Real", password: PASSWORD };
    const mails = house.mails.length;
    await bodyOf(real.post("/api/auth/sign-up/email", form));
    await eventually("a mail goes out", async () => house.mails.length > mails);
    const details = { token: house.lastToken(), password: PASSWORD };
    await bodyOf(real.post("/api/sign-up/confirm", details));
    expect(await isOpen(theirs)).toBe(false);
  });
});
