// The test mail: whether mail arrives is found out before somebody waits for one.
import { describe, expect, test } from "bun:test";
import { bodyOf } from "../support/browser.ts";
import { perSuite } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";
import { startMailServer } from "../support/outside/mail-server.ts";

const TEST_MAIL = "/api/operator/mail/test";

async function refusalOf(answer: Promise<Response>) {
  const response = await answer;
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return { status: response.status, ...error };
}

describe("with a mail server", () => {
  const server = perSuite(async (parts) => parts.keep(await startMailServer()));
  const house = perSuite((parts) =>
    wholeConsole(parts, {
      FAREGATE_SMTP_URL: server.url,
      FAREGATE_MAIL_FROM: "Gate <gate@example.com>",
    }),
  );
  const operator = perSuite(() => house.operator("op@example.com"));

  test("it is sent to whoever asks, or to another address", async () => {
    expect(await bodyOf(operator.post(TEST_MAIL))).toEqual({ ok: true, to: "op@example.com" });
    expect(server.mails.at(-1)).toMatchObject({ to: ["op@example.com"] });
    const to = "else@example.com";
    expect(await bodyOf(operator.post(TEST_MAIL, { to }))).toEqual({ ok: true, to });
    expect(server.mails.at(-1)).toMatchObject({ to: [to] });
    const refused = await operator.post(TEST_MAIL, { to: "nowhere" });
    expect(await refused.json()).toMatchObject({ error: { param: "to" } });
  });

  test("a refusal is told in the mail server's own words", async () => {
    server.refuse(1, "550 5.7.1 relaying denied");
    const refused = await refusalOf(operator.post(TEST_MAIL));
    expect(refused).toMatchObject({ status: 502, code: "mail_failed" });
    expect(refused.message).toContain("relaying denied");
  });
});

describe("with a password that the mail server does not take", () => {
  const server = perSuite(async (parts) => parts.keep(await startMailServer()));
  const house = perSuite((parts) => {
    const { host } = new URL(server.url);
    const FAREGATE_MAIL_FROM = "Gate <gate@example.com>";
    const FAREGATE_SMTP_URL = `smtp://somebody:s3cret-word@${host}`;
    return wholeConsole(parts, { FAREGATE_SMTP_URL, FAREGATE_MAIL_FROM });
  });
  const operator = perSuite(() => house.operator("op@example.com"));

  test("that is said, and nothing of the password is shown", async () => {
    const { host } = new URL(server.url);
    const refused = await refusalOf(operator.post(TEST_MAIL));
    expect(refused).toMatchObject({ status: 502, code: "mail_failed" });
    expect(refused.message).toContain("535");
    const { mail } = await bodyOf(operator.get("/api/operator/system"));
    expect(mail).toEqual({ server: host, from: "Gate <gate@example.com>" });
    expect(JSON.stringify([refused, mail])).not.toContain("s3cret-word");
  });
});

describe("without one", () => {
  const house = perSuite((parts) => wholeConsole(parts));
  const operator = perSuite(() => house.operator("op@example.com"));

  test("it is said what to set", async () => {
    const refused = await refusalOf(operator.post(TEST_MAIL));
    expect(refused.status).toBe(400);
    expect(refused.message).toContain("FAREGATE_SMTP_URL");
    expect((await bodyOf(operator.get("/api/operator/system"))).mail).toBeNull();
  });
});
