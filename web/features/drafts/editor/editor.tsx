import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ArticleDoc } from "../../../../src/drafts/contract/article.ts";
import type { Draft, WritingCall } from "../../../../src/drafts/contract/draft.ts";
import type { Preview, Problem } from "../../../../src/drafts/contract/preview.ts";
import type { PublicAccount } from "../../../../src/drafts/contract/public-account.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { api, withQuery } from "../../../lib/api.ts";
import { addDecimals } from "../../../lib/decimal.ts";
import { useFilters } from "../../../lib/filters.ts";
import { lazyPart } from "../../../lib/lazy-part.tsx";
import { useResource, useRows } from "../../../lib/queries.ts";
import { useSession } from "../../../lib/session.tsx";
import { cx } from "../../../ui/cx.ts";
import { BoxCard } from "../box-card.tsx";
import { useLook } from "../looking.ts";
import { CoverCard } from "../pictures/cover-card.tsx";
import { ImageList } from "../pictures/image-list.tsx";
import { ProblemList } from "../push/problem-list.tsx";
import { usePushing } from "../push/pushing.ts";
import {
  type ArticleChange,
  changeArticle,
  EMPTY_ARTICLE,
  fixArticle,
  replaceAt,
} from "./article-edit.ts";
import { ArticleFields } from "./article-fields.tsx";
import { ArticleTabs } from "./article-tabs.tsx";
import { EditorHeader } from "./editor-header.tsx";
import type { LineName } from "./measure.ts";
import { Phone } from "./phone.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import { type Moment, useWorkingCopy, type WorkingCopy } from "./working-copy.ts";

const PushDialog = lazyPart(() => import("../push/push-dialog.tsx"), "PushDialog");
const WriteDialog = lazyPart(() => import("../write-dialog.tsx"), "WriteDialog");
const ShortenDialog = lazyPart(() => import("./shorten-dialog.tsx"), "ShortenDialog");

const MOVEMENT_MS = 3_000;

export const EDITOR_GRID =
  "grid grid-cols-1 items-start gap-6 min-[70rem]:grid-cols-[minmax(0,1fr)_26.4rem]";

/** Of all calls of models; null where there were none, or where one does not tell. */
function costOf(calls: readonly WritingCall[]): string | null {
  // A call of this page is also on the draft, once that has been read again.
  const costs = [...new Map(calls.map(({ request_id, cost }) => [request_id, cost])).values()];
  if (costs.length === 0) return null;
  return costs.reduce((sum, cost) =>
    sum === null || cost === null ? null : addDecimals(sum, cost),
  );
}

