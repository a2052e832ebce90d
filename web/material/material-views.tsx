import { Newspaper } from "lucide-react";
import type {
  AccountState,
  PublicAccount,
  Publication,
} from "../../src/console/contract/material.ts";
import { useSpeech } from "../i18n/language.tsx";
import { useRows } from "../lib/queries.ts";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Time } from "../ui/time.tsx";
import { useAddress } from "./address.ts";
import { DraftBox } from "./draft-box.tsx";
import { LoadMore } from "./load-more.tsx";

interface MaterialViewsProps {
  readonly account: PublicAccount;
  readonly state: AccountState | undefined;
  /** Of this account in the API. */
  readonly path: string;
}

/** The box, and what has left it. */
export function MaterialViews({ account, state, path }: MaterialViewsProps) {
  const { t } = useSpeech();
  const { at, stay } = useAddress();
  const counted = (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} (${count})`;
  return (
    <Tabs
      label={t("material.views")}
      value={at.view === "published" ? "published" : "drafts"}
      onChange={(view) => stay({ view: view === "published" ? view : undefined })}
      tabs={[
        {
          value: "drafts",
          label: counted(t("material.drafts"), state?.drafts),
          content: <DraftBox account={account} path={path} />,
        },
        {
          value: "published",
          label: counted(t("material.published"), state?.published),
          content: <Published path={path} />,
        },
      ]}
    />
  );
}

function Published({ path }: { readonly path: string }) {
  const { t } = useSpeech();
  const rows = useRows<Publication>(`${path}/published`);
  if (rows.data?.length === 0) {
    return (
      <EmptyState icon={<Newspaper size={28} />} title={t("material.noPublished")}>
        {t("material.noPublishedHint")}
      </EmptyState>
    );
  }
  return (
    <Card flush>
      <ul aria-label={t("material.publishedList")} className="divide-y divide-line">
        {rows.data?.map((publication) => (
          <PublishedItem key={publication.article_id} publication={publication} />
        )) ?? (
          <li className="p-5">
            <Skeleton className="h-10 w-64" />
          </li>
        )}
      </ul>
      <LoadMore rows={rows} />
    </Card>
  );
}

function PublishedItem({ publication }: { readonly publication: Publication }) {
  const { rich } = useSpeech();
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-3.5">
      <ul className="flex min-w-0 flex-col gap-1">
        {publication.articles.map(({ title, url }) => (
          <li key={url} className="min-w-0 text-sm">
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="font-medium break-words text-accent underline-offset-2 hover:underline"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
      <span className="text-[13px] text-muted">
        {rich("material.publishedAt", { time: <Time at={publication.published_at} /> })}
      </span>
    </li>
  );
}
