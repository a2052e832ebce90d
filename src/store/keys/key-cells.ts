import type { Account, AccountChanges, KeyChanges, NewKey } from "../../accounts/account.ts";
import type { Cell } from "../rows.ts";

/** Columns of `keys` that a change may set, by the name of the setting. */
const SETTING_COLUMNS: Readonly<Record<Exclude<keyof KeyChanges, "budgets">, string>> = {
  name: "name",
  enabled: "enabled",
  expiresAtMs: "expires_at",
  models: "models",
  networks: "networks",
  requestsPerMinute: "rpm",
  tokensPerMinute: "tpm",
  concurrency: "concurrency",
  hard: "hard",
  accountRead: "account_read",
  showCost: "show_cost",
};

/** Values by column, as both databases keep them: flags as 0 and 1, lists as JSON. */
export type Cells = Readonly<Record<string, Cell>>;

function cell(value: unknown): Cell {
  if (typeof value === "boolean") return Number(value);
  if (value !== null && typeof value === "object") return JSON.stringify(value);
  return (value ?? null) as Cell;
}

/** What a change sets in `keys`; budgets have a table of their own. */
export function settingCells(changes: KeyChanges): Cells {
  const cells: Record<string, Cell> = {};
  for (const [setting, column] of Object.entries(SETTING_COLUMNS)) {
    const value = changes[setting as keyof KeyChanges];
    if (value !== undefined) cells[column] = cell(value);
  }
  return cells;
}

export function newKeyCells(key: NewKey): Cells {
  return {
    id: key.id,
    account_id: key.accountId,
    hash: key.hash,
    last_four: key.lastFour,
    created_at: key.createdAtMs,
    ...settingCells(key),
  };
}

export function accountCells(account: Account): Cells {
  return {
    id: account.id,
    name: account.name,
    operator: Number(account.operator),
    enabled: Number(account.enabled),
    hard: Number(account.hard),
    overdraft: account.overdraft,
    created_at: account.createdAtMs,
  };
}

/** What a change sets in `accounts`. */
export function accountChangeCells(changes: AccountChanges): Cells {
  const said = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said.map(([name, value]) => [name, cell(value)]));
}

/** `insert` of these cells; values bind as `$1`, `$2`… in the order of the cells. */
export function insertText(table: string, cells: Cells): string {
  const columns = Object.keys(cells);
  const places = columns.map((_, i) => `$${i + 1}`);
  return `insert into ${table} (${columns.join(", ")}) values (${places.join(", ")})`;
}

/** `update` of one row by its id, which binds last. */
export function updateText(table: string, cells: Cells): string {
  const columns = Object.keys(cells);
  const sets = columns.map((column, i) => `${column} = $${i + 1}`);
  return `update ${table} set ${sets.join(", ")} where id = $${columns.length + 1}`;
}
