import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Time } from "../../ui/time.tsx";
import { keysAway, STATE_TONES, shownState } from "./channel-health.ts";

/** Shows the state, and until when no request goes there. */
export function HealthBadge({ channel }: { readonly channel: Channel }) {
  const { t, rich } = useSpeech();
  const state = shownState(channel);
  const away = keysAway(channel);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone={STATE_TONES[state]}>{t(`channels.state_${state}`)}</Badge>
      {state === "ok" && away > 0 && (
        <Badge tone="warn">{t("channels.keysAway", { count: away })}</Badge>
      )}
      {channel.enabled && channel.state === "cooled" && channel.cooled_until && (
        <span className="text-xs text-muted">
          {rich("channels.until", { time: <Time at={channel.cooled_until} as="ahead" /> })}
        </span>
      )}
    </div>
  );
}

/** Shows how attempts of the last minutes ended or, where there are none, how the last one did. */
export function HealthWindow({ channel }: { readonly channel: Channel }) {
  const { t, rich } = useSpeech();
  const { answered_at: answered, failed_at: failed, window } = channel;
  const { attempts, faults } = window;
  if (attempts > 0) {
    return (
      <span className={faults > 0 ? "tabular-nums" : "text-muted tabular-nums"}>
        {t("channels.windowFaults", { faults, count: attempts })}
      </span>
    );
  }
  const at = failed && (!answered || failed > answered) ? failed : answered;
  if (!at) return <span className="text-muted">{t("channels.windowQuiet")}</span>;
  const time = <Time key="at" at={at} />;
  return (
    <span className={at === failed ? undefined : "text-muted"}>
      {rich(at === failed ? "channels.lastFailed" : "channels.lastAnswered", { time })}
    </span>
  );
}

/** What a vendor said, letter by letter. */
export function VendorWords({ children }: { readonly children: string }) {
  return (
    <p className="mt-1 font-mono text-[13px] leading-relaxed break-words whitespace-pre-wrap">
      {children}
    </p>
  );
}
