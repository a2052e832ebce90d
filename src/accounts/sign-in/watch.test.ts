import { expect, test } from "bun:test";
import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { onEngines } from "../../../test/store/engines.ts";
import { PASSWORD } from "../../../test/support/browser.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";

const NEW_PASSWORD = "another good password";

onEngines("the audit log of sign-ins on $name", (engine) => {
  const house = perSuite((parts) => peopleHouse(parts, { engine }));

  /** What somebody did since they came, in order, with what is said of it. */
  async function actionsOf(email: string): Promise<unknown[]> {
    const records = await house.services.audit.list({ after: undefined, limit: 100 });
    return records
      .filter(({ actor, action }) => actor === email && action !== "operator.join")
      .map(({ action, detail: { address: _address, ...detail } }) =>
        Object.keys(detail).length > 0 ? [action, detail] : action,
      )
      .reverse();
  }

  test("has sign-ins, wrong passwords, sessions that were ended and new passwords", async () => {
    const email = "ann@example.com";
    const browser = await house.operator(email);
    await house.visitor().signIn(email, "a wrong password");
    await house.visitor().signIn("nobody@example.com", "a wrong password");
    const other = house.visitor();
    await other.signIn(email, PASSWORD);
    await other.post("/api/auth/sign-out");
    await browser.post("/api/auth/revoke-other-sessions");
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    await browser.post("/api/auth/change-password", change);
    await browser.post("/api/auth/request-password-reset", { email });
    const token = /reset-password#(\S+)/.exec(house.mails.at(-1)?.text ?? "")?.[1];
    await browser.post("/api/auth/reset-password", { token, newPassword: PASSWORD });
    expect(await actionsOf(email)).toEqual([
      ["session.start", { by: "password" }],
      ["session.refuse", { by: "password" }],
      ["session.start", { by: "password" }],
      "session.end",
      "session.revoke",
      "password.change",
      "password.reset",
    ]);
    expect(await actionsOf("nobody@example.com")).toEqual([]);
    const records = await house.services.audit.list({ after: undefined, limit: 100 });
    const refused = records.find(({ action }) => action === "session.refuse");
    expect(refused?.detail.address).toBe("127.0.0.1");
    expect(JSON.stringify(records)).not.toContain(PASSWORD);
  });

  test("has what somebody is called now, and was before, where that is another", async () => {
    const email = "zoe@example.com";
    const browser = await house.operator(email);
    const { user } = (await (await browser.get("/api/me")).json()) as { user: { name: string } };
    await browser.send("PATCH", "/api/me", { name: "Zoë" });
    await browser.send("PATCH", "/api/me", { name: "Zoë" });
    await browser.send("PATCH", "/api/me", { theme: "dark" });
    const about = { actor: email, action: "identity.change" };
    expect(await house.services.audit.list({ after: undefined, limit: 10 }, about)).toMatchObject([
      { changes: { name: { from: user.name, to: "Zoë" } } },
    ]);
  });

  test("has second factors: on, used, refused and off", async () => {
    const email = "bob@example.com";
    const browser = await house.operator(email);
    const asked = await browser.post("/api/auth/two-factor/enable", { password: PASSWORD });
    const { totpURI, backupCodes } = (await asked.json()) as {
      totpURI: string;
      backupCodes: string[];
    };
    const shown = new URL(totpURI).searchParams.get("secret") ?? "";
    const secret = new TextDecoder().decode(base32.decode(shown));
    const code = await createOTP(secret, { digits: 6, period: 30 }).totp();
    await browser.post("/api/auth/two-factor/verify-totp", { code });
    const visitor = house.visitor();
    await visitor.signIn(email, PASSWORD);
    await visitor.post("/api/auth/two-factor/verify-totp", { code });
    await visitor.post("/api/auth/two-factor/verify-backup-code", { code: backupCodes[0] });
    expect((await visitor.get("/api/me")).status).toBe(200);
    await visitor.post("/api/auth/two-factor/disable", { password: PASSWORD });
    expect(await actionsOf(email)).toEqual([
      ["session.start", { by: "password" }],
      "two_factor.enable",
      ["two_factor.refuse", { factor: "code" }],
      ["two_factor.use", { factor: "backup code" }],
      ["session.start", { by: "second factor" }],
      "two_factor.disable",
    ]);
  });
});
