import type { Destination } from "../../../../src/drafts/contract/preview.ts";
import { useSpeech } from "../../../i18n/language.tsx";

/** Whose box it is, and on which platform: the real one, or the sandbox that nobody else sees. */
export function DestinationWords({ destination }: { readonly destination: Destination }) {
  const { t } = useSpeech();
  const { name, appid, sandbox, platform_url } = destination;
  return (
    <span className="break-all">
      {name} <span className="font-mono text-[13px] text-muted">{appid}</span>
      {" · "}
      {sandbox ? t("drafts.onSandbox") : t("drafts.onPlatform", { url: platform_url ?? "" })}
    </span>
  );
}
