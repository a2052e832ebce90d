import { useState } from "react";
import type { Key } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useChange } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Confirm } from "../../ui/dialogs/confirm.tsx";
import { Switch } from "../../ui/switch.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";

/** Turning a key on is harmless; turning it off stops somebody, so it asks first. */
export function EnabledSwitch({ item }: { readonly item: Key }) {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const change = useChange(
    (enabled: boolean) => api.patch<Key>(path(`/keys/${item.id}`), { enabled }),
    {
      refresh: [path("/keys")],
      onDone: ({ name, enabled }) => {
        setAsking(false);
        toast.done(enabled ? t("keys.turnedOn", { name }) : t("keys.turnedOff", { name }));
      },
    },
  );
  const set = (enabled: boolean) => change.mutate(enabled, { onError: toast.failed });
  return (
    <>
      <Switch
        checked={item.enabled}
        disabled={!may("member") || item.deleted_at !== null || change.isPending}
        label={t("keys.enable", { name: item.name })}
        onChange={(enabled) => (enabled ? set(true) : setAsking(true))}
      />
      <Confirm
        open={asking}
        title={t("keys.disableTitle", { name: item.name })}
        action={t("keys.disableAction")}
        busy={change.isPending}
        onConfirm={() => set(false)}
        onClose={() => setAsking(false)}
      >
        {t("keys.disableHint")}
      </Confirm>
    </>
  );
}