/** The saved version as the platform would take it. */
function usePreview(draft: Draft): Preview | undefined {
  const { path } = useSession();
  const address = path("/drafts/preview");
  const { articles, public_account_id: account } = draft;
  return useQuery({
    queryKey: [address, draft.id, draft.version, account],
    queryFn: () => api.post<Preview>(address, { articles, account }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** What is still under way is looked at until it is done. */
function useMovement(draft: Draft): void {
  const { path } = useSession();
  const enabled = draft.status === "pushing";
  useResource<Draft>(path(`/drafts/${draft.id}`), {}, { enabled, refetchMs: MOVEMENT_MS });
  useLook(draft);
}

/** A function, where the change depends on what is there by then. */
type Change = ArticleChange | ((article: ArticleDoc) => ArticleChange);

/** Which article is in hand, and changes of it. */
function useEditing({ articles, change }: WorkingCopy) {
  const [wanted, pick] = useState(0);
  const at = Math.min(wanted, Math.max(0, articles.length - 1));
  const article = articles[at] ?? EMPTY_ARTICLE;
  const edit = (place: number, edited: (article: ArticleDoc) => ArticleDoc, options?: Moment) =>
    change((now) => {
      const next = edited(now[place] ?? EMPTY_ARTICLE);
      return now.length === 0 ? [next] : replaceAt(now, place, next);
    }, options);
  return {
    at,
    article,
    pick,
    change: (given: Change, options?: Moment) =>
      edit(
        at,
        (now) => changeArticle(now, typeof given === "function" ? given(now) : given),
        options,
      ),
    fix: (problem: Problem) =>
      edit(problem.article, (now) => fixArticle(now, problem), { now: true }),
  };
}

type Editing = ReturnType<typeof useEditing>;

export function Editor({ draft }: { readonly draft: Draft }) {
  const { path, may } = useSession();
  const copy = useWorkingCopy(draft);
  const editing = useEditing(copy);
  const preview = usePreview(draft);
  const pushing = usePushing(draft, copy);
  const accounts = useRows<PublicAccount>(path("/public-accounts")).data;
  const account = accounts?.find(({ id }) => id === draft.public_account_id);
  const [view, setView] = useState<"write" | "preview">("write");
  const [caret, setCaret] = useState(0);
  const [calls, setCalls] = useState<readonly WritingCall[]>([]);
  const cost = costOf([...draft.writing, ...calls]);
  const canEdit = may("member");
  useMovement(draft);
  return (
    <>
      <EditorHeader
        {...{ draft, copy, preview, pushing, canEdit, view, account }}
        onView={setView}
      />
      <div className={EDITOR_GRID}>
        <div
          className={cx(
            "flex min-w-0 flex-col gap-5",
            view === "preview" && "hidden min-[70rem]:flex",
          )}
        >
          <EditorColumn
            {...{ draft, copy, editing, preview, accounts, cost, canEdit }}
            onCaret={setCaret}
            onCalls={(made) => setCalls((before) => [...before, ...made])}
          />
        </div>
        <PreviewColumn
          {...{ draft, editing, canEdit, caret }}
          account={account?.name ?? ""}
          className={view === "write" ? "hidden min-[70rem]:flex" : "flex"}
        />
      </div>
      {pushing.isOpen && <PushDialog account={account} pushing={pushing} cost={cost} />}
    </>
  );
}

/** A picture or page of the saved version; another version has another address. */
function useSaved(draft: Draft, at: number): (name: string) => string {
  const { path } = useSession();
  const query = { version: draft.version, article: at };
  return (name) => withQuery(path(`/drafts/${draft.id}/${name}`), query);
}

interface EditorColumnProps {
  readonly draft: Draft;
  readonly copy: WorkingCopy;
  readonly editing: Editing;
  readonly preview: Preview | undefined;
  readonly accounts: readonly PublicAccount[] | undefined;
  readonly cost: string | null;
  readonly canEdit: boolean;
  readonly onCaret: (percent: number) => void;
  readonly onCalls: (calls: readonly WritingCall[]) => void;
}

function EditorColumn(props: EditorColumnProps) {
  const { draft, copy, editing, preview, accounts, cost, canEdit, onCaret, onCalls } = props;
  const { at, article, pick, change, fix } = editing;
  const [short, setShort] = useState<Problem>();
  const served = useSaved(draft, Math.min(at, Math.max(0, draft.articles.length - 1)));
  const shortened = short && copy.articles[short.article];
  return (
    <>
      <fieldset disabled={!canEdit} className="flex min-w-0 flex-col gap-5">
        <section className="min-w-0 rounded-xl border border-line bg-surface shadow-low">
          <ArticleTabs
            articles={copy.articles}
            at={at}
            onPick={pick}
            onChange={(articles) => copy.change(() => articles, { now: true })}
          />
          <div className="p-5">
            <ArticleFields
              key={at}
              article={article}
              counts={preview?.articles[at]?.counts}
              onChange={change}
              onCaret={onCaret}
            />
          </div>
        </section>
        {article.type === "news" ? (
          <CoverCard
            article={article}
            served={served("cover")}
            onChange={(cover) => change({ cover }, { now: true })}
          />
        ) : (
          <ImageList
            images={article.images ?? []}
            served={served("cover")}
            onChange={(edit) =>
              change(({ images = [] }) => ({ images: edit(images) }), { now: true })
            }
          />
        )}
      </fieldset>
      <ProblemList preview={preview} canEdit={canEdit} onFix={fix} onShorten={setShort} />
      <BoxCard {...{ draft, accounts, copy, cost, canEdit }} />
      <Writer {...props} />
      {short && shortened && (
        <ShortenDialog
          draft={draft}
          field={short.field as LineName}
          text={shortened[short.field as LineName] ?? ""}
          onCalls={onCalls}
          onUse={(value) => fix({ ...short, fix: { kind: "shorten", value } })}
          onClose={() => setShort(undefined)}
        />
      )}
    </>
  );
}

function Writer({ draft, copy, editing, onCalls }: EditorColumnProps) {
  const { may } = useSession();
  const { values, set } = useFilters(["dialog"]);
  if (values.dialog !== "write" || !may("member")) return null;
  const { change } = editing;
  return (
    <WriteDialog
      draft={draft}
      replaces={copy.articles.some(({ title, source }) => title !== "" || source.text !== "")}
      onWritten={({ article: { title, digest, source }, writing }) => {
        onCalls(writing);
        change({ title, digest, source }, { now: true });
      }}
      onClose={() => set({ dialog: undefined })}
    />
  );
}

interface PreviewColumnProps {
  readonly draft: Draft;
  readonly editing: Editing;
  readonly account: string;
  readonly canEdit: boolean;
  readonly caret: number;
  readonly className: string;
}

function PreviewColumn(props: PreviewColumnProps) {
  const { draft, editing, account, canEdit, caret, className } = props;
  const { t } = useSpeech();
  const { article, change } = editing;
  const at = Math.min(editing.at, Math.max(0, draft.articles.length - 1));
  const served = useSaved(draft, at);
  return (
    <section
      aria-label={t("drafts.preview")}
      className={cx("min-w-0 flex-col gap-3 min-[70rem]:sticky min-[70rem]:top-6", className)}
    >
      {article.type === "news" && (
        <fieldset disabled={!canEdit}>
          <ThemeSwitch
            value={article.theme}
            onChange={(theme) => change({ theme }, { now: true })}
          />
        </fieldset>
      )}
      <Phone src={served("frame")} at={caret} account={account} />
      <p className="text-center text-xs text-muted">{t("drafts.previewHint")}</p>
    </section>
  );
}
