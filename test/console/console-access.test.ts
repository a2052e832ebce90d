// Who may call what: every route of the console that is really served, by everybody there is.
import { describe, expect, test } from "bun:test";
import { type Browser, bodyOf } from "../support/browser.ts";
import { perFile } from "../support/houses/house.ts";
import { type ServedRoute, wholeConsole } from "../support/houses/whole-console.ts";

const ROLES = ["viewer", "member", "owner"] as const;
type Role = (typeof ROLES)[number];

/** Calls below an account, with the least role that may make them. */
const OF_ACCOUNT: Readonly<Record<string, Role>> = {
  "GET /overview": "viewer",
  "GET /entries": "viewer",
  "GET /models": "viewer",
  "GET /keys": "viewer",
  "POST /keys": "member",
  "GET /keys/:id": "viewer",
  "PATCH /keys/:id": "member",
  "DELETE /keys/:id": "member",
  "POST /keys/:id/rotate": "member",
  "DELETE /keys/:id/former-secrets": "member",
  "GET /usage": "viewer",
  "GET /usage.csv": "viewer",
  "GET /requests": "viewer",
  "GET /search": "viewer",
  "GET /requests/:id": "viewer",
  "GET /requests.csv": "viewer",
  "GET /entries.csv": "viewer",
  "GET /alerts": "viewer",
  "PUT /alerts": "owner",
  "POST /alerts/test": "owner",
  "GET /wallet": "viewer",
  "GET /orders": "viewer",
  "POST /orders": "owner",
  "GET /orders/:id": "viewer",
  "POST /orders/:id/test-pay": "owner",
  "POST /codes/redeem": "owner",
  "PUT /auto-topup": "owner",
  "GET /refunds": "viewer",
  "POST /refunds": "owner",
  "GET /members": "viewer",
  "PATCH /members/:id": "owner",
  // Others remove nobody but themselves.
  "DELETE /members/:id": "owner",
  "GET /invitations": "owner",
  "POST /invitations": "owner",
  "DELETE /invitations/:id": "owner",
  "POST /invitations/:id/link": "owner",
  "POST /invitations/:id/mail": "owner",
  "GET /drafts": "viewer",
  "POST /drafts": "member",
  "GET /drafts/look": "viewer",
  "GET /drafts/themes": "viewer",
  "POST /drafts/preview": "viewer",
  "POST /drafts/write": "member",
  "POST /drafts/shorten": "member",
  "POST /playground/responses": "member",
  "POST /playground/chat/completions": "member",
  "GET /drafts/box": "viewer",
  "POST /drafts/import": "member",
  "GET /drafts/:id": "viewer",
  "PUT /drafts/:id": "member",
  "DELETE /drafts/:id": "member",
  "GET /drafts/:id/versions": "viewer",
  "GET /drafts/:id/versions/:version": "viewer",
  "GET /drafts/:id/pushes": "viewer",
  "GET /drafts/:id/box": "viewer",
  "GET /drafts/:id/frame": "viewer",
  "GET /drafts/:id/cover": "viewer",
  "POST /drafts/:id/push": "member",
  "POST /drafts/:id/publish": "member",
  "GET /public-accounts": "viewer",
  "POST /public-accounts": "owner",
  "GET /public-accounts/:id": "viewer",
  "PATCH /public-accounts/:id": "owner",
  "DELETE /public-accounts/:id": "owner",
  "POST /public-accounts/:id/doctor": "member",
};

/** Calls about a public account of the sandbox platform, with the least role in its owner's account. */
const OF_PUBLIC_ACCOUNT: Readonly<Record<string, Role>> = {
  "GET ": "viewer",
  "GET /drafts": "viewer",
  "GET /published": "viewer",
  "GET /drafts/:id": "viewer",
  "GET /drafts/:id/frame": "viewer",
  "POST /drafts/:id/mass-send": "member",
  "POST /drafts/:id/publish": "member",
  "DELETE /drafts/:id": "member",
};

