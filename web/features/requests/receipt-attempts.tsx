import type { Receipt, ReceiptAttempt } from "../../../src/console/contract/receipt.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatDuration } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { ChannelName } from "../channels/channel-name.tsx";
import { vendorWords } from "./fault.ts";
import { codeWords } from "./status-badge.tsx";

/** The calls to vendors, in order. */
export function ReceiptAttempts({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useSpeech();
  const { attempts, vendor_called: called, channel } = receipt;
  if (attempts.length === 0) {
    const words = called ? t("requests.oneAttempt") : t("requests.noAttempt");
    return (
      <p className="text-sm text-muted">
        {words}
        {channel && (
          <span className="ml-2 text-text">
            <ChannelName id={channel} />
          </span>
        )}
      </p>
    );
  }
  return (
    <ol className="flex flex-col gap-1.5 text-sm">
      {attempts.map((attempt, index) => (
        <AttemptRow
          key={`${attempt.started_ms}-${attempt.code}-${attempt.channel}`}
          attempt={attempt}
          place={index + 1}
          told={attempt.message === vendorWords(receipt)}
        />
      ))}
    </ol>
  );
}

interface AttemptRowProps {
  readonly attempt: ReceiptAttempt;
  readonly place: number;
  /** Its words stand above already. */
  readonly told: boolean;
}

function AttemptRow({ attempt, place, told }: AttemptRowProps) {
  const { t, locale } = useSpeech();
  const { channel, credential, model, status, code } = attempt;
  const failure = code === null ? undefined : codeWords(code, t);
  const route = [credential && `…${credential}`, model].filter(Boolean).join(" · ");
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <span className="w-4 text-muted tabular-nums">{place}</span>
      <Badge tone={code === null ? "good" : "bad"} title={failure?.title}>
        {failure?.words ?? t("requests.served")}
      </Badge>
      {status > 0 && <span className="text-muted tabular-nums">HTTP {status}</span>}
      {channel && <ChannelName id={channel} />}
      {route && <span className="font-mono text-[13px] break-all">{route}</span>}
      <span className="ml-auto text-xs whitespace-nowrap text-muted tabular-nums">
        {t("requests.attemptTime", {
          start: formatDuration(attempt.started_ms, locale),
          duration: formatDuration(attempt.duration_ms, locale),
        })}
      </span>
      {attempt.message && !told && (
        <p className="w-full pl-6 font-mono text-xs break-words text-muted">{attempt.message}</p>
      )}
    </li>
  );
}
