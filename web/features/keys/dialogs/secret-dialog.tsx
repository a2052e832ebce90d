import type { CreatedKey } from "../../../../src/console/contract/keys.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { useSession } from "../../../lib/session.tsx";
import type { Closes } from "../../../ui/dialogs/dialog.tsx";
import { SecretDialog as Base } from "../../../ui/dialogs/secret-dialog.tsx";
import { ClientTabs } from "../../overview/client-tabs.tsx";

/** The secret, this once, and what to do with it: the lines of each client, with the secret in them. */
export function SecretDialog({ created, onClose }: Closes & { readonly created: CreatedKey }) {
  const { t } = useSpeech();
  const { me } = useSession();
  const { secret, models } = created;
  return (
    <Base
      wide
      onClose={onClose}
      title={t("keys.secretTitle")}
      description={t("keys.secretHint")}
      secret={secret}
      label={t("keys.secretLabel")}
      copy={t("keys.copySecret")}
      saved={t("keys.secretSaved")}
    >
      <h3 className="mt-5 mb-2 text-sm font-semibold">{t("keys.tryIt")}</h3>
      <ClientTabs address={me.public_url.replace(/\/+$/, "")} secret={secret} only={models} />
    </Base>
  );
}
