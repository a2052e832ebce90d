// Who shows that an address is theirs ends the keys of whoever had it before, those in the making too.
import { describe, expect, spyOn, test } from "bun:test";
import { Accounts } from "../../src/accounts/accounts.ts";
import { KeyRights } from "../../src/accounts/keys/key-rights.ts";
import { SignIn } from "../../src/accounts/sign-in/sign-in.ts";
import { Fault } from "../../src/lib/faults.ts";
import { onEngines } from "../store/engines.ts";
import { type Browser, bodyOf, PASSWORD } from "../support/browser.ts";
import { perSuite } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";
import { startMailServer, wordsOf } from "../support/outside/mail-server.ts";
import { eventually } from "../support/waiting.ts";

type Look = (...args: unknown[]) => Promise<void>;

/** Puts something beside the next call of this name. */
function once(
  name: "noteMaker" | "widen" | "handOver" | "disableKeysOf",
  beside: (real: () => Promise<void>) => Promise<void>,
) {
  const rights = KeyRights.prototype as unknown as Record<string, Look>;
  const real = rights[name] as Look;
  const spy = spyOn(rights, name);
  spy.mockImplementation(function (this: unknown, ...args) {
    spy.mockRestore();
    return beside(() => real.apply(this, args));
  });
}

/** The write of a key that comes behind this look at who may waits; resolves with what lets it go on. */
function heldBefore(look: "noteMaker" | "widen" | "handOver"): Promise<() => void> {
  const came = Promise.withResolvers<() => void>();
  once(look, async (real) => {
    await new Promise<void>((goOn) => came.resolve(goOn));
    await real();
  });
  return came.promise;
}

/** Storage fails whoever asks next who is signed in, once the write of a key comes that is behind this look at who may. */
function failsBehind(look: "noteMaker" | "widen" | "handOver"): { over: () => void } {
  const asked = spyOn(SignIn.prototype, "session");
  once(look, async (real) => {
    await real();
    asked.mockRejectedValueOnce(new Fault("storage_unavailable", "A moment, please."));
  });
  return { over: () => asked.mockRestore() };
}

