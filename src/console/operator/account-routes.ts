import { z } from "zod";
import type { AccountChanges } from "../../accounts/account.ts";
import { changesBetween } from "../../accounts/audit-changes.ts";
import type { Guards } from "../../accounts/guards.ts";
import { formatUsd } from "../../catalogue/money.ts";
import { readJson } from "../../lib/json/json-body.ts";
import { listBody, readPage } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import { noSuch } from "./field-fault.ts";
import type { OperatorServices } from "./services.ts";
import type { AccountRow } from "./store.ts";

const name = z.string().trim().min(1, "Give it a name.").max(100);

const NEW_ACCOUNT = z.strictObject({ name, hard: z.boolean().default(false) });

const ACCOUNT_CHANGES = z.strictObject({
  name: name.optional(),
  enabled: z.boolean().optional(),
  hard: z.boolean().optional(),
});

const QUERY_CHARS_MAX = 100;

export function accountToWire(account: AccountRow) {
  return {
    object: "account",
    id: account.id,
    name: account.name,
    operator: account.operator,
    enabled: account.enabled,
    hard: account.hard,
    created_at: new Date(account.createdAtMs).toISOString(),
    balance: formatUsd(account.credited - account.charged),
    credited: formatUsd(account.credited),
    charged: formatUsd(account.charged),
    held: formatUsd(account.held),
    keys: account.keys,
  };
}

/** What of a change is really said: a member that is absent changes nothing. */
function said(changes: z.infer<typeof ACCOUNT_CHANGES>): AccountChanges {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

export function operatorAccountRoutes(
  services: OperatorServices,
  guards: Guards,
): readonly Route[] {
  const { books, accounts, audit } = services;
  const show = async (id: string, status = 200) => {
    const account = await books.account(id);
    if (!account) throw noSuch("account", id);
    return Response.json(accountToWire(account), { status });
  };
  const base = "/api/operator/accounts";
  return [
    guards.operator("GET", base, async ({ incoming }) => {
      const page = readPage(incoming.url);
      const named = incoming.url.searchParams.get("q")?.slice(0, QUERY_CHARS_MAX) || undefined;
      const rows = await books.accounts(page, named);
      return Response.json(listBody(rows, page.limit, ({ id }) => id, accountToWire));
    }),
    guards.operator("POST", base, async ({ incoming, principal }) => {
      const form = await readJson(incoming.request, NEW_ACCOUNT);
      const { id } = await accounts.createAccount(form.name, { hard: form.hard });
      const note = { principal, accountId: id, action: "account.create", target: id };
      await audit.write({ ...note, detail: form });
      return show(id, 201);
    }),
    guards.operator("GET", `${base}/:account`, async ({ incoming }) =>
      show(incoming.params.account ?? ""),
    ),
    guards.operator("PATCH", `${base}/:account`, async ({ incoming, principal }) => {
      const id = incoming.params.account ?? "";
      const changes = said(await readJson(incoming.request, ACCOUNT_CHANGES));
      const before = await books.account(id);
      if (!before || !(await accounts.updateAccount(id, changes))) throw noSuch("account", id);
      const note = { principal, accountId: id, action: "account.change", target: id };
      const told = changesBetween({ ...before }, { ...before, ...changes });
      await audit.write({ ...note, detail: { ...changes }, changes: told });
      return show(id);
    }),
  ];
}
