import { changesBetween } from "../../accounts/audit-changes.ts";
import type { Guards } from "../../accounts/guards.ts";
import { priceChanges } from "../../catalogue/price-list.ts";
import { modelWords } from "../../installation/installation.ts";
import type { Route } from "../../lib/route.ts";
import type { PricePreview } from "./contract/models.ts";
import { CHANGE_SETTINGS, type InstallationSettings, SHOW_SETTINGS } from "./contract/settings.ts";
import type { OperatorServices } from "./services.ts";
import { settingsToJson, settingTexts } from "./settings.ts";

type Changed = InstallationSettings | PricePreview;

export function settingsRoutes(services: OperatorServices, guards: Guards): readonly Route[] {
  const { installation, catalogue, clock, store, audit } = services;
  /** What another markup does to the prices of this moment. */
  const preview = (markupPercent: string | undefined) => {
    const words = modelWords(installation.snapshot);
    const next = installation.catalogueOf(words, markupPercent, () => {});
    return priceChanges(catalogue, next, clock());
  };
  return [
    guards.operator(SHOW_SETTINGS, async () => settingsToJson(installation.current())),
    guards.money.operator(CHANGE_SETTINGS, async (call): Promise<Changed> => {
      const form = await call.body();
      if (call.query().preview) {
        const percent = form.markup_percent ?? installation.defaults.markupPercent;
        const data = form.markup_percent === undefined ? [] : preview(percent);
        return { object: "price_preview", data };
      }
      const before = settingsToJson(installation.current());
      await store.setSettings(settingTexts(form));
      await installation.reload();
      const after = settingsToJson(installation.current());
      const note = { ...call, accountId: null, action: "settings.change", target: "settings" };
      await audit.write({ ...note, detail: form, changes: changesBetween(before, after) });
      return after;
    }),
  ];
}
