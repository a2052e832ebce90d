import { ArrowLeft, FileX } from "lucide-react";
import type { Draft, PublicAccount } from "../../src/console/contract/material.ts";
import { useSpeech } from "../i18n/language.tsx";
import { ApiError } from "../lib/api.ts";
import { useResource } from "../lib/queries.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Code } from "../ui/code.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Time } from "../ui/time.tsx";
import { useAddress } from "./address.ts";
import { ArticleSides, SIDES } from "./article-sides.tsx";
import { DraftActions } from "./draft-actions.tsx";
import { NotLoaded } from "./not-loaded.tsx";
import { Phone } from "./phone.tsx";

interface DraftViewProps {
  readonly mediaId: string;
  readonly account: PublicAccount;
  /** Of the account in the API. */
  readonly path: string;
}

export function DraftView({ mediaId, account, path }: DraftViewProps) {
  const { t } = useSpeech();
  const own = `${path}/drafts/${encodeURIComponent(mediaId)}`;
  const { data, error } = useResource<Draft>(own);
  if (error instanceof ApiError && error.status === 404) {
    return (
      <>
        <BackToList />
        <EmptyState icon={<FileX size={28} />} title={t("material.noDraft")}>
          {t("material.noDraftHint")}
        </EmptyState>
      </>
    );
  }
  if (error && !data) return <NotLoaded error={error} />;
  return (
    <>
      <BackToList />
      {data ? (
        <Details draft={data} account={account} path={path} own={own} />
      ) : (
        <Skeleton className="h-[44rem] w-full" />
      )}
    </>
  );
}

/** Only on a phone, where the list is not beside it. */
function BackToList() {
  const { t } = useSpeech();
  const { go } = useAddress();
  return (
    <div className="mb-3 lg:hidden">
      <Button
        kind="quiet"
        size="small"
        onClick={() => go({ draft: undefined, article: undefined })}
      >
        <ArrowLeft size={15} />
        {t("material.backToList")}
      </Button>
    </div>
  );
}

interface DetailsProps {
  readonly draft: Draft;
  readonly account: PublicAccount;
  readonly path: string;
  /** Of the draft in the API. */
  readonly own: string;
}

function Details({ draft, account, path, own }: DetailsProps) {
  const { at, stay } = useAddress();
  const index = draft.articles[Number(at.article)] ? Number(at.article) : 0;
  const article = draft.articles[index];
  const side = SIDES.find((name) => name === at.side) ?? "differences";
  if (!article) return null;
  return (
    <Card>
      <Head draft={draft} account={account} path={path} own={own} />
      {draft.articles.length > 1 && <ArticleChoice draft={draft} index={index} />}
      <div className="mt-5 grid gap-6 xl:grid-cols-[auto_minmax(0,1fr)] xl:items-start">
        <Phone own={own} index={index} title={article.title} side={side} />
        <ArticleSides
          article={article}
          side={side}
          onChange={(next) => stay({ side: next === "differences" ? undefined : next })}
        />
      </div>
    </Card>
  );
}

function Head({ draft, account, path, own }: DetailsProps) {
  const { t, rich } = useSpeech();
  const title = draft.articles[0]?.title ?? "";
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="text-base font-semibold break-words">{title}</h2>
        <p className="mt-1 text-[13px] text-muted">
          {rich("material.changedAt", { time: <Time at={draft.updated_at} /> })}
        </p>
        <p className="mt-1 flex min-w-0 items-center gap-2 text-[13px] text-muted">
          <span className="shrink-0">{t("material.mediaId")}</span>
          <Code>{draft.media_id}</Code>
        </p>
      </div>
      {account.may_change ? (
        <DraftActions title={title} path={path} own={own} />
      ) : (
        <p className="text-[13px] text-muted">{t("material.readOnly")}</p>
      )}
    </header>
  );
}

function ArticleChoice({ draft, index }: { readonly draft: Draft; readonly index: number }) {
  const { t } = useSpeech();
  const { stay } = useAddress();
  return (
    <Field label={t("material.articles")} className="mt-4 max-w-md">
      <Select
        value={String(index)}
        choices={draft.articles.map(({ title }, place) => ({
          value: String(place),
          label: t("material.articleNumber", { number: place + 1, title }),
        }))}
        onChange={(article) => stay({ article: article === "0" ? undefined : article })}
      />
    </Field>
  );
}
