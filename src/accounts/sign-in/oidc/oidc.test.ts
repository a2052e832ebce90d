import { describe, expect, spyOn, test } from "bun:test";
import { onEngines } from "../../../../test/store/engines.ts";
import { partsOfTest, perSuite } from "../../../../test/support/houses/house.ts";
import { type PeopleHouse, peopleHouse } from "../../../../test/support/houses/people-house.ts";
import { startOidcProvider } from "../../../../test/support/outside/oidc-provider.ts";
import { comesTrue, eventually } from "../../../../test/support/waiting.ts";
import { StorageError } from "../../../lib/faults.ts";
import type { Memberships } from "../../people/members.ts";

type Form = Parameters<Memberships["invite"]>[1];

onEngines("a provider of identities on $name", (engine) => {
  const provider = perSuite(async (parts) => parts.keep(await startOidcProvider()));
  const house = perSuite((parts) => {
    const env = {
      FAREGATE_OIDC_ACME_ISSUER: `${provider.issuer}/`,
      FAREGATE_OIDC_ACME_CLIENT_ID: "client-of-faregate",
      FAREGATE_OIDC_ACME_CLIENT_SECRET: "secret",
      FAREGATE_OIDC_ACME_LABEL: "Acme Inc.",
      // Nobody listens there; the other provider and passwords must work all the same.
      FAREGATE_OIDC_GONE_ISSUER: "http://127.0.0.1:9",
      FAREGATE_OIDC_GONE_CLIENT_ID: "x",
      FAREGATE_OIDC_GONE_CLIENT_SECRET: "x",
    };
    return peopleHouse(parts, { engine, env });
  });

  async function comeThrough(email: string, verified: boolean | string) {
    provider.person = { sub: email, email, email_verified: verified, name: "Ann" };
    const browser = house.visitor();
    const asked = await browser.post("/api/auth/sign-in/social", {
      provider: "acme",
      callbackURL: "/console",
      errorCallbackURL: "/console/sign-in",
    });
    const { url } = (await asked.json()) as { url: string };
    const back = await browser.get(provider.grant(new URL(url)));
    return { browser, location: back.headers.get("location") ?? "" };
  }

  async function invite(email: string, form: Partial<Form> = {}): Promise<string> {
    const { invitation } = await house.services.memberships.invite(house.operatorAccount, {
      ...{ email, role: "member", operator: false, invitedBy: "a test" },
      ...form,
    });
    return invitation.id;
  }

  /** What the audit log has of one action by somebody. */
  const loggedOf = (actor: string, action: string) =>
    house.services.audit.list({ after: undefined, limit: 10 }, { actor, action });

  test("is offered by its label", async () => {
    const options = await (await house.visitor().get("/api/sign-in-options")).json();
    expect(options).toEqual({
      signup: "invite",
      providers: [
        { id: "acme", name: "Acme Inc." },
        { id: "gone", name: "Gone" },
      ],
      mail: true,
    });
  });

  test("lets in whom it vouches for and who was invited, and again later", async () => {
    await invite("ann@example.com");
    const { browser, location } = await comeThrough("ann@example.com", true);
    expect(new URL(location, house.url).pathname).toBe("/console");
    const me = await (await browser.get("/api/me")).json();
    expect(me).toMatchObject({
      user: { email: "ann@example.com", name: "Ann" },
      accounts: [{ id: house.operatorAccount.id, role: "member" }],
      operator: false,
    });
    const again = await comeThrough("ann@example.com", true);
    expect((await again.browser.get("/api/me")).status).toBe(200);
    const people = await house.sql.query("select id from auth_user");
    expect(people).toHaveLength(1);
  });

  test("lets in neither the uninvited nor an address it has not verified", async () => {
    await invite("unverified@example.com");
    await invite("written@example.com");
    for (const [email, verified] of [
      ["stranger@example.com", true],
      ["unverified@example.com", false],
      ["written@example.com", "false"],
    ] as const) {
      const { browser, location } = await comeThrough(email, verified);
      expect(new URL(location, house.url).searchParams.get("error")).toBeTruthy();
      expect((await browser.get("/api/me")).status).toBe(401);
    }
  });

  test("leaves in the audit log who became what by an invitation of their address", async () => {
    const email = "grace@example.com";
    const { id: accountId } = house.operatorAccount;
    const target = await invite(email, { role: "owner", operator: true });
    await comeThrough(email, true);
    await comeThrough(email, true);
    expect(await loggedOf(email, "invitation.accept")).toMatchObject([
      {
        userId: expect.any(String),
        accountId,
        target,
        detail: { email, role: "owner", operator: true },
      },
    ]);
    expect(await loggedOf(email, "account.create")).toEqual([]);
    expect(await loggedOf(email, "provider.link")).toHaveLength(1);
  });

  test("lets in by one of two invitations, and the other ends", async () => {
    const email = "twice@example.com";
    const [first, second] = [await invite(email), await invite(email, { role: "owner" })];
    const { browser } = await comeThrough(email, true);
    const { id } = house.operatorAccount;
    expect(await (await browser.get("/api/me")).json()).toMatchObject({
      accounts: [{ id, role: "member" }],
    });
    expect(await house.services.memberships.invitationsFor(email)).toEqual([]);
    expect(await loggedOf(email, "invitation.accept")).toMatchObject([{ target: first }]);
    expect(await loggedOf(email, "invitation.withdraw")).toMatchObject([{ target: second }]);
  });

  test("leaves it there once, though the log could not be written at first", async () => {
    const email = "henry@example.com";
    const target = await invite(email);
    const { audit } = house.services;
    const writing = spyOn(audit, "write").mockRejectedValue(new StorageError("not now"));
    const failed = await comeThrough(email, true);
    expect((await failed.browser.get("/api/me")).status).toBe(401);
    writing.mockRestore();
    await comeThrough(email, true);
    await comeThrough(email, true);
    expect(await loggedOf(email, "invitation.accept")).toMatchObject([{ target }]);
  });

  test("leaves in the audit log which account somebody has opened by signing up", async () => {
    const email = "opens@example.com";
    house.terms = { policy: "open", credit: 0n };
    const { browser } = await comeThrough(email, true);
    house.terms = { policy: "invite", credit: 0n };
    const me = (await (await browser.get("/api/me")).json()) as { accounts: { id: string }[] };
    const id = me.accounts[0]?.id;
    expect(await loggedOf(email, "account.create")).toMatchObject([
      { accountId: id, target: id, userId: expect.any(String), detail: { name: "Ann" } },
    ]);
  });

  test("is in the audit log from when somebody comes in by it until they do not any more", async () => {
    const email = "linker@example.com";
    const browser = await house.operator(email);
    provider.person = { sub: email, email, email_verified: true, name: "Ann" };
    const form = { provider: "acme", callbackURL: "/console" };
    const asked = await browser.post("/api/auth/link-social", form);
    const { url } = (await asked.json()) as { url: string };
    await browser.get(provider.grant(new URL(url)));
    type Way = { id: string; providerId: string };
    const ways = (await (await browser.get("/api/auth/list-accounts")).json()) as Way[];
    const unlink = (way: string) => {
      const accountId = ways.find(({ providerId }) => providerId === way)?.id;
      return browser.post("/api/auth/unlink-account", { accountId });
    };
    expect((await unlink("acme")).status).toBe(200);
    // One way in is left to everybody.
    expect((await unlink("credential")).status).toBe(400);
    const told = (await loggedOf(email, "provider")).map(({ action, detail }) => [action, detail]);
    expect(told).toEqual([
      ["provider.unlink", { address: "127.0.0.1", provider: "acme" }],
      ["provider.link", { address: "127.0.0.1", provider: "acme" }],
    ]);
  });

  test("vouches for the address, so that the credit of a sign-up needs no other proof", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    const mails = house.mails.length;
    await comeThrough("new@example.com", true);
    await comeThrough("doubtful@example.com", false);
    house.terms = { policy: "invite", credit: 0n };
    expect(house.credits).toMatchObject([{ kind: "trial", amount: 1_000_000_000n }]);
    expect(house.mails.slice(mails).map(({ to }) => to)).not.toContain("new@example.com");
  });

  test("leaves the proof of an address that it has not verified to a mail for a new password", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    house.credits.length = 0;
    const email = "unproved@example.com";
    const mails = house.mails.length;
    const { browser } = await comeThrough(email, false);
    expect([house.mails.length, house.credits]).toEqual([mails, []]);
    const me = (await (await browser.get("/api/me")).json()) as { accounts: { id: string }[] };
    await house.visitor().post("/api/auth/request-password-reset", { email });
    await eventually("a mail goes out", async () => house.mails.length > mails);
    const token = /reset-password#(\S+)/.exec(house.mails.at(-1)?.text ?? "")?.[1] ?? "";
    const form = { token, newPassword: "another good password" };
    expect((await house.visitor().post("/api/auth/reset-password", form)).status).toBe(200);
    house.terms = { policy: "invite", credit: 0n };
    expect(house.credits).toMatchObject([{ accountId: me.accounts[0]?.id }]);
  });

  test("proves an address that it verifies later, also where the credit could not be given at first", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    house.credits.length = 0;
    const email = "later@example.com";
    const { browser } = await comeThrough(email, false);
    const me = (await (await browser.get("/api/me")).json()) as { accounts: { id: string }[] };
    const giving = spyOn(house.credits, "push").mockImplementationOnce(() => {
      throw new StorageError("not now");
    });
    const failed = await comeThrough(email, true);
    expect((await failed.browser.get("/api/me")).status).toBe(401);
    giving.mockRestore();
    for (let times = 0; times < 2; times++) {
      const later = await comeThrough(email, true);
      const user = { email_verified: true };
      expect(await (await later.browser.get("/api/me")).json()).toMatchObject({ user });
    }
    house.terms = { policy: "invite", credit: 0n };
    expect(house.credits).toMatchObject([{ accountId: me.accounts[0]?.id }]);
  });

  test("proves an address behind its credit, since a process may end in between", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    const email = "between@example.com";
    await comeThrough(email, false);
    const flag = `select "emailVerified" as proved from auth_user where email = $1`;
    const proved = async () =>
      (await house.sql.query<{ proved: number }>(flag, [email]))[0]?.proved;
    const seen: unknown[] = [];
    const giving = spyOn(house.credits, "push").mockImplementationOnce((async () => {
      seen.push(await proved());
    }) as never);
    await comeThrough(email, true);
    giving.mockRestore();
    house.terms = { policy: "invite", credit: 0n };
    expect([...seen, await proved()].map(Number)).toEqual([0, 1]);
  });

  test("is all that somebody needs to come in later whose account could not be opened", async () => {
    house.terms = { policy: "open", credit: 1_000_000_000n };
    house.credits.length = 0;
    house.opening = () => Promise.reject(new StorageError("not now"));
    const failed = await comeThrough("unlucky@example.com", true);
    expect((await failed.browser.get("/api/me")).status).toBe(401);
    house.opening = undefined;
    const { browser } = await comeThrough("unlucky@example.com", true);
    house.terms = { policy: "invite", credit: 0n };
    const me = (await (await browser.get("/api/me")).json()) as { accounts: { id: string }[] };
    expect(me.accounts).toMatchObject([{ role: "owner" }]);
    expect(house.credits).toMatchObject([{ accountId: me.accounts[0]?.id }]);
  });

  test("puts nobody into an account unasked where anybody may sign up", async () => {
    house.terms = { policy: "open", credit: 0n };
    await invite("free@example.com");
    const { browser } = await comeThrough("free@example.com", true);
    house.terms = { policy: "invite", credit: 0n };
    const me = (await (await browser.get("/api/me")).json()) as { accounts: { id: string }[] };
    expect(me.accounts).toHaveLength(1);
    expect(me.accounts.map(({ id }) => id)).not.toContain(house.operatorAccount.id);
  });

  test("an answer that this browser did not ask for is refused", async () => {
    const victim = house.visitor();
    const asked = await house.visitor().post("/api/auth/sign-in/social", { provider: "acme" });
    const { url } = (await asked.json()) as { url: string };
    await victim.get(provider.grant(new URL(url)));
    expect((await victim.get("/api/me")).status).toBe(401);
  });
});

