import { useState } from "react";
import type { Model } from "../../../src/console/contract/models.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useFilters } from "../../lib/filters.ts";
import { useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import type { Endpoint } from "./answer.ts";
import type { Sending } from "./conversation.ts";
import { defaultModel } from "./default-model.ts";
import { type PlaygroundSettings, useKeptSettings } from "./kept-settings.ts";
import type { PlaygroundErrors } from "./settings-card.tsx";

const ENDPOINTS: readonly Endpoint[] = ["responses", "chat"];
const TEMPERATURE_MAX = 2;

function endpointsOf(model: Model | undefined): readonly Endpoint[] {
  return ENDPOINTS.filter((name) => !model || model.endpoints.includes(name));
}

/** The choices of the page. The model also lives in the address, so that others can link to it. */
export function useSettings() {
  const { me, path } = useSession();
  const rows = useRows<Model>(path("/models"));
  const models = rows.data?.filter((model) => endpointsOf(model).length > 0);
  const { values: address, set } = useFilters(["model"]);
  const [kept, keep] = useKeptSettings(me.user.id, path(""));
  const isListed = rows.data !== undefined || Boolean(rows.error);
  const find = (id: string | undefined) => models?.find((model) => model.id === id);
  const model = find(address.model) ?? find(kept.model) ?? (models && defaultModel(models));
  const endpoints = endpointsOf(model);
  const endpoint = endpoints.includes(kept.endpoint) ? kept.endpoint : (endpoints[0] ?? "chat");
  const values: PlaygroundSettings = { ...kept, endpoint, model: model?.id ?? "" };
  const change = (changes: Partial<PlaygroundSettings>) => {
    keep(changes);
    if (changes.model !== undefined) set({ model: changes.model });
  };
  return { models, model, isListed, endpoints, values, change };
}

export function readTemperature(typed: string): number | undefined {
  const text = typed.trim();
  const value = /^\d(?:[.,]\d{1,3})?$/.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
  return value <= TEMPERATURE_MAX ? value : undefined;
}

/** What is asked, of fields that were found to be right. */
export function sendingOf(values: PlaygroundSettings, prompt: string): Sending {
  const { model, endpoint, instructions } = values;
  const most = Number(values.maxOutput.trim());
  return {
    ...{ model, endpoint, instructions, prompt },
    temperature: readTemperature(values.temperature),
    maxOutput: most > 0 ? most : undefined,
  };
}

export function useChecked(values: PlaygroundSettings) {
  const { t } = useSpeech();
  const [errors, setErrors] = useState<PlaygroundErrors>({});
  const check = (): boolean => {
    const { temperature, maxOutput } = values;
    const tooHot = temperature.trim() !== "" && readTemperature(temperature) === undefined;
    const found: PlaygroundErrors = {
      ...(values.model === "" && { model: t("playground.noModels") }),
      ...(tooHot && { temperature: t("playground.temperatureError") }),
      ...(!/^$|^[1-9]\d{0,8}$/.test(maxOutput.trim()) && { maxOutput: t("errors.wholeNumber") }),
    };
    setErrors(found);
    return Object.keys(found).length === 0;
  };
  return { errors, check, forget: () => setErrors({}) };
}
