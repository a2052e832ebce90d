import { useSpeech } from "../../i18n/language.tsx";
import { TextLink } from "../../lib/link.tsx";
import { useSession } from "../../lib/session.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { type Closes, Dialog } from "../../ui/dialogs/dialog.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { asCode } from "./as-code.ts";
import type { Question } from "./call.ts";

/** What was just asked, as a program would ask it. */
export function CodeDialog({ question, onClose }: Closes & { readonly question: Question }) {
  const { t, rich } = useSpeech();
  const { me } = useSession();
  const link = <TextLink to="/keys">{t("playground.codeKeys")}</TextLink>;
  return (
    <Dialog
      wide
      onClose={onClose}
      title={t("playground.code")}
      description={rich("playground.codeHint", { keys: link })}
    >
      <Tabs
        label={t("playground.code")}
        tabs={asCode(question, me.public_url).map(({ id, label, text }) => ({
          value: id,
          label,
          content: <CodeBlock label={label}>{text}</CodeBlock>,
        }))}
      />
    </Dialog>
  );
}
