import { useState } from "react";
import type { Channel } from "../../../src/console/operator/contract/channels.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { Confirm } from "../../ui/dialogs/confirm.tsx";
import { Switch } from "../../ui/switch.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { CHANNELS_PATH } from "./paths.ts";

/** Turning a channel off may leave models without anybody to serve them, so it asks first. */
export function EnabledSwitch({ channel }: { readonly channel: Channel }) {
  const { t } = useSpeech();
  const [asking, setAsking] = useState(false);
  const change = useAction(
    (enabled: boolean) => api.patch<Channel>(`${CHANNELS_PATH}/${channel.id}`, { enabled }),
    {
      // Whether test payments exist depends on the channels that are on.
      refresh: [CHANNELS_PATH, "/api/me"],
      onDone: () => setAsking(false),
      done: ({ name, enabled }) =>
        t(enabled ? "channels.turnedOn" : "channels.turnedOff", { name }),
    },
  );
  return (
    <>
      <Switch
        checked={channel.enabled}
        disabled={channel.origin === "sandbox" || channel.state === "broken" || change.busy}
        label={t("channels.enable", { name: channel.name })}
        onChange={(enabled) => (enabled ? change.run(true) : setAsking(true))}
      />
      <Confirm
        open={asking}
        title={t("channels.disableTitle", { name: channel.name })}
        action={t("channels.disableAction")}
        busy={change.busy}
        onConfirm={() => change.run(false)}
        onClose={() => setAsking(false)}
      >
        {t("channels.disableHint")}
      </Confirm>
    </>
  );
}
