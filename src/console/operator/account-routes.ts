import type { AccountChanges } from "../../accounts/account.ts";
import { changesBetween } from "../../accounts/audit-changes.ts";
import type { Guards } from "../../accounts/guards.ts";
import { shown } from "../../accounts/shown.ts";
import { formatUsd } from "../../catalogue/money.ts";
import { listBody } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import {
  CHANGE_ACCOUNT,
  CREATE_ACCOUNT,
  LIST_ACCOUNTS,
  type OperatorAccount,
  type ReadAccountForm,
  SHOW_ACCOUNT,
} from "./contract/accounts.ts";
import { noSuch } from "./field-fault.ts";
import type { OperatorServices } from "./services.ts";
import type { AccountRow } from "./store.ts";

export function accountToJson(account: AccountRow): OperatorAccount {
  return {
    object: "account",
    ...shown(account, "id", "name", "operator", "enabled", "hard", "overdraft", "createdAtMs"),
    balance: formatUsd(account.credited - account.charged),
    ...shown(account, "credited", "charged", "held", "keys"),
  };
}

/** The keys by which the console itself calls are counted as little as they are listed. */
export async function countedKeys(
  { books, personalKeys }: Pick<OperatorServices, "books" | "personalKeys">,
  rows: readonly AccountRow[],
): Promise<readonly AccountRow[]> {
  const personal = await personalKeys.idsIn(...rows.map(({ id }) => id));
  const unseen = await books.keysAmong([...personal]);
  return rows.map((row) => ({ ...row, keys: row.keys - (unseen.get(row.id) ?? 0) }));
}

/** What of a change is really said: a member that is absent changes nothing. */
function said(changes: ReadAccountForm): AccountChanges {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

export function operatorAccountRoutes(
  services: OperatorServices,
  guards: Guards,
): readonly Route[] {
  const { books, accounts, audit } = services;
  const show = async (id: string) => {
    const found = await books.account(id);
    const [account] = await countedKeys(services, found ? [found] : []);
    if (!account) throw noSuch("account", id);
    return accountToJson(account);
  };
  return [
    guards.operator(LIST_ACCOUNTS, async (call) => {
      const { q, after, limit } = call.query();
      const rows = await countedKeys(services, await books.accounts({ after, limit }, q));
      return listBody(rows, limit, ({ id }) => id, accountToJson);
    }),
    guards.operator(CREATE_ACCOUNT, async ({ body, principal }) => {
      const form = await body();
      const { name, hard, overdraft = 0n } = form;
      const { id } = await accounts.createAccount(name, { hard, overdraft });
      const note = { principal, accountId: id, action: "account.create", target: id };
      await audit.write({ ...note, detail: { name, hard, overdraft: formatUsd(overdraft) } });
      return show(id);
    }),
    guards.operator(SHOW_ACCOUNT, async ({ incoming }) => show(incoming.params.account ?? "")),
    guards.operator(CHANGE_ACCOUNT, async ({ incoming, body, principal }) => {
      const id = incoming.params.account ?? "";
      const changes = said(await body());
      const before = await books.account(id);
      if (!before || !(await accounts.updateAccount(id, changes))) throw noSuch("account", id);
      const note = { principal, accountId: id, action: "account.change", target: id };
      const [from, to] = [accountToJson(before), accountToJson({ ...before, ...changes })];
      const detail = Object.keys(changes).map((name) => [name, to[name as keyof typeof to]]);
      const told = changesBetween(from, to);
      await audit.write({ ...note, detail: Object.fromEntries(detail), changes: told });
      return show(id);
    }),
  ];
}
