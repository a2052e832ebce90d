import { Inbox } from "lucide-react";
import { useSpeech } from "../../i18n/language.tsx";
import { withQuery } from "../../lib/api.ts";
import { buttonClass } from "../../ui/button.tsx";

interface MaterialLinkProps {
  /** Of a public account; without one there is no such page. */
  readonly path: string | null | undefined;
  /** The draft that is to be shown there. */
  readonly mediaId?: string | null;
  readonly size?: "small";
}

/** To the page of the built-in platform, which shows what lies in the box as the platform keeps it. */
export function MaterialLink({ path, mediaId, size }: MaterialLinkProps) {
  const { t } = useSpeech();
  if (!path) return null;
  const account = new URLSearchParams(path.split("?")[1]).get("account");
  const address = withQuery(path.split("?")[0] ?? path, { account, draft: mediaId ?? null });
  return (
    <a href={address} className={buttonClass("plain", size)}>
      <Inbox size={15} />
      {t("drafts.material")}
    </a>
  );
}
