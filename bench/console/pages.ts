// The pages of the console, as their routes answer them, and how long each takes.

import type { Accounts } from "../../src/accounts/accounts.ts";
import { Catalogue } from "../../src/catalogue/models.ts";
import { operatorAccountRoutes } from "../../src/console/operator/account-routes.ts";
import { ledgerRoutes } from "../../src/console/operator/ledger-routes.ts";
import type { OperatorServices } from "../../src/console/operator/services.ts";
import type { OperatorBooks } from "../../src/console/operator/store.ts";
import { consoleRoutes } from "../../src/console/routes.ts";
import { searchRoutes } from "../../src/console/search-routes.ts";
import type { ConsoleStore, SearchStore } from "../../src/console/store.ts";
import { idFloor } from "../../src/lib/ids.ts";
import type { Route } from "../../src/lib/route.ts";
import { USED_IN_SQL } from "../../src/store/money/budget-rows.ts";
import { type MoneyReader, readRows, statement } from "../../src/store/money-reads/reader.ts";
import { ask, openGuards } from "../../test/support/houses/open-guards.ts";
import { DAYS, type SeedAccount, type Traffic } from "./traffic.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MONTH_MS = 31 * DAY_MS;

/** A page of one account, asked for the n-th time. */
interface Page {
  readonly name: string;
  path(account: SeedAccount, turn: number): string;
}

export interface Timing {
  readonly page: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

function benchRoutes(store: ConsoleStore, nowMs: number): readonly Route[] {
  const unused = () => {
    throw new Error("a page that only reads changed something");
  };
  const services = {
    store,
    accounts: { createKey: unused } as unknown as Accounts,
    keys: { updateKey: unused, endFormerSecrets: unused, deleteKey: unused },
    catalogue: new Catalogue([]),
    models: async () => [],
    rights: {
      ...{ noteMaker: unused, forgetMaker: unused, noteSecret: unused, forgetSecret: unused },
      ...{ widen: unused, handOver: unused, narrow: unused },
    },
    personalKeys: { idsIn: async () => new Set<string>() },
    audit: { write: unused },
    tasks: { run: unused },
    clock: () => nowMs,
  };
  return consoleRoutes(services, openGuards({ operator: true, roles: {} }));
}

function pagesOf(nowMs: number): readonly Page[] {
  const day = (back: number) => new Date(nowMs - back * DAY_MS).toISOString().slice(0, 10);
  const moment = (back: number) => new Date(nowMs - back * MINUTE_MS).toISOString();
  const idAt = (turn: number) => idFloor("req_", nowMs - ((turn * 7) % DAYS) * DAY_MS);
  const key = (account: SeedAccount, turn: number) =>
    account.keys[turn % account.keys.length]?.id ?? "";
  const model = (account: SeedAccount, turn: number) => account.keys[0]?.models[turn % 3] ?? "";
  const quarter = `from=${day(DAYS - 1)}&to=${day(0)}`;
  return [
    { name: "overview", path: () => "/overview" },
    { name: "overview, Asia/Shanghai", path: () => "/overview?tz=Asia/Shanghai" },
    { name: "keys", path: () => "/keys" },
    { name: "one key", path: (a, n) => `/keys/${key(a, n)}` },
    ...["day", "model", "key"].flatMap((by) => [
      { name: `usage by ${by}, 30 days`, path: () => `/usage?by=${by}&tz=Asia/Shanghai` },
      { name: `usage by ${by}, 90 days`, path: () => `/usage?by=${by}&${quarter}` },
    ]),
    { name: "usage of a key, 30 days", path: (a, n) => `/usage?key=${key(a, n)}` },
    { name: "usage.csv by key, 90 days", path: () => `/usage.csv?by=key&${quarter}` },
    { name: "requests", path: () => "/requests" },
    { name: "requests, deep", path: (_a, n) => `/requests?after=${idAt(n)}&limit=200` },
    { name: "requests of a key", path: (a, n) => `/requests?key=${key(a, n)}` },
    {
      name: "requests of a key, deep",
      path: (a, n) => `/requests?key=${key(a, n)}&after=${idAt(n)}`,
    },
    { name: "requests of a model", path: (a, n) => `/requests?model=${model(a, n)}` },
    { name: "requests of a model never used", path: () => "/requests?model=nobody" },
    { name: "requests with an error", path: () => "/requests?status=error" },
    {
      name: "requests of key and model, refused",
      path: (a, n) => `/requests?key=${key(a, n)}&model=${model(a, n)}&status=refused`,
    },
    {
      name: "requests between days",
      path: () => `/requests?from=${day(40)}&to=${day(39)}&status=error`,
    },
    {
      name: "requests of a minute",
      path: (_a, n) => `/requests?from=${moment(n * 7)}&to=${moment(n * 7 - 1)}`,
    },
    { name: "live tail", path: () => `/requests?since=${idFloor("req_", nowMs - 60_000)}` },
    { name: "statement", path: () => "/entries" },
    { name: "statement, long page", path: () => "/entries?limit=200" },
  ];
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

async function timed(routes: readonly Route[], path: string): Promise<number> {
  const start = performance.now();
  const response = await ask(routes, "GET", path);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
  return performance.now() - start;
}

function timingOf(page: string, times: readonly number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    page,
    p50Ms: quantile(sorted, 0.5),
    p95Ms: quantile(sorted, 0.95),
    maxMs: sorted.at(-1) ?? 0,
  };
}

async function timePath(
  page: string,
  routes: readonly Route[],
  path: (turn: number) => string,
  turns: number,
): Promise<Timing> {
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) times.push(await timed(routes, path(turn)));
  return timingOf(page, times);
}