describe("a provider of identities that is away", () => {
  const parts = partsOfTest();

  async function setUp(waitMs: number) {
    const provider = parts.keep(await startOidcProvider());
    const other = parts.keep(await startOidcProvider());
    const env = {
      FAREGATE_OIDC_ACME_ISSUER: provider.issuer,
      FAREGATE_OIDC_ACME_CLIENT_ID: "client-of-faregate",
      FAREGATE_OIDC_ACME_CLIENT_SECRET: "secret",
      FAREGATE_OIDC_BOLT_ISSUER: other.issuer,
      FAREGATE_OIDC_BOLT_CLIENT_ID: "client-of-faregate",
      FAREGATE_OIDC_BOLT_CLIENT_SECRET: "secret",
      FAREGATE_SIGN_IN_PROVIDER_MS: `${waitMs}`,
      FAREGATE_SIGN_IN_PROVIDER_AWAY_MS: "0",
    };
    return { provider, other, house: await peopleHouse(parts, { env }) };
  }

  const isOffered = async (house: PeopleHouse, provider = "acme") => {
    const form = { provider, callbackURL: "/console" };
    return (await house.visitor().post("/api/auth/sign-in/social", form)).status === 200;
  };

  test("keeps nobody waiting while it is looked for again, which is done once for all", async () => {
    const { provider, house } = await setUp(600_000);
    provider.describe = () => new Response("not now", { status: 503 });
    const browser = await house.operator();
    const held = Promise.withResolvers<void>();
    let looks = 0;
    provider.describe = async (description) => {
      looks += 1;
      await held.promise;
      return description;
    };
    await comesTrue(async () => {
      expect((await browser.get("/api/me")).status).toBe(200);
      expect(looks).toBe(1);
    });
    expect(await isOffered(house)).toBe(false);
    expect((await browser.get("/api/me")).status).toBe(200);
    expect(looks).toBe(1);
    held.resolve();
    await comesTrue(async () => expect(await isOffered(house)).toBe(true));
  });

  test("is on the sign-in page while nobody has looked, and again when it is found", async () => {
    const { provider, house } = await setUp(600_000);
    provider.describe = () => new Response("not now", { status: 503 });
    const shown = async () => {
      const options = await (await house.visitor().get("/api/sign-in-options")).json();
      return (options as { providers: { id: string }[] }).providers.map(({ id }) => id);
    };
    expect(await shown()).toEqual(["acme", "bolt"]);
    // Nobody asks for anything but the page: it is what has them looked for.
    await comesTrue(async () => expect(await shown()).toEqual(["bolt"]));
    provider.describe = (description) => description;
    await comesTrue(async () => expect(await shown()).toEqual(["acme", "bolt"]));
  });

  test("is left out where its description has no end, and found when it has one", async () => {
    const { provider, house } = await setUp(300);
    let cut = 0;
    provider.describe = () => {
      cut += 1;
      const start = (controller: ReadableStreamDefaultController) => controller.enqueue("{");
      return new Response(new ReadableStream({ start }));
    };
    const browser = await house.operator();
    expect((await browser.get("/api/me")).status).toBe(200);
    expect(cut).toBeGreaterThan(0);
    provider.describe = (description) => description;
    await comesTrue(async () => expect(await isOffered(house)).toBe(true));
  });

  test.each<readonly [string, () => Response | Promise<Response>]>([
    ["refuses", () => new Response("not now", { status: 503 })],
    ["says nothing", () => new Promise<never>(() => {})],
  ])("is left out where it %s when the library asks, and found later", async (_how, fail) => {
    const { provider, house } = await setUp(300);
    let asked = 0;
    provider.describe = (description) => {
      asked += 1;
      return asked === 2 ? fail() : description;
    };
    const browser = await house.operator();
    expect((await browser.get("/api/me")).status).toBe(200);
    await comesTrue(async () => expect(await isOffered(house)).toBe(true));
  });

  test("takes no other with it that is there when the library asks", async () => {
    const { provider, house } = await setUp(300);
    let asked = 0;
    // It answers us, and leaves the library waiting.
    provider.describe = (description) => {
      asked += 1;
      return asked % 2 === 0 ? new Promise<never>(() => {}) : description;
    };
    await comesTrue(async () => expect(await isOffered(house, "bolt")).toBe(true));
    expect(await isOffered(house)).toBe(false);
  });

  test("is not one that takes its time while another takes its own", async () => {
    const { provider, other, house } = await setUp(600_000);
    // Each answers once the other is asked as well: whoever asks one after another waits for ever.
    let meeting = Promise.withResolvers<void>();
    let isWaiting = false;
    const meet = async (description: Response) => {
      const { promise, resolve } = meeting;
      if (isWaiting) {
        resolve();
        meeting = Promise.withResolvers();
      }
      isWaiting = !isWaiting;
      await promise;
      return description;
    };
    provider.describe = meet;
    other.describe = meet;
    expect([await isOffered(house), await isOffered(house, "bolt")]).toEqual([true, true]);
  });
});

