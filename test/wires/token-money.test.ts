// What a program may with a token that has every scope but the one for money.
import { describe, expect, test } from "bun:test";
import { bodyOf } from "../support/browser.ts";
import { perFile } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";

/** Every change that takes the scope for money, of accounts and of operators. */
const MONEY = [
  "DELETE /api/operator/models/:id",
  "DELETE /api/operator/prices/:id",
  "PATCH /api/operator/models/:id",
  "POST /api/accounts/:account/codes/redeem",
  "POST /api/accounts/:account/orders",
  "POST /api/accounts/:account/orders/:id/test-pay",
  "POST /api/accounts/:account/refunds",
  "POST /api/operator/accounts/:account/credit",
  "POST /api/operator/accounts/:account/refund",
  "POST /api/operator/codes/batches",
  "POST /api/operator/codes/batches/:id/revoke",
  "POST /api/operator/models",
  "PUT /api/accounts/:account/auto-topup",
  "PUT /api/operator/models/:id/price",
  "PUT /api/operator/settings",
];
const PAID = "gpt-6-astra";
const CHANNEL = { id: "team", vendor: "custom", base_url: "http://127.0.0.1:9/v1", keys: ["key"] };

const house = await perFile(wholeConsole);
const operator = await house.operator("op@example.com");
const account = await house.account(operator, "Customer");
const tokenWith = async (...scopes: string[]) =>
  String((await bodyOf(operator.post("/api/operator/tokens", { name: "t", scopes }))).secret);
const writing = await tokenWith("read", "write");
const paying = await tokenWith("read", "write", "money");

const call = (token: string, method: string, path: string, body: unknown = {}) =>
  fetch(house.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(method !== "GET" && { body: JSON.stringify(body) }),
  });

async function refusalOf(response: Response) {
  const { error } = (await response.json()) as { error?: { message: string; param?: unknown } };
  const wanted = error?.message.includes("the scope 'money'") === true;
  return { status: response.status, wanted, param: error?.param ?? null };
}
const REFUSED = { status: 403, wanted: true, param: null };

async function priceOf(model: string): Promise<unknown> {
  const { prices } = await bodyOf<{ prices: { input: string }[] }>(
    operator.get(`/api/operator/models/${model}`),
  );
  return prices[0]?.input;
}

describe("a token without the scope for money", () => {
  test("is refused every change of money and prices, and no other", async () => {
    const changes = (await house.guarded()).filter(
      ({ method, path }) => method !== "GET" && /^\/api\/(?:operator|accounts)\//.test(path),
    );
    const refused = await Promise.all(
      changes.map(async ({ method, path }) => {
        const real = path.replace(":account", account).replace(/:\w+/g, "nothing");
        const { wanted } = await refusalOf(await call(writing, method, real));
        return wanted ? [`${method} ${path}`] : [];
      }),
    );
    expect(refused.flat().toSorted()).toEqual(MONEY);
  });

  test("makes no model free, adds none that is cheap, and takes no price of the operator's away", async () => {
    const path = `/api/operator/models/${PAID}`;
    const price = { input: "99", output: "99" };
    expect((await call(paying, "PUT", `${path}/price`, price)).status).toBe(200);
    const cheap = {
      id: "cheap",
      owned_by: "tests",
      endpoints: ["chat"],
      context: 100_000,
      max_output: 1_000,
      upstream: { openai: PAID },
      price: { input: "0.000001", output: "0.000001" },
    };
    const models = "/api/operator/models";
    expect(await refusalOf(await call(writing, "POST", models, cheap))).toEqual(REFUSED);
    expect(await refusalOf(await call(writing, "PATCH", path, { free: true }))).toEqual(REFUSED);
    expect(await refusalOf(await call(writing, "DELETE", path))).toEqual(REFUSED);
    expect(await priceOf(PAID)).toBe("99.0");
    expect((await call(paying, "POST", models, cheap)).status).toBe(201);
    expect((await call(paying, "DELETE", path)).status).toBe(200);
    expect(await priceOf(PAID)).not.toBe("99.0");
  });

  test("says of a channel where it is and how it is used, but not what may be had for nothing", async () => {
    const path = "/api/operator/channels";
    const members = { free: true, allow: { "tool:search": "0.01" }, models: { [PAID]: "dear" } };
    for (const [param, value] of Object.entries(members)) {
      const refused = { ...REFUSED, param };
      const form = { ...CHANNEL, [param]: value };
      expect(await refusalOf(await call(writing, "POST", path, form))).toEqual(refused);
    }
    // Which models it serves is no matter of money, as long as each is sold as what it is.
    const plain = { ...CHANNEL, models: [PAID] };
    expect((await call(writing, "POST", path, plain)).status).toBe(201);
    // Some vendors bill nothing: whoever changes it changes what that is.
    for (const [param, value] of Object.entries({ ...members, vendor: "vllm" })) {
      const changed = await call(writing, "PATCH", `${path}/team`, { [param]: value });
      expect(await refusalOf(changed)).toEqual({ ...REFUSED, param });
    }
    expect((await call(writing, "PATCH", `${path}/team`, { weight: 2 })).status).toBe(200);
    expect((await call(paying, "PATCH", `${path}/team`, { free: true })).status).toBe(200);
    expect((await call(writing, "DELETE", `${path}/team`)).status).toBe(200);
  });
});
