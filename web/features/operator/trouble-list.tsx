import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { useSpeech } from "../../i18n/language.tsx";
import { Link } from "../../lib/link.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/time.tsx";
import { VendorWords } from "../channels/health-view.tsx";
import type { ShownTrouble } from "./health.ts";
import { troubleTitle } from "./trouble-words.ts";

interface TroublesProps {
  readonly troubles: readonly ShownTrouble[];
  readonly retry: () => unknown;
}

/** Everything that is wrong now, each with the button that leads to what helps. */
export function TroubleCard({ troubles, retry }: TroublesProps) {
  const { t } = useSpeech();
  return (
    <Card flush title={t("health.now")}>
      {troubles.length > 0 ? (
        <ul className="mt-3 divide-y divide-line border-t border-line">
          {troubles.map((trouble) => (
            <TroubleRow
              key={`${trouble.kind} ${trouble.subject}`}
              trouble={trouble}
              retry={retry}
            />
          ))}
        </ul>
      ) : (
        <p className="flex items-center gap-2 px-5 pt-2 pb-4 text-sm">
          <CircleCheck size={16} className="shrink-0 text-good" aria-hidden="true" />
          {t("health.well")}
        </p>
      )}
    </Card>
  );
}

function TroubleRow({
  trouble,
  retry,
}: Pick<TroublesProps, "retry"> & { readonly trouble: ShownTrouble }) {
  const speech = useSpeech();
  const { rich } = speech;
  const isBad = trouble.severity === "bad";
  const Icon = isBad ? CircleAlert : TriangleAlert;
  return (
    <li className="flex flex-col gap-2 px-5 py-3 sm:flex-row sm:items-start sm:gap-4">
      <div className="flex min-w-0 flex-1 items-start gap-2.5 text-sm">
        <Icon
          size={16}
          className={isBad ? "mt-0.5 shrink-0 text-bad" : "mt-0.5 shrink-0 text-warn"}
          aria-hidden="true"
        />
        <div className="min-w-0">
          <p className="font-medium break-words">{troubleTitle(speech, trouble)}</p>
          {trouble.detail && <VendorWords>{trouble.detail}</VendorWords>}
          <p className="mt-0.5 text-[13px] text-muted">
            {rich("health.since", { time: <Time key="at" at={trouble.since} /> })}
          </p>
        </div>
      </div>
      <div className="shrink-0 max-sm:ml-6.5">
        <Help trouble={trouble} retry={retry} />
      </div>
    </li>
  );
}

/** The button that leads to what helps. */
function Help({
  trouble: { kind, subject },
  retry,
}: Pick<TroublesProps, "retry"> & { readonly trouble: ShownTrouble }) {
  const { t } = useSpeech();
  const look = `${buttonClass("plain", "small")} shrink-0 self-start`;
  if (kind === "office_away" || kind === "gate_away") {
    return (
      <Button size="small" className="shrink-0 self-start" onClick={() => void retry()}>
        {t("words.retry")}
      </Button>
    );
  }
  if (kind === "unavailable") {
    return (
      <Link to="/operator/channels" className={look}>
        {t("health.openChannels")}
      </Link>
    );
  }
  if (kind.startsWith("channel_")) {
    return (
      <Link to="/operator/channels" search={{ channel: subject ?? "" }} className={look}>
        {t("health.openChannel")}
      </Link>
    );
  }
  if (kind === "model_broken") {
    return (
      <Link to="/operator/models" search={{ model: subject ?? "" }} className={look}>
        {t("health.openModel")}
      </Link>
    );
  }
  if (kind === "notices") {
    return (
      <Link to="/operator/alerts" className={look}>
        {t("health.openAlerts")}
      </Link>
    );
  }
  return (
    <Link to="/operator/system" className={look}>
      {t("health.openSystem")}
    </Link>
  );
}
