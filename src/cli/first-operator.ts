import { createOperatorLink, operatorLink } from "../accounts/people/operator-links.ts";
import { originsOf } from "../accounts/sign-in/origins.ts";
import { FirstOperatorRows } from "../accounts/tables/first-operator.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../lib/clock.ts";
import type { Store } from "../store/store.ts";

/** The way in for the first visitor; undefined once somebody has taken it. */
export async function firstOperatorLink(
  { sql }: Pick<Store, "sql">,
  config: Config,
  port: number,
): Promise<string | undefined> {
  const rows = new FirstOperatorRows(sql);
  if (await rows.anyOperator()) return undefined;
  const token = await createOperatorLink(rows, systemClock());
  return operatorLink(originsOf({ ...config, port }).own, token);
}
