// What an operator puts on top of the vendors' prices is not told to customers: every page of their
// account and every call with their key is looked through for it.
import { beforeAll, describe, expect, test } from "bun:test";
import { type Browser, bodyOf } from "../support/browser.ts";
import { perFile } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";

/** No other number of the installation has these digits. */
const PERCENT = "13.579";
const ROLES = ["viewer", "member", "owner"] as const;
const ACCOUNT = "/api/accounts/:account";
const CHAT = { model: "sandbox-1.0", messages: [{ role: "user", content: "hi" }] };

const house = await perFile(wholeConsole);
const guarded = await house.guarded();
const operator = await house.operator("op@example.com");
const account = await house.account(operator, "Customers");
const base = `/api/accounts/${account}`;
const ids: Record<string, string> = {};
let secret = "";

/** What a customer's own key is answered, with the headers, which are told too. */
async function byKey(method: string, path: string, body?: unknown): Promise<string> {
  const response = await fetch(house.url + path, {
    method,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect([path, response.status]).toEqual([path, 200]);
  return `${JSON.stringify([...response.headers])}\n${await response.text()}`;
}

beforeAll(async () => {
  await bodyOf(operator.send("PUT", "/api/operator/settings", { markup_percent: PERCENT }));
  await bodyOf(operator.post(`/api/operator/accounts/${account}/credit`, { amount: "5" }));
  const key = await bodyOf(operator.post(`${base}/keys`, { name: "k", account_read: true }));
  secret = String(key.secret);
  ids.keys = String(key.id);
  const called = await byKey("POST", "/v1/chat/completions", CHAT);
  ids.requests = /"x-request-id","([^"]+)"/.exec(called)?.[1] ?? "";
  const source = { format: "markdown", text: "text" };
  const draft = await bodyOf(
    operator.post(`${base}/drafts`, { articles: [{ title: "a", source }] }),
  );
  ids.drafts = String(draft.id);
  ids["public-accounts"] = String(draft.public_account_id);
  const order = await bodyOf(operator.post(`${base}/orders`, { provider: "test", amount: "5" }));
  ids.orders = String(order.id);
});

/** Every page of an account that is served and can be looked at, with something of the account in it. */
function pages(): string[] {
  return guarded
    .filter(({ method, path }) => method === "GET" && path.startsWith(ACCOUNT))
    .map(({ path }) =>
      path
        .replace(":account", account)
        .replace(/([\w-]+)\/:id/, (_, part: string) => `${part}/${ids[part] ?? "none"}`)
        .replace(":version", "1"),
    );
}

async function lookedThrough(by: Browser): Promise<string> {
  const texts = await Promise.all(pages().map(async (path) => (await by.get(path)).text()));
  return texts.join("\n");
}

describe("the operator's markup", () => {
  test("is in force, and the operator sees it", async () => {
    const seen = await lookedThrough(operator);
    expect(seen).toContain(`+${PERCENT}%`);
    const receipt = await bodyOf(operator.get(`${base}/requests/${ids.requests}`));
    expect(receipt.price_version).toEndWith(`+${PERCENT}%`);
  });

  test.each(ROLES)("is on no page of a %s", async (role) => {
    const person = await house.person(operator, account, role, `${role}@example.com`);
    const seen = await lookedThrough(person);
    expect(seen).not.toContain(PERCENT);
    const receipt = await bodyOf(person.get(`${base}/requests/${ids.requests}`));
    expect(receipt.price_version).toMatch(/^plan\/\d{4}-\d\d-\d\d$/);
    const models = await bodyOf<{ data: { price: { version: string } | null }[] }>(
      person.get(`${base}/models`),
    );
    const versions = models.data.flatMap(({ price }) => (price ? [price.version] : []));
    expect(versions.length).toBeGreaterThan(0);
    for (const version of versions) expect(version).toMatch(/^plan(\/|$)/);
    expect(await (await person.get("/api/me")).text()).not.toContain(PERCENT);
  });

  test("is in no answer to a key", async () => {
    const answers = await Promise.all([
      byKey("POST", "/v1/chat/completions", CHAT),
      byKey("POST", "/v1/chat/completions", { ...CHAT, stream: true }),
      byKey("POST", "/v1/responses", { model: "sandbox-1.0", input: "hi" }),
      byKey("POST", "/v1/messages", { ...CHAT, max_tokens: 10 }),
      byKey("POST", "/v1/estimate", CHAT),
      byKey("GET", `/v1/generation?id=${ids.requests}`),
      byKey("GET", "/v1/models"),
      byKey("GET", "/v1/models?client_version=1.0.0"),
      byKey("GET", "/v1/models/sandbox-1.0"),
      byKey("GET", "/v1beta/models"),
      byKey("GET", "/v1/key"),
      byKey("GET", "/v1/credits"),
      byKey("GET", "/v1/dashboard/billing/subscription"),
      byKey("GET", "/v1/dashboard/billing/usage?start_date=2026-01-01&end_date=2026-02-01"),
    ]);
    for (const answer of answers) expect(answer).not.toContain(PERCENT);
    expect(answers[4]).toMatch(/"price_version":"plan\/[\d-]+"/);
    expect(answers[5]).toMatch(/"price_version":"plan\/[\d-]+"/);
  });
});
