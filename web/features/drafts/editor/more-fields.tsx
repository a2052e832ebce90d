import { useSpeech } from "../../../i18n/language.tsx";
import { Field, Input } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { Checkbox } from "../../../ui/switch.tsx";
import { changeType } from "./article-edit.ts";
import type { ArticleFieldsProps } from "./article-fields.tsx";

/** The settings of an article behind "more". */
export function MoreFields({ article, onChange }: ArticleFieldsProps) {
  const { t } = useSpeech();
  const now = { now: true };
  const { source } = article;
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-2">
      <Field label={t("drafts.type")}>
        <Select
          value={article.type}
          choices={(["news", "newspic"] as const).map((value) => ({
            value,
            label: t(`drafts.type_${value}`),
          }))}
          onChange={(type) => onChange(changeType(article, type), now)}
        />
      </Field>
      {article.type === "news" && (
        <Field label={t("drafts.format")}>
          <Select
            value={source.format}
            choices={(["markdown", "html"] as const).map((value) => ({
              value,
              label: t(`drafts.format_${value}`),
            }))}
            onChange={(format) => onChange({ source: { ...source, format } }, now)}
          />
        </Field>
      )}
      <Field
        label={t("drafts.sourceUrl")}
        hint={t("drafts.sourceUrlHint")}
        className="sm:col-span-2"
      >
        <Input
          type="url"
          value={article.source_url ?? ""}
          placeholder="https://"
          onValueChange={(url) => onChange({ source_url: url || undefined })}
        />
      </Field>
      <Field label={t("drafts.productKey")} optional>
        <Input
          mono
          value={article.product_key ?? ""}
          onValueChange={(key) => onChange({ product_key: key || undefined })}
        />
      </Field>
      <div className="flex flex-col gap-2.5 sm:pt-6">
        <Checkbox
          checked={article.open_comment ?? false}
          label={t("drafts.comments")}
          onChange={(open) => onChange({ open_comment: open || undefined }, now)}
        />
        <Checkbox
          checked={article.fans_only_comment ?? false}
          label={t("drafts.fansOnly")}
          onChange={(only) => onChange({ fans_only_comment: only || undefined }, now)}
        />
      </div>
    </div>
  );
}
