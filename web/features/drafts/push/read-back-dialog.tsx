import { CircleCheck, TriangleAlert } from "lucide-react";
import type { Draft } from "../../../../src/drafts/contract/draft.ts";
import type { ReadBack } from "../../../../src/drafts/contract/push.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { useErrorWords } from "../../../lib/error-words.ts";
import { useResource } from "../../../lib/queries.ts";
import { useSession } from "../../../lib/session.tsx";
import { Notice } from "../../../ui/badge.tsx";
import { type Closes, Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";

/** What the platform, or somebody in its editor, has made of what was sent. */
export function ReadBackDialog({ draft, onClose }: Closes & { readonly draft: Draft }) {
  const { t } = useSpeech();
  const { path } = useSession();
  const wordsOf = useErrorWords();
  const { data, error } = useResource<ReadBack>(path(`/drafts/${draft.id}/box`));
  return (
    <Dialog wide onClose={onClose} title={t("drafts.readBackTitle")}>
      {error && <Notice tone="bad">{wordsOf(error)}</Notice>}
      {!data && !error && <Skeleton className="h-32 w-full" />}
      {data && <Comparison found={data} />}
    </Dialog>
  );
}

function Comparison({ found }: { readonly found: ReadBack }) {
  const { t } = useSpeech();
  if (!found.in_box) {
    return (
      <Notice tone="warn" icon={<TriangleAlert size={16} />}>
        {t("drafts.readBackGone")}
      </Notice>
    );
  }
  if (found.differences.length === 0) {
    return (
      <p className="flex items-center gap-2 text-sm">
        <CircleCheck size={16} className="text-good" />
        {t("drafts.readBackSame")}
      </p>
    );
  }
  return (
    <ul className="flex flex-col gap-4">
      {found.differences.map(({ article, field, submitted, stored }) => (
        <li key={`${article} ${field}`}>
          <p className="mb-1.5 font-mono text-[13px]">
            articles[{article}].{field}
          </p>
          <dl className="grid gap-3 sm:grid-cols-2">
            <Side label={t("drafts.submitted")} text={submitted} />
            <Side label={t("drafts.stored")} text={stored} />
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Side({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-[13px] text-muted">{label}</dt>
      <dd
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="mt-1 max-h-48 overflow-y-auto rounded-md bg-sunken p-2.5 font-mono text-xs break-all whitespace-pre-wrap"
      >
        {text}
      </dd>
    </div>
  );
}
