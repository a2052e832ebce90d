import { Download } from "lucide-react";
import { useSpeech } from "../i18n/language.tsx";
import { buttonClass } from "./button.tsx";

/** What a page shows, as a file. The server names it. */
export function DownloadLink({ href }: { readonly href: string }) {
  const { t } = useSpeech();
  return (
    <a href={href} download className={buttonClass()}>
      <Download size={15} />
      {t("words.download")}
    </a>
  );
}
