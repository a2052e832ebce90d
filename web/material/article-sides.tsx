import type { ReactNode } from "react";
import type { Article, FieldPair } from "../../src/console/contract/material.ts";
import { useSpeech } from "../i18n/language.tsx";
import { Badge } from "../ui/badge.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { ContentLines } from "./content-lines.tsx";
import { foldLines } from "./line-fold.ts";

export const SIDES = ["differences", "stored", "submitted"] as const;
export type Side = (typeof SIDES)[number];

interface ArticleSidesProps {
  readonly article: Article;
  readonly side: Side;
  readonly onChange: (side: Side) => void;
}

/** What was sent, what is kept, and how the two differ. */
export function ArticleSides({ article, side, onChange }: ArticleSidesProps) {
  const { t } = useSpeech();
  return (
    <div className="min-w-0">
      <Tabs
        label={t("material.sides")}
        value={side}
        onChange={(next) => onChange(next as Side)}
        tabs={SIDES.map((value) => ({
          value,
          label: t(`material.side_${value}`),
          content:
            value === "differences" ? (
              <Differences article={article} />
            ) : (
              <OneSide article={article} version={value} />
            ),
        }))}
      />
    </div>
  );
}

function Section({ title, aside, children }: SectionProps) {
  return (
    <section className="mt-5 first:mt-0">
      <h3 className="mb-2 flex flex-wrap items-center gap-2 text-[13px] font-medium">
        {title}
        {aside}
      </h3>
      {children}
    </section>
  );
}

interface SectionProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

function Differences({ article }: { readonly article: Article }) {
  const { t } = useSpeech();
  const { dropped, added, lines } = article;
  const changed = article.fields.filter(({ fate }) => fate !== "same");
  const counts = (
    <>
      {dropped > 0 && <Badge tone="bad">{t("material.dropped", { count: dropped })}</Badge>}
      {added > 0 && <Badge tone="good">{t("material.added", { count: added })}</Badge>}
    </>
  );
  return (
    <>
      <Section title={t("material.content")} aside={counts}>
        {dropped + added === 0 ? (
          <p className="text-sm text-muted">{t("material.contentSame")}</p>
        ) : (
          <ContentLines
            label={t("material.content")}
            lines={foldLines(lines)}
            leftOut={article.lines_left_out}
          />
        )}
      </Section>
      <Section title={t("material.fields")}>
        {changed.length === 0 ? (
          <p className="text-sm text-muted">{t("material.fieldsSame")}</p>
        ) : (
          <ul className="flex flex-col gap-2.5">
            {changed.map((pair) => (
              <ChangedField key={pair.name} pair={pair} />
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

const TONES = { same: "neutral", changed: "warn", filled: "accent", dropped: "bad" } as const;

function ChangedField({ pair }: { readonly pair: FieldPair }) {
  const { t } = useSpeech();
  const { name, submitted, stored, fate } = pair;
  return (
    <li className="rounded-lg border border-line px-3 py-2">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <code className="font-mono text-[13px] break-all">{name}</code>
        <Badge tone={TONES[fate]}>{t(`material.fate_${fate}`)}</Badge>
      </p>
      <dl className="mt-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-[13px]">
        <dt className="text-muted">{t("material.submitted")}</dt>
        <dd className="break-words">
          {submitted ?? <span className="text-muted">{t("material.notSent")}</span>}
        </dd>
        <dt className="text-muted">{t("material.stored")}</dt>
        <dd className="break-words">
          {stored ?? <span className="text-muted">{t("material.notKept")}</span>}
        </dd>
      </dl>
    </li>
  );
}

interface OneSideProps {
  readonly article: Article;
  readonly version: "stored" | "submitted";
}

function OneSide({ article, version }: OneSideProps) {
  const { t } = useSpeech();
  const absent = version === "stored" ? "dropped" : "added";
  const lines = article.lines.flatMap((line, key) =>
    line.kind === absent ? [] : [{ key, line: { ...line, kind: "same" as const } }],
  );
  const fields = article.fields.filter((pair) => pair[version] !== null);
  return (
    <>
      <Section title={t("material.content")}>
        {lines.length === 0 ? (
          <p className="text-sm text-muted">{t("material.contentEmpty")}</p>
        ) : (
          <ContentLines
            label={t("material.content")}
            lines={lines}
            leftOut={article.lines_left_out}
          />
        )}
      </Section>
      <Section title={t("material.fields")}>
        <dl className="divide-y divide-line rounded-lg border border-line">
          {fields.map((pair) => (
            <div key={pair.name} className="px-3 py-2 sm:flex sm:gap-3">
              <dt className="shrink-0 font-mono text-[13px] break-all text-muted sm:w-48">
                {pair.name}
              </dt>
              <dd className="min-w-0 text-[13px] break-words">{pair[version]}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </>
  );
}
