import { useSpeech } from "../../i18n/language.tsx";

/** How far a budget can be passed, wherever one is set or shown. */
export function BudgetBound() {
  const { t } = useSpeech();
  return t("keys.budgetBound", { option: t("keys.option_hard") });
}
