import { beforeEach, describe, expect, test } from "bun:test";
import { z } from "zod";
import { onEngines } from "../../../test/store/engines.ts";
import { type Browser, bodyOf, PASSWORD } from "../../../test/support/browser.ts";
import { drops } from "../../../test/support/clients/slow-bodies.ts";
import { partsOfTest, perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";
import { post } from "../../lib/contract.ts";
import type { Guards } from "../guards.ts";

const NEW_PASSWORD = "another good password";

const CHANGING = {
  body: z.strictObject({ to: z.string() }),
  answer: z.strictObject({ changed: z.string() }),
};
const CHANGE = post("/api/change", "Changes something.", CHANGING);
const CHANGE_ACCOUNT = post("/api/accounts/:account/change", "Changes an account.", CHANGING);

onEngines("a session on $name", (engine) => {
  /** Told of everybody who was let in, before anything was read of them. */
  let letIn = () => {};
  const changes: string[] = [];
  const change = async ({ body }: { body(): Promise<{ readonly to: string }> }) => {
    letIn();
    const { to } = await body();
    changes.push(to);
    return { changed: to };
  };
  const house = perSuite((parts) => {
    const routes = (guards: Guards) => [
      guards.signedIn(CHANGE, change),
      guards.account(CHANGE_ACCOUNT, "viewer", change),
    ];
    return peopleHouse(parts, { engine, routes });
  });
  beforeEach(() => {
    changes.length = 0;
  });

  /** Three browsers of one person, all of whom have read something a moment ago. */
  async function three(email: string): Promise<readonly [Browser, Browser, Browser]> {
    const first = await house.operator(email);
    const others = [house.visitor(), house.visitor()] as const;
    for (const browser of others) await browser.signIn(email, PASSWORD);
    for (const browser of [first, ...others]) expect(await reads(browser)).toBe(200);
    return [first, ...others];
  }
  const reads = async (browser: Browser) => (await browser.get("/api/me")).status;

  /** Somebody is let in with a change of which the end is held back. */
  async function begin(by: Browser, path: string, to: string) {
    const entered = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const answer = by.send("POST", path, readable);
    await writer.write(Buffer.from('{"to":'));
    await entered;
    return async () => {
      await writer.write(Buffer.from(`"${to}"}`));
      await writer.close();
      return answer;
    };
  }

  test("ends at once for everybody who has a copy of its cookies, for reading too", async () => {
    const [browser] = await three("out@example.com");
    const copy = house.visitor();
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect(await reads(copy)).toBe(200);
    await browser.post("/api/auth/sign-out");
    expect(await reads(copy)).toBe(401);
    expect((await copy.get("/api/auth/get-session")).status).toBe(200);
    expect(await (await copy.get("/api/auth/get-session")).json()).toBeNull();
  });

  test("ends at once when the password is changed elsewhere, whatever the page has asked for", async () => {
    const [browser, ...others] = await three("change@example.com");
    const change = await browser.post("/api/auth/change-password", {
      ...{ currentPassword: PASSWORD, newPassword: NEW_PASSWORD, revokeOtherSessions: false },
    });
    expect(change.status).toBe(200);
    for (const other of others) expect(await reads(other)).toBe(401);
    expect(await reads(browser)).toBe(200);
  });

  test("ends at once when the password is set by a link", async () => {
    const browsers = await three("forgot@example.com");
    const visitor = house.visitor();
    await visitor.post("/api/auth/request-password-reset", { email: "forgot@example.com" });
    const token = /reset-password#(\S+)/.exec(house.mails.at(-1)?.text ?? "")?.[1];
    const reset = { token, newPassword: NEW_PASSWORD };
    expect((await visitor.post("/api/auth/reset-password", reset)).status).toBe(200);
    for (const browser of browsers) expect(await reads(browser)).toBe(401);
  });

  test("a link to set a password is worth nothing once the password was changed", async () => {
    const [browser] = await three("late@example.com");
    const visitor = house.visitor();
    await visitor.post("/api/auth/request-password-reset", { email: "late@example.com" });
    const token = /reset-password#(\S+)/.exec(house.mails.at(-1)?.text ?? "")?.[1];
    await browser.post("/api/auth/change-password", {
      ...{ currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    });
    const reset = { token, newPassword: "a third good password" };
    expect((await visitor.post("/api/auth/reset-password", reset)).status).toBe(400);
  });

  test("that has ended changes nothing any more by a body that was still on its way", async () => {
    const [browser, thief] = await three("slow@example.com");
    const inTime = await begin(thief, "/api/change", "in time");
    expect((await inTime()).status).toBe(200);
    const tooLate = await begin(thief, "/api/change", "too late");
    expect((await browser.post("/api/auth/revoke-other-sessions")).status).toBe(200);
    expect((await tooLate()).status).toBe(401);
    expect(changes).toEqual(["in time"]);
  });

  test("of somebody with other rights by then does nothing by those of before", async () => {
    const demoted = await house.operator("demoted@example.com");
    const other = await house.operator("other@example.com");
    const { user } = await bodyOf<{ user: { id: string } }>(demoted.get("/api/me"));
    const account = `/api/accounts/${house.operatorAccount.id}`;
    for (const less of [{ operator: false }, { role: "member" }]) {
      const tooLate = await begin(demoted, `${account}/change`, "too late");
      await bodyOf(other.send("PATCH", `${account}/members/${user.id}`, less));
      const answer = await tooLate();
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error: { code: "permission_denied" } });
    }
    expect(changes).toEqual([]);
    const again = await begin(demoted, `${account}/change`, "once more");
    expect((await again()).status).toBe(200);
    expect(changes).toEqual(["once more"]);
  });

  test("ends at once when its person ends all others", async () => {
    const [browser, ...others] = await three("only@example.com");
    expect((await browser.post("/api/auth/revoke-other-sessions")).status).toBe(200);
    for (const other of others) expect(await reads(other)).toBe(401);
    expect(await reads(browser)).toBe(200);
  });
});

describe("what is sent to the console drop by drop", () => {
  const parts = partsOfTest();

  test.each(["/api/invitations/open", "/api/auth/sign-in/email"])(
    "is not waited for longer than a form takes: %s",
    async (path) => {
      const house = await peopleHouse(parts, { env: { FAREGATE_FORM_MS: "200" } });
      const answer = await house.visitor().send("POST", path, drops());
      expect(answer.status).toBe(408);
      expect(await answer.json()).toMatchObject({ error: { code: "request_too_slow" } });
    },
  );
});
