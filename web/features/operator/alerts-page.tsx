import { BellRing } from "lucide-react";
import type { ReportedAlert } from "../../../src/console/operator/contract/health.ts";
import { type Speech, useSpeech } from "../../i18n/language.tsx";
import { Link } from "../../lib/link.tsx";
import { useRows } from "../../lib/queries.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { column, useColumns } from "../../ui/tables/columns.tsx";
import { OPENS } from "../../ui/tables/opening-rows.ts";
import { type Column, DataTable } from "../../ui/tables/table.tsx";
import { Time } from "../../ui/time.tsx";

const ALERTS_PATH = "/api/operator/alerts";

type Notice = ReportedAlert["notices"][number];

const NOTICE_TONES: Readonly<Record<Notice["state"], Tone>> = {
  queued: "neutral",
  sent: "good",
  failed: "bad",
};

/** Every alert that was told: when, to whom, and whether it is over. */
export function AlertsPage() {
  const { t } = useSpeech();
  const rows = useRows<ReportedAlert>(ALERTS_PATH);
  const columns = useColumns(columnsOf);
  return (
    <>
      <PageHeader title={t("nav.alerts")} description={t("health.alertsDescription")} />
      <Card flush>
        <DataTable
          label={t("nav.alerts")}
          columns={columns}
          rows={rows}
          empty={
            <EmptyState icon={<BellRing size={28} />} title={t("health.alertsEmpty")}>
              {t("health.alertsEmptyHint")}
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

function columnsOf({ t, language }: Speech): readonly Column<ReportedAlert>[] {
  return [
    column("alert", t("health.alert"), (alert) => (
      <span className="block sm:min-w-48">
        <span className="block font-medium break-words">
          {language === "zh" ? alert.title_zh : alert.title}
        </span>
        <AccountLink alert={alert} />
      </span>
    )),
    column("told", t("health.toldAt"), ({ told_at }) => <Time at={told_at} />),
    column("whom", t("health.whom"), (alert) => <Notices alert={alert} />, { wide: true }),
    column("over", t("health.over"), (alert) => <Over alert={alert} />, { align: "right" }),
  ];
}

function AccountLink({ alert }: { readonly alert: ReportedAlert }) {
  const { account_id: id, account_name: name } = alert;
  return (
    <Link
      {...OPENS}
      to={`/operator/accounts/${id}`}
      className="block max-w-64 truncate text-xs text-muted hover:underline"
    >
      {name ?? id}
    </Link>
  );
}

function Over({ alert: { ended_at: ended } }: { readonly alert: ReportedAlert }) {
  const { t } = useSpeech();
  if (ended === null) return <Badge tone="bad">{t("health.holds")}</Badge>;
  return <Time at={ended} />;
}

function Notices({ alert: { notices } }: { readonly alert: ReportedAlert }) {
  const { t } = useSpeech();
  if (notices.length === 0) return <span className="text-muted">{t("health.toldNobody")}</span>;
  return (
    <ul className="flex flex-col gap-1">
      {notices.map(({ channel, address, state, error }) => (
        <li key={`${channel} ${address}`} className="flex flex-wrap items-center gap-x-2">
          <span className="break-all">{channel === "webhook" ? t("health.webhook") : address}</span>
          <span title={error ?? undefined}>
            <Badge tone={NOTICE_TONES[state]}>{t(`health.notice_${state}`)}</Badge>
          </span>
        </li>
      ))}
    </ul>
  );
}