/** For everybody who is signed in: each sees what is theirs. */
const PERSONAL = ["/api/me", "/api/platform/accounts"];
const ACCOUNT = "/api/accounts/:account";
const PUBLIC_ACCOUNT = "/api/platform/accounts/:appid";

const house = await perFile(wholeConsole);
const guarded = await house.guarded();
const operator = await house.operator("op@example.com");
const made = (path: string, body: unknown) => bodyOf(operator.post(path, body));
const mine = await house.account(operator, "Mine");
const theirs = await house.account(operator, "Theirs");
const people = {} as Record<Role, Browser>;
for (const role of ROLES) {
  people[role] = await house.person(operator, mine, role, `${role}@example.com`);
}
const stranger = await house.person(operator, theirs, "owner", "stranger@example.com");
const token = String((await made("/api/operator/tokens", { name: "tests" })).secret);
/** Something of `mine` for each part of the path that is followed by an id. */
const ids = await thingsOf(mine);
/** A public account of `mine`. */
const appid = String((await made("/platform/__sandbox/accounts", { owner: mine })).appid);

async function thingsOf(account: string): Promise<Record<string, string>> {
  const base = `/api/accounts/${account}`;
  const key = await made(`${base}/keys`, { name: "a key" });
  const order = await made(`${base}/orders`, { provider: "test", amount: "5" });
  await made(`${base}/orders/${order.id}/test-pay`, {});
  const form = { email: "asked@example.com", role: "viewer" };
  const invitation = await made(`${base}/invitations`, form);
  const source = { format: "markdown", text: "text" };
  const draft = await made(`${base}/drafts`, { articles: [{ title: "a draft", source }] });
  const members = (await (await operator.get(`${base}/members`)).json()) as {
    data: { id: string; role: string }[];
  };
  const answer = await fetch(`${house.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-1.0", messages: [{ role: "user", content: "hi" }] }),
  });
  expect(answer.status).toBe(200);
  return {
    keys: String(key.id),
    drafts: String(draft.id),
    "public-accounts": String(draft.public_account_id),
    orders: String(order.id),
    invitations: String(invitation.id),
    members: members.data.find(({ role }) => role === "viewer")?.id ?? "",
    requests: answer.headers.get("x-request-id") ?? "",
  };
}

function pathOf({ path }: ServedRoute, account = mine, id = "nothing"): string {
  const named = account === mine ? appid : "wx0000000000000000";
  return path
    .replace(":account", account)
    .replace(":appid", named)
    .replace(/:(?:id|file)\b/, id);
}

interface Outcome {
  readonly status: number;
  /** What the door itself said, where it did not open. */
  readonly door: "closed" | "role" | "missing" | "open";
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const { status } = response;
  const text = await response.text();
  const missing = /There is no such (?:account|page)\./.test(text);
  if (status === 401) return { status, door: "closed" };
  if (status === 403) return { status, door: "role" };
  return { status, door: status === 404 && missing ? "missing" : "open" };
}

async function call(by: Browser, { method }: ServedRoute, path: string): Promise<Outcome> {
  const changes = method !== "GET";
  return outcomeOf(await (changes ? by.send(method as "POST", path, {}) : by.get(path)));
}

async function callByToken({ method }: ServedRoute, path: string): Promise<Outcome> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = method === "GET" ? {} : { body: "{}" };
  return outcomeOf(await fetch(house.url + path, { method, headers, ...body }));
}

const nameOf = ({ method, path }: ServedRoute) => `${method} ${path}`;
const ofPlatform = ({ path }: ServedRoute) => path.startsWith(PUBLIC_ACCOUNT);
const leastOf = (route: ServedRoute) => {
  const { method, path } = route;
  return ofPlatform(route)
    ? OF_PUBLIC_ACCOUNT[`${method} ${path.slice(PUBLIC_ACCOUNT.length)}`]
    : OF_ACCOUNT[`${method} ${path.slice(ACCOUNT.length)}`];
};
const ofOperator = ({ path }: ServedRoute) =>
  path.startsWith("/api/operator/") || path === "/metrics";

describe("every route of the console", () => {
  test("is known here, so that nobody adds one without saying who may call it", () => {
    const unknown = guarded.filter(
      (route) => !leastOf(route) && !ofOperator(route) && !PERSONAL.includes(route.path),
    );
    expect(unknown.map(nameOf)).toEqual([]);
    const served = new Set(guarded.map(nameOf));
    const gone = (calls: object, base: string) =>
      Object.keys(calls).filter((name) => !served.has(name.replace(" ", ` ${base}`)));
    expect(gone(OF_ACCOUNT, ACCOUNT)).toEqual([]);
    expect(gone(OF_PUBLIC_ACCOUNT, PUBLIC_ACCOUNT)).toEqual([]);
  });

  test("is closed to somebody who is not signed in", async () => {
    for (const route of guarded) {
      const { door } = await call(house.visitor(), route, pathOf(route));
      expect([nameOf(route), door]).toEqual([nameOf(route), "closed"]);
    }
  });

  test("of an account opens from its role on, and says so below it", async () => {
    for (const route of guarded) {
      const least = leastOf(route);
      if (!least) continue;
      for (const role of ROLES) {
        const { door } = await call(people[role], route, pathOf(route));
        const expected = ROLES.indexOf(role) >= ROLES.indexOf(least) ? "open" : "role";
        expect([nameOf(route), role, door]).toEqual([nameOf(route), role, expected]);
      }
    }
  });

  test("of an account is not there for another account's owner, nor for an id of nobody", async () => {
    for (const route of guarded) {
      if (!leastOf(route)) continue;
      for (const path of [pathOf(route), pathOf(route, "acct_nobody")]) {
        const { status, door } = await call(stranger, route, path);
        expect([nameOf(route), status, door]).toEqual([nameOf(route), 404, "missing"]);
      }
    }
  });

  test("finds nothing of one account below another, by whatever id", async () => {
    for (const route of guarded) {
      const [, part] = /\/([\w-]+)\/:id/.exec(route.path) ?? [];
      // Ids of drafts on the platform are looked up below their own public account only.
      if (!leastOf(route) || part === undefined || ofPlatform(route)) continue;
      const id = ids[part];
      expect([nameOf(route), id]).toEqual([nameOf(route), expect.stringMatching(/\w+_/)]);
      const { status } = await call(stranger, route, pathOf(route, theirs, id));
      // A change may stumble over its empty body first, but it must not succeed.
      expect([nameOf(route), status === 404 || status === 400]).toEqual([nameOf(route), true]);
    }
    const key = await operator.get(`/api/accounts/${mine}/keys/${ids.keys}`);
    expect(await key.json()).toMatchObject({ enabled: true });
  });

  test("of operators is not there for others, and opens to an operator", async () => {
    for (const route of guarded.filter(ofOperator)) {
      for (const by of [...Object.values(people), stranger]) {
        const { status, door } = await call(by, route, pathOf(route));
        expect([nameOf(route), status, door]).toEqual([nameOf(route), 404, "missing"]);
      }
      const { door } = await call(operator, route, pathOf(route, mine, "nothing"));
      expect([nameOf(route), door]).toEqual([nameOf(route), "open"]);
    }
  });

  test("opens to an operator's token, so that programs can do what the pages do", async () => {
    for (const route of guarded) {
      const { door } = await callByToken(route, pathOf(route));
      // How somebody likes the console is theirs alone.
      const personal = route.method === "PATCH" && PERSONAL.includes(route.path);
      expect([nameOf(route), door]).toEqual([nameOf(route), personal ? "role" : "open"]);
    }
  });

  test("is closed to a token that is none, even beside a good session", async () => {
    for (const route of guarded) {
      const headers = { authorization: "Bearer ot-fg-made-up" };
      const changes = route.method !== "GET";
      const response = changes
        ? await operator.send(route.method as "POST", pathOf(route), {}, headers)
        : await fetch(house.url + pathOf(route), { headers });
      expect([nameOf(route), response.status]).toEqual([nameOf(route), 401]);
    }
  });
});
