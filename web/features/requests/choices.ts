import type { Usage } from "../../../src/console/contract/usage.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { lastDays } from "../../lib/format.ts";
import { useResource } from "../../lib/queries.ts";
import { useSession, useTimeZone } from "../../lib/session.tsx";
import { useNow } from "../../lib/time/now.ts";
import type { Choice } from "../../ui/select.tsx";

const DAYS = 90;

/** "All" first, and the value that is chosen even where the list does not know it. */
function withChosen(
  choices: readonly Choice<string>[],
  chosen: string | undefined,
  all: string,
): readonly Choice<string>[] {
  const known = chosen === undefined || choices.some(({ value }) => value === chosen);
  const extra = known ? [] : [{ value: chosen, label: chosen }];
  return [{ value: "", label: all }, ...extra, ...choices];
}

/** The models that were asked for of late, the dearest first. */
export function useModelChoices(chosen: string | undefined): readonly Choice<string>[] {
  const { t } = useSpeech();
  const { path } = useSession();
  const tz = useTimeZone();
  const days = lastDays(DAYS, useNow(), tz);
  const query = { by: "model", from: days[0], to: days.at(-1), tz };
  const { data } = useResource<Usage>(path("/usage"), query, { keep: true });
  const models = (data?.rows ?? []).flatMap(({ model }) => model || []);
  return withChosen(
    models.map((model) => ({ value: model, label: model })),
    chosen,
    t("requests.allModels"),
  );
}