onEngines("on $name, somebody whose address turns out to be another's", (engine) => {
  const house = perSuite(async (parts) => {
    const mail = parts.keep(await startMailServer());
    const opened = await wholeConsole(
      parts,
      { FAREGATE_SMTP_URL: mail.url, FAREGATE_SIGNUP: "open" },
      engine,
    );
    const operator = await opened.operator("op@example.com");
    const account = await opened.account(operator, "Theirs");
    return { ...opened, mail, operator, account };
  });

  /** Somebody who was handed their link, and has never shown that the address is theirs. */
  function squatter(email: string, role: "owner" | "member" = "owner"): Promise<Browser> {
    house.mail.refuse(1);
    return house.person(house.operator, house.account, role, email);
  }

  /** The token of a link that was mailed to the address. */
  async function mailed(email: string, link: RegExp): Promise<string> {
    const { mails } = house.mail;
    const tokens = () =>
      mails.flatMap((mail) => (mail.to.includes(email) && link.exec(wordsOf(mail))?.[1]) || []);
    await eventually("the link is mailed", async () => tokens().length > 0);
    return tokens().at(-1) ?? "";
  }

  /** Somebody who reads the mail of the address sets a password. */
  async function reset(email: string): Promise<void> {
    const visitor = house.visitor();
    await bodyOf(visitor.post("/api/auth/request-password-reset", { email }));
    const token = await mailed(email, /reset-password#(\S+)/);
    await bodyOf(visitor.post("/api/auth/reset-password", { token, newPassword: PASSWORD }));
  }

  /** The same who knows of nobody before, and so makes an identity of their own. */
  async function signUp(email: string): Promise<void> {
    const visitor = house.visitor();
    const form = { email, name: "Real", password: PASSWORD };
    await bodyOf(visitor.post("/api/auth/sign-up/email", form));
    const token = await mailed(email, /#(ln-fg-\S+)/);
    await bodyOf(visitor.post("/api/sign-up/confirm", { token, password: PASSWORD }));
  }

  const base = () => `/api/accounts/${house.account}/keys`;
  const make = (browser: Browser, name: string) => browser.post(base(), { name });

  const isEnabled = async (name: string) => {
    const { data } = await bodyOf<{ data: { name: string; enabled: boolean }[] }>(
      house.operator.get(base()),
    );
    return data.find((key) => key.name === name)?.enabled;
  };

  /** Somebody else resets the password while a request of the squatter's stands before a step. */
  const resetDuring = async (
    email: string,
    step: Parameters<typeof heldBefore>[0],
    ask: () => Promise<Response>,
  ) => {
    const coming = heldBefore(step);
    const answer = ask();
    const goOn = await coming;
    await reset(email);
    goOn();
    return answer;
  };

  test("has no key that was being made", async () => {
    const email = "making@example.com";
    const browser = await squatter(email);
    const made = await resetDuring(email, "noteMaker", () => make(browser, "late"));
    expect(made.status).toBe(401);
    expect(await isEnabled("late")).toBe(false);
  });

  test("has none that was enabled again meanwhile", async () => {
    const email = "enabling@example.com";
    const browser = await squatter(email);
    const { id } = await bodyOf(make(browser, "sleeping"));
    await bodyOf(browser.send("PATCH", `${base()}/${id}`, { enabled: false }));
    const body = { enabled: true, account_read: true };
    const enable = () => browser.send("PATCH", `${base()}/${id}`, body);
    expect((await resetDuring(email, "widen", enable)).status).toBe(401);
    expect(await isEnabled("sleeping")).toBe(false);
  });

  interface Made {
    readonly id: string;
    readonly last_four: string;
  }

  /** The key opens as it did, and nothing says otherwise. */
  async function expectNotRotated({ id, last_four }: Made): Promise<void> {
    const now = await bodyOf(house.operator.get(`${base()}/${id}`));
    expect(now).toMatchObject({ last_four, former_secrets: [] });
    const { data } = await bodyOf(house.operator.get("/api/operator/audit"));
    expect(data).not.toContainEqual(expect.objectContaining({ action: "key.rotate", target: id }));
  }

  test("hears no secret of a key that was being rotated, whoever had made it", async () => {
    const email = "rotating@example.com";
    const browser = await squatter(email);
    const before = await bodyOf<Made>(make(house.operator, "not theirs"));
    const { id } = before;
    const rotate = () => browser.post(`${base()}/${id}/rotate`, { overlap_seconds: 3_600 });
    const answer = await resetDuring(email, "handOver", rotate);
    expect(answer.status).toBe(401);
    expect(await answer.json()).not.toHaveProperty("secret");
    expect(await isEnabled("not theirs")).toBe(true);
    await expectNotRotated(before);
  });

  test("hears no secret that works where they are shut out after they were judged", async () => {
    const email = "judged@example.com";
    const browser = await squatter(email);
    const { id } = await bodyOf(make(house.operator, "judged"));
    const { rotateKey } = Accounts.prototype;
    const rotating = spyOn(Accounts.prototype, "rotateKey");
    rotating.mockImplementationOnce(async function (this: Accounts, ...args) {
      await reset(email);
      return rotateKey.apply(this, args);
    });
    await browser.post(`${base()}/${id}/rotate`, { overlap_seconds: 0 });
    rotating.mockRestore();
    expect(await isEnabled("judged")).toBe(false);
  });

  describe("who had another secret of a key that somebody else has made", () => {
    const HOUR = 3_600;
    const rotate = (by: Browser, id: unknown, overlap_seconds: number) =>
      bodyOf(by.post(`${base()}/${id}/rotate`, { overlap_seconds }));

    const rotatedBy = async (email: string, name: string) => {
      const { id } = await bodyOf(make(house.operator, name));
      await rotate(await squatter(email), id, 0);
      return id;
    };

    test("cannot call by it", async () => {
      await rotatedBy("has@example.com", "rotated by them");
      await reset("has@example.com");
      expect(await isEnabled("rotated by them")).toBe(false);
    });

    test("nor while it works beside one that came later", async () => {
      const id = await rotatedBy("had@example.com", "rotated again");
      await rotate(house.operator, id, HOUR);
      await signUp("had@example.com");
      expect(await isEnabled("rotated again")).toBe(false);
    });

    test("leaves a key alone whose secrets are all others' by then", async () => {
      const id = await rotatedBy("lost@example.com", "not theirs any more");
      await rotate(house.operator, id, 0);
      await reset("lost@example.com");
      expect(await isEnabled("not theirs any more")).toBe(true);
    });
  });

  test("has none that is made between the end of their keys and their own", async () => {
    const email = "hurrying@example.com";
    const browser = await squatter(email);
    const made: Response[] = [];
    once("disableKeysOf", async (real) => {
      await real();
      made.push(await make(browser, "hurried"));
    });
    await signUp(email);
    expect(made).toHaveLength(1);
    expect(await isEnabled("hurried")).toBe(false);
  });

  test("is not thought to be shut out since storage fails for a moment", async () => {
    const browser = await squatter("living@example.com");
    const { id } = await bodyOf(make(browser, "living"));
    const { over } = failsBehind("widen");
    const body = { enabled: true, account_read: true };
    await browser.send("PATCH", `${base()}/${id}`, body);
    over();
    expect(await isEnabled("living")).toBe(true);
  });

  test("has no key that works where storage fails while it is looked whether they may", async () => {
    const browser = await squatter("waking@example.com");
    const { id } = await bodyOf(make(browser, "waking"));
    await bodyOf(browser.send("PATCH", `${base()}/${id}`, { enabled: false }));
    const waking = failsBehind("widen");
    const body = { enabled: true, account_read: true };
    expect((await browser.send("PATCH", `${base()}/${id}`, body)).status).toBe(503);
    waking.over();
    expect(await isEnabled("waking")).toBe(false);
    const making = failsBehind("noteMaker");
    expect((await make(browser, "unheard of")).status).toBe(503);
    making.over();
    expect(await isEnabled("unheard of")).toBe(false);
  });

  test("has a key as it was where storage fails while it is looked who rotates it", async () => {
    const browser = await squatter("turning@example.com");
    const made = await bodyOf<Made>(make(browser, "turning"));
    const { over } = failsBehind("handOver");
    const answer = await browser.post(`${base()}/${made.id}/rotate`, { overlap_seconds: 0 });
    over();
    expect(answer.status).toBe(503);
    await expectNotRotated(made);
  });

  test("has a key as it was where whoever rotates it gets other rights meanwhile", async () => {
    const email = "rising@example.com";
    const browser = await squatter(email, "member");
    const made = await bodyOf<Made>(make(browser, "rising"));
    const members = `/api/accounts/${house.account}/members`;
    const { data } = await bodyOf<{ data: { id: string; email: string }[] }>(
      house.operator.get(members),
    );
    const them = data.find((member) => member.email === email)?.id;
    once("handOver", async (real) => {
      await real();
      await bodyOf(house.operator.send("PATCH", `${members}/${them}`, { role: "owner" }));
    });
    const answer = await browser.post(`${base()}/${made.id}/rotate`, { overlap_seconds: 0 });
    expect(answer.status).toBe(403);
    await expectNotRotated(made);
  });

  test("has no key enabled again by who says of one only that it is to stay so", async () => {
    const email = "staying@example.com";
    const browser = await squatter(email);
    const { id } = await bodyOf(make(browser, "staying"));
    const body = { enabled: true, account_read: true };
    await resetDuring(email, "widen", () => browser.send("PATCH", `${base()}/${id}`, body));
    expect(await isEnabled("staying")).toBe(false);
  });
});
