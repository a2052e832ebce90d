// Invitations and members, where somebody tries more than they may.
import { expect, test } from "bun:test";
import { createEmailVerificationToken } from "better-auth/api";
import { onEngines } from "../../../test/store/engines.ts";
import { type Browser, PASSWORD } from "../../../test/support/browser.ts";
import { faultOf } from "../../../test/support/errors.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";
import { VAULT } from "../../../test/support/vault.ts";
import { TryWindowsTable } from "../tables/try-windows.ts";
import { InvitationLimit } from "./invitation-limit.ts";

const HOUR_MS = 3_600_000;

onEngines("guests on $name", (engine) => {
  const house = perSuite((parts) => peopleHouse(parts, { engine }));
  const operator = perSuite(() => house.operator());

  const invite = (by: Browser, accountId: string, email: string, role = "viewer") =>
    by.post(`/api/accounts/${accountId}/invitations`, { email, role });

  async function joined(by: Browser, accountId: string, email: string, role: string) {
    await invite(by, accountId, email, role);
    const browser = house.visitor();
    const person = { token: house.lastToken(), name: email, password: PASSWORD };
    expect((await browser.post("/api/invitations/accept", person)).status).toBe(200);
    return browser;
  }

  test("an owner who does not run the installation puts nobody out who does", async () => {
    const { id } = house.operatorAccount;
    const owner = await joined(operator, id, "co-owner@example.com", "owner");
    const members = `/api/accounts/${id}/members`;
    const { data } = (await (await owner.get(members)).json()) as {
      data: { id: string; email: string }[];
    };
    const idOf = (email: string) => data.find((member) => member.email === email)?.id ?? "";
    await house.operator("second-op@example.com");
    const path = `${members}/${idOf("op@example.com")}`;
    expect((await owner.send("DELETE", path)).status).toBe(403);
    expect((await owner.send("PATCH", path, { role: "viewer" })).status).toBe(403);
    const own = `${members}/${idOf("co-owner@example.com")}`;
    expect((await owner.send("PATCH", own, { role: "viewer" })).status).toBe(200);
    expect((await operator.send("DELETE", own)).status).toBe(200);
  });

  test("an owner invites so many in an hour, and an operator as many as it takes", async () => {
    const { browser, accountId } = await house.owner("busy@example.com");
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) {
      statuses.push((await invite(browser, accountId, `guest${i}@example.com`)).status);
    }
    expect(statuses.slice(0, 30).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    expect((await invite(operator, accountId, "one-more@example.com")).status).toBe(200);
    // Another instance knows of it too, as does the same one after a rest.
    const elsewhere = (laterMs: number) =>
      new InvitationLimit(new TryWindowsTable(house.sql), () => Date.now() + laterMs);
    const tooMany = { code: "rate_limit_exceeded" };
    expect(await faultOf(elsewhere(0).spend(accountId))).toMatchObject(tooMany);
    const nextHour = Array.from({ length: 31 }, () => elsewhere(HOUR_MS).spend(accountId));
    const made = await Promise.allSettled(nextHour);
    expect(made.filter(({ status }) => status === "rejected")).toHaveLength(1);
    // An instance whose clock is behind does not begin the hour anew.
    expect(await faultOf(elsewhere(HOUR_MS - 60_000).spend(accountId))).toMatchObject(tooMany);
  });

  test("a mail server that is away leaves the link to be handed over", async () => {
    const { browser, accountId } = await house.owner("unlucky@example.com");
    const push = house.mails.push;
    house.mails.push = () => {
      throw new Error("the mail server is away");
    };
    const response = await invite(browser, accountId, "friend@example.com");
    house.mails.push = push;
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      mailed: false,
      token_link: expect.stringContaining("/console/invitation#ln-fg-"),
    });
  });

  test("somebody who is a member already is told what they stay", async () => {
    const { browser, accountId } = await house.owner("boss@example.com");
    const member = await joined(browser, accountId, "old@example.com", "member");
    await invite(browser, accountId, "old@example.com", "owner");
    const accepted = await member.post("/api/invitations/accept", { token: house.lastToken() });
    expect(await accepted.json()).toEqual({ account_id: accountId, role: "member" });
  });

  test("the audit log tells what somebody is by an invitation, and not what they were offered", async () => {
    const { id: accountId } = house.operatorAccount;
    const viewer = await joined(operator, accountId, "seen@example.com", "viewer");
    const offer = { email: "seen@example.com", role: "owner", operator: true };
    const invited = await operator.post(`/api/accounts/${accountId}/invitations`, offer);
    const { id: target } = (await invited.json()) as { id: string };
    const accepted = await viewer.post("/api/invitations/accept", { token: house.lastToken() });
    expect(await accepted.json()).toEqual({ account_id: accountId, role: "viewer" });
    const log = await operator.get(`/api/operator/audit?action=invitation.accept&target=${target}`);
    const detail = { email: "seen@example.com", role: "viewer", operator: false };
    expect(await log.json()).toMatchObject({ data: [{ detail }] });
  });

  test("an invitation whose guest could not be let in is still open", async () => {
    const { browser, accountId } = await house.owner("patient@example.com");
    await invite(browser, accountId, "late@example.com");
    const { memberships } = house.services;
    const [invitation] = await memberships.invitationsOf(accountId);
    if (!invitation) throw new Error("nobody is invited");
    const broken = { ...invitation, role: null as never };
    const failed = await memberships.accept(broken, "usr_late").catch((thrown) => thrown);
    expect(failed).toBeInstanceOf(Error);
    expect(await memberships.invitationsOf(accountId)).toEqual([invitation]);
    expect(await memberships.tokenOf(invitation)).toBe(house.lastToken());
    expect(await memberships.accept(invitation, "usr_late")).toMatchObject({ isDone: true });
    expect(await memberships.ofUser("usr_late")).toMatchObject([{ accountId, role: "viewer" }]);
  });

  test("the answer to an invitation is the same whoever has the address", async () => {
    const { browser, accountId } = await house.owner("curious@example.com");
    await house.owner("known@example.com");
    const answers = await Promise.all(
      ["known@example.com", "unheard-of@example.com"].map(async (email) => {
        const { id, created_at, expires_at, ...rest } = (await (
          await invite(browser, accountId, email)
        ).json()) as Record<string, unknown>;
        return { ...rest, email: typeof rest.email };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    // Whoever invites does not get the link, by which they could find out.
    expect(answers[0]).toMatchObject({ mailed: true, token_link: null });
  });

  test("a mailed invitation gives an address that nobody had confirmed to who reads its mail", async () => {
    const { browser, accountId } = await house.owner("host@example.com");
    // Handed over by somebody, who opened the link themselves.
    const { browser: squatter } = await house.owner("squatted@example.com");
    await invite(browser, accountId, "squatted@example.com");
    const token = house.lastToken();
    const owner = house.visitor();
    const person = { token, name: "Owner", password: "a password of the owner" };
    expect((await owner.post("/api/invitations/accept", person)).status).toBe(200);
    expect((await squatter.get("/api/me")).status).toBe(401);
    expect((await house.visitor().signIn("squatted@example.com", PASSWORD)).status).toBe(401);
    const me = (await (await owner.get("/api/me")).json()) as { accounts: { id: string }[] };
    expect(me).toMatchObject({
      user: { email: "squatted@example.com", name: "Owner", email_verified: true },
    });
    expect(me.accounts.map(({ id }) => id)).toEqual([accountId]);
  });

  test("no link of the sign-in library gives an address to who has only written it", async () => {
    house.terms = { policy: "invite", credit: 1_000_000_000n };
    const email = "written@example.com";
    const { browser: squatter } = await house.owner(email);
    const mails = house.mails.length;
    const asked = await house.visitor().post("/api/auth/send-verification-email", { email });
    expect([asked.status, house.mails.length]).toEqual([404, mails]);
    // A program of before may have mailed one, and whatever reads the mail may open it.
    const token = await createEmailVerificationToken(VAULT.derive("sessions"), email);
    const opened = await house.visitor().get(`/api/auth/verify-email?token=${token}`);
    expect(opened.status).toBe(404);
    const me = await (await squatter.get("/api/me")).json();
    expect(me).toMatchObject({ user: { email, email_verified: false } });
    const { browser, accountId } = await house.owner("inviting@example.com");
    await invite(browser, accountId, email);
    const person = { token: house.lastToken(), name: "Owner", password: "a password of the owner" };
    expect((await house.visitor().post("/api/invitations/accept", person)).status).toBe(200);
    expect((await squatter.get("/api/me")).status).toBe(401);
    house.terms = { policy: "invite", credit: 0n };
  });

  test("who accepts by mail chooses a password and a name as everybody does", async () => {
    const { browser, accountId } = await house.owner("strict@example.com");
    await invite(browser, accountId, "easy@example.com");
    const accept = async (form: object) => {
      const person = { token: house.lastToken(), name: "Easy", password: PASSWORD, ...form };
      const response = await house.visitor().post("/api/invitations/accept", person);
      return [response.status, await response.json()];
    };
    expect(await accept({ password: "short" })).toMatchObject([
      400,
      { error: { param: "password" } },
    ]);
    expect(await accept({ name: "a\u0000b" })).toMatchObject([400, { error: { param: "name" } }]);
    expect(await accept({})).toMatchObject([200, { account_id: accountId }]);
  });
});

// What SECURITY.md says of an installation that cannot send mail.
onEngines("an invitation without a mail server on $name", (engine) => {
  const house = perSuite((parts) => peopleHouse(parts, { engine, mailless: true }));

  test("tells who has its link whether the address is known, and gives nobody's identity away", async () => {
    const { browser, accountId } = await house.owner("host@example.com");
    const { browser: known } = await house.owner("known@example.com");
    const accepted = async (email: string) => {
      const path = `/api/accounts/${accountId}/invitations`;
      const made = await (await browser.post(path, { email, role: "viewer" })).json();
      const token = String((made as { token_link: string }).token_link).split("#")[1];
      const form = { token, name: "Prober", password: "a password of the prober" };
      return (await house.visitor().post("/api/invitations/accept", form)).status;
    };
    expect(await accepted("known@example.com")).toBe(400);
    expect(await accepted("unheard-of@example.com")).toBe(200);
    expect((await known.get("/api/me")).status).toBe(200);
    expect((await house.visitor().signIn("known@example.com", PASSWORD)).status).toBe(200);
  });
});
