import type { Guards } from "../../../accounts/guards.ts";
import { formatUsd } from "../../../catalogue/money.ts";
import type { GateHealth } from "../../../gateway/inner/gate-view.ts";
import { listBody } from "../../../lib/listing.ts";
import type { Route } from "../../../lib/route.ts";
import type { PastAlert } from "../../../notices/notice.ts";
import {
  type Health,
  LIST_TOLD_ALERTS,
  type OperatorOverview,
  type ReportedAlert,
  SHOW_HEALTH,
  SHOW_OPERATOR_OVERVIEW,
} from "../contract/health.ts";
import type { OperatorServices } from "../services.ts";
import type { HourSum } from "../store.ts";
import { Troubles } from "./troubles.ts";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** Messages that failed longer ago are no news. */
const OUTBOX_MS = DAY_HOURS * HOUR_MS;
const NOTHING_RECENT: GateHealth["recent"] = { requests: 0, failures: 0, unavailable: 0 };

/** Undefined where it cannot be read: what is known of the rest is shown all the same. */
function asFarAsKnown<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined);
}

function sumOf(hours: readonly HourSum[]): OperatorOverview["day"] {
  return {
    requests: hours.reduce((sum, { requests }) => sum + requests, 0),
    failures: hours.reduce((sum, { failures }) => sum + failures, 0),
    spend: formatUsd(hours.reduce((sum, { spend }) => sum + spend, 0n)),
  };
}

function alertToJson(alert: PastAlert, names: ReadonlyMap<string, string>): ReportedAlert {
  const { id, kind, accountId, subject, title, titleZh, toldAtMs, endedAtMs, notices } = alert;
  return {
    object: "alert",
    id,
    kind,
    account_id: accountId,
    account_name: names.get(accountId) ?? null,
    subject,
    title,
    title_zh: titleZh,
    told_at: new Date(toldAtMs).toISOString(),
    ended_at: endedAtMs === null ? null : new Date(endedAtMs).toISOString(),
    notices,
  };
}

/** What is wrong now, what all accounts do, and what was told of it. */
export function healthRoutes(services: OperatorServices, guards: Guards): readonly Route[] {
  const { gate, told, books, installation, dataDisk, clock } = services;
  const troubles = new Troubles();

  async function health(): Promise<Health> {
    const nowMs = clock();
    const [known, disk, outbox, open = 0] = await Promise.all([
      asFarAsKnown(gate.health()),
      dataDisk.room(),
      asFarAsKnown(told.outboxTrouble(nowMs - OUTBOX_MS)),
      asFarAsKnown(told.open()),
    ]);
    const { folder } = dataDisk;
    const { problems } = installation;
    return {
      object: "health",
      at: new Date(nowMs).toISOString(),
      troubles: troubles.of({ gate: known, folder, disk, outbox, problems }, nowMs),
      recent: known?.recent ?? null,
      open_alerts: open,
    };
  }

  async function overview(): Promise<OperatorOverview> {
    const hour = Math.floor(clock() / HOUR_MS) + 1;
    const fromHour = hour - DAY_HOURS;
    const [{ accounts, active, hours }, known] = await Promise.all([
      books.lately(fromHour - DAY_HOURS, clock() - DAY_HOURS * HOUR_MS),
      asFarAsKnown(gate.health()),
    ]);
    return {
      object: "operator_overview",
      accounts,
      active_accounts: active,
      day: sumOf(hours.filter((each) => each.hour >= fromHour)),
      day_before: sumOf(hours.filter((each) => each.hour < fromHour)),
      recent: known?.recent ?? NOTHING_RECENT,
    };
  }

  return [
    guards.operator(SHOW_HEALTH, health),
    guards.operator(SHOW_OPERATOR_OVERVIEW, overview),
    guards.operator(LIST_TOLD_ALERTS, async (call) => {
      const { after, limit } = call.query();
      const rows = await told.page({ after, limit });
      const names = await books.namesOf([...new Set(rows.map(({ accountId }) => accountId))]);
      return listBody(
        rows,
        limit,
        ({ id }) => id,
        (row) => alertToJson(row, names),
      );
    }),
  ];
}
