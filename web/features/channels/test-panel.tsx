import { PlugZap } from "lucide-react";
import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { formatDuration } from "../../lib/format.ts";
import { useChange } from "../../lib/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/select.tsx";
import { useToast } from "../../ui/toast.tsx";
import { CHANNELS_PATH, type Channel, type ChannelTest } from "./contract.ts";
import { VendorWords } from "./health-view.tsx";

const CHEAPEST = "cheapest";

export function TestPanel({ channel }: { readonly channel: Channel }) {
  const { t } = useSpeech();
  const toast = useToast();
  const [model, setModel] = useState(CHEAPEST);
  const test = useChange(
    () =>
      api.post<ChannelTest>(
        `${CHANNELS_PATH}/${channel.id}/test`,
        model === CHEAPEST ? {} : { model },
      ),
    { refresh: [CHANNELS_PATH] },
  );
  const choices = [
    { value: CHEAPEST, label: t("channels.testCheapest") },
    ...channel.serves.map((value) => ({ value, label: value })),
  ];
  return (
    <div className="flex flex-col gap-3">
      <div className="flex gap-2">
        <Select
          label={t("channels.testModel")}
          value={model}
          choices={choices}
          onChange={setModel}
        />
        <Button
          busy={test.isPending}
          onClick={() => test.mutate(undefined, { onError: toast.failed })}
        >
          <PlugZap size={15} />
          {t("channels.test")}
        </Button>
      </div>
      <div aria-live="polite">
        {test.data ? (
          <TestResult test={test.data} />
        ) : (
          <p className="text-[13px] text-muted">{t("channels.testHint")}</p>
        )}
      </div>
    </div>
  );
}

function TestResult({ test }: { readonly test: ChannelTest }) {
  const { t, locale } = useSpeech();
  return (
    <div className="rounded-lg border border-line px-3.5 py-2.5 text-sm">
      <p className="text-[13px] text-muted">
        {test.model ? t("channels.testedModel", { model: test.model }) : t("channels.testedList")}
      </p>
      <ul className="mt-1.5 flex flex-col gap-2">
        {test.keys.map((key) => (
          <li key={key.last_four}>
            <div className="flex flex-wrap items-center gap-2">
              <Badge tone={key.ok ? "good" : "bad"}>
                {key.ok ? t("channels.testOk") : t("channels.testFailed")}
              </Badge>
              {key.last_four && <span className="font-mono text-[13px]">…{key.last_four}</span>}
              <span className="text-[13px] text-muted tabular-nums">
                {formatDuration(key.latency_ms, locale)}
              </span>
              {key.status !== null && (
                <span className="text-[13px] text-muted">
                  {t("channels.httpStatus", { status: String(key.status) })}
                </span>
              )}
            </div>
            {key.error && <VendorWords>{key.error}</VendorWords>}
          </li>
        ))}
      </ul>
    </div>
  );
}
