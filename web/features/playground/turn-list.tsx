import { MessagesSquare, ReceiptText } from "lucide-react";
import { useDeferredValue, useEffect, useRef } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { ApiError } from "../../lib/api.ts";
import { formatNumber } from "../../lib/format.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/money.tsx";
import type { Turn } from "./conversation.ts";
import type { TurnCost } from "./turn-cost.ts";
import { TurnProblem } from "./turn-problem.tsx";

/** Comes with the first answer, before which there is nothing to draw. */
const Markdown = lazyPart(() => import("./markdown.tsx"), "Markdown");

interface TurnListProps {
  readonly turns: readonly Turn[];
  readonly costs: readonly TurnCost[];
  readonly onReceipt: (id: string) => void;
}

/** How near to its end a reader must be for the list to follow what is written. */
const NEAR_PX = 120;

export function TurnList({ turns, costs, onReceipt }: TurnListProps) {
  const { t } = useSpeech();
  const list = useRef<HTMLElement>(null);
  const last = turns.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows whatever grows.
  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const away = box.scrollHeight - box.scrollTop - box.clientHeight;
    if (away < NEAR_PX || last?.answer.text === "") box.scrollTop = box.scrollHeight;
  }, [turns.length, last?.answer.text, last?.receipt]);
  return (
    <section
      ref={list}
      aria-label={t("playground.conversation")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="max-h-[60dvh] min-h-72 overflow-y-auto rounded-t-xl px-5 py-4 -outline-offset-2"
    >
      {turns.length === 0 ? (
        <EmptyState icon={<MessagesSquare size={28} />} title={t("playground.emptyTitle")}>
          {t("playground.emptyHint")}
        </EmptyState>
      ) : (
        <ol className="flex flex-col gap-6">
          {turns.map((turn, index) => (
            <li key={turn.id}>
              <TurnView turn={turn} cost={costs[index]} onReceipt={onReceipt} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

interface TurnViewProps {
  readonly turn: Turn;
  readonly cost: TurnCost | undefined;
  readonly onReceipt: (id: string) => void;
}

function TurnView({ turn, cost, onReceipt }: TurnViewProps) {
  const { t } = useSpeech();
  const { answer, state } = turn;
  // Drawing a long answer takes longer than a word takes to come; then some words come at once.
  const text = useDeferredValue(answer.text);
  return (
    <div className="flex flex-col gap-3 text-sm">
      <div className="ml-auto max-w-[85%] rounded-xl bg-accent-soft px-3.5 py-2">
        <p className="sr-only">{t("playground.you")}</p>
        <p className="break-words whitespace-pre-wrap">{turn.prompt}</p>
      </div>
      <div aria-busy={state === "running"} className="min-w-0">
        <p className="mb-1 font-mono text-xs text-muted">{turn.model}</p>
        {answer.reasoning && (
          <details className="mb-2 text-muted">
            <summary className="w-fit cursor-pointer text-[13px]">
              {t("playground.reasoning")}
            </summary>
            <p className="mt-1 border-l-2 border-line pl-3 break-words whitespace-pre-wrap">
              {answer.reasoning}
            </p>
          </details>
        )}
        {state === "running" && answer.text === "" && (
          <p className="text-muted">{t("playground.waiting")}</p>
        )}
        {text !== "" && <Markdown text={text} />}
        {turn.problem !== undefined && <TurnProblem problem={turn.problem} />}
        {state !== "running" && <TurnFoot turn={turn} cost={cost} onReceipt={onReceipt} />}
      </div>
    </div>
  );
}

/** The gateway writes one for what it refuses too, which says what to do; the door does not. */
function refusedId({ state, problem, requestId }: Turn): string | undefined {
  const atTheDoor = problem instanceof ApiError && [401, 403].includes(problem.status);
  return state === "failed" && !atTheDoor ? requestId : undefined;
}

function TurnFoot({ turn, cost, onReceipt }: TurnViewProps) {
  const { t } = useSpeech();
  const receipt = turn.receipt?.id ?? refusedId(turn);
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-muted tabular-nums">
      {turn.state === "stopped" && <Badge>{t("playground.stopped")}</Badge>}
      {cost?.cost !== undefined && <Counts cost={cost} />}
      {receipt !== undefined && (
        <Button kind="quiet" size="small" onClick={() => onReceipt(receipt)}>
          <ReceiptText size={14} />
          {t("playground.receipt")}
        </Button>
      )}
    </p>
  );
}

function Counts({ cost }: { readonly cost: TurnCost }) {
  const { t, locale } = useSpeech();
  const number = (count: number) => formatNumber(count, locale);
  return (
    <>
      <span>
        {t("playground.tokensOf", { input: number(cost.input), output: number(cost.output) })}
      </span>
      {cost.cached > 0 && <span>{t("playground.cachedOf", { count: number(cost.cached) })}</span>}
      <span>
        {cost.source === "estimated" && "≈ "}
        <Money amount={cost.cost ?? "0"} />
      </span>
    </>
  );
}
