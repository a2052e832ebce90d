import { RotateCcw } from "lucide-react";
import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useChange } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";
import { CHANNELS_PATH } from "./paths.ts";

export function ReviveButton({ channel }: { readonly channel: Channel }) {
  const { t } = useSpeech();
  const toast = useToast();
  const revive = useChange(() => api.post<Channel>(`${CHANNELS_PATH}/${channel.id}/revive`), {
    refresh: [CHANNELS_PATH],
    onDone: ({ name }) => toast.done(t("channels.revived", { name })),
  });
  return (
    <Button
      title={t("channels.reviveHint")}
      busy={revive.isPending}
      onClick={() => revive.mutate(undefined, { onError: toast.failed })}
    >
      <RotateCcw size={15} />
      {t("channels.revive")}
    </Button>
  );
}
