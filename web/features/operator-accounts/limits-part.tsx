import { Gauge } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Key } from "../../../src/console/contract/keys.ts";
import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import type { Wallet } from "../../../src/payments/contract/wallet.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { formatMoney, formatNumber } from "../../lib/format.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { TextLink } from "../../lib/link.tsx";
import { useResource, useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Confirm } from "../../ui/dialogs/confirm.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Switch } from "../../ui/switch.tsx";
import { column, timeColumn, useColumns } from "../../ui/tables/columns.tsx";
import { Name } from "../../ui/tables/name.tsx";
import { OPENS } from "../../ui/tables/opening-rows.ts";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { TightestBudget } from "../keys/budget-meter.tsx";
import { useAccountInView } from "./account-in-view.ts";
import { ACCOUNTS } from "./paths.ts";

const AccountDialog = lazyPart(() => import("./account-dialog.tsx"), "AccountDialog");

/** What bounds an account: its own switches, its money, and the limits of each of its keys. */
export function LimitsPart() {
  const { t } = useSpeech();
  return (
    <>
      <PageHeader title={t("operatorAccounts.limits")} />
      <div className="flex flex-col gap-5">
        <WholeAccount />
        <KeyLimits />
      </div>
    </>
  );
}

interface RowProps {
  readonly label: string;
  readonly hint: string;
  readonly children: ReactNode;
}

function Row({ label, hint, children }: RowProps) {
  return (
    <div className="flex items-start justify-between gap-6 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 text-sm">
        <p className="font-medium">{label}</p>
        <p className="text-[13px] text-muted">{hint}</p>
      </div>
      <div className="shrink-0 text-sm">{children}</div>
    </div>
  );
}

function WholeAccount() {
  const { t, locale } = useSpeech();
  const { path } = useSession();
  const account = useAccountInView();
  const { data: wallet } = useResource<Wallet>(path("/wallet"));
  const change = useAction(
    (form: Partial<Pick<OperatorAccount, "enabled" | "hard">>) =>
      api.patch<OperatorAccount>(`${ACCOUNTS}/${account.id}`, form),
    {
      refresh: [ACCOUNTS],
      done: ({ name }) => t("operatorAccounts.saved", { name }),
    },
  );
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const [editing, setEditing] = useState(false);
  const topUp = wallet?.auto_topup;
  return (
    <Card title={t("operatorAccounts.wholeAccount")}>
      <div className="divide-y divide-line">
        <Row label={t("operatorAccounts.maySpend")} hint={t("operatorAccounts.maySpendHint")}>
          <Switch
            label={t("operatorAccounts.maySpend")}
            checked={account.enabled}
            disabled={change.unseen}
            onChange={(enabled) => (enabled ? change.run({ enabled }) : setAsking(true))}
          />
        </Row>
        <Row label={t("operatorAccounts.hard")} hint={t("operatorAccounts.hardHint")}>
          <Switch
            label={t("operatorAccounts.hard")}
            checked={account.hard}
            disabled={change.unseen}
            onChange={(hard) => change.run({ hard })}
          />
        </Row>
        <Row label={t("operatorAccounts.overdraft")} hint={t("operatorAccounts.overdraftHint")}>
          <span className="flex flex-col items-end gap-2 tabular-nums">
            {formatMoney(account.overdraft, locale)}
            <Button onClick={() => setEditing(true)}>
              {t("operatorAccounts.changeOverdraft")}
            </Button>
          </span>
        </Row>
        <Row label={t("operatorAccounts.topUpMax")} hint={t("operatorAccounts.topUpMaxHint")}>
          {wallet && (topUp?.enabled ? formatMoney(topUp.daily_max, locale) : t("words.off"))}
        </Row>
      </div>
      {editing && <AccountDialog account={account} onClose={() => setEditing(false)} />}
      <Confirm
        open={asking}
        title={t("operatorAccounts.suspendTitle", { name: account.name })}
        action={t("operatorAccounts.suspend")}
        busy={change.busy}
        onConfirm={() => {
          close();
          change.run({ enabled: false });
        }}
        onClose={close}
      >
        {t("operatorAccounts.suspendHint")}
      </Confirm>
    </Card>
  );
}

function KeyLimits() {
  const { t } = useSpeech();
  const { path } = useSession();
  const rows = useRows<Key>(path("/keys"));
  const columns = useColumns(columnsOf);
  const empty = (
    <EmptyState
      icon={<Gauge size={28} />}
      title={t("keys.emptyTitle")}
      action={
        <TextLink to="/keys" search={{ new: "1" }}>
          {t("keys.create")}
        </TextLink>
      }
    >
      {t("operatorAccounts.noKeysHint")}
    </EmptyState>
  );
  return (
    <Card flush title={t("operatorAccounts.keyLimits")}>
      <DataTable
        label={t("operatorAccounts.keyLimits")}
        columns={columns}
        rows={rows}
        skeletonRows={3}
        empty={empty}
      />
    </Card>
  );
}

function columnsOf({ t, locale }: Speech): readonly Column<Key>[] {
  const limit = (
    id: "rpm" | "tpm" | "concurrency",
    header: string,
    wide: boolean,
  ): Column<Key> => ({
    id,
    header,
    align: "right",
    wide,
    sort: (key) => key[id],
    cell: ({ [id]: count }) =>
      count === null ? (
        <span className="text-muted">{t("words.unlimited")}</span>
      ) : (
        formatNumber(count, locale)
      ),
  });
  return [
    {
      id: "key",
      header: t("keys.name"),
      sort: ({ name }) => name,
      cell: (key) => (
        <TextLink {...OPENS} to={`/keys/${key.id}`}>
          <Name text={key.name} />
        </TextLink>
      ),
    },
    column("budget", t("keys.budget"), (key) => <TightestBudget item={key} />),
    limit("rpm", t("operatorAccounts.perMinute"), false),
    limit("tpm", t("operatorAccounts.tokensPerMinute"), true),
    limit("concurrency", t("operatorAccounts.atOnce"), true),
    timeColumn("expires", t("operatorAccounts.expires"), (row) => row.expires_at, {
      wide: true,
      as: "date",
      none: t("keys.neverExpires"),
    }),
  ];
}
