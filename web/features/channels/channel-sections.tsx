import type { ReactNode } from "react";
import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/code.tsx";
import { Time } from "../../ui/time.tsx";
import { HealthBadge, HealthWindow, VendorWords } from "./health-view.tsx";

/** So that the drawer stays within two screens, whatever a vendor lists. */
const MODELS_SHOWN = 12;

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function Section({ title, children }: SectionProps) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function Fact({ label, value }: { readonly label: string; readonly value: ReactNode }) {
  return (
    <div className="flex min-w-0 items-baseline justify-between gap-4 border-b border-line py-2 last:border-0">
      <dt className="shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 text-right break-words">{value}</dd>
    </div>
  );
}

function Origin({ channel }: { readonly channel: Channel }) {
  const { t } = useSpeech();
  const { origin } = channel;
  if (origin === "faregate.yaml") return <code className="font-mono text-[13px]">{origin}</code>;
  return <>{t(`channels.origin_${origin}`)}</>;
}

/** Whether what its vendor says of usage can be relied on. */
function Counts({ channel }: { readonly channel: Channel }) {
  const { t, rich } = useSpeech();
  const { since, estimated, clamped } = channel.counts;
  const time = <Time at={since} as="exact" />;
  const fine = estimated === 0 && clamped === 0;
  return (
    <span className={fine ? "text-muted" : "tabular-nums"}>
      {!fine && t("channels.countsMended", { estimated, clamped })}
      <span className={fine ? "" : "block text-xs text-muted"}>
        {rich(fine ? "channels.countsFine" : "channels.countsSince", { time })}
      </span>
    </span>
  );
}

export function ChannelFacts({ channel }: { readonly channel: Channel }) {
  const { t } = useSpeech();
  return (
    <dl className="text-sm">
      <Fact label={t("channels.health")} value={<HealthBadge channel={channel} />} />
      <Fact label={t("channels.window")} value={<HealthWindow channel={channel} />} />
      <Fact label={t("channels.counts")} value={<Counts channel={channel} />} />
      <Fact label={t("channels.channel")} value={<Code>{channel.id}</Code>} />
      {channel.base_url && (
        <Fact
          label={t("channels.baseUrl")}
          value={<code className="font-mono text-[13px] break-all">{channel.base_url}</code>}
        />
      )}
      <Fact
        label={t("channels.order")}
        value={<span className="tabular-nums">{`${channel.priority} · ${channel.weight}`}</span>}
      />
      <Fact label={t("channels.origin")} value={<Origin channel={channel} />} />
      {channel.changed_at && (
        <Fact label={t("channels.changed")} value={<Time at={channel.changed_at} />} />
      )}
    </dl>
  );
}

export function ErrorSection({ channel }: { readonly channel: Channel }) {
  const { t } = useSpeech();
  const error = channel.last_error;
  if (!error) return null;
  return (
    <Section title={t("channels.lastError")}>
      <div className="rounded-lg bg-sunken px-3.5 py-2.5">
        <p className="text-[13px] text-muted">
          {t(`channels.kind_${error.kind}`)} ·{" "}
          {error.status !== null && (
            <>{t("channels.httpStatus", { status: String(error.status) })} · </>
          )}
          <Time at={error.at} />
        </p>
        <VendorWords>{error.message}</VendorWords>
      </div>
    </Section>
  );
}

const KEY_TONES = { ok: "good", cooled: "warn", refused: "bad" } as const;

export function KeysSection({ channel }: { readonly channel: Channel }) {
  const { t, rich } = useSpeech();
  const nameless = channel.keys.every((key) => key.last_four === "" && key.state === "ok");
  return (
    <Section title={t("channels.keys")}>
      {channel.origin === "sandbox" || channel.keys.length === 0 || nameless ? (
        <p className="text-[13px] text-muted">{t("channels.noKeys")}</p>
      ) : (
        <ul className="flex flex-col gap-2 text-sm">
          {channel.keys.map((key, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two keys may end alike.
            <li key={index}>
              <div className="flex flex-wrap items-center gap-2">
                <span className="font-mono text-[13px]">
                  {key.last_four ? `…${key.last_four}` : t("channels.shortKey")}
                </span>
                <Badge tone={KEY_TONES[key.state]}>{t(`channels.keyState_${key.state}`)}</Badge>
                {key.cooled_until && (
                  <span className="text-[13px] text-muted">
                    {rich("channels.until", { time: <Time at={key.cooled_until} as="ahead" /> })}
                  </span>
                )}
              </div>
              {key.message && key.message !== channel.last_error?.message && (
                <VendorWords>{key.message}</VendorWords>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function ModelNames({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useSpeech();
  const more = ids.length - MODELS_SHOWN;
  return (
    <p className="flex flex-wrap gap-1.5">
      {ids.slice(0, MODELS_SHOWN).map((id) => (
        <code key={id} className="rounded bg-sunken px-1.5 py-0.5 font-mono text-xs break-all">
          {id}
        </code>
      ))}
      {more > 0 && (
        <span className="text-[13px] text-muted">{t("channels.moreModels", { count: more })}</span>
      )}
    </p>
  );
}

interface ModelsSectionProps {
  readonly channel: Channel;
  /** Where the channel can be changed. */
  readonly onEdit: (() => void) | undefined;
}

export function ModelsSection({ channel, onEdit }: ModelsSectionProps) {
  const { t } = useSpeech();
  const { serves, unpriced } = channel;
  return (
    <>
      <Section title={t("channels.served")}>
        {serves.length > 0 ? (
          <ModelNames ids={serves} />
        ) : (
          <p className="text-[13px] text-muted">{t("channels.servesNone")}</p>
        )}
      </Section>
      {unpriced.length > 0 && (
        <Section title={t("channels.unpriced", { count: unpriced.length })}>
          <p className="mb-2 text-[13px] text-muted">{t("channels.unpricedHint")}</p>
          <ModelNames ids={unpriced} />
          {onEdit && (
            <Button size="small" className="mt-2" onClick={onEdit}>
              {t("channels.givePrice")}
            </Button>
          )}
        </Section>
      )}
    </>
  );
}
