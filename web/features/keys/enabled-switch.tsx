import { useState } from "react";
import type { Key } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useSession } from "../../lib/session.tsx";
import { Confirm } from "../../ui/dialogs/confirm.tsx";
import { Switch } from "../../ui/switch.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";

/** Turning a key on is harmless; turning it off stops somebody, so it asks first. */
export function EnabledSwitch({ item }: { readonly item: Key }) {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const [asking, setAsking] = useState(false);
  const change = useAction(
    (enabled: boolean) => api.patch<Key>(path(`/keys/${item.id}`), { enabled }),
    {
      refresh: [path("/keys")],
      onDone: () => setAsking(false),
      done: ({ name, enabled }) => t(enabled ? "keys.turnedOn" : "keys.turnedOff", { name }),
    },
  );
  return (
    <>
      <Switch
        checked={item.enabled}
        disabled={!may("member") || item.deleted_at !== null || change.busy}
        label={t("keys.enable", { name: item.name })}
        onChange={(enabled) => (enabled ? change.run(true) : setAsking(true))}
      />
      <Confirm
        open={asking}
        title={t("keys.disableTitle", { name: item.name })}
        action={t("keys.disableAction")}
        busy={change.busy}
        onConfirm={() => change.run(false)}
        onClose={() => setAsking(false)}
      >
        {t("keys.disableHint")}
      </Confirm>
    </>
  );
}
