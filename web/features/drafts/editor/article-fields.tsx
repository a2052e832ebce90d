import { type ReactNode, useState } from "react";
import type { ArticleDoc } from "../../../../src/drafts/contract/article.ts";
import type { Preview } from "../../../../src/drafts/contract/preview.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { lazyPart } from "../../../lib/lazy-part.tsx";
import { Field, Input, TextArea } from "../../../ui/field.tsx";
import type { ArticleChange } from "./article-edit.ts";
import { Counter, useFileSize } from "./counter.tsx";
import type { LineName } from "./measure.ts";
import { TextField } from "./text-field.tsx";
import type { Moment } from "./working-copy.ts";

const MoreFields = lazyPart(() => import("./more-fields.tsx"), "MoreFields");

const TEXT_CHARS_MAX = 20_000;

export interface ArticleFieldsProps {
  readonly article: ArticleDoc;
  readonly counts: Preview["articles"][number]["counts"] | undefined;
  readonly onChange: (change: ArticleChange, options?: Moment) => void;
  readonly onCaret: (percent: number) => void;
}

/** What every article has; the rest waits behind "more". */
export function ArticleFields(props: ArticleFieldsProps) {
  const { article, counts, onChange, onCaret } = props;
  const { t } = useSpeech();
  const isNews = article.type === "news";
  return (
    <div className="flex flex-col gap-4">
      <Counted name="title" label={t("drafts.heading")} text={article.title}>
        <Input
          value={article.title}
          placeholder={t("drafts.headingPlaceholder")}
          onValueChange={(title) => onChange({ title })}
          className="h-11 text-base font-medium"
        />
      </Counted>
      <div>
        <TextField
          article={article}
          onText={(text) => onChange({ source: { ...article.source, text } })}
          onCaret={onCaret}
        />
        <TextCounts counts={counts} isNews={isNews} />
      </div>
      <div className="grid gap-4 sm:grid-cols-[1fr_1.6fr]">
        <Counted name="author" label={t("drafts.author")} text={article.author ?? ""}>
          <Input
            value={article.author ?? ""}
            onValueChange={(author) => onChange({ author: author || undefined })}
          />
        </Counted>
        {isNews && <DigestField {...props} />}
      </div>
      <MoreSettings {...props} />
    </div>
  );
}

function DigestField({ article, onChange }: ArticleFieldsProps) {
  const { t } = useSpeech();
  const digest = article.digest ?? "";
  return (
    <Counted name="digest" label={t("drafts.digest")} text={digest} hint={t("drafts.digestHint")}>
      <TextArea
        rows={2}
        value={digest}
        onChange={({ currentTarget }) => onChange({ digest: currentTarget.value || undefined })}
      />
    </Counted>
  );
}

interface CountedProps {
  readonly name: LineName;
  readonly label: string;
  readonly text: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

/** A field whose count stands at the right end of its label. */
function Counted({ name, label, text, hint, children }: CountedProps) {
  return (
    <div className="relative">
      <Field label={label} hint={hint}>
        {children}
      </Field>
      <span className="absolute top-0 right-0">
        <Counter name={name} text={text} />
      </span>
    </div>
  );
}

interface TextCountsProps {
  readonly counts: ArticleFieldsProps["counts"];
  readonly isNews: boolean;
}

function TextCounts({ counts, isNews }: TextCountsProps) {
  const { t, locale } = useSpeech();
  const size = useFileSize();
  const limit = isNews ? TEXT_CHARS_MAX : 1_000;
  return (
    <p className="mt-1.5 flex min-h-4 flex-wrap justify-between gap-x-4 text-xs text-muted tabular-nums">
      {counts && (
        <>
          <span>
            {t("drafts.textCount", {
              characters: formatNumber(counts.text.characters, locale),
              limit: formatNumber(limit, locale),
            })}
          </span>
          {isNews && <span>{t("drafts.contentSize", { size: size(counts.content_bytes) })}</span>}
        </>
      )}
    </p>
  );
}

/** What few articles need: it comes when it is asked for. */
function MoreSettings(props: ArticleFieldsProps) {
  const { t } = useSpeech();
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit rounded text-[13px] font-medium text-accent hover:underline">
        {t("drafts.more")}
      </summary>
      {open && <MoreFields {...props} />}
    </details>
  );
}
