import { RotateCcw } from "lucide-react";
import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { CHANNELS_PATH } from "./paths.ts";

export function ReviveButton({ channel }: { readonly channel: Channel }) {
  const { t } = useSpeech();
  const revive = useAction(() => api.post<Channel>(`${CHANNELS_PATH}/${channel.id}/revive`), {
    refresh: [CHANNELS_PATH],
    done: ({ name }) => t("channels.revived", { name }),
  });
  return (
    <Button title={t("channels.reviveHint")} busy={revive.unseen} onClick={() => revive.run()}>
      <RotateCcw size={15} />
      {t("channels.revive")}
    </Button>
  );
}
