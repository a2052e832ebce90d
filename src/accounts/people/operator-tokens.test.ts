import { beforeAll, expect, test } from "bun:test";
import { z } from "zod";
import { onEngines } from "../../../test/store/engines.ts";
import { type Browser, bodyOf, newGuest } from "../../../test/support/browser.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";
import type { JsonObject } from "../../../test/support/samples/wires.ts";
import { type Method, operationBy } from "../../lib/contract.ts";
import { hashSecret } from "../keys/secret.ts";

const HOUR_MS = 3_600_000;
const TOKENS = "/api/operator/tokens";

const nothing = async () => ({});
const callOf = (method: Method, path: string) =>
  operationBy(method)(path, "Something.", { answer: z.object({}) });

onEngines("an operator's token on $name", (engine) => {
  const house = perSuite((parts) =>
    peopleHouse(parts, {
      engine,
      routes: (guards) => [
        guards.money.operator(callOf("POST", "/api/operator/pay"), nothing),
        guards.money.operator(callOf("GET", "/api/operator/pay"), nothing),
        guards.money.account(callOf("POST", "/api/accounts/:account/pay"), "owner", nothing),
        guards.operator(callOf("POST", "/api/operator/thing"), nothing),
      ],
    }),
  );
  const operator = perSuite(() => house.operator("boss@example.com"));
  let accountId: string;
  beforeAll(async () => {
    ({ accountId } = await house.owner("customer@example.com"));
  });

  const call = (secret: string, method: string, path: string, body?: unknown) =>
    fetch(house.url + path, {
      method,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const status = async (...args: Parameters<typeof call>) => (await call(...args)).status;
  const make = async (form: object, by: Browser = operator) => {
    const made = await bodyOf(by.post(TOKENS, { name: "t", ...form }));
    return { id: String(made.id), secret: String(made.secret), made };
  };
  const later = (ms: number) => new Date(Date.now() + ms).toISOString();
  const refusal = async (secret: string) => {
    const response = await call(secret, "GET", TOKENS);
    return [response.status, ((await response.json()) as { error: JsonObject }).error.message];
  };

  test("may do what its scopes say: read, write, money", async () => {
    const calls = [
      ["GET", TOKENS],
      ["POST", "/api/operator/thing"],
      ["POST", "/api/operator/pay"],
      ["POST", `/api/accounts/${accountId}/pay`],
      ["GET", "/api/operator/pay"],
    ] as const;
    const may = async (scopes: readonly string[]) => {
      const { secret, made } = await make({ scopes });
      expect(made.scopes).toEqual([...scopes]);
      return Promise.all(calls.map(([method, path]) => status(secret, method, path)));
    };
    expect(await may(["read"])).toEqual([200, 403, 403, 403, 200]);
    expect(await may(["write"])).toEqual([403, 200, 403, 403, 403]);
    expect(await may(["money"])).toEqual([403, 403, 200, 200, 403]);
    expect(await may(["read", "write", "money"])).toEqual([200, 200, 200, 200, 200]);
    const { secret, made } = await make({});
    expect(made).toMatchObject({ scopes: ["read", "write", "money"], expires_at: null });
    expect(await status(secret, "POST", "/api/operator/pay")).toBe(200);
    const narrow = await make({ scopes: ["read"] });
    const refused = await call(narrow.secret, "POST", "/api/operator/pay");
    expect(await refused.json()).toMatchObject({
      error: { code: "permission_denied", message: expect.stringContaining("'money'") },
    });
  });

  test("ends when it expires, which is written down once", async () => {
    const { id, secret } = await make({ expires_at: later(HOUR_MS) });
    expect(await status(secret, "GET", TOKENS)).toBe(200);
    house.laterMs = 2 * HOUR_MS;
    const refused = [401, "This operator token has expired. Make a new one."];
    expect(await Promise.all([refusal(secret), refusal(secret)])).toEqual([refused, refused]);
    const records = await house.services.audit.list({ after: undefined, limit: 100 });
    house.laterMs = 0;
    const noted = records.filter(
      ({ action, target }) => action === "token.expire" && target === id,
    );
    expect(noted).toMatchObject([{ actor: "token t", userId: null }]);
  });

  test("ends with its owner: when they are no operator any more, or gone", async () => {
    const second = await house.operator("second@example.com");
    const { user } = await bodyOf<{ user: { id: string } }>(second.get("/api/me"));
    const { secret, made } = await make({}, second);
    expect(made.owner).toEqual({ id: user.id, email: "second@example.com" });
    expect(await status(secret, "GET", TOKENS)).toBe(200);
    const member = `/api/accounts/${house.operatorAccount.id}/members/${user.id}`;
    await bodyOf(operator.send("PATCH", member, { operator: false }));
    const refused = [401, "The owner of this operator token is no operator any more."];
    expect(await refusal(secret)).toEqual(refused);
    await bodyOf(operator.send("PATCH", member, { operator: true }));
    expect(await status(secret, "GET", TOKENS)).toBe(200);
    await bodyOf(operator.send("DELETE", member));
    expect(await refusal(secret)).toEqual(refused);
  });

  test("makes no token that may more than itself, and no operator", async () => {
    const { secret, made } = await make({ scopes: ["read", "write"], expires_at: later(HOUR_MS) });
    const more = await call(secret, "POST", TOKENS, { name: "more", scopes: ["money"] });
    expect(await more.json()).toMatchObject({
      error: { code: "permission_denied", param: "scopes" },
    });
    const longer = { name: "longer", scopes: ["read"], expires_at: later(2 * HOUR_MS) };
    expect(await (await call(secret, "POST", TOKENS, longer)).json()).toMatchObject({
      error: { code: "permission_denied", param: "expires_at" },
    });
    const same = await bodyOf(call(secret, "POST", TOKENS, { name: "same" }));
    expect(same).toMatchObject({ scopes: ["read", "write"], owner: made.owner as object });
    expect(same.expires_at).toBe(made.expires_at as string);
    const wanted = { email: "new@example.com", role: "owner", operator: true };
    const invited = `/api/accounts/${house.operatorAccount.id}/invitations`;
    expect(await status(secret, "POST", invited, wanted)).toBe(403);
  });

  const wholeAndNarrower = async () => [
    await make({}),
    await make({ expires_at: later(HOUR_MS) }),
    await make({ scopes: ["write"] }),
  ];

  test("makes, changes and removes no operator, however much it may", async () => {
    const second = await house.operator("kept@example.com");
    const { user } = await bodyOf<{ user: { id: string } }>(second.get("/api/me"));
    const { id } = house.operatorAccount;
    const member = `/api/accounts/${id}/members/${user.id}`;
    const wanted = { email: "forever@example.com", role: "owner", operator: true };
    for (const { secret } of await wholeAndNarrower()) {
      expect([
        await status(secret, "POST", `/api/accounts/${id}/invitations`, wanted),
        await status(secret, "PATCH", member, { operator: false }),
        await status(secret, "PATCH", member, { operator: true }),
        await status(secret, "PATCH", member, { role: "viewer" }),
        await status(secret, "DELETE", member),
      ]).toEqual([403, 403, 403, 403, 403]);
    }
    const me = await bodyOf(second.get("/api/me"));
    expect(me).toMatchObject({ operator: true, accounts: [{ id, role: "owner" }] });
    const invited = await house.services.memberships.invitationsFor("forever@example.com");
    expect(invited).toEqual([]);
  });

  test("makes an owner, who may money for good, only if it may so too", async () => {
    const guests = `/api/accounts/${accountId}/invitations`;
    const colleague = await house.services.memberships.invite(
      { ...house.operatorAccount, id: accountId },
      { email: "colleague@example.com", role: "member", operator: false, invitedBy: "a test" },
    );
    const browser = await newGuest(house.url, colleague.token, "colleague@example.com");
    const { user } = await bodyOf<{ user: { id: string } }>(browser.get("/api/me"));
    const may = ({ secret }: { secret: string }) =>
      Promise.all([
        status(secret, "POST", guests, { email: "own@example.com", role: "owner" }),
        status(secret, "POST", guests, { email: "own@example.com", role: "member" }),
        status(secret, "PATCH", `/api/accounts/${accountId}/members/${user.id}`, { role: "owner" }),
      ]);
    const [whole, ...narrower] = await wholeAndNarrower();
    for (const token of narrower) expect(await may(token)).toEqual([403, 200, 403]);
    expect(await may(await make({ scopes: ["write", "money"] }))).toEqual([403, 200, 403]);
    const refused = await call(narrower[0]?.secret ?? "", "POST", guests, {
      ...{ email: "own@example.com", role: "owner" },
    });
    expect(await refused.json()).toMatchObject({
      error: { code: "permission_denied", param: "role" },
    });
    expect(await may(whole ?? { secret: "" })).toEqual([200, 200, 200]);
  });

  test.each([
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["read", "fly"] }, "scopes.1"],
    [{ scopes: "read" }, "scopes"],
    [{ expires_at: "tomorrow" }, "expires_at"],
    [{ expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
  ])("is refused as %j", async (form, param) => {
    const response = await operator.post(TOKENS, { name: "t", ...form });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { param } }]);
  });

  test("of before goes on: it does not expire, may everything and is nobody's", async () => {
    const secret = "ot-fg-of-before";
    await house.sql.query(
      `insert into operator_tokens (id, name, hash, last_four, created_by, created_at)
       values ('otk_old', 'old', $1, 'fore', 'somebody@example.com', 1)`,
      [hashSecret(secret)],
    );
    const { data } = await bodyOf<{ data: JsonObject[] }>(call(secret, "GET", TOKENS));
    expect(data.find(({ id }) => id === "otk_old")).toMatchObject({
      scopes: ["read", "write", "money"],
      expires_at: null,
      owner: null,
    });
    expect(await status(secret, "POST", "/api/operator/pay")).toBe(200);
  });
});
