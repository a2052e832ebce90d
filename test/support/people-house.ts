// The console with its real doors, and people who come through them with a browser of their own.
import type { Account } from "../../src/accounts/account.ts";
import type { Accounts } from "../../src/accounts/accounts.ts";
import type { Doors } from "../../src/accounts/doors.ts";
import { createPeople } from "../../src/accounts/people.ts";
import type { PeopleServices } from "../../src/accounts/services.ts";
import type { Mail } from "../../src/accounts/sign-in/mail.ts";
import type { Credit, SignUpTerms } from "../../src/accounts/sign-in/sign-up.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { HttpServer } from "../../src/http/server.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Route } from "../../src/lib/route.ts";
import { TaskGroup } from "../../src/lib/task-group.ts";
import { createVault } from "../../src/lib/vault.ts";
import { ACCOUNTS_TABLES } from "../../src/store/console/accounts-tables.ts";
import { peopleStores } from "../../src/store/console/people.ts";
import { SIGN_IN_TABLES } from "../../src/store/console/sign-in-tables.ts";
import type { Sql } from "../../src/store/sql.ts";
import type { ConsoleDatabase } from "../store/console.ts";
import { SILENT } from "./logs.ts";

/** Everybody's, unless a test gives them another. */
export const PASSWORD = "correct horse battery";

type HeaderChanges = Readonly<Record<string, string | null>>;

/** A browser as far as the API sees one: it keeps cookies and says which page it is on. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  get(path: string): Promise<Response> {
    return this.#fetch("GET", path, {}, undefined);
  }

  post(path: string, body: unknown = {}): Promise<Response> {
    return this.send("POST", path, body);
  }

  /** A change as a page of the console makes it. Headers that are null are left out. */
  send(
    method: Route["method"],
    path: string,
    body: unknown = {},
    changes: HeaderChanges = {},
  ): Promise<Response> {
    const usual = {
      "content-type": "application/json",
      origin: this.#url,
      "x-faregate-csrf": "1",
    };
    return this.#fetch(method, path, { ...usual, ...changes }, JSON.stringify(body));
  }

  signIn(email: string, password: string): Promise<Response> {
    return this.post("/api/auth/sign-in/email", { email, password });
  }

  async #fetch(
    method: Route["method"],
    path: string,
    wanted: HeaderChanges,
    body: string | undefined,
  ): Promise<Response> {
    const headers = new Headers();
    for (const [name, value] of Object.entries(wanted)) {
      if (value !== null) headers.set(name, value);
    }
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie) headers.set("cookie", cookie);
    const response = await fetch(this.#url + path, {
      method,
      headers,
      // Where an answer leads is looked at, not followed.
      redirect: "manual",
      ...(body !== undefined && { body }),
    });
    for (const text of response.headers.getSetCookie()) this.#keep(text);
    return response;
  }

  #keep(text: string): void {
    const [pair = "", ...attributes] = text.split(";");
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/.exec(pair.trim()) ?? [];
    const ended = attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute));
    if (ended) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** What is around the people: the time, the terms, and what was sent out. A test moves it. */
interface World {
  /** How far the house's clock is ahead. The sign-in library keeps a clock of its own. */
  laterMs: number;
  terms: SignUpTerms;
  readonly mails: Mail[];
  readonly credits: Credit[];
}

export interface PeopleHouse extends World {
  readonly url: string;
  readonly sql: Sql;
  readonly services: PeopleServices;
  readonly operatorAccount: Account;
  /** Somebody who is not signed in. */
  visitor(): Browser;
  /** Somebody new who runs the installation, signed in. */
  operator(email?: string): Promise<Browser>;
  /** Somebody new with an account of their own, signed in. */
  owner(email: string): Promise<{ browser: Browser; accountId: string }>;
  close(): Promise<void>;
}

interface HouseOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Routes of other rooms behind the same doors. */
  routes?(doors: Doors): readonly Route[];
}

/** Accounts belong to the store of the money, of which people only ask these questions. */
class AccountsInMemory implements Pick<Accounts, "createAccount"> {
  readonly #accounts = new Map<string, Account>();

