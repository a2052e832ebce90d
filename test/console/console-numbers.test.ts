// The same money told in six ways: overview, keys, usage, its file, the statement, the refusal that a
// client gets. They must be the same numbers, and `verify` must agree.
import { beforeAll, expect, test } from "bun:test";
import type { NewKey } from "../../src/accounts/account.ts";
import { formatUsd, parseUsd } from "../../src/catalogue/money.ts";
import { onEngines } from "../store/engines.ts";
import { credit, customer, key as newKey, request } from "../store/samples.ts";
import { happened } from "../store/traffic.ts";
import { consoleHouse } from "../support/houses/console-house.ts";
import { perSuite } from "../support/houses/house.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse("2026-11-15T20:30:00Z");
const ZONES = ["UTC", "Asia/Shanghai", "America/Los_Angeles", "Asia/Kolkata"];

interface Sums {
  requests: number;
  failures: number;
  input_tokens: number;
  output_tokens: number;
  cost: string;
}
type Row = Sums & { day?: string; model?: string; key_id?: string };
interface Usage {
  rows: Row[];
  total: Sums;
}
interface Overview {
  balance: string;
  charged: string;
  spend_today: string;
  spend_month: string;
  requests_today: number;
  series: { day: string; cost: string; requests: number }[];
  last_requests: { id: string; cost: string }[];
}
interface Line {
  kind: string;
  day?: string;
  amount: string;
  balance_after: string;
}

function total(costs: readonly string[]): string {
  const nano = costs.map((cost) =>
    cost.startsWith("-") ? -(parseUsd(cost.slice(1)) ?? 0n) : (parseUsd(cost) ?? 0n),
  );
  return formatUsd(nano.reduce((sum, cost) => sum + cost, 0n));
}

