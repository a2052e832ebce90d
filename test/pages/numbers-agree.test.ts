// One account's money as everybody is told it: the operator on the account's page, the ledger, and the
// people and keys of the account on their own. The same numbers to the last digit, over real HTTP.
import { beforeAll, expect, test } from "bun:test";
import { formatUsd, parseUsd } from "../../src/catalogue/money.ts";
import { onEngines } from "../store/engines.ts";
import { type Browser, bodyOf } from "../support/browser.ts";
import { perSuite } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";

interface Funds {
  readonly balance: string;
  readonly credited: string;
  readonly charged: string;
  readonly held: string;
}
interface List<Row> {
  readonly data: readonly Row[];
}
type Key = { readonly id: string; readonly secret: string };

const MODEL = "sandbox-1.0";

function nano(text: string): bigint {
  const amount = parseUsd(text.replace("-", "")) ?? 0n;
  return text.startsWith("-") ? -amount : amount;
}

const total = (amounts: readonly string[]) =>
  formatUsd(amounts.reduce((sum, amount) => sum + nano(amount), 0n));

function fundsOf({ balance, credited, charged, held }: Funds): Funds {
  return { balance, credited, charged, held };
}

onEngines("the money of an account on $name", (engine) => {
  const house = perSuite((parts) => wholeConsole(parts, {}, engine));
  let operator: Browser;
  let viewer: Browser;
  let account = "";
  let keys: Key[] = [];
  const base = () => `/api/accounts/${account}`;

  async function call(key: Key, body: object): Promise<number> {
    const response = await fetch(`${house.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "hi" }], ...body }),
    });
    await response.text();
    return response.status;
  }

  beforeAll(async () => {
    operator = await house.operator("op@example.com");
    account = await house.account(operator, "Numbers");
    viewer = await house.person(operator, account, "viewer", "viewer@example.com");
    const credit = (amount: string) =>
      bodyOf(operator.post(`/api/operator/accounts/${account}/credit`, { amount }));
    await credit("3.17");
    await credit("0.01");
    const order = await bodyOf(
      operator.post(`${base()}/orders`, { provider: "test", amount: "5" }),
    );
    await bodyOf(operator.post(`${base()}/orders/${order.id}/test-pay`));
    keys = await Promise.all(
      ["one", "two"].map((name) =>
        bodyOf<Key>(operator.post(`${base()}/keys`, { name, account_read: true })),
      ),
    );
    const [one, two] = keys as [Key, Key];
    expect(await Promise.all([call(one, {}), call(two, {}), call(one, { stream: true })])).toEqual([
      200, 200, 200,
    ]);
    expect(await call(two, { model: "nobody" })).toBe(404);
    // Somebody else's money is nobody's here.
    const other = await house.account(operator, "Other");
    await bodyOf(operator.post(`/api/operator/accounts/${other}/credit`, { amount: "7" }));
    const theirs = await bodyOf<Key>(
      operator.post(`/api/accounts/${other}/keys`, { name: "theirs" }),
    );
    expect(await call(theirs, {})).toBe(200);
  });

  const asOperator = () => bodyOf<Funds>(operator.get(`/api/operator/accounts/${account}`));

  test("is the same for the operator, the people of the account and their keys", async () => {
    const funds = fundsOf(await asOperator());
    expect(funds).toMatchObject({ credited: "8.18", held: "0.0" });
    expect(nano(funds.charged)).toBeGreaterThan(0n);
    expect(nano(funds.balance)).toBe(nano(funds.credited) - nano(funds.charged));
    const rows = await bodyOf<List<Funds & { id: string }>>(
      operator.get("/api/operator/accounts?q=Numbers"),
    );
    expect(rows.data.map(fundsOf)).toEqual([funds]);
    for (const by of [operator, viewer]) {
      for (const page of ["/overview", "/wallet"]) {
        expect(fundsOf(await bodyOf<Funds>(by.get(base() + page)))).toEqual(funds);
      }
    }
    const me = await bodyOf<{ accounts: { balance: string }[] }>(viewer.get("/api/me"));
    expect(me.accounts.map(({ balance }) => balance)).toEqual([funds.balance]);
    for (const { secret } of keys) {
      const headers = { authorization: `Bearer ${secret}` };
      const credits = await bodyOf<Funds>(fetch(`${house.url}/v1/credits`, { headers }));
      expect(fundsOf(credits)).toEqual(funds);
    }
  });

  test("is what its statement, keys, usage and requests add up to", async () => {
    const { balance, credited, charged } = await asOperator();
    for (const by of [operator, viewer]) {
      const get = <Body>(path: string) => bodyOf<Body>(by.get(base() + path));
      const { data: lines } =
        await get<List<{ kind: string; amount: string; balance_after: string }>>("/entries");
      expect(lines[0]?.balance_after).toBe(balance);
      expect(total(lines.map(({ amount }) => amount))).toBe(balance);
      const credits = lines.filter(({ kind }) => kind !== "usage");
      expect(total(credits.map(({ amount }) => amount))).toBe(credited);
      const { data: made } = await get<List<{ used_total: string }>>("/keys");
      expect(total(made.map(({ used_total }) => used_total))).toBe(charged);
      for (const grouping of ["day", "model", "key"]) {
        const usage = await get<{ total: { cost: string } }>(`/usage?by=${grouping}`);
        expect([grouping, usage.total.cost]).toEqual([grouping, charged]);
      }
      const { data: requests } = await get<List<{ cost: string }>>("/requests");
      expect(total(requests.map(({ cost }) => cost))).toBe(charged);
      expect(requests).toHaveLength(4);
    }
  });

  test("is what the ledger proves, of all accounts together", async () => {
    const books = await bodyOf(operator.get("/api/operator/ledger/verify"));
    expect(books).toMatchObject({ ok: true, problems: [] });
    const accounts = await bodyOf<List<Funds>>(operator.get("/api/operator/accounts"));
    const margin = await bodyOf<List<{ charged: string }>>(
      operator.get("/api/operator/ledger/margin"),
    );
    expect(total(margin.data.map(({ charged }) => charged))).toBe(
      total(accounts.data.map(({ charged }) => charged)),
    );
  });
});