  async createAccount(
    name: string,
    { operator = false, hard = false }: { operator?: boolean; hard?: boolean } = {},
  ): Promise<Account> {
    const createdAtMs = systemClock();
    const account = { id: newId("acct_"), name, operator, enabled: true, hard, createdAtMs };
    this.#accounts.set(account.id, account);
    return account;
  }

  async findAccount(id: string): Promise<Account | undefined> {
    return this.#accounts.get(id);
  }

  async operatorAccount(): Promise<Account | undefined> {
    return [...this.#accounts.values()].find(({ operator }) => operator);
  }
}

interface Parts {
  readonly config: Config;
  readonly sql: Sql;
  readonly world: World;
  readonly accounts: AccountsInMemory;
  readonly tasks: TaskGroup;
  port(): number;
}

function peopleOf({ config, sql, world, accounts, tasks, port }: Parts) {
  const clock = () => systemClock() + world.laterMs;
  return createPeople({
    config,
    stores: peopleStores(sql, clock),
    accountsStore: accounts,
    accounts,
    vault: createVault("a secret of the tests that is long enough"),
    clock,
    log: SILENT,
    sendMail: async (mail) => void world.mails.push(mail),
    port,
    terms: async () => world.terms,
    credit: async (credit) => world.credits.push(credit),
    balanceOf: async () => 1_500_000_000n,
    facts: async () => ({ displayCurrency: null, testPayment: true }),
    background: (work) => tasks.run(work),
  });
}

async function expectOk(response: Response): Promise<void> {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
}

/** How people come to the house. */
function entrances(url: string, services: PeopleServices, accounts: AccountsInMemory) {
  const visitor = () => new Browser(url);
  return {
    visitor,
    async operator(email = "op@example.com") {
      const browser = visitor();
      const token = await services.links.create();
      const person = { token, email, name: email, password: PASSWORD };
      await expectOk(await browser.post("/api/operator-link", person));
      return browser;
    },
    async owner(email: string) {
      const browser = visitor();
      const account = await accounts.createAccount(`of ${email}`);
      const wish = { email, role: "owner", operator: false, invitedBy: "a test" } as const;
      const { token } = await services.memberships.invite(account, wish);
      const person = { name: email, password: PASSWORD };
      await expectOk(await browser.post(`/api/invitations/${token}/accept`, person));
      return { browser, accountId: account.id };
    },
  };
}

export async function openPeopleHouse(
  database: ConsoleDatabase,
  { env, routes }: HouseOptions = {},
): Promise<PeopleHouse> {
  const config = readConfig({
    FAREGATE_PORT: "0",
    // Tests sign in more often than people do, all of them from one address.
    FAREGATE_SIGN_IN_ATTEMPTS_MAX: "1000",
    ...env,
  });
  const opened = await database.open(SIGN_IN_TABLES, ACCOUNTS_TABLES);
  const { sql } = opened;
  const accounts = new AccountsInMemory();
  const operatorAccount = await accounts.createAccount("operator", { operator: true });
  const failures: unknown[] = [];
  const tasks = new TaskGroup((thrown) => failures.push(thrown));
  const world: World = {
    laterMs: 0,
    terms: { policy: "invite", credit: 0n },
    mails: [],
    credits: [],
  };
  const people = peopleOf({ config, sql, world, accounts, tasks, port: () => http.port });
  const { services, doors } = people;
  const http = new HttpServer({
    config,
    log: SILENT,
    routes: [...people.routes, ...(routes?.(doors) ?? [])],
    sockets: [],
    ready: async () => {},
  });
  const url = `http://127.0.0.1:${http.port}`;
  const close = async () => {
    await http.stop();
    await tasks.settled();
    await opened.close();
    if (failures.length > 0) throw new AggregateError(failures, "work in the background failed");
  };
  const comings = entrances(url, services, accounts);
  // The same object, so that what a test sets on the house is what people meet.
  return Object.assign(world, { url, sql, services, operatorAccount, ...comings, close });
}