/** The detail of requests, by their own ids and those of their answers. */
async function timeDetails(routes: readonly Route[], account: SeedAccount, turns: number) {
  const base = `/api/accounts/${account.id}/requests`;
  const response = await ask(routes, "GET", `${base}?limit=200`);
  const { data } = (await response.json()) as { data: { id: string }[] };
  const path = (turn: number) => `${base}/${data[turn % data.length]?.id}`;
  return timePath("one request", routes, path, turns);
}

/** Every page of an account in turn: of the largest, of one of the middle, of one that has left. */
export async function timePages(
  store: ConsoleStore,
  traffic: Traffic,
  nowMs: number,
  turns: number,
): Promise<Timing[]> {
  const routes = benchRoutes(store, nowMs);
  const [largest] = traffic.accounts;
  const middle = traffic.accounts[Math.floor(traffic.accounts.length / 2)];
  if (!largest || !middle) throw new Error("there are no accounts");
  const sizes = [
    ["large", largest],
    ["middle", middle],
    ["silent", traffic.left],
  ] as const;
  const timings: Timing[] = [];
  for (const { name, path } of pagesOf(nowMs)) {
    for (const [size, account] of sizes) {
      const pathAt = (turn: number) => `/api/accounts/${account.id}${path(account, turn)}`;
      timings.push(await timePath(`${name} (${size})`, routes, pathAt, turns));
    }
  }
  timings.push(await timeDetails(routes, largest, turns));
  return timings;
}

/** What operators look at, of all accounts together. */
export async function timeOperatorPages(
  books: OperatorBooks,
  { accounts, endMs: nowMs }: Traffic,
  turns: number,
): Promise<Timing[]> {
  const guards = openGuards({ operator: true, roles: {} });
  const services = { books, clock: () => nowMs } as unknown as OperatorServices;
  const routes = [
    ...operatorAccountRoutes(services, guards),
    ...ledgerRoutes(services, guards, () => undefined),
  ];
  const since = (days: number) => new Date(nowMs - days * DAY_MS).toISOString().slice(0, 10);
  const idAt = (turn: number) => accounts[(turn * 7) % accounts.length]?.id;
  const pages: readonly (readonly [string, string | ((turn: number) => string)])[] = [
    ["accounts", "/accounts"],
    ["accounts, deep", (turn) => `/accounts?limit=200&after=${idAt(turn)}`],
    ["one account", (turn) => `/accounts/${idAt(turn)}`],
    ["accounts by name", "/accounts?q=account%201"],
    ["open holds", "/ledger/holds"],
    ...[1, 7, 30, DAYS].flatMap(
      (days) =>
        [
          [`margin, ${days} days`, `/ledger/margin?from=${since(days)}`],
          [`overage, ${days} days`, `/ledger/overage?from=${since(days)}`],
        ] as const,
    ),
  ];
  const timings: Timing[] = [];
  for (const [name, path] of pages) {
    const pathAt = typeof path === "string" ? () => path : path;
    timings.push(await timePath(name, routes, (turn) => `/api/operator${pathAt(turn)}`, turns));
  }
  return timings;
}

/** What a budget by the month begins with that is set now, for each key of the largest account. */
export async function timeNewBudgets(
  reader: MoneyReader,
  { accounts, endMs }: Traffic,
  turns: number,
): Promise<Timing> {
  const keys = accounts[0]?.keys ?? [];
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const start = performance.now();
    const values = [keys[turn % keys.length]?.id ?? "", endMs - MONTH_MS, endMs];
    await readRows(reader, statement(USED_IN_SQL, ...values));
    times.push(performance.now() - start);
  }
  return timingOf("a new budget by the month (large)", times);
}

/** The page of one account, and the search over all of them. People and drafts are in another database. */
export async function timeAccountPages(
  books: OperatorBooks,
  search: SearchStore,
  { accounts: [largest] }: Traffic,
  nowMs: number,
  turns: number,
): Promise<Timing[]> {
  if (!largest) throw new Error("there are no accounts");
  const guards = openGuards({ operator: true, roles: {} });
  const services = { books, clock: () => nowMs } as unknown as OperatorServices;
  const routes = [
    ...operatorAccountRoutes(services, guards),
    ...searchRoutes(
      { search, models: async () => [], namesOf: (ids) => books.namesOf(ids) },
      guards,
    ),
  ];
  const pages = [
    ["one account", `/accounts/${largest.id}`],
    ["search by name", "/search?q=account%201"],
    ["search for nothing", "/search?q=nobody%20has%20this"],
    ["search by a key's id", `/search?q=${largest.keys[0]?.id}`],
    ["search by a request's id", `/search?q=${idFloor("req_", nowMs - DAY_MS)}`],
  ] as const;
  const timings: Timing[] = [];
  for (const [name, path] of pages) {
    timings.push(await timePath(name, routes, () => `/api/operator${path}`, turns));
  }
  return timings;
}
