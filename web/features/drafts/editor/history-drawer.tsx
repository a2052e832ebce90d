import type { ArticleDoc } from "../../../../src/drafts/contract/article.ts";
import type { Draft, DraftVersion } from "../../../../src/drafts/contract/draft.ts";
import type { Push, PushState } from "../../../../src/drafts/contract/push.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { api } from "../../../lib/api.ts";
import { useHere } from "../../../lib/here.ts";
import { useRows } from "../../../lib/queries.ts";
import { useSession } from "../../../lib/session.tsx";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Code } from "../../../ui/code.tsx";
import { Drawer } from "../../../ui/dialogs/dialog.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { Time } from "../../../ui/time.tsx";
import { useAction } from "../../../ui/toasts/toast.tsx";
import { RefusalWords } from "../push/push-dialog.tsx";

interface HistoryDrawerProps {
  readonly draft: Draft;
  readonly canEdit: boolean;
  readonly onRestore: (articles: readonly ArticleDoc[]) => void;
  readonly onClose: () => void;
}

export function HistoryDrawer(props: HistoryDrawerProps) {
  const { t } = useSpeech();
  const tabs = [
    { value: "versions", label: t("drafts.versions"), content: <Versions {...props} /> },
    { value: "pushes", label: t("drafts.pushes"), content: <Pushes {...props} /> },
  ];
  return (
    <Drawer onClose={props.onClose} title={t("drafts.history")}>
      <Tabs label={t("drafts.history")} tabs={tabs} />
    </Drawer>
  );
}

function Versions(props: HistoryDrawerProps) {
  const { draft } = props;
  const { path } = useSession();
  const rows = useRows<DraftVersion>(path(`/drafts/${draft.id}/versions`)).data;
  if (!rows) return <Skeleton className="h-40 w-full" />;
  return (
    <ol className="divide-y divide-line">
      {rows.map((row) => (
        <VersionRow key={row.version} row={row} {...props} />
      ))}
    </ol>
  );
}

function VersionRow(props: HistoryDrawerProps & { readonly row: DraftVersion }) {
  const { draft, row, canEdit, onRestore, onClose } = props;
  const { t } = useSpeech();
  const { path } = useSession();
  const here = useHere();
  const address = path(`/drafts/${draft.id}/versions/${row.version}`);
  const restore = useAction(() => api.get<{ articles: readonly ArticleDoc[] }>(address), {
    // Who has closed the drawer meanwhile is writing on, and keeps that.
    onDone: ({ articles }) => {
      if (!here.current) return;
      onRestore(articles);
      onClose();
    },
    done: () => (here.current ? t("drafts.restored", { version: row.version }) : undefined),
  });
  const isCurrent = row.version === draft.version;
  return (
    <li className="flex items-center gap-3 py-3 text-sm">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {t("drafts.version", { version: row.version })}
          {isCurrent && <Badge tone="accent">{t("drafts.current")}</Badge>}
          {row.version === draft.pushed_version && <Badge tone="good">{t("drafts.inBox")}</Badge>}
        </p>
        <p className="truncate">{row.title || t("drafts.untitled")}</p>
        <p className="text-[13px] text-muted">
          <Time at={row.created_at} /> {t("drafts.by", { name: row.by })}
        </p>
      </div>
      {canEdit && !isCurrent && (
        <Button size="small" busy={restore.busy} onClick={() => restore.run()}>
          {t("drafts.restore")}
        </Button>
      )}
    </li>
  );
}

const TONES: Readonly<Record<PushState, Tone>> = {
  planned: "accent",
  uploading: "accent",
  sending: "accent",
  done: "good",
  refused: "bad",
  unknown: "warn",
};

function Pushes({ draft }: HistoryDrawerProps) {
  const { t } = useSpeech();
  const { path } = useSession();
  const rows = useRows<Push>(path(`/drafts/${draft.id}/pushes`)).data;
  if (!rows) return <Skeleton className="h-40 w-full" />;
  if (rows.length === 0) return <p className="text-sm text-muted">{t("drafts.noPushes")}</p>;
  return (
    <ol className="divide-y divide-line">
      {rows.map((push) => (
        <PushRow key={push.id} push={push} />
      ))}
    </ol>
  );
}

function PushRow({ push }: { readonly push: Push }) {
  const { t } = useSpeech();
  const { kind, version, state, refusal, receipt, doubt, media_id } = push;
  return (
    <li className="flex flex-col gap-1.5 py-3 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{t(`drafts.kind_${kind}`)}</span>
        <span className="text-muted">{t("drafts.version", { version })}</span>
        <Badge tone={TONES[state]}>{t(`drafts.state_${state}`)}</Badge>
        <span className="ml-auto text-[13px] text-muted">
          <Time at={push.created_at} />
        </span>
      </p>
      {media_id && <Code>{media_id}</Code>}
      {receipt?.reconciled && <p className="text-[13px] text-muted">{t("drafts.reconciled")}</p>}
      {receipt && receipt.rids.length > 0 && (
        <p className="flex min-w-0 items-center gap-2 text-[13px] text-muted">
          rid <Code>{receipt.rids.join(" ")}</Code>
        </p>
      )}
      {refusal && <RefusalWords refusal={refusal} />}
      {doubt && <p className="text-[13px] break-words text-muted">{doubt}</p>}
    </li>
  );
}
