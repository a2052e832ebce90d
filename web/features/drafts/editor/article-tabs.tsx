import { ArrowLeft, ArrowRight, Plus, Trash2 } from "lucide-react";
import type { ArticleDoc } from "../../../../src/drafts/contract/article.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { cx } from "../../../ui/cx.ts";
import { ARTICLES_MAX, EMPTY_ARTICLE, moveAt, removeAt } from "./article-edit.ts";

interface ArticleTabsProps {
  readonly articles: readonly ArticleDoc[];
  readonly at: number;
  readonly onPick: (at: number) => void;
  readonly onChange: (articles: readonly ArticleDoc[]) => void;
}

/** The articles of a draft in their order; the first is the large one in a message. */
export function ArticleTabs({ articles, at, onPick, onChange }: ArticleTabsProps) {
  const { t } = useSpeech();
  const many = articles.length > 1;
  const add = () => {
    onChange([...articles, EMPTY_ARTICLE]);
    onPick(articles.length);
  };
  const move = (by: -1 | 1) => {
    onChange(moveAt(articles, at, by));
    onPick(at + by);
  };
  const remove = () => {
    onChange(removeAt(articles, at));
    onPick(Math.max(0, at - 1));
  };
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
      <ol
        aria-label={t("drafts.articles")}
        className="flex min-w-0 flex-1 basis-44 flex-wrap gap-1"
      >
        {articles.map((article, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the places are what is picked.
          <li key={place} className="max-w-full min-w-0">
            <ArticleTab
              article={article}
              place={place}
              isHere={place === at}
              many={many}
              onPick={() => onPick(place)}
            />
          </li>
        ))}
      </ol>
      {many && (
        <div className="flex">
          <IconButton label={t("drafts.moveLeft")} disabled={at === 0} onClick={() => move(-1)}>
            <ArrowLeft size={15} />
          </IconButton>
          <IconButton
            label={t("drafts.moveRight")}
            disabled={at === articles.length - 1}
            onClick={() => move(1)}
          >
            <ArrowRight size={15} />
          </IconButton>
          <IconButton label={t("drafts.removeArticle")} onClick={remove}>
            <Trash2 size={15} />
          </IconButton>
        </div>
      )}
      <Button kind="quiet" size="small" disabled={articles.length >= ARTICLES_MAX} onClick={add}>
        <Plus size={14} />
        {t("drafts.addArticle")}
      </Button>
    </div>
  );
}

interface ArticleTabProps {
  readonly article: ArticleDoc;
  readonly place: number;
  readonly isHere: boolean;
  readonly many: boolean;
  readonly onPick: () => void;
}

function ArticleTab({ article, place, isHere, many, onPick }: ArticleTabProps) {
  const { t } = useSpeech();
  const title = article.title || t("drafts.articleNumber", { number: place + 1 });
  if (!many) return <h2 className="px-2 py-1 text-sm font-semibold">{t("drafts.article")}</h2>;
  return (
    <button
      type="button"
      aria-current={isHere}
      onClick={onPick}
      className={cx(
        "flex h-8 max-w-32 items-center gap-1.5 rounded-md px-2.5 text-[13px]",
        isHere ? "bg-accent-soft font-medium text-accent" : "text-muted hover:bg-hover",
      )}
    >
      <span className="tabular-nums">{place + 1}</span>
      <span className="truncate">{title}</span>
    </button>
  );
}
