import { OperatorLinks, operatorLink } from "../accounts/people/operator-links.ts";
import { createPeople } from "../accounts/people/people.ts";
import { originsOf } from "../accounts/sign-in/origins.ts";
import { peopleStores } from "../accounts/tables/open.ts";
import { checkedVault } from "../compose/check-secret.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../lib/clock.ts";
import type { Store } from "../store/store.ts";
import { createLog } from "../telemetry/log.ts";
import type { CommandContext } from "./context.ts";
import { runningOrigin } from "./running-origin.ts";
import { mistake, readArguments, readOptions } from "./terminal/arguments.ts";
import { print } from "./terminal/print.ts";
import { say } from "./words/language.ts";

const HTTP_PORT = 80;

/** Where links lead: to the port that a running server has taken, which the settings of a command need not say. */
async function linkPort({ store, config }: CommandContext): Promise<number> {
  if (config.publicUrl !== undefined) return config.port;
  const origin = await runningOrigin(store.sql);
  const port = origin === undefined ? config.port : Number(new URL(origin).port || HTTP_PORT);
  if (port === 0) throw mistake("noPortYet");
  return port;
}

async function newLink({ sql }: Store, config: Config, port: number): Promise<string> {
  const { links } = peopleStores(sql, systemClock);
  const token = await new OperatorLinks(links, systemClock).create();
  return operatorLink(originsOf({ ...config, port }).own, token);
}

/** Prints a way in for one more operator, or for one who has lost theirs. */
export async function printOperatorLink(
  context: CommandContext,
  argv: readonly string[],
): Promise<void> {
  const { store, config } = context;
  const options = readOptions(argv, ["json?"]);
  if (!(await store.accounts.operatorAccount())) throw mistake("noOperatorYet");
  const url = await newLink(store, config, await linkPort(context));
  print(options, { url }, () => `${say("operatorLink")}\n\n  ${url}`);
}

/** The people of the installation, for a command that is typed beside its server. */
async function peopleOf(context: CommandContext) {
  const { store, config, accounts } = context;
  const port = await linkPort(context);
  return createPeople({
    // A provider of sign-ins is not asked for anything here.
    config: { ...config, oidc: [] },
    stores: peopleStores(store.sql, systemClock),
    accountsStore: store.accounts,
    accounts,
    vault: await checkedVault(store, config),
    clock: systemClock,
    log: createLog("error"),
    port: () => port,
    terms: async () => ({ policy: "closed", credit: 0n }),
    credit: async () => {},
    balanceOf: async () => 0n,
    namesOf: async () => new Map(),
    facts: async () => ({ displayCurrency: null, testPayment: false }),
    background: () => {},
  }).services;
}

/** Prints a link by which somebody sets a new password: on the terminal, and never in a log. */
export async function printResetLink(
  context: CommandContext,
  argv: readonly string[],
): Promise<void> {
  const { words, options } = readArguments(argv, ["json?"]);
  const [email, ...more] = words;
  if (email === undefined || more.length > 0) throw mistake("addressMissing");
  const { signIn, audit } = await peopleOf(context);
  const url = await signIn.resetLink(email);
  if (url === undefined) throw mistake("nobodySignsIn", { email });
  await audit.write({
    principal: { userId: undefined, name: "command line", operator: true },
    accountId: null,
    action: "password.link",
    target: email.trim().toLowerCase(),
  });
  print(options, { url }, () => `${say("resetLink", { email })}\n\n  ${url}`);
}
