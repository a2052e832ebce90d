// The whole gateway in this process, as `faregate serve` composes it, with people in its console.
import { spyOn } from "bun:test";
import { Accounts } from "../../src/accounts/accounts.ts";
import { OperatorLinks } from "../../src/accounts/operator-links.ts";
import { firstRun } from "../../src/cli/first-run.ts";
import { startApp } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { peopleStores } from "../../src/store/console/people.ts";
import { openStore } from "../../src/store/open.ts";
import { temporaryFolder } from "../server.ts";
import { SILENT } from "./logs.ts";
import { Browser, PASSWORD } from "./people-house.ts";

export interface ServedRoute {
  readonly method: string;
  /** With its parameters, such as `/api/accounts/:account/keys/:id`. */
  readonly path: string;
}

export interface WholeConsole {
  readonly url: string;
  /** Every route of the console that is served and has a door. */
  readonly guarded: readonly ServedRoute[];
  visitor(): Browser;
  operator(email: string): Promise<Browser>;
  /** A new account, made by the operator. */
  account(operator: Browser, name: string): Promise<string>;
  /** Somebody new in this role of the account, signed in. */
  person(operator: Browser, account: string, role: string, email: string): Promise<Browser>;
  close(): Promise<void>;
}

async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text);
}

type Table = Record<string, Record<string, unknown>>;

/** What has no door, because it is the way in or is believed by its signature. */
const OPEN = [
  "/api/auth/*",
  "/api/sign-in-options",
  "/api/operator-link",
  "/api/invitations/:token",
  "/api/invitations/:token/accept",
  "/api/payments/stripe/webhook",
  "/api/payments/epay/notify",
];

/** What the server was given, without what is open and the methods that only say which there are. */
async function guardedIn(table: Table, url: string): Promise<ServedRoute[]> {
  const routes = Object.entries(table)
    .filter(([path]) => path.startsWith("/api/") || path === "/metrics")
    .filter(([path]) => !OPEN.includes(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method, path })));
  const taken = await Promise.all(
    routes.map(async ({ method, path }) => (await fetch(url + path, { method })).status !== 405),
  );
  return routes.filter((_, i) => taken[i]);
}

export async function openWholeConsole(env: Record<string, string>): Promise<WholeConsole> {
  const folder = temporaryFolder();
  const config = readConfig({
    FAREGATE_PORT: "0",
    FAREGATE_DATA: folder.path,
    FAREGATE_SIGN_IN_ATTEMPTS_MAX: "1000",
    ...env,
  });
  const store = await openStore(config, { create: true, serve: true });
  await firstRun(store, new Accounts(store.accounts, systemClock, 0), systemClock);
  const serve = spyOn(Bun, "serve");
  const app = await startApp(config, store, SILENT);
  const table = (serve.mock.calls.at(-1)?.[0] as { routes?: Table } | undefined)?.routes ?? {};
  serve.mockRestore();
  const url = `http://127.0.0.1:${app.port}`;
  const visitor = () => new Browser(url);
  const links = new OperatorLinks(peopleStores(store.sql, systemClock).links, systemClock);
  return {
    url,
    guarded: await guardedIn(table, url),
    visitor,
    async operator(email) {
      const browser = visitor();
      const person = { token: await links.create(), email, name: email, password: PASSWORD };
      await bodyOf(await browser.post("/api/operator-link", person));
      return browser;
    },
    async account(operator, name) {
      return String((await bodyOf(await operator.post("/api/operator/accounts", { name }))).id);
    },
    async person(operator, account, role, email) {
      const asked = await operator.post(`/api/accounts/${account}/invitations`, { email, role });
      const token = String((await bodyOf(asked)).token_link)
        .split("/")
        .at(-1);
      const browser = visitor();
      const words = { name: email, password: PASSWORD };
      await bodyOf(await browser.post(`/api/invitations/${token}/accept`, words));
      return browser;
    },
    async close() {
      await app.stop();
      folder.remove();
    },
  };
}
