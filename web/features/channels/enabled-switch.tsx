import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { Asked } from "../../ui/dialogs/confirm.tsx";
import { Switch } from "../../ui/switch.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { CHANNELS_PATH } from "./paths.ts";

/** Turning a channel off may leave models without anybody to serve them, so it asks first. */
export function EnabledSwitch({ channel }: { readonly channel: Channel }) {
  const { t } = useSpeech();
  const { name } = channel;
  const change = (enabled: boolean) => api.patch(`${CHANNELS_PATH}/${channel.id}`, { enabled });
  // Whether test payments exist depends on the channels that are on.
  const refresh = [CHANNELS_PATH, "/api/me"];
  const enabling = useAction(() => change(true), {
    refresh,
    done: t("channels.turnedOn", { name }),
  });
  return (
    <Asked
      button={(ask) => (
        <Switch
          checked={channel.enabled}
          disabled={channel.origin === "sandbox" || channel.state === "broken" || enabling.unseen}
          label={t("channels.enable", { name })}
          onChange={(enabled) => (enabled ? enabling.run() : ask())}
        />
      )}
      title={t("channels.disableTitle", { name })}
      action={t("channels.disableAction")}
      call={() => change(false)}
      refresh={refresh}
      done={t("channels.turnedOff", { name })}
    >
      {t("channels.disableHint")}
    </Asked>
  );
}