describe("an answer of one provider in the place of another's", () => {
  const parts = partsOfTest();

  async function setUp(namesItself: boolean) {
    const [honest, evil] = [await startOidcProvider(), await startOidcProvider()];
    for (const provider of [honest, evil]) {
      parts.keep(provider);
      provider.namesItself = namesItself;
    }
    const of = (name: string, issuer: string) => ({
      [`FAREGATE_OIDC_${name}_ISSUER`]: issuer,
      [`FAREGATE_OIDC_${name}_CLIENT_ID`]: "client-of-faregate",
      [`FAREGATE_OIDC_${name}_CLIENT_SECRET`]: "secret",
    });
    const env = { ...of("HONEST", honest.issuer), ...of("EVIL", evil.issuer) };
    const house = await peopleHouse(parts, { env });
    house.terms = { policy: "open", credit: 0n };
    const person = { sub: "1", email: "ann@example.com", email_verified: true, name: "Ann" };
    honest.person = person;
    evil.person = person;
    const browser = house.visitor();
    const ask = async (path: string, provider: string) => {
      const asked = await browser.post(path, { provider, callbackURL: "/console" });
      return new URL(((await asked.json()) as { url: string }).url);
    };
    return { house, honest, evil, browser, ask };
  }

  type Visitor = ReturnType<PeopleHouse["visitor"]>;

  async function expectRefused(browser: Visitor, back: string, error: string) {
    const location = (await browser.get(back)).headers.get("location") ?? "";
    expect(new URL(location, "http://here").searchParams.get("error")).toBe(error);
    expect((await browser.get("/api/me")).status).toBe(401);
  }

  /** Which path an answer comes to. */
  const at = (back: string, provider: string) =>
    back.replace(/callback\/\w+/, `callback/${provider}`);

  test("is refused before its code is sent anywhere", async () => {
    const { honest, evil, browser, ask } = await setUp(false);
    const sent: string[] = [];
    honest.redeemed = () => sent.push("honest");
    evil.redeemed = () => sent.push("evil");
    // The evil provider leads the browser on to the honest one, and has the code come to its own path.
    const asked = await ask("/api/auth/sign-in/social", "honest");
    await expectRefused(browser, at(honest.grant(asked), "evil"), "invalid_code");
    const other = await ask("/api/auth/sign-in/social", "evil");
    await expectRefused(browser, at(honest.grant(other), "honest"), "invalid_code");
    expect(sent).toEqual([]);
    await browser.get(evil.grant(await ask("/api/auth/sign-in/social", "evil")));
    expect((await browser.get("/api/me")).status).toBe(200);
    expect(sent).toEqual(["evil"]);
  });

  test("is refused by its issuer, or by the lack of it where the provider always names itself", async () => {
    const { honest, evil, browser, ask } = await setUp(true);
    const back = async () =>
      new URL(honest.grant(await ask("/api/auth/sign-in/social", "honest")), "http://here");
    const other = await back();
    other.searchParams.set("iss", evil.issuer);
    await expectRefused(browser, other.pathname + other.search, "issuer_mismatch");
    const none = await back();
    none.searchParams.delete("iss");
    await expectRefused(browser, none.pathname + none.search, "issuer_missing");
    const right = await back();
    await browser.get(right.pathname + right.search);
    expect((await browser.get("/api/me")).status).toBe(200);
  });

  test("links no provider either, and the one that was asked is linked", async () => {
    const { house, honest } = await setUp(false);
    const browser = await house.operator("linker@example.com");
    honest.person = { ...honest.person, email: "linker@example.com" };
    const asked = async () => {
      const form = { provider: "honest", callbackURL: "/console" };
      const answer = await browser.post("/api/auth/link-social", form);
      return honest.grant(new URL(((await answer.json()) as { url: string }).url));
    };
    const ways = async () =>
      ((await (await browser.get("/api/auth/list-accounts")).json()) as { providerId: string }[])
        .map(({ providerId }) => providerId)
        .sort();
    await browser.get(at(await asked(), "evil"));
    expect(await ways()).toEqual(["credential"]);
    await browser.get(await asked());
    expect(await ways()).toEqual(["credential", "honest"]);
  });
});
