// The console with its real guards, and people who come past them with a browser of their own.
import { expect } from "bun:test";
import { Accounts } from "../../../src/accounts/accounts.ts";
import type { Guards } from "../../../src/accounts/guards.ts";
import { createPeople } from "../../../src/accounts/people/people.ts";
import type { Mail } from "../../../src/accounts/sign-in/mail.ts";
import type { Credit, SignUpTerms } from "../../../src/accounts/sign-in/sign-up.ts";
import { peopleStores } from "../../../src/accounts/tables/open.ts";
import { readConfig } from "../../../src/config/config.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { Route } from "../../../src/lib/route.ts";
import type { Sql } from "../../../src/lib/sql/sql.ts";
import { TaskGroup } from "../../../src/lib/threads/task-group.ts";
import { type Engine, SQLITE } from "../../store/engines.ts";
import { Browser, newGuest, newOperator } from "../browser.ts";
import { listen } from "../listening.ts";
import { SILENT } from "../logs.ts";
import { QUICK_PASSWORDS } from "../quick-passwords.ts";
import { VAULT } from "../vault.ts";
import type { Parts } from "./house.ts";

interface HouseOptions {
  readonly engine?: Engine;
  readonly env?: Readonly<Record<string, string>>;
  /** Keeps passwords as an installation does, which takes 0.1 s of a core for each that is given. */
  readonly slowPasswords?: boolean;
  /** Nothing here can send mail. */
  readonly mailless?: boolean;
  /** Routes of other rooms behind the same guards. */
  routes?(guards: Guards, sql: Sql): readonly Route[];
}

export async function peopleHouse(parts: Parts, options: HouseOptions = {}) {
  const site = await (options.engine ?? SQLITE).site(parts);
  const { sql, accounts: accountsStore } = await site.open();
  const config = readConfig({
    FAREGATE_PORT: "0",
    // Tests sign in more often than people do, all of them from one address.
    FAREGATE_SIGN_IN_ATTEMPTS_MAX: "1000",
    FAREGATE_SIGN_IN_PERSON_FAILURES_MAX: "1000",
    ...options.env,
  });
  const accounts = new Accounts(accountsStore, systemClock, 0);
  const operatorAccount = await accounts.createAccount("operator", { operator: true });
  const failures: unknown[] = [];
  const tasks = new TaskGroup((thrown) => failures.push(thrown));
  parts.defer(async () => {
    await tasks.settled();
    expect(failures).toEqual([]);
  });
  /** What is around the people: the time, the terms, and what was sent out. A test moves it. */
  const world = {
    /** How far the house's clock is ahead. The sign-in library keeps a clock of its own. */
    laterMs: 0,
    terms: { policy: "invite", credit: 0n } as SignUpTerms,
    mails: [] as Mail[],
    /** What happens while a mail is on its way. */
    mailing: undefined as (() => Promise<unknown>) | undefined,
    credits: [] as Credit[],
    /** What happens before an account is opened for somebody who signs up. */
    opening: undefined as (() => Promise<unknown>) | undefined,
  };
  const clock = () => systemClock() + world.laterMs;
  const sendMail = async (mail: Mail) => {
    await world.mailing?.();
    world.mails.push(mail);
  };
  const people = createPeople({
    config,
    stores: peopleStores(sql, clock),
    accountsStore,
    accounts: {
      async createAccount(...args: Parameters<Accounts["createAccount"]>) {
        await world.opening?.();
        return accounts.createAccount(...args);
      },
    },
    vault: VAULT,
    clock,
    log: SILENT,
    sendMail: options.mailless ? undefined : sendMail,
    passwords: options.slowPasswords ? undefined : QUICK_PASSWORDS,
    port: () => Number(new URL(url).port),
    terms: async () => world.terms,
    credit: async (credit) => world.credits.push(credit),
    balanceOf: async () => 1_500_000_000n,
    namesOf: async (ids) => {
      const found = await Promise.all(ids.map((id) => accountsStore.findAccount(id)));
      return new Map(found.flatMap((account) => (account ? [[account.id, account.name]] : [])));
    },
    facts: async () => ({ displayCurrency: null, testPayment: true }),
    background: (work) => tasks.run(work),
  });
  const { services, guards } = people;
  const routes = [...people.routes, ...(options.routes?.(guards, sql) ?? [])];
  const url = listen(parts, routes, { config });
  // The same object, so that what a test sets on the house is what people meet.
  return Object.assign(world, {
    url,
    sql,
    services,
    operatorAccount,
    /** What stands behind the number sign of the link in the last mail. */
    lastToken: () => /#(ln-fg-\w+)/.exec(world.mails.at(-1)?.text ?? "")?.[1] ?? "",
    /** Somebody who is not signed in. */
    visitor: () => new Browser(url),
    /** Somebody new who runs the installation, signed in. */
    operator: async (email = "op@example.com") =>
      newOperator(url, await services.links.create(), email),
    /** Somebody new with an account of their own, signed in. */
    async owner(email: string) {
      const account = await accounts.createAccount(`of ${email}`);
      const args = { email, role: "owner", operator: false, invitedBy: "a test" } as const;
      const { token } = await services.memberships.invite(account, args);
      return { browser: await newGuest(url, token, email), accountId: account.id };
    },
  });
}

export type PeopleHouse = Awaited<ReturnType<typeof peopleHouse>>;
