import type { ReactNode } from "react";
import type { Receipt } from "../../../src/console/contract/receipt.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { formatDuration, formatNumber } from "../../lib/format.ts";
import { TextLink } from "../../lib/link.tsx";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Code } from "../../ui/code.tsx";
import { type Closes, Drawer } from "../../ui/dialogs/dialog.tsx";
import { Money } from "../../ui/money.tsx";
import { NotLoaded } from "../../ui/not-loaded.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { wentWrong } from "./fault.ts";
import { shownReason } from "./receipt.ts";
import { ReceiptAttempts } from "./receipt-attempts.tsx";
import { ReceiptEntries } from "./receipt-entries.tsx";
import { ReceiptFault } from "./receipt-fault.tsx";
import { ReceiptLines } from "./receipt-lines.tsx";
import { StatusBadge } from "./status-badge.tsx";

/** Why a request cost what it cost, from the hold to the post. */
export function ReceiptDrawer({ id, onClose }: Closes & { readonly id: string }) {
  const { t } = useSpeech();
  const { path } = useSession();
  const { data, error, refetch } = useResource<Receipt>(
    path(`/requests/${encodeURIComponent(id)}`),
  );
  return (
    <Drawer onClose={onClose} title={t("requests.receipt")} description={<Code>{id}</Code>}>
      {error && !data && <NotLoaded error={error} retry={refetch} />}
      {data ? <ReceiptBody receipt={data} /> : !error && <ReceiptSkeleton />}
    </Drawer>
  );
}

function ReceiptSkeleton() {
  return (
    <div className="flex flex-col gap-5">
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-32 w-full" />
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-44 w-full" />
    </div>
  );
}

function ReceiptBody({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useSpeech();
  return (
    <div className="flex flex-col gap-5">
      <Verdict receipt={receipt} />
      {wentWrong(receipt) && (
        <Section title={t("requests.faultTitle")}>
          <ReceiptFault receipt={receipt} />
        </Section>
      )}
      <Section title={t("requests.linesTitle")}>
        <ReceiptLines receipt={receipt} />
      </Section>
      <Section title={t("requests.entriesTitle")}>
        <ReceiptEntries entries={receipt.entries} />
      </Section>
      <Section title={t("requests.attemptsTitle")}>
        <ReceiptAttempts receipt={receipt} />
      </Section>
      <Section title={t("requests.details")}>
        <Facts receipt={receipt} />
      </Section>
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 text-[13px] font-semibold">{title}</h3>
      {children}
    </section>
  );
}

/** The amount and the reason for it, before the proof. */
function Verdict({ receipt }: { readonly receipt: Receipt }) {
  const { t, locale } = useSpeech();
  const reason = shownReason(receipt);
  return (
    <div className="rounded-lg bg-sunken px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Money exact amount={receipt.cost} className="text-xl font-semibold tracking-tight" />
        <StatusBadge
          status={receipt.outcome}
          code={receipt.error_code}
          requests={receipt.requests}
        />
      </div>
      <p className="mt-1 text-sm">
        {reason ? t(`requests.reason_${reason}`) : receipt.billing_reason}
      </p>
      {receipt.last_at !== null && (
        <p className="mt-1 text-sm">
          {t("requests.shared", { count: formatNumber(receipt.requests, locale) })}
        </p>
      )}
      {receipt.clamped_to !== null && (
        <p className="mt-1 text-sm">
          {t("requests.clampedTo", { count: formatNumber(receipt.clamped_to, locale) })}
        </p>
      )}
      <p className="mt-1 font-mono text-xs text-muted">{reason ?? receipt.billing_reason}</p>
    </div>
  );
}

function timeFacts(
  { first_byte_ms, duration_ms }: Receipt,
  locale: string,
  firstByte: (time: string) => string,
): string {
  const whole = formatDuration(duration_ms, locale);
  return first_byte_ms === null
    ? whole
    : `${whole} · ${firstByte(formatDuration(first_byte_ms, locale))}`;
}

function isLoss(loss: string | undefined): boolean {
  return loss !== undefined && compareDecimals(loss, "0") > 0;
}

function useFacts(receipt: Receipt): readonly (readonly [string, ReactNode])[] {
  const { t, locale } = useSpeech();
  const { usage } = receipt;
  const endpoint = `${receipt.endpoint}${receipt.stream ? ` · ${t("requests.streamed")}` : ""}`;
  const countsFrom = [
    t(`requests.source_${usage.source}`),
    ...(usage.clamped ? [t("requests.corrected")] : []),
    ...(usage.input_capped ? [t("requests.inputCapped")] : []),
  ];
  const id = (value: string) => <Code key={value}>{value}</Code>;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t("requests.time"), <Time key="time" at={receipt.created_at} as="exact" />],
    [t("requests.lastAt"), receipt.last_at && <Time key="last" at={receipt.last_at} as="exact" />],
    [
      t("requests.duration"),
      timeFacts(receipt, locale, (time) => t("requests.firstByte", { time })),
    ],
    [t("requests.model"), id(receipt.model)],
    [t("requests.servedModel"), receipt.served_model && id(receipt.served_model)],
    [
      t("requests.key"),
      <TextLink key="key" to={`/keys/${receipt.key_id}`}>
        {receipt.key_name}
      </TextLink>,
    ],
    [t("requests.endpoint"), `${endpoint} · HTTP ${receipt.status}`],
    [
      t("requests.reasoning"),
      usage.reasoning_tokens > 0 && formatNumber(usage.reasoning_tokens, locale),
    ],
    [t("requests.countsFrom"), countsFrom.join(" · ")],
    [t("requests.priceVersion"), receipt.price_version && id(receipt.price_version)],
    [t("requests.responseId"), receipt.response_id && id(receipt.response_id)],
    [t("requests.vendorId"), receipt.vendor_request_id && id(receipt.vendor_request_id)],
    [
      t("requests.vendorCost"),
      receipt.vendor_cost && <Money key="vendor" exact amount={receipt.vendor_cost} />,
    ],
    [
      t("requests.loss"),
      isLoss(receipt.loss) && <Money key="loss" exact amount={receipt.loss ?? "0"} />,
    ],
  ];
  return facts.filter(([, value]) => value);
}

function Facts({ receipt }: { readonly receipt: Receipt }) {
  const facts = useFacts(receipt);
  return (
    <dl className="grid grid-cols-[minmax(6.5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      {facts.map(([label, value]) => (
        <div key={label} className="col-span-2 grid grid-cols-subgrid items-center">
          <dt className="text-[13px] text-muted">{label}</dt>
          <dd className="flex min-h-7 min-w-0 items-center break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
