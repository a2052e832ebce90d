// An account's page for operators, its ledger and its customers' own pages tell the same money.
import { beforeAll, expect, test } from "bun:test";
import { formatUsd, parseUsd } from "../../src/catalogue/money.ts";
import { onEngines } from "../store/engines.ts";
import { type Browser, bodyOf } from "../support/browser.ts";
import { perSuite } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";

interface Money {
  readonly balance: string;
  readonly credited: string;
  readonly charged: string;
  readonly held: string;
}

function sumOf(amounts: readonly string[]): string {
  const nano = amounts.map((text) =>
    text.startsWith("-") ? -(parseUsd(text.slice(1)) ?? 0n) : (parseUsd(text) ?? 0n),
  );
  return formatUsd(nano.reduce((sum, one) => sum + one, 0n));
}

/** What is of today is dated at the moment of asking. */
const timeless = (body: unknown) => JSON.stringify(body).replace(/"[\d-]+T[\d:.]+Z"/g, '"then"');

const moneyOf = ({ balance, credited, charged, held }: Money): Money => ({
  ...{ balance, credited, charged, held },
});

onEngines("the numbers of an account on $name", (engine) => {
  const house = perSuite((parts) => wholeConsole(parts, {}, engine));
  let operator: Browser;
  let owner: Browser;
  let account: string;
  const read = <T>(by: Browser, path: string) => bodyOf<T>(by.get(path));
  const own = <T>(by: Browser, path: string) => read<T>(by, `/api/accounts/${account}${path}`);

  beforeAll(async () => {
    operator = await house.operator("op@example.com");
    account = await house.account(operator, "Customer");
    // Another one, whose money must not be told here.
    const other = await house.account(operator, "Neighbour");
    await bodyOf(operator.post(`/api/operator/accounts/${other}/credit`, { amount: "99" }));
    owner = await house.person(operator, account, "owner", "owner@example.com");
    await bodyOf(operator.post(`/api/operator/accounts/${account}/credit`, { amount: "20" }));
    await bodyOf(operator.post(`/api/operator/accounts/${account}/refund`, { amount: "3.5" }));
    const keys = `/api/accounts/${account}/keys`;
    for (const name of ["first", "second"]) {
      const { secret } = await bodyOf(owner.post(keys, { name }));
      for (const model of ["sandbox-1.0", "sandbox-1.0", "no-such-model"]) {
        await fetch(`${house.url}/v1/responses`, {
          method: "POST",
          headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
          body: JSON.stringify({ model, input: "Say hello." }),
        });
      }
    }
  });

  test("are the same for operators, for customers and in the ledger", async () => {
    const page = await read<Money>(operator, `/api/operator/accounts/${account}`);
    expect(page).toMatchObject({ credited: "16.5", held: "0.0" });
    expect(page.charged).not.toBe("0.0");
    const list = await read<{ data: (Money & { id: string })[] }>(
      operator,
      "/api/operator/accounts",
    );
    expect(list.data.find(({ id }) => id === account)).toEqual(page as never);
    for (const by of [operator, owner]) {
      for (const path of ["/overview", "/wallet"]) {
        expect(moneyOf(await own<Money>(by, path))).toEqual(moneyOf(page));
      }
      const { data: lines } = await own<{ data: { amount: string; balance_after: string }[] }>(
        by,
        "/entries",
      );
      expect(sumOf(lines.map(({ amount }) => amount))).toBe(page.balance);
      expect(lines[0]?.balance_after).toBe(page.balance);
      const { total } = await own<{ total: { cost: string; requests: number } }>(by, "/usage");
      expect(total.cost).toBe(page.charged);
      const { data: requests } = await own<{ data: { cost: string; requests: number }[] }>(
        by,
        "/requests",
      );
      expect(sumOf(requests.map(({ cost }) => cost))).toBe(page.charged);
      const { data: keys } = await own<{ data: { used_total: string }[] }>(by, "/keys");
      expect(sumOf(keys.map(({ used_total }) => used_total))).toBe(page.charged);
    }
    const me = await read<{ accounts: { id: string; balance: string }[] }>(owner, "/api/me");
    expect(me.accounts).toMatchObject([{ id: account, balance: page.balance }]);
    expect(await read(operator, "/api/operator/ledger/verify")).toMatchObject({ ok: true });
  });

  test("are the customer's own to the letter, but for the channel that answered", async () => {
    for (const path of ["/overview", "/wallet", "/keys", "/usage", "/entries", "/members"]) {
      const [seen, shown] = [await own(operator, path), await own(owner, path)].map(timeless);
      expect([path, seen?.replace(/,"channel":(?:"[^"]*"|null)/g, "")]).toEqual([path, shown]);
    }
  });
});
