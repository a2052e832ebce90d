import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { passkeysWork } from "../../lib/auth/auth.ts";
import { useErrorWords } from "../../lib/error-words.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useResource } from "../../lib/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Asked } from "../../ui/dialogs/confirm.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { PASSKEYS, type Passkey } from "./calls.ts";
import { newestFirst } from "./newest-first.ts";
import { Section } from "./section.tsx";

const PasskeyDialog = lazyPart(() => import("./passkey-dialog.tsx"), "PasskeyDialog");

export function PasskeysCard() {
  const { t } = useSpeech();
  const [adding, setAdding] = useState(false);
  const works = passkeysWork();
  const action = works && (
    <Button onClick={() => setAdding(true)}>{t("settings.passkeyAdd")}</Button>
  );
  return (
    <Section
      title={t("settings.passkeys")}
      hint={t(works ? "settings.passkeysHint" : "settings.passkeyUnsupported")}
      action={action}
    >
      <PasskeyList />
      {adding && <PasskeyDialog onClose={() => setAdding(false)} />}
    </Section>
  );
}

function PasskeyList() {
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  const { data, error } = useResource<readonly Passkey[]>(PASSKEYS);
  if (data && data.length > 0) {
    return (
      <ul className="divide-y divide-line">
        {newestFirst(data).map((passkey) => (
          <PasskeyLine key={passkey.id} passkey={passkey} />
        ))}
      </ul>
    );
  }
  return (
    <div className="px-5 py-4 text-sm text-muted">
      {data ? (
        t("settings.passkeyNone")
      ) : error ? (
        wordsOf(error)
      ) : (
        <Skeleton className="h-7 w-40" />
      )}
    </div>
  );
}

function PasskeyLine({ passkey }: { readonly passkey: Passkey }) {
  const { t, rich } = useSpeech();
  const name = passkey.name || t("settings.passkeyUnnamed");
  return (
    <li className="flex items-center justify-between gap-4 px-5 py-2.5 text-sm">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium break-words">
          {name}
          {passkey.backedUp && <Badge>{t("settings.passkeySynced")}</Badge>}
        </p>
        {passkey.createdAt && (
          <p className="text-[13px] text-muted">
            {rich("settings.addedAt", { time: <Time at={passkey.createdAt} as="date" /> })}
          </p>
        )}
      </div>
      <Asked
        button={(ask) => (
          <IconButton label={t("settings.passkeyDelete", { name })} onClick={ask}>
            <Trash2 size={15} />
          </IconButton>
        )}
        title={t("settings.passkeyDeleteTitle", { name })}
        action={t("words.delete")}
        call={() => api.post("/api/auth/passkey/delete-passkey", { id: passkey.id })}
        refresh={[PASSKEYS]}
        done={t("settings.passkeyDeleted")}
      >
        {t("settings.passkeyDeleteHint")}
      </Asked>
    </li>
  );
}
