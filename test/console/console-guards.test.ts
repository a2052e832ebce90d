// What a page of another site, a name full of script, or an address that leads away can do: nothing.
import { describe, expect, test } from "bun:test";
import { bodyOf, PASSWORD } from "../support/browser.ts";
import { perFile } from "../support/houses/house.ts";
import { type ServedRoute, wholeConsole } from "../support/houses/whole-console.ts";

const SCRIPT = `"><img src=x onerror=alert(1)><script>alert('x')</script>`;
const FORMULA = '=HYPERLINK("https://evil.example","x")';
const ELSEWHERE = ["https://evil.example/x", "//evil.example", "/\\evil.example", "javascript:1"];

const house = await perFile(wholeConsole);
const guarded = await house.guarded();
const operator = await house.operator("op@example.com");
const account = await house.account(operator, SCRIPT);

const pathOf = ({ path }: ServedRoute) =>
  path.replace(":account", account).replace(/:(?:id|file)\b/, "nothing");
const nameOf = ({ method, path }: ServedRoute) => `${method} ${path}`;

const made = (path: string, body: unknown) => bodyOf(operator.post(path, body));

describe("a page of another site", () => {
  const foreign: readonly (readonly [string, Record<string, string | null>])[] = [
    ["without the header of ours", { "x-faregate-csrf": null }],
    ["that says where it is", { origin: "https://evil.example" }],
    ["that hides where it is", { origin: "null" }],
    ["that says nothing of where it is", { origin: null }],
    ["that the browser calls another site", { "sec-fetch-site": "cross-site" }],
    ["that the browser calls a neighbour", { "sec-fetch-site": "same-site" }],
  ];

  test.each(foreign)(
    "changes nothing by the cookie of a visitor: one %s",
    async (_who, headers) => {
      for (const route of guarded) {
        if (route.method === "GET") continue;
        const sent = await operator.send(route.method as "POST", pathOf(route), {}, headers);
        expect([nameOf(route), sent.status]).toEqual([nameOf(route), 403]);
      }
    },
  );

  test("does not come in by a link that it has got hold of", async () => {
    const form = { email: "eve@example.com", role: "owner" };
    const asked = await made(`/api/accounts/${account}/invitations`, form);
    const token = String(asked.token_link).split("#").at(-1);
    const headers = { origin: "https://evil.example" };
    const person = { token, name: "Eve", password: PASSWORD };
    const invited = "/api/invitations/accept";
    expect((await house.visitor().send("POST", invited, person, headers)).status).toBe(403);
    const first = { ...person, token: "any", email: "eve@example.com" };
    const link = await house.visitor().send("POST", "/api/operator-link", first, headers);
    expect(link.status).toBe(403);
    // From a page of ours it is good.
    expect((await house.visitor().send("POST", invited, person)).status).toBe(200);
  });

  test("frames no answer, and no answer is kept or taken for anything but what it is", async () => {
    for (const route of guarded) {
      for (const by of [operator, house.visitor()]) {
        if (route.method !== "GET" && by === operator) continue;
        const response = await (route.method === "GET"
          ? by.get(pathOf(route))
          : by.send(route.method as "POST", pathOf(route)));
        const { headers } = response;
        const found = {
          route: nameOf(route),
          frame: headers.get("x-frame-options"),
          policy: headers.get("content-security-policy"),
          sniffing: headers.get("x-content-type-options"),
          cache: headers.get("cache-control"),
        };
        expect(found).toEqual({
          route: nameOf(route),
          frame: "DENY",
          policy: "default-src 'none'; frame-ancestors 'none'",
          sniffing: "nosniff",
          cache: "no-store",
        });
        expect(headers.get("content-type")).toMatch(/^(?:application\/json|text\/(?:csv|plain))/);
      }
    }
  });
});

describe("a name full of script", () => {
  test("is data in every answer, never a page", async () => {
    await made(`/api/accounts/${account}/keys`, { name: SCRIPT });
    await made("/api/operator/tokens", { name: SCRIPT });
    await made("/api/operator/codes/batches", { count: 1, amount: "1", note: SCRIPT });
    expect((await operator.send("PATCH", "/api/me", { name: SCRIPT.slice(0, 90) })).status).toBe(
      200,
    );
    const shown = [
      `/api/accounts/${account}/keys`,
      "/api/operator/accounts",
      "/api/operator/tokens",
      "/api/operator/codes/batches",
      "/api/operator/audit",
      "/api/me",
    ];
    for (const path of shown) {
      const response = await operator.get(path);
      expect([path, response.headers.get("content-type")]).toEqual([
        path,
        expect.stringMatching(/^application\/json/),
      ]);
      expect(JSON.stringify(await response.json())).toContain("<img src=x onerror=alert(1)>");
    }
  });

  test("does not become a formula of the spreadsheet that opens the export", async () => {
    const key = await made(`/api/accounts/${account}/keys`, { name: FORMULA });
    await made(`/api/operator/accounts/${account}/credit`, { amount: "1" });
    const answer = await fetch(`${house.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-1.0", messages: [{ role: "user", content: "hi" }] }),
    });
    expect(answer.status).toBe(200);
    const file = await operator.get(`/api/accounts/${account}/usage.csv?by=key`);
    expect(file.headers.get("content-disposition")).toStartWith("attachment");
    const text = await file.text();
    expect(text).toContain(`"'=HYPERLINK(""https://evil.example"",""x"")"`);
    for (const cell of text.split(/[\r\n,]+/)) expect(cell).not.toMatch(/^"?[=+@-]\D/);
  });
});

describe("an address that leads away", () => {
  const form = [
    ["/api/auth/sign-in/email", "callbackURL", { email: "op@example.com", password: PASSWORD }],
    ["/api/auth/sign-up/email", "callbackURL", { email: "a@b.co", name: "A", password: PASSWORD }],
    ["/api/auth/request-password-reset", "redirectTo", { email: "op@example.com" }],
    ["/api/auth/sign-in/social", "callbackURL", { provider: "acme" }],
    ["/api/auth/sign-in/social", "errorCallbackURL", { provider: "acme" }],
    ["/api/auth/sign-in/social", "newUserCallbackURL", { provider: "acme" }],
  ] as const;

  test.each(form)("is not taken by %s as its %s", async (path, name, body) => {
    for (const address of ELSEWHERE) {
      const response = await house.visitor().post(path, { ...body, [name]: address });
      expect([address, response.status]).toEqual([address, 403]);
      expect(response.headers.get("location")).toBeNull();
    }
  });

  test.each(["reset-password/x", "callback/acme", "error"])(
    "is not where %s leads",
    async (page) => {
      for (const address of ELSEWHERE) {
        const query = new URLSearchParams({ token: "x", callbackURL: address });
        const { headers } = await house.visitor().get(`/api/auth/${page}?${query}`);
        const location = headers.get("location");
        const target = new URL(location ?? "/", house.url);
        expect([address, ["127.0.0.1", "localhost"].includes(target.hostname)]).toEqual([
          address,
          true,
        ]);
      }
    },
  );

  test("is not where the console's own redirect leads", async () => {
    for (const path of ["/", "/?next=https://evil.example", "//evil.example"]) {
      const { headers } = await house.visitor().get(path);
      expect([null, "/console"]).toContain(headers.get("location"));
    }
  });
});
