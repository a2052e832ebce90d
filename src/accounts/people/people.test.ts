import { beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { onEngines } from "../../../test/store/engines.ts";
import { type Browser, PASSWORD } from "../../../test/support/browser.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { peopleHouse } from "../../../test/support/houses/people-house.ts";
import { type Method, operationBy } from "../../lib/contract.ts";
import type { Guards, Role } from "../guards.ts";

interface Person {
  readonly browser: Browser;
  readonly userId: string;
}

const HOUR_MS = 3_600_000;

const thing = (method: Method) =>
  operationBy(method)("/api/accounts/:account/things", "Something.", {
    answer: z.object({ role: z.string() }),
  });

onEngines("people and doors on $name", (engine) => {
  const house = perSuite((parts) => {
    const routes = (guards: Guards) => [
      guards.account(thing("GET"), "viewer", async ({ role }) => ({ role })),
      guards.account(thing("POST"), "member", async ({ role }) => ({ role })),
    ];
    return peopleHouse(parts, { engine, routes });
  });
  const operator = perSuite(() => house.operator());
  let owner: Browser;
  let accountId: string;
  beforeAll(async () => {
    ({ browser: owner, accountId } = await house.owner("owner@example.com"));
  });

  const members = () => `/api/accounts/${accountId}/members`;
  const things = () => `/api/accounts/${accountId}/things`;

  async function invite(email: string, role: Role, by = owner): Promise<string> {
    const response = await by.post(`/api/accounts/${accountId}/invitations`, { email, role });
    expect(response.status).toBe(200);
    return house.lastToken();
  }

  async function join(email: string, role: Role): Promise<Person> {
    const browser = house.visitor();
    const accepted = await browser.post("/api/invitations/accept", {
      token: await invite(email, role),
      name: email,
      password: PASSWORD,
    });
    expect(accepted.status).toBe(200);
    const { user } = (await (await browser.get("/api/me")).json()) as { user: { id: string } };
    return { browser, userId: user.id };
  }

  describe("an invitation", () => {
    test("shows what it is for, lets somebody new in once, and is then gone", async () => {
      const token = await invite("New@Example.com", "member");
      const browser = house.visitor();
      const shown = await browser.post("/api/invitations/open", { token });
      expect(await shown.json()).toEqual({
        account_name: "of owner@example.com",
        role: "member",
        email: "new@example.com",
      });
      const accept = (name: string) =>
        browser.post("/api/invitations/accept", { token, name, password: PASSWORD });
      expect((await accept("New")).status).toBe(200);
      const me = await (await browser.get("/api/me")).json();
      expect(me).toMatchObject({
        user: { email: "new@example.com", name: "New" },
        operator: false,
        accounts: [{ id: accountId, role: "member" }],
      });
      expect((await accept("Again")).status).toBe(404);
      expect((await browser.post("/api/invitations/open", { token })).status).toBe(404);
    });

    test("is kept as a hash and sealed, and mailed", async () => {
      const token = await invite("mailed@example.com", "viewer");
      for (const table of ["invitations", "invitation_links"]) {
        const rows = await house.sql.query(`select * from ${table}`);
        expect(rows.length).toBeGreaterThan(0);
        expect(JSON.stringify(rows)).not.toContain(token);
      }
      expect(house.mails.at(-1)?.text).toContain(token);
    });

    test("joins somebody who is signed in under the address, and nobody else", async () => {
      const { browser } = await house.owner("other@example.com");
      const accept = async (token: string) =>
        (await browser.post("/api/invitations/accept", { token })).status;
      expect(await accept(await invite("third@example.com", "viewer"))).toBe(403);
      expect(await accept(await invite("other@example.com", "viewer"))).toBe(200);
      const me = (await (await browser.get("/api/me")).json()) as { accounts: object[] };
      expect(me.accounts).toHaveLength(2);
      const token = await invite("fourth@example.com", "viewer");
      expect((await house.visitor().post("/api/invitations/accept", { token })).status).toBe(401);
    });

    test("ends after seven days, or when it is withdrawn", async () => {
      const late = await invite("late@example.com", "viewer");
      house.laterMs = 7 * 24 * HOUR_MS;
      expect((await owner.post("/api/invitations/open", { token: late })).status).toBe(404);
      house.laterMs = 0;
      const list = `/api/accounts/${accountId}/invitations`;
      const { data } = (await (await owner.get(list)).json()) as {
        data: { id: string; email: string }[];
      };
      const id = data.find(({ email }) => email === "late@example.com")?.id ?? "";
      expect((await owner.send("DELETE", `${list}/${id}`)).status).toBe(200);
      expect((await owner.post("/api/invitations/open", { token: late })).status).toBe(404);
      expect((await owner.send("DELETE", `${list}/${id}`)).status).toBe(404);
    });

    test("two at the same instant let in one", async () => {
      const token = await invite("twin@example.com", "viewer");
      const body = { token, name: "Twin", password: PASSWORD };
      const both = await Promise.all(
        [house.visitor(), house.visitor()].map((browser) =>
          browser.post("/api/invitations/accept", body),
        ),
      );
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    });
  });

  describe("a door", () => {
    test("opens by role: a viewer reads, a member creates, an owner invites", async () => {
      const viewer = (await join("viewer@example.com", "viewer")).browser;
      const member = (await join("member@example.com", "member")).browser;
      const able = async (browser: Browser) => [
        (await browser.get(things())).status,
        (await browser.post(things())).status,
        (
          await browser.post(`/api/accounts/${accountId}/invitations`, {
            email: "x@example.com",
            role: "viewer",
          })
        ).status,
      ];
      expect(await able(viewer)).toEqual([200, 403, 403]);
      expect(await able(member)).toEqual([200, 200, 403]);
      expect(await able(owner)).toEqual([200, 200, 200]);
      expect(await able(operator)).toEqual([200, 200, 200]);
    });

    test("another account, a missing one and the operator's pages are not there", async () => {
      const stranger = (await house.owner("stranger@example.com")).browser;
      for (const path of [things(), "/api/accounts/acct_none/things", "/api/operator/audit"]) {
        expect((await stranger.get(path)).status).toBe(404);
      }
      expect((await stranger.post(things())).status).toBe(404);
      expect((await operator.get("/api/accounts/acct_none/things")).status).toBe(404);
      expect((await house.visitor().get(things())).status).toBe(401);
    });

    test("a change with a cookie needs the header and a page of ours", async () => {
      const change = async (headers: Record<string, string | null>) =>
        (await owner.send("POST", things(), {}, headers)).status;
      expect(await change({})).toBe(200);
      expect(await change({ "x-faregate-csrf": null })).toBe(403);
      expect(await change({ origin: null })).toBe(403);
      expect(await change({ origin: "null" })).toBe(403);
      expect(await change({ origin: "https://evil.example" })).toBe(403);
      expect(await change({ origin: `${house.url}.evil.example` })).toBe(403);
      expect(await change({ "sec-fetch-site": "cross-site" })).toBe(403);
      expect(await change({ "sec-fetch-site": "same-site" })).toBe(403);
      expect(await change({ origin: null, "sec-fetch-site": "same-origin" })).toBe(200);
    });
  });

  describe("a member", () => {
    test("is listed, gets another role, and leaves", async () => {
      const { browser, userId } = await join("mover@example.com", "viewer");
      const change = (by: Browser, body: object) =>
        by.send("PATCH", `${members()}/${userId}`, body);
      expect((await change(browser, { role: "owner" })).status).toBe(403);
      expect(await (await change(owner, { role: "member" })).json()).toMatchObject({
        id: userId,
        role: "member",
        email: "mover@example.com",
      });
      expect((await change(owner, { operator: true })).status).toBe(403);
      expect((await change(owner, { role: "emperor" })).status).toBe(400);
      expect((await browser.send("DELETE", `${members()}/${userId}`)).status).toBe(200);
      expect((await browser.get(things())).status).toBe(404);
    });

    test("only an owner removes others, and the last owner stays", async () => {
      const { browser, userId } = await join("weak@example.com", "member");
      const list = (await (await owner.get(members())).json()) as {
        data: { id: string; role: string }[];
      };
      const ownerId = list.data.find(({ role }) => role === "owner")?.id ?? "";
      expect((await browser.send("DELETE", `${members()}/${ownerId}`)).status).toBe(403);
      expect((await owner.send("DELETE", `${members()}/${ownerId}`)).status).toBe(400);
      const demoted = await owner.send("PATCH", `${members()}/${ownerId}`, { role: "viewer" });
      expect(await demoted.json()).toMatchObject({ error: { param: "role" } });
      expect((await owner.send("DELETE", `${members()}/${userId}`)).status).toBe(200);
    });
  });

  describe("an operator", () => {
    test("comes by a link that works once, within an hour", async () => {
      const use = async (token: string, email: string, password = PASSWORD) => {
        const body = { token, email, name: "Op", password };
        return (await house.visitor().post("/api/operator-link", body)).status;
      };
      const token = await house.services.links.create();
      // A form that is filled in wrongly does not use it up.
      expect(await use(token, "op@example.com")).toBe(400);
      expect(await use(token, "op2@example.com", "short")).toBe(400);
      expect(await use(token, "op2@example.com")).toBe(200);
      expect(await use(token, "op3@example.com")).toBe(404);
      const late = await house.services.links.create();
      house.laterMs = HOUR_MS;
      expect(await use(late, "op4@example.com")).toBe(404);
      house.laterMs = 0;
      expect(await use("ln-fg-made-up", "op5@example.com")).toBe(404);
    });

    test("gives programs tokens that work on every account until they are revoked", async () => {
      const made = await operator.post("/api/operator/tokens", { name: "deploy" });
      const { id, secret } = (await made.json()) as { id: string; secret: string };
      expect(secret).toMatch(/^ot-fg-/);
      const rows = await house.sql.query("select * from operator_tokens");
      expect(JSON.stringify(rows)).not.toContain(secret);
      const call = (authorization: string) =>
        fetch(house.url + things(), { method: "POST", headers: { authorization } });
      expect(await (await call(`Bearer ${secret}`)).json()).toEqual({ role: "owner" });
      expect((await call(`Bearer ${secret}x`)).status).toBe(401);
      const listed = await (await operator.get("/api/operator/tokens")).text();
      expect(listed).not.toContain(secret);
      expect(JSON.parse(listed).data[0]).toMatchObject({
        id,
        name: "deploy",
        last_used_at: expect.any(String),
      });
      expect((await operator.send("DELETE", `/api/operator/tokens/${id}`)).status).toBe(200);
      expect((await call(`Bearer ${secret}`)).status).toBe(401);
    });

    test("reads who changed what, page by page, the newest first", async () => {
      type Page = { data: { id: string; action: string; actor: string }[]; next: string | null };
      const read = async (query: string) =>
        (await (await operator.get(`/api/operator/audit?${query}`)).json()) as Page;
      const all = await read("limit=200");
      expect(all.next).toBeNull();
      expect(all.data.map(({ action }) => action)).toContain("member.remove");
      const [joined, started] = all.data.slice(-2);
      expect(joined).toMatchObject({ action: "operator.join", actor: "op@example.com" });
      expect(started).toMatchObject({ action: "session.start", actor: "op@example.com" });
      const first = await read("limit=2");
      const second = await read(`limit=2&after=${first.next}`);
      expect([...first.data, ...second.data]).toEqual(all.data.slice(0, 4));
      const mine = await read(`account=${accountId}&limit=200`);
      expect(mine.data.length).toBeGreaterThan(0);
      expect(mine.data.length).toBeLessThan(all.data.length);
      expect((await read("to=2020-01-01T12:00:00Z")).data).toEqual([]);
      for (const query of ["limit=0", "from=2020-01-01T12:00:00"]) {
        expect((await operator.get(`/api/operator/audit?${query}`)).status).toBe(400);
      }
    });
  });

  test("preferences are kept, and wrong ones refused at their field", async () => {
    const change = (body: object) => owner.send("PATCH", "/api/me", body);
    const changed = await change({ name: "Zoë", language: "zh", time_zone: "Asia/Shanghai" });
    expect(changed.status).toBe(200);
    await change({ theme: "dark" });
    expect(await (await owner.get("/api/me")).json()).toMatchObject({
      user: { name: "Zoë", language: "zh", theme: "dark", time_zone: "Asia/Shanghai" },
    });
    await Promise.all([change({ language: "en" }), change({ theme: "light" }), change({})]);
    expect(await (await owner.get("/api/me")).json()).toMatchObject({
      user: { language: "en", theme: "light", time_zone: "Asia/Shanghai" },
    });
    for (const [field, value] of Object.entries({ time_zone: "Mars", theme: "pink", name: "" })) {
      const refused = await change({ [field]: value });
      expect(await refused.json()).toMatchObject({ error: { param: field } });
      expect(refused.status).toBe(400);
    }
  });
});
