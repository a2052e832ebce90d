import { OperatorLinks, operatorLink } from "../accounts/operator-links.ts";
import { originsOf } from "../accounts/sign-in/origins.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../lib/clock.ts";
import { peopleStores } from "../store/console/people.ts";
import type { Store } from "../store/store.ts";
import { readArguments, UsageError } from "./arguments.ts";
import type { CommandContext } from "./context.ts";
import { print } from "./print.ts";

async function newLink({ sql }: Store, config: Config, port: number): Promise<string> {
  const { links } = peopleStores(sql, systemClock);
  const token = await new OperatorLinks(links, systemClock).create();
  return operatorLink(originsOf({ ...config, port }).own, token);
}

/** The way in for the first visitor; undefined once somebody has taken it. */
export async function firstOperatorLink(
  store: Store,
  config: Config,
  port: number,
): Promise<string | undefined> {
  const { members } = peopleStores(store.sql, systemClock);
  return (await members.anyOperator()) ? undefined : newLink(store, config, port);
}

/** Prints a way in for one more operator, or for one who has lost theirs. */
export async function printOperatorLink(
  { store, config }: CommandContext,
  argv: readonly string[],
): Promise<void> {
  const { options } = readArguments(argv, ["json?"]);
  if (!(await store.accounts.operatorAccount())) {
    throw new UsageError('there is no operator account; start "faregate serve" once to make it');
  }
  const url = await newLink(store, config, config.port);
  print(
    options,
    { url },
    () => `Open this once, within an hour, to become an operator:\n\n  ${url}`,
  );
}
