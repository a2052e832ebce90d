import { Image as ImageIcon, Inbox } from "lucide-react";
import type { DraftRow, PublicAccount } from "../../src/console/contract/material.ts";
import { useSpeech } from "../i18n/language.tsx";
import { type Rows, useRows } from "../lib/queries.ts";
import { Badge } from "../ui/badge.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Code } from "../ui/code.tsx";
import { cx } from "../ui/cx.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Time } from "../ui/time.tsx";
import { useAddress } from "./address.ts";
import { DraftView } from "./draft-view.tsx";
import { LoadMore } from "./load-more.tsx";

/** Calls look alike in every language. */
const ADD_PATH = "/platform/cgi-bin/draft/add";
const SKELETONS = [1, 2, 3];

interface DraftBoxProps {
  readonly account: PublicAccount;
  /** Of the account in the API. */
  readonly path: string;
}

/** The list and one draft beside it; on a phone one of the two. */
export function DraftBox({ account, path }: DraftBoxProps) {
  const { rich, t } = useSpeech();
  const { at } = useAddress();
  const rows = useRows<DraftRow>(`${path}/drafts`);
  if (rows.data?.length === 0 && at.draft === undefined) {
    return (
      <EmptyState
        icon={<Inbox size={28} />}
        title={t("material.noDrafts")}
        action={
          <a href="/console/drafts" className={buttonClass()}>
            {t("material.toDrafts")}
          </a>
        }
      >
        {rich("material.noDraftsHint", { path: <Code copy={false}>{ADD_PATH}</Code> })}
      </EmptyState>
    );
  }
  const shown = at.draft ?? rows.data?.[0]?.media_id;
  return (
    <div className="grid gap-5 lg:grid-cols-[19rem_minmax(0,1fr)] lg:items-start">
      <Card flush className={cx("overflow-hidden", at.draft !== undefined && "hidden lg:block")}>
        <DraftList rows={rows} shown={shown} />
        <LoadMore rows={rows} />
      </Card>
      <div className={cx("min-w-0", at.draft === undefined && "hidden lg:block")}>
        {shown !== undefined && (
          <DraftView key={shown} mediaId={shown} account={account} path={path} />
        )}
      </div>
    </div>
  );
}

interface DraftListProps {
  readonly rows: Rows<DraftRow>;
  readonly shown: string | undefined;
}

function DraftList({ rows, shown }: DraftListProps) {
  const { t } = useSpeech();
  return (
    <ul aria-label={t("material.draftList")} className="divide-y divide-line">
      {rows.data?.map((draft) => (
        <DraftItem key={draft.media_id} draft={draft} isShown={draft.media_id === shown} />
      )) ??
        SKELETONS.map((key) => (
          <li key={key} className="flex gap-3 p-3">
            <Skeleton className="size-14 shrink-0" />
            <Skeleton className="mt-1 h-4 w-40" />
          </li>
        ))}
    </ul>
  );
}

function DraftItem({ draft, isShown }: { readonly draft: DraftRow; readonly isShown: boolean }) {
  const { t } = useSpeech();
  const { go } = useAddress();
  const [title = "", ...others] = draft.titles;
  return (
    <li>
      <button
        type="button"
        aria-current={isShown ? "true" : undefined}
        onClick={() => go({ draft: draft.media_id, article: undefined })}
        className={cx(
          "flex w-full items-start gap-3 p-3 text-left -outline-offset-2",
          isShown ? "lg:bg-hover" : "hover:bg-hover",
        )}
      >
        <Cover url={draft.cover_url} />
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 text-sm font-medium break-words">{title}</span>
          <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
            <Time at={draft.updated_at} />
            {draft.type === "newspic" && <Badge>{t("material.kind_newspic")}</Badge>}
            {others.length > 0 && (
              <Badge>{t("material.articleCount", { count: draft.titles.length })}</Badge>
            )}
          </span>
        </span>
      </button>
    </li>
  );
}

function Cover({ url }: { readonly url: string | null }) {
  const look = "size-14 shrink-0 rounded-md border border-line bg-sunken";
  if (url !== null)
    return <img src={url} alt="" loading="lazy" className={cx(look, "object-cover")} />;
  return (
    <span className={cx(look, "flex items-center justify-center text-muted")}>
      <ImageIcon size={18} />
    </span>
  );
}
