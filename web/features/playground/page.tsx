import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { useNow } from "../../lib/now.ts";
import { useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Model } from "../models/contract.ts";
import type { Endpoint } from "./answer.ts";
import { Composer } from "./composer.tsx";
import { type Turn, useConversation } from "./conversation.ts";
import { CostStrip } from "./cost-strip.tsx";
import { type PlaygroundErrors, type PlaygroundValues, SettingsCard } from "./settings-card.tsx";
import { useTabKey } from "./tab-key.ts";
import { turnCost } from "./turn-cost.ts";
import { TurnList } from "./turn-list.tsx";

const ENDPOINTS: readonly Endpoint[] = ["responses", "chat"];

function endpointsOf(model: Model | undefined): readonly Endpoint[] {
  return ENDPOINTS.filter((name) => !model || model.endpoints.includes(name));
}

/** The choices of the page. The model lives in the address, so that others can link to it. */
function useSettings() {
  const { path } = useSession();
  const rows = useRows<Model>(path("/models"));
  const models = rows.data?.filter((model) => endpointsOf(model).length > 0);
  const { values: address, set } = useFilters(["model"]);
  const [secret, keepSecret] = useTabKey();
  const [rest, setRest] = useState({
    endpoint: "responses" as Endpoint,
    instructions: "",
    maxOutput: "",
  });
  const model = models?.find(({ id }) => id === address.model) ?? models?.[0];
  const endpoints = endpointsOf(model);
  const endpoint = endpoints.includes(rest.endpoint) ? rest.endpoint : (endpoints[0] ?? "chat");
  const values: PlaygroundValues = { ...rest, endpoint, secret, model: model?.id ?? "" };
  const change = ({ secret: key, model: id, ...others }: Partial<PlaygroundValues>) => {
    if (key !== undefined) keepSecret(key);
    if (id !== undefined) set({ model: id });
    setRest((before) => ({ ...before, ...others }));
  };
  return { models, endpoints, values, change };
}

function useChecked(values: PlaygroundValues) {
  const { t } = useSpeech();
  const [errors, setErrors] = useState<PlaygroundErrors>({});
  const check = (): boolean => {
    const found: PlaygroundErrors = {
      ...(values.secret.trim() === "" && { secret: t("playground.needKey") }),
      ...(values.model === "" && { model: t("playground.noModels") }),
      ...(!/^$|^[1-9]\d{0,8}$/.test(values.maxOutput.trim()) && {
        maxOutput: t("errors.wholeNumber"),
      }),
    };
    setErrors(found);
    return Object.keys(found).length === 0;
  };
  return { errors, check, forget: () => setErrors({}) };
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

export function PlaygroundPage() {
  const { t } = useSpeech();
  const { models, endpoints, values, change } = useSettings();
  const { turns, running, send, stop, clear } = useConversation();
  const { errors, check, forget } = useChecked(values);
  const costs = useCosts(turns, models, values.instructions);
  const onSend = (prompt: string): boolean => {
    if (!check()) return false;
    const { secret, model, endpoint, instructions, maxOutput } = values;
    const most = maxOutput.trim() === "" ? undefined : Number(maxOutput);
    send({ secret: secret.trim(), model, endpoint, instructions, maxOutput: most, prompt });
    return true;
  };
  const onChange = (changes: Partial<PlaygroundValues>) => {
    forget();
    change(changes);
  };
  const restart = (
    <Button disabled={turns.length === 0} onClick={clear}>
      <RotateCcw size={15} />
      {t("playground.clear")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("playground.title")}
        description={t("playground.description")}
        actions={restart}
      />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Card flush>
            <TurnList turns={turns} costs={costs} />
            <Composer running={running} onSend={onSend} onStop={stop} />
          </Card>
          <CostStrip costs={costs} />
        </div>
        <div className="order-first lg:order-none">
          <SettingsCard
            values={values}
            errors={errors}
            models={models}
            endpoints={endpoints}
            onChange={onChange}
          />
        </div>
      </div>
    </>
  );
}
