import { useState } from "react";
import type { Key } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useChange } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialogs/confirm.tsx";
import { Time } from "../../ui/time.tsx";
import { useToast } from "../../ui/toasts/toast.tsx";

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
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const end = useChange(() => api.delete<Key>(path(`/keys/${item.id}/former-secrets`)), {
    refresh: [path("/keys")],
    onDone: () => {
      setAsking(false);
      toast.done(t("keys.formerEnded"));
    },
  });
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {t("keys.formerEnd")}
      </Button>
      <Confirm
        open={asking}
        title={t("keys.formerEndTitle")}
        action={t("keys.formerEnd")}
        busy={end.isPending}
        onConfirm={() => end.mutate(undefined, { onError: toast.failed })}
        onClose={() => setAsking(false)}
      >
        {t("keys.formerEndHint")}
      </Confirm>
    </>
  );
}
