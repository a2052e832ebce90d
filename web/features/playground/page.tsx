import { Code2, RotateCcw } from "lucide-react";
import type { Model } from "../../../src/console/contract/models.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useSession } from "../../lib/session.tsx";
import { useNow } from "../../lib/time/now.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Question } from "./call.ts";
import { Composer } from "./composer.tsx";
import { exchangesOf, type Turn, useConversation } from "./conversation.ts";
import { CostStrip } from "./cost-strip.tsx";
import type { PlaygroundSettings } from "./kept-settings.ts";
import { NotForViewers } from "./not-for-viewers.tsx";
import { sendingOf, useChecked, useSettings } from "./settings.ts";
import { SettingsCard } from "./settings-card.tsx";
import { turnCost } from "./turn-cost.ts";
import { TurnList } from "./turn-list.tsx";

const ReceiptDrawer = lazyPart(() => import("../requests/receipt-drawer.tsx"), "ReceiptDrawer");
const CodeDialog = lazyPart(() => import("./code-dialog.tsx"), "CodeDialog");

export function PlaygroundPage() {
  const { t } = useSpeech();
  const { may } = useSession();
  if (may("member")) return <Talk />;
  return (
    <>
      <PageHeader title={t("playground.title")} description={t("playground.description")} />
      <NotForViewers />
    </>
  );
}

function useCosts(turns: readonly Turn[], models: readonly Model[] | undefined, system: string) {
  const nowMs = useNow();
  let sent = system;
  return turns.map((turn) => {
    const price = models?.find(({ id }) => id === turn.model)?.price;
    const cost = turnCost(turn, price, { sent, nowMs });
    sent += turn.prompt + turn.answer.text;
    return cost;
  });
}

/** What a program would send: what was asked last, or what is being written. */
function questionOf(values: PlaygroundSettings, turns: readonly Turn[], hello: string): Question {
  const last = turns.at(-1);
  const typed = values.prompt.trim();
  const asksAnew = typed !== "" || last === undefined;
  const before = exchangesOf(asksAnew ? turns : turns.slice(0, -1));
  return { ...sendingOf(values, asksAnew ? typed || hello : last.prompt), before };
}

interface ActionsProps {
  readonly onCode: () => void;
  /** Without one there is nothing to clear. */
  readonly onClear: (() => void) | undefined;
}

function Actions({ onCode, onClear }: ActionsProps) {
  const { t } = useSpeech();
  return (
    <>
      <Button onClick={onCode}>
        <Code2 size={15} />
        {t("playground.code")}
      </Button>
      <Button disabled={!onClear} onClick={onClear}>
        <RotateCcw size={15} />
        {t("playground.clear")}
      </Button>
    </>
  );
}

function Talk() {
  const { t } = useSpeech();
  const { me, path } = useSession();
  const { models, model, isListed, endpoints, values, change } = useSettings();
  const { turns, running, send, stop, clear } = useConversation(me.user.id, path(""));
  const { errors, check, forget } = useChecked(values);
  const costs = useCosts(turns, models, values.instructions);
  const opened = useFilters(["receipt", "code"]);
  const onSend = (prompt: string): boolean => {
    if (!check()) return false;
    send(sendingOf(values, prompt));
    return true;
  };
  const onChange = (changes: Partial<PlaygroundSettings>) => {
    forget();
    change(changes);
  };
  const actions = (
    <Actions
      onCode={() => opened.open({ code: "1" })}
      onClear={turns.length === 0 ? undefined : clear}
    />
  );
  return (
    <>
      <PageHeader
        title={t("playground.title")}
        description={t("playground.description")}
        actions={actions}
      />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Card flush>
            <TurnList
              turns={turns}
              costs={costs}
              onReceipt={(receipt) => opened.open({ receipt })}
            />
            <Composer
              running={running}
              ready={isListed}
              model={model?.display_name ?? ""}
              prompt={values.prompt}
              onType={(prompt) => change({ prompt })}
              onSend={onSend}
              onStop={stop}
            />
          </Card>
          <CostStrip costs={costs} />
        </div>
        <SettingsCard {...{ values, errors, models, endpoints, onChange }} />
      </div>
      <Opened question={questionOf(values, turns, t("playground.hello"))} />
    </>
  );
}

/** What lies over the page; it lives in the address, as elsewhere. */
function Opened({ question }: { readonly question: Question }) {
  const { values, close } = useFilters(["receipt", "code"]);
  return (
    <>
      {values.receipt && <ReceiptDrawer id={values.receipt} onClose={() => close("receipt")} />}
      {values.code && <CodeDialog question={question} onClose={() => close("code")} />}
    </>
  );
}
