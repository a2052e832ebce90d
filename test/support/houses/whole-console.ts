// The whole gateway in this process, as `faregate serve` composes it, with people in its console.
import { spyOn } from "bun:test";
import { Accounts } from "../../../src/accounts/accounts.ts";
import { OperatorLinks } from "../../../src/accounts/people/operator-links.ts";
import { peopleStores } from "../../../src/accounts/tables/open.ts";
import { firstRun } from "../../../src/cli/first-run.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type Engine, SQLITE } from "../../store/engines.ts";
import { Browser, bodyOf, newGuest, newOperator } from "../browser.ts";
import type { Parts } from "./house.ts";
import { wholeApp } from "./whole-app.ts";

export interface ServedRoute {
  readonly method: string;
  /** With its parameters, such as `/api/accounts/:account/keys/:id`. */
  readonly path: string;
}

/** `/api/v1/` is OpenRouter's base URL: it serves models, and nothing of the console. */
const isConsole = (path: string) => path.startsWith("/api/") && !path.startsWith("/api/v1/");

type Table = Record<string, Record<string, unknown>>;

/** Routes without a guard: they are the way in, or a signature proves the caller. */
const OPEN = [
  "/api/auth/*",
  "/api/sign-in-options",
  "/api/sign-up/confirm",
  "/api/operator-link",
  "/api/operator-link/open",
  "/api/invitations/open",
  "/api/invitations/accept",
  "/api/payments/stripe/webhook",
  "/api/payments/epay/notify",
];

/** The console's routes that have a guard. A method that the path does not offer is left out. */
async function guardedIn(table: Table, url: string): Promise<ServedRoute[]> {
  const routes = Object.entries(table)
    .filter(([path]) => isConsole(path) || path === "/metrics")
    .filter(([path]) => !OPEN.includes(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method, path })));
  const taken = await Promise.all(
    routes.map(async ({ method, path }) => (await fetch(url + path, { method })).status !== 405),
  );
  return routes.filter((_, i) => taken[i]);
}

export async function wholeConsole(
  parts: Parts,
  env: Record<string, string> = {},
  engine: Engine = SQLITE,
) {
  const serve = spyOn(Bun, "serve");
  const { url, store } = await wholeApp(parts, await engine.site(parts), {
    FAREGATE_SIGN_IN_ATTEMPTS_MAX: "1000",
    FAREGATE_SIGN_IN_PERSON_FAILURES_MAX: "1000",
    ...env,
  });
  const table = (serve.mock.calls.at(-1)?.[0] as { routes?: Table } | undefined)?.routes ?? {};
  serve.mockRestore();
  const accounts = new Accounts(store.accounts, systemClock, 0);
  await firstRun(store, accounts, systemClock);
  const links = new OperatorLinks(peopleStores(store.sql, systemClock).links, systemClock);
  return {
    url,
    sql: store.sql,
    /** Every route that is served, those of the gateway and of the platform too. */
    served: Object.entries(table).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method, path })),
    ),
    /** Every route of the console that is served and has a door: each is called to find out. */
    guarded: () => guardedIn(table, url),
    visitor: () => new Browser(url),
    operator: async (email: string) => newOperator(url, await links.create(), email),
    /** A new account, made by the operator. */
    account: async (operator: Browser, name: string) =>
      String((await bodyOf(operator.post("/api/operator/accounts", { name }))).id),
    /** A key as the command line makes them: by whoever has the machine. */
    async commandKey(account: string) {
      const made = await accounts.createKey(account, { name: "typed", accountRead: true });
      return { secret: made?.key ?? "" };
    },
    /** Somebody new in this role of the account, signed in. */
    async person(operator: Browser, account: string, role: string, email: string) {
      const asked = operator.post(`/api/accounts/${account}/invitations`, { email, role });
      const link = String((await bodyOf(asked)).token_link);
      return newGuest(url, link.split("#").at(-1) ?? "", email);
    },
  };
}
