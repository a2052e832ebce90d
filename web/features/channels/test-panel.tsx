import { PlugZap } from "lucide-react";
import { useState } from "react";
import type { Channel, ChannelTest } from "../../../src/console/operator/contract/channels.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/select.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { CHANNELS_PATH } from "./paths.ts";
import { TestResult } from "./test-result.tsx";

const CHEAPEST = "cheapest";

export function TestPanel({ channel }: { readonly channel: Channel }) {
  const { t } = useSpeech();
  const [model, setModel] = useState(CHEAPEST);
  const test = useAction(
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
        <Button busy={test.busy} onClick={() => test.run()}>
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
