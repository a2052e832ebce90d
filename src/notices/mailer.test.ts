import { describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import { perSuite } from "../../test/support/houses/house.ts";
import { partsOf, startMailServer } from "../../test/support/outside/mail-server.ts";
import { createLog } from "../telemetry/log.ts";
import { writeLetter } from "./letter.ts";
import { Mailer, UndeliverableError } from "./mailer.ts";

const FROM = "Faregate <gate@example.com>";
const quiet = createLog("error", () => {});

const LETTER = writeLetter(
  {
    subject: "余额不足 & more",
    paragraphs: ["您的预付余额为 $1.00。", "A line that begins with a dot:", ". so"],
    action: { label: "去充值", url: "https://gate.example.com/console/wallet?a=1&b=2" },
    footer: "small print",
  },
  "zh",
);

describe("mail by SMTP", () => {
  const server = perSuite(async (parts) => parts.keep(await startMailServer()));

  const mailer = () => new Mailer({ smtpUrl: server.url, from: FROM, sendMs: 10_000 }, quiet);

  test("arrives whole, in both forms, with an id that is the same at every attempt", async () => {
    await mailer().send({ to: "ann@example.com", id: "ntc_1", ...LETTER });
    const mail = server.mails.at(-1);
    if (!mail) throw new Error("no mail came");
    expect([mail.from, mail.to]).toEqual(["gate@example.com", ["ann@example.com"]]);
    expect(mail.headers["message-id"]).toBe("<ntc_1@faregate>");
    expect(mail.headers["auto-submitted"]).toBe("auto-generated");
    const parts = partsOf(mail);
    expect(parts["text/plain"]?.replaceAll("\r\n", "\n").trimEnd()).toBe(LETTER.text.trimEnd());
    expect(parts["text/html"]?.replaceAll("\r\n", "\n").trimEnd()).toBe(LETTER.html.trimEnd());
  });

  test("goes to one address, whatever characters are in it and in the subject", async () => {
    const before = server.mails.length;
    await mailer()
      .send({
        to: "ann@example.com, eve@example.com",
        subject: "a\r\nBcc: eve@example.com",
        text: "x",
      })
      .catch(() => {});
    for (const mail of server.mails.slice(before)) {
      expect(mail.to).not.toContain("eve@example.com");
      expect(mail.headers.bcc).toBeUndefined();
    }
  });

  test("that the server does not take is a failure", async () => {
    server.refuse(1);
    const before = server.mails.length;
    await expect(mailer().send({ to: "ann@example.com", ...LETTER })).rejects.toThrow("451");
    expect(server.mails.length).toBe(before);
  });

  test("that is refused for good is told from one that may be taken later", async () => {
    const failure = () => mailer().send({ to: "ann@example.com", ...LETTER });
    server.refuse(1, "550 no such mailbox");
    await expect(failure()).rejects.toBeInstanceOf(UndeliverableError);
    server.refuse(1, "452 mailbox full");
    await expect(failure()).rejects.not.toBeInstanceOf(UndeliverableError);
    // Our own login is nothing that the next attempt cannot mend.
    const stranger = server.url.replace("://", "://user:wrong@");
    const refused = new Mailer({ smtpUrl: stranger, from: FROM, sendMs: 10_000 }, quiet);
    const login = refused.send({ to: "ann@example.com", ...LETTER });
    await expect(login).rejects.not.toBeInstanceOf(UndeliverableError);
  });

  test("to a server that never says a word is a failure in time", async () => {
    const deaf = createServer(() => {});
    const listening = Promise.withResolvers<void>();
    deaf.listen(0, "127.0.0.1", () => listening.resolve());
    await listening.promise;
    const port = (deaf.address() as { port: number }).port;
    const smtpUrl = `smtp://127.0.0.1:${port}`;
    const patient = new Mailer({ smtpUrl, from: FROM, sendMs: 100 }, quiet);
    await expect(patient.send({ to: "ann@example.com", ...LETTER })).rejects.toThrow();
    deaf.close();
  });
});

describe("mail without a server", () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog("info", (line) => lines.push(JSON.parse(line)));
  const mailer = new Mailer({ smtpUrl: undefined, from: FROM, sendMs: 1_000 }, log);

  test("is a line in the log, with the link where there is one and the text where not", async () => {
    await mailer.send({ to: "ann@example.com", ...LETTER });
    await mailer.send({ to: "bob@example.com", subject: "Reset", text: "open https://x.test/r" });
    expect(mailer.configured).toBe(false);
    expect(lines).toMatchObject([
      { event: "mail_not_sent", to: "ann@example.com", link: LETTER.link },
      { to: "bob@example.com", subject: "Reset", text: "open https://x.test/r" },
    ]);
    expect(lines[0]).not.toHaveProperty("text");
  });
});
