import type { AuditLog } from "../accounts/audit.ts";
import { changesBetween } from "../accounts/audit-changes.ts";
import type { AccountCall, AccountCallOf, Guards, Principal } from "../accounts/guards.ts";
import { formatUsd } from "../catalogue/money.ts";
import { Fault } from "../lib/faults.ts";
import type { Route } from "../lib/route.ts";
import type { AlertChanges, Alerts, ChangedAlerts } from "../notices/alerts.ts";
import type { AlertSettings, WebhookSettings } from "../notices/settings.ts";
import { WebhookAddressError } from "../notices/webhook-address.ts";
import {
  CHANGE_ALERTS,
  OF_OPERATORS,
  type ReadAlertChanges,
  SHOW_ALERTS,
  TEST_ALERTS,
} from "./contract/alerts.ts";

interface AlertServices {
  readonly alerts: Alerts;
  readonly audit: AuditLog;
  operatorAccountId(): Promise<string | undefined>;
  /** Whether there is a mail server; without one, the page says that mail goes to the log. */
  readonly mailConfigured: boolean;
}

const TEST_RETRY_SECONDS = "10";

function readChanges(
  { webhook, ...body }: ReadAlertChanges,
  { operator: byOperator }: Principal,
): AlertChanges {
  return {
    lowBalance: body.low_balance?.enabled,
    lowBalanceThreshold: body.low_balance?.threshold,
    budgets: body.budgets?.enabled,
    spendSpike: body.spend_spike?.enabled,
    modelDeprecation: body.model_deprecation?.enabled,
    vendorDown: body.vendor_down?.enabled,
    email: body.email?.enabled,
    webhook: webhook && { ...webhook, newSecret: webhook.new_secret, byOperator },
  };
}

/** Addresses of webhooks often carry a token; those who only read see where it goes. */
function showWebhook({ url, enabled, failures, lastError }: WebhookSettings, whole: boolean) {
  return {
    url: whole ? url : new URL(url).origin,
    enabled,
    failures,
    last_error: lastError,
  };
}

function show(settings: AlertSettings, whole: boolean, mailConfigured: boolean) {
  const { lowBalanceThreshold: threshold, webhook } = settings;
  return {
    object: "alerts" as const,
    low_balance: {
      enabled: settings.lowBalance,
      threshold: threshold === null ? null : formatUsd(threshold),
    },
    budgets: { enabled: settings.budgets },
    spend_spike: { enabled: settings.spendSpike },
    model_deprecation: { enabled: settings.modelDeprecation },
    vendor_down: { enabled: settings.vendorDown },
    email: { enabled: settings.email, configured: mailConfigured },
    webhook: webhook && showWebhook(webhook, whole),
  };
}

/** What an account hears of, and where: its settings, and a test of them. */
export function alertRoutes(services: AlertServices, guards: Guards): readonly Route[] {
  const { alerts, audit, mailConfigured } = services;

  /** What is for others than the caller to change. */
  async function operatorsOnly({ accountId, principal }: AccountCall) {
    if (principal.operator) return [];
    return accountId === (await services.operatorAccountId()) ? OF_OPERATORS : [];
  }

  /** The settings for a caller. All of a webhook is seen by whoever may change it. */
  async function showTo(call: AccountCall, settings: AlertSettings) {
    const operators_only = await operatorsOnly(call);
    const isOwner = call.principal.operator || call.role === "owner";
    const whole = isOwner && operators_only.length === 0;
    return { ...show(settings, whole, mailConfigured), operators_only };
  }

  async function checkOfOperators(call: AccountCall, body: ReadAlertChanges): Promise<void> {
    const named = (await operatorsOnly(call)).find((name) => body[name] !== undefined);
    if (!named) return;
    const message = `Only operators change '${named}' in the operator's account: they hear of vendors by it.`;
    throw new Fault("permission_denied", message, { param: named });
  }

  async function change(call: AccountCallOf<typeof CHANGE_ALERTS>) {
    const { accountId } = call;
    const body = await call.body();
    await checkOfOperators(call, body);
    const wanted = readChanges(body, call.principal);
    const detail = { changed: Object.keys(body) };
    const told = (settings: AlertSettings) => show(settings, false, mailConfigured);
    const note = ({ before, settings }: ChangedAlerts) => {
      const changes = changesBetween(told(before), told(settings));
      return audit.write({ ...call, action: "alerts.change", target: accountId, detail, changes });
    };
    const changed = await alerts.change(accountId, wanted, note).catch((thrown: unknown) => {
      if (!(thrown instanceof WebhookAddressError)) throw thrown;
      throw new Fault("invalid_value", thrown.message, { param: "webhook.url", cause: thrown });
    });
    const shown = await showTo(call, changed.settings);
    const { secret } = changed;
    if (secret === undefined || shown.webhook === null) return shown;
    return { ...shown, webhook: { ...shown.webhook, secret } };
  }

  async function test({ body, principal, accountId }: AccountCallOf<typeof TEST_ALERTS>) {
    const { channel } = await body();
    const outcome = await alerts.test(accountId, channel);
    if (outcome.sent) {
      const detail = { channel };
      await audit.write({ principal, accountId, action: "alerts.test", target: accountId, detail });
      return { ok: true, error: null };
    }
    const { why, error } = outcome;
    if (why === "busy") {
      const headers = { "retry-after": TEST_RETRY_SECONDS };
      throw new Fault("rate_limit_exceeded", error, { headers });
    }
    if (why === "nowhere") throw new Fault("invalid_value", error, { param: "channel" });
    return { ok: false, error };
  }

  return [
    guards.account(SHOW_ALERTS, "viewer", async (call) =>
      showTo(call, await alerts.settings(call.accountId)),
    ),
    guards.account(CHANGE_ALERTS, "owner", change),
    guards.account(TEST_ALERTS, "owner", test),
  ];
}