onEngines("numbers of the console on $name", (engine) => {
  const site = perSuite(engine.site);
  const store = perSuite(() => site.open());
  const house = perSuite(async () => {
    const { reads } = await site.reads();
    return consoleHouse({ store: reads, accounts: store.accounts, nowMs: NOW_MS });
  });
  let keys: NewKey[];
  let accountId: string;

  beforeAll(async () => {
    const first = await customer(store, { credit: 5_000_000_000n, budget: 900_000_000n });
    accountId = first.accountId;
    const second = newKey(accountId, { name: "second" });
    await store.accounts.createKey(second);
    keys = [first, second];
    await credit(store, accountId, 1_234_567_890n);
    const other = await customer(store, { credit: 5_000_000_000n });
    for (let i = 0; i < 120; i++) {
      const traffic = {
        key: i % 3 === 0 ? second : first,
        atMs: NOW_MS - i * 5.3 * HOUR_MS,
        model: `model-${i % 4}.0`,
        outcome: i % 9 === 4 ? ("error" as const) : ("ok" as const),
        cost: 12_345_678n + BigInt(i),
      };
      await happened(store, { ...traffic, atMs: Math.floor(traffic.atMs) });
      if (i % 10 === 0) await happened(store, { ...traffic, key: other, atMs: NOW_MS });
    }
    await happened(store, { key: second, atMs: NOW_MS, outcome: "refused" });
  });

  const viewer = () => ({ roles: { [accountId]: "viewer" as const } });
  const get = async <Body>(path: string) => {
    const { status, body } = await house.call<Body>(
      viewer(),
      "GET",
      `/api/accounts/${accountId}${path}`,
    );
    expect(status).toBe(200);
    return body;
  };
  const range = "from=2026-10-01&to=2026-11-16";

  test("usage is the same however it is grouped, in every zone, and so is its file", async () => {
    const { charged } = await get<Overview>("/overview");
    for (const zone of ZONES) {
      const totals: Sums[] = [];
      for (const by of ["day", "model", "key"]) {
        const query = `by=${by}&tz=${zone}&${range}`;
        const usage = await get<Usage>(`/usage?${query}`);
        expect(total(usage.rows.map(({ cost }) => cost))).toBe(usage.total.cost);
        totals.push(usage.total);
        const text = await house.text(viewer(), `/api/accounts/${accountId}/usage.csv?${query}`);
        const [, ...lines] = text.trimEnd().split("\r\n");
        expect(lines.map((line) => line.split(",").at(-1) ?? "")).toEqual(
          usage.rows.map(({ cost }) => cost),
        );
      }
      expect(totals[1]).toEqual(totals[0] as Sums);
      expect(totals[2]).toEqual(totals[0] as Sums);
      expect(totals[0]).toMatchObject({ cost: charged, requests: 121 });
    }
  });

  test("the overview has today, the month and the series of the usage page", async () => {
    for (const zone of ZONES) {
      const overview = await get<Overview>(`/overview?tz=${zone}`);
      const usage = await get<Usage>(`/usage?tz=${zone}`);
      expect(overview.series.map(({ day, cost, requests }) => [day, cost, requests])).toEqual(
        usage.rows.map(({ day = "", cost, requests }) => [day, cost, requests]),
      );
      const today = usage.rows.at(-1);
      expect([overview.spend_today, overview.requests_today]).toEqual([
        today?.cost ?? "",
        today?.requests ?? 0,
      ]);
      const month = usage.rows.filter(({ day }) => day?.startsWith(today?.day?.slice(0, 7) ?? "x"));
      expect(overview.spend_month).toBe(total(month.map(({ cost }) => cost)));
    }
  });

  test("a key's page, its row of usage, its requests and the refusal say the same", async () => {
    const usage = await get<Usage>(`/usage?by=key&${range}`);
    for (const { id } of keys) {
      const key = await get<{ used_total: string; budgets: { used: string; amount: string }[] }>(
        `/keys/${id}`,
      );
      const row = usage.rows.find(({ key_id }) => key_id === id);
      expect(row?.cost).toBe(key.used_total);
      const byDay = await get<Usage>(`/usage?key=${id}&${range}`);
      expect(byDay.total).toEqual(sumsOf(row));
      const requests = await get<{ data: { cost: string }[] }>(`/requests?key=${id}&limit=200`);
      expect(total(requests.data.map(({ cost }) => cost))).toBe(key.used_total);
      expect(requests.data).toHaveLength(row?.requests ?? 0);
    }
    const [first] = keys as [NewKey];
    await happened(store, { key: first, atMs: NOW_MS - HOUR_MS, cost: 900_000_000n });
    const outcome = await store.admission.admit(request(first, 1n));
    const key = await get<{ budgets: { used: string; amount: string }[] }>(`/keys/${first.id}`);
    if (outcome.kind !== "exceeded") throw new Error("it was let through");
    expect([formatUsd(outcome.used), formatUsd(outcome.max)]).toEqual([
      key.budgets[0]?.used ?? "",
      key.budgets[0]?.amount ?? "",
    ]);
  });

  test("the statement ends at the balance and has the days of the usage page", async () => {
    const { balance, charged } = await get<Overview>("/overview");
    const { data } = await get<{ data: Line[] }>("/entries?limit=200");
    expect(data[0]?.balance_after).toBe(balance);
    expect(total(data.map(({ amount }) => amount))).toBe(balance);
    const spent = data.filter(({ kind }) => kind === "usage");
    expect(total(spent.map(({ amount }) => amount.replace("-", "")))).toBe(charged);
    const usage = await get<Usage>(`/usage?${range}`);
    const days = usage.rows.filter(({ cost }) => cost !== "0.0").toReversed();
    expect(spent.map(({ day, amount }) => [day, amount])).toEqual(
      days.map(({ day, cost }) => [day, `-${cost}`]),
    );
  });

  test("the files of requests and of the statement have what the lists have", async () => {
    const file = async (path: string) => {
      const text = await house.text(viewer(), `/api/accounts/${accountId}${path}`);
      const [titles = "", ...lines] = text.trimEnd().split("\r\n");
      const names = titles.split(",");
      return lines.map((line) =>
        Object.fromEntries(line.split(",").map((cell, i) => [names[i], cell])),
      );
    };
    const { charged } = await get<Overview>("/overview");
    const requests = await file("/requests.csv");
    expect(requests).toHaveLength(122);
    expect(total(requests.map(({ cost_usd = "" }) => cost_usd))).toBe(charged);
    const failed = await get<{ data: { id: string }[] }>("/requests?status=error&limit=200");
    expect((await file("/requests.csv?status=error")).map(({ id }) => id)).toEqual(
      failed.data.map(({ id }) => id),
    );
    const { data } = await get<{ data: Line[] }>("/entries?limit=200");
    const shown = (lines: readonly Record<string, string | undefined>[]) =>
      lines.map((line) => [line.kind, line.amount_usd, line.balance_after_usd]);
    const told = (lines: readonly Line[]) =>
      lines.map(({ kind, amount, balance_after }) => [kind, amount, balance_after]);
    expect(shown(await file("/entries.csv"))).toEqual(told(data));
    const within = ({ day = "" }: Line) => day >= "2026-10-28" && day <= "2026-11-03";
    const week = await file("/entries.csv?from=2026-10-28&to=2026-11-03");
    expect(week.length).toBeGreaterThan(3);
    expect(shown(week)).toEqual(told(data.filter(within)));
  });

  test("the books add up", async () => {
    expect(await store.ledger.verify()).toMatchObject({ problems: [] });
  });
});

function sumsOf(row: Row | undefined): Sums {
  const { key_id: _id, key_name: _name, ...sums } = (row ?? {}) as Row & { key_name?: string };
  return sums;
}
