import { Building2, Plus } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import { SEARCH_TARGET } from "../../app/shortcuts.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { Link } from "../../lib/link.tsx";
import { useRows } from "../../lib/queries.ts";
import { Balance } from "../../ui/balance.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Input } from "../../ui/field.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { column, moneyColumn, numberColumn, useColumns } from "../../ui/tables/columns.tsx";
import { NoRows } from "../../ui/tables/no-rows.tsx";
import { OPENS } from "../../ui/tables/opening-rows.ts";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { AccountActions } from "./account-actions.tsx";
import { AccountBadges } from "./account-badges.tsx";
import { ACCOUNTS, homeOf } from "./paths.ts";

const CreateDialog = lazyPart(() => import("./create-dialog.tsx"), "CreateDialog");

export function OperatorAccountsPage() {
  const { t } = useSpeech();
  const { values, set } = useFilters(["q", "new"]);
  // What is typed is shown at once; the address and the question follow when there is time.
  const [typed, setTyped] = useState(values.q ?? "");
  const named = useDeferredValue(typed.trim());
  const search = (value: string) => {
    setTyped(value);
    set({ q: value.trim() || undefined });
  };
  const rows = useRows<OperatorAccount>(ACCOUNTS, { q: named || undefined });
  const columns = useColumns(columnsOf);
  const create = (
    <Button kind="primary" onClick={() => set({ new: "1" })}>
      <Plus size={16} />
      {t("operatorAccounts.create")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("operatorAccounts.title")}
        description={t("operatorAccounts.description")}
        actions={create}
      />
      <div className="mb-4 max-w-sm">
        <Input
          {...SEARCH_TARGET}
          type="search"
          maxLength={100}
          aria-label={t("operatorAccounts.search")}
          placeholder={t("operatorAccounts.search")}
          value={typed}
          onValueChange={search}
        />
      </div>
      <Card flush>
        <DataTable
          label={t("operatorAccounts.title")}
          columns={columns}
          rows={rows}
          empty={
            <NoRows
              of="operatorAccounts"
              icon={<Building2 size={28} />}
              filtered={named !== ""}
              onClear={() => search("")}
              action={create}
            />
          }
        />
      </Card>
      {values.new === "1" && <CreateDialog onClose={() => set({ new: undefined })} />}
    </>
  );
}

function AccountName({ account }: { readonly account: OperatorAccount }) {
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium break-words">
        <Link {...OPENS} to={homeOf(account.id)} className="min-w-0 hover:underline">
          {account.name}
        </Link>
        <AccountBadges account={account} />
      </div>
      <p className="font-mono text-xs break-all text-muted">{account.id}</p>
    </div>
  );
}

function columnsOf({ t, locale }: Speech): readonly Column<OperatorAccount>[] {
  return [
    column("account", t("operatorAccounts.account"), (row) => <AccountName account={row} />, {
      sort: ({ name }) => name,
    }),
    moneyColumn("balance", t("operatorAccounts.balance"), (row) => row.balance, {
      cell: (row) => <Balance amount={row.balance} />,
    }),
    moneyColumn("held", t("operatorAccounts.held"), (row) => row.held, { wide: true }),
    moneyColumn("charged", t("operatorAccounts.charged"), (row) => row.charged, { wide: true }),
    numberColumn("keys", t("operatorAccounts.keys"), (row) => row.keys, locale, { wide: true }),
    column("actions", t("words.actions"), (row) => <AccountActions account={row} />, {
      align: "right",
    }),
  ];
}
