import type { Key } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useSession } from "../../lib/session.tsx";
import { Asked } from "../../ui/dialogs/confirm.tsx";
import { Switch } from "../../ui/switch.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";

/** Turning a key on is harmless; turning it off stops somebody, so it asks first. */
export function EnabledSwitch({ item }: { readonly item: Key }) {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const { name } = item;
  const change = (enabled: boolean) => api.patch(path(`/keys/${item.id}`), { enabled });
  const refresh = [path("/keys")];
  const enabling = useAction(() => change(true), { refresh, done: t("keys.turnedOn", { name }) });
  return (
    <Asked
      button={(ask) => (
        <Switch
          checked={item.enabled}
          disabled={!may("member") || item.deleted_at !== null || enabling.unseen}
          label={t("keys.enable", { name })}
          onChange={(enabled) => (enabled ? enabling.run() : ask())}
        />
      )}
      title={t("keys.disableTitle", { name })}
      action={t("keys.disableAction")}
      call={() => change(false)}
      refresh={refresh}
      done={t("keys.turnedOff", { name })}
    >
      {t("keys.disableHint")}
    </Asked>
  );
}
