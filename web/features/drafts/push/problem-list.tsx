import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { Preview, Problem } from "../../../../src/drafts/contract/preview.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { cx } from "../../../ui/cx.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { canFix } from "../editor/article-edit.ts";
import { useProblemWords } from "./problem-words.ts";

const ICONS: Readonly<Record<Problem["severity"], { icon: LucideIcon; look: string }>> = {
  error: { icon: CircleAlert, look: "text-bad" },
  warning: { icon: TriangleAlert, look: "text-warn" },
  info: { icon: Info, look: "text-muted" },
};

const ORDER: readonly Problem["severity"][] = ["error", "warning", "info"];

interface ProblemListProps {
  /** Absent while the first judgement is made. */
  readonly preview: Preview | undefined;
  readonly onFix: (problem: Problem) => void;
  readonly onShorten: (problem: Problem) => void;
  readonly canEdit: boolean;
}

export function ProblemList(props: ProblemListProps) {
  const { preview } = props;
  const { t } = useSpeech();
  const problems = [...(preview?.problems ?? [])].sort(
    (one, two) => ORDER.indexOf(one.severity) - ORDER.indexOf(two.severity),
  );
  const isClean = preview && !problems.some(({ severity }) => severity === "error");
  return (
    <div id="checks" className="scroll-mt-20">
      <Card title={t("drafts.checks")} action={preview && <Summary problems={problems} />}>
        {!preview && <Skeleton className="h-5 w-2/3" />}
        {isClean && (
          <p className={cx("flex items-center gap-2 text-sm", problems.length > 0 && "mb-3")}>
            <CircleCheck size={16} className="text-good" />
            {t("drafts.checksGood")}
          </p>
        )}
        <ul aria-live="polite" className="flex flex-col divide-y divide-line">
          {problems.map((problem) => (
            <ProblemRow
              key={`${problem.article} ${problem.field} ${problem.code} ${problem.found} ${problem.picture} ${problem.line}`}
              problem={problem}
              {...props}
            />
          ))}
        </ul>
      </Card>
    </div>
  );
}

function Summary({ problems }: { readonly problems: readonly Problem[] }) {
  const { t } = useSpeech();
  const count = (wanted: Problem["severity"]) =>
    problems.filter(({ severity }) => severity === wanted).length;
  const errors = count("error");
  const warnings = count("warning");
  return (
    <span className="flex gap-3 text-[13px] tabular-nums">
      {errors > 0 && (
        <span className="font-medium text-bad">{t("drafts.checksErrors", { count: errors })}</span>
      )}
      {warnings > 0 && (
        <span className="text-warn">{t("drafts.checksWarnings", { count: warnings })}</span>
      )}
    </span>
  );
}

function ProblemRow({ problem, ...props }: ProblemListProps & { readonly problem: Problem }) {
  const { t } = useSpeech();
  const wordsOf = useProblemWords();
  const { icon: Icon, look } = ICONS[problem.severity];
  const many = (props.preview?.articles.length ?? 1) > 1;
  return (
    <li className="flex items-start gap-2.5 py-2.5 text-sm first:pt-0 last:pb-0">
      <Icon
        size={16}
        role="img"
        aria-label={t(`drafts.severity_${problem.severity}`)}
        className={cx("mt-0.5 shrink-0", look)}
      />
      <p className="min-w-0 flex-1 break-words">
        {many && (
          <span className="mr-2 text-muted">
            {t("drafts.articleNumber", { number: problem.article + 1 })}
          </span>
        )}
        {wordsOf(problem)}
      </p>
      {props.canEdit && <FixButton problem={problem} {...props} />}
    </li>
  );
}

function FixButton({ problem, onFix, onShorten }: ProblemListProps & { problem: Problem }) {
  const { t } = useSpeech();
  const isShort = problem.fix?.kind === "shorten" && problem.field !== "source.text";
  if (isShort && problem.fix?.value === undefined) {
    return (
      <Button size="small" onClick={() => onShorten(problem)}>
        {t("drafts.fix_shorten")}
      </Button>
    );
  }
  if (!canFix(problem)) return null;
  const key = `drafts.fix_${problem.fix?.kind}` as "drafts.fix_clear";
  const words = t(key);
  return (
    <Button size="small" onClick={() => onFix(problem)}>
      {/* A key that no catalogue has comes back as it is. */}
      {words === key ? t("drafts.fix") : words}
    </Button>
  );
}
