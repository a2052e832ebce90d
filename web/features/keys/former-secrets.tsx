import type { Key } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { Asked } from "../../ui/dialogs/confirm.tsx";
import { Time } from "../../ui/time.tsx";

/** Which secrets of before still open a key, and how to end them; nothing where there are none. */
export function FormerSecrets({ item }: { readonly item: Key }) {
  const { rich } = useSpeech();
  const { may } = useSession();
  if (item.former_secrets.length === 0) return null;
  return (
    <Notice tone="warn" action={may("member") && <EndSecrets item={item} />}>
      <ul>
        {item.former_secrets.map(({ last_four, ends_at }) => (
          <li key={`${last_four} ${ends_at}`}>
            {rich("keys.formerSecret", {
              ending: last_four,
              time: <Time at={ends_at} as="exact" />,
            })}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function EndSecrets({ item }: { readonly item: Key }) {
  const { t } = useSpeech();
  const { path } = useSession();
  return (
    <Asked
      button={{ size: "small" }}
      title={t("keys.formerEndTitle")}
      action={t("keys.formerEnd")}
      call={() => api.delete<Key>(path(`/keys/${item.id}/former-secrets`))}
      refresh={[path("/keys")]}
      done={t("keys.formerEnded")}
    >
      {t("keys.formerEndHint")}
    </Asked>
  );
}
